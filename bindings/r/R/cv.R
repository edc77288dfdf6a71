# cv.hsvm(): cross-validation over lambda, and over lambda2 and delta where several are tried.

cv.hsvm <- function(x, ...) UseMethod("cv.hsvm")

cv.hsvm.default <- function(x, y, weights = NULL, alpha = NULL, lambda2 = NULL, nlambda = 100, lambda.min.ratio = NULL,
                            lambda = NULL, standardize = TRUE, intercept = TRUE, penalty.factor = NULL, exclude = NULL,
                            dfmax = NULL, delta = 1, loss = "huberized", margins = NULL, class.weights = NULL, lambda3 = 0,
                            type.measure = "class", nfolds = 10, foldid = NULL, groups = NULL, repeats = 1,
                            leave.one.out = FALSE, keep = FALSE, nested = FALSE, stability = 0, seed = NULL,
                            thresh = 1e-6, maxit = 1e5, time.limit = Inf, full.path = FALSE, solver = "newton",
                            threads = getOption("hsvm.threads"), trace.it = 0, ...) {
  check_dots(...)
  measure <- find_measure(type.measure)
  data <- make_data(x, y, weights, penalty.factor, exclude)
  lambda2 <- check_numbers(lambda2, "lambda2")
  delta <- check_numbers(delta, "delta")
  several <- function(values) if (length(values) > 1) values
  model <- model_options(alpha, if (length(lambda2) == 1) lambda2, standardize, intercept, if (length(delta) == 1) delta,
                         loss, margins, class.weights, lambda3, data$labels)
  options <- c(model, solver_options(thresh, maxit, time.limit, solver, threads, check_seed(seed)),
               path_options(nlambda, lambda.min.ratio, lambda, dfmax, full.path, alpha),
               fold_options(nfolds, missing(nfolds), foldid, groups, repeats, leave.one.out, nrow(data$x)),
               list(score = measure$score, nested = check_flag(nested, "nested"),
                    stability = check_number(stability, "stability"), lambda2_grid = several(lambda2),
                    delta_grid = several(delta)))
  refuse_ridge_path(alpha, NULL)
  tuned <- call_core(hsvm_tune, data, options, shows(trace.it), check_flag(keep, "keep"))
  null <- function(chosen) null_loss(data, replace(model, "delta", list(chosen$delta)))
  fit <- make_cv(tuned, measure, data$labels, alpha, null, colnames(data$x))
  if (keep) fit <- c_class(fit, kept_scores(tuned, fit, nrow(data$x)))
  fit$call <- clean_call(match.call(), "cv.hsvm")
  fit$hsvm.fit$call <- path_call(fit$call, fit)
  best <- tuned$best
  warn_unless_converged(fit$status, best$gap, best$relative_gap, best$tolerance)
  fit
}

cv.hsvm.formula <- function(formula, data, weights, subset, na.action = na.fail, ...) {
  parts <- formula_parts(match.call(), parent.frame())
  fit <- cv.hsvm.default(parts$x, parts$y, weights = parts$weights, ...)
  call <- clean_call(match.call(), "cv.hsvm")
  fit$hsvm.fit <- keep_formula(fit$hsvm.fit, parts, path_call(call, fit))
  fit$one.se.fit <- keep_formula(fit$one.se.fit, parts, NULL)
  fit$min.fit <- keep_formula(fit$min.fit, parts, NULL)
  keep_formula(fit, parts, call)
}

# The call that fits the path of the best point by itself.
path_call <- function(call, fit) {
  call <- call[names(call) %in% c("", "formula", "data", "subset", "na.action", names(formals(hsvm.default)))]
  call[[1]] <- as.name("hsvm")
  if (is.null(fit$hsvm.fit$alpha)) call$lambda2 <- fit$lambda2.min
  if (length(unique(fit$grid$delta)) > 1) { # which share one sequence of lambda
    call$delta <- fit$delta.min
    call[c("nlambda", "lambda.min.ratio")] <- NULL
    call$lambda <- fit$lambda
  }
  call
}

c_class <- function(list, more) structure(c(unclass(list), more), class = class(list))

# Folds are dealt by a seed that comes from R's own random numbers: set.seed() before the call gives the same folds again.
check_seed <- function(seed) {
  if (is.null(seed)) return(sample.int(.Machine$integer.max, 1))
  check_number(seed, "seed")
}

# glmnet's measures and the library's own names; the measure is a score of the library, or 1 less it, or twice it.
measures <- list(
  class = list(score = "accuracy", of = function(m) 1 - m, scale = 1, label = "Misclassification Error"),
  auc = list(score = "auc", of = identity, scale = 1, label = "AUC"),
  deviance = list(score = "log_loss", of = function(m) 2 * m, scale = 2, label = "Deviance"),
  mse = list(score = "brier_score", of = identity, scale = 1, label = "Mean-Squared Error"),
  loss = list(score = "loss", of = identity, scale = 1, label = "Hinge Loss"),
  accuracy = list(score = "accuracy", of = identity, scale = 1, label = "Accuracy"),
  balanced_accuracy = list(score = "balanced_accuracy", of = identity, scale = 1, label = "Balanced Accuracy"),
  macro_f1 = list(score = "macro_f1", of = identity, scale = 1, label = "Macro F1"),
  log_loss = list(score = "log_loss", of = identity, scale = 1, label = "Log-Loss"),
  brier_score = list(score = "brier_score", of = identity, scale = 1, label = "Brier Score"))

find_measure <- function(type.measure) {
  name <- check_word(type.measure, "type.measure", names(measures))
  c(measures[[name]], name = name)
}

fold_options <- function(nfolds, default, foldid, groups, repeats, leave.one.out, n) {
  leave.one.out <- check_flag(leave.one.out, "leave.one.out")
  if (!is.null(groups)) groups <- check_groups(groups, n)
  if (is.null(foldid)) {
    return(list(folds = if (!default && !leave.one.out) check_number(nfolds, "nfolds"), groups = groups,
                repeats = check_number(repeats, "repeats"), leave_one_out = leave.one.out))
  }
  if (length(foldid) != n) refuse("input", length(foldid), " numbers in foldid for the ", n, " rows of x: there must be one for each")
  if (anyNA(foldid)) refuse("input", "foldid is missing in place ", which(is.na(foldid))[1])
  if (leave.one.out) refuse("option", "foldid and leave.one.out exclude each other: give one of them")
  if (!is.null(groups)) refuse("option", "foldid and groups exclude each other: give one of them")
  list(fold_of_sample = match(foldid, sort(unique(foldid))),
       repeats = check_number(repeats, "repeats"))
}

check_groups <- function(groups, n) {
  if (length(groups) != n) refuse("input", length(groups), " groups for the ", n, " rows of x: there must be one for each")
  if (anyNA(groups)) refuse("input", "groups is missing in place ", which(is.na(groups))[1])
  enc2utf8(as.character(groups))
}

# The object. Its columns lambda, cvm and so on are those of the path that has the best point; grid has all paths.
make_cv <- function(tuned, measure, labels = NULL, alpha = NULL, null = function(chosen) NULL, columns = NULL) {
  tuning <- tuned$tuning
  share <- alpha %||% 1
  grid <- as.data.frame(tuning$grid)
  points <- path_of_best(tuning)
  cvm <- measure$of(grid[[paste0("mean_", measure$score)]][points])
  cvsd <- measure$scale * grid[[paste0("se_", measure$score)]][points]
  of_list <- function(fitted, chosen) make_hsvm(fitted, labels, alpha, null(chosen), columns)
  min.fit <- c_class(of_list(tuned$best, tuned$best), list(calibration = tuned$best$calibration))
  one.se.fit <- c_class(of_list(tuned$one_se, tuned$one_se), list(calibration = tuned$one_se$calibration))
  fit <- list(
    call = NULL, lambda = grid$lambda1[points] / share, cvm = cvm, cvsd = cvsd, cvup = cvm + cvsd, cvlo = cvm - cvsd,
    nzero = as.integer(grid$nonzeros[points]), name = stats::setNames(measure$label, measure$name),
    hsvm.fit = if (!is.null(tuned[["path"]])) of_list(tuned[["path"]], tuned$best), min.fit = min.fit, one.se.fit = one.se.fit,
    lambda.min = min.fit$lambda, lambda.1se = one.se.fit$lambda,
    lambda2.min = min.fit$lambda2, lambda2.1se = one.se.fit$lambda2, delta.min = min.fit$delta, delta.1se = one.se.fit$delta,
    index = c(min = tuning$best, `1se` = tuning$one_se), grid = grid, path = points, gap = c(min = min.fit$gap, `1se` = one.se.fit$gap),
    nfolds = tuning$n_folds, repeats = tuning$repeats, seed = tuning$seed, notes = tuning$notes, status = tuning$status,
    npasses = tuning$passes, nested = nested_of(tuning$nested, min.fit), stability = stability_of(tuned$best, min.fit), stability.1se = stability_of(tuned$one_se, min.fit),
    measure = measure$name,
    classnames = min.fit$classnames, text = tuned$text)
  structure(fit, class = "cv.hsvm")
}

# The points of the grid on the path that has the best one.
path_of_best <- function(tuning) {
  begins <- tuning$path_begins
  k <- findInterval(tuning$best - 1, begins, rightmost.closed = TRUE)
  seq.int(begins[k] + 1, begins[k + 1])
}

nested_of <- function(nested, fit) {
  if (is.null(nested)) return(NULL)
  table <- function(scores) as.data.frame(do.call(rbind, scores))
  list(min = table(nested$best), `1se` = table(nested$one_se), folds = as.data.frame(nested$best_choices),
       folds.1se = as.data.frame(nested$one_se_choices))
}

stability_of <- function(model, fit) {
  if (is.null(model$stability)) return(NULL)
  frequency <- numeric(model$n_features)
  names(frequency) <- rownames(fit$beta %|1|% NULL)
  frequency[model$stability$features + 1] <- model$stability$frequencies
  list(frequency = frequency, n.halves = model$stability$n_halves, mean.selected = model$stability$mean_selected)
}

# glmnet's fit.preval: the scores of each sample by the model that was fitted without it, n x lambda or n x classes x lambda.
kept_scores <- function(tuned, fit, n) {
  out <- tuned$tuning$out_of_fold
  path <- fit$hsvm.fit
  binary <- path$kind == "binary"
  outputs <- if (binary) 1 else length(path$classnames)
  preval <- array(NA_real_, c(n, outputs, length(path$lambda)))
  sign <- if (binary && path$place[1] > path$place[2]) -1 else 1
  columns <- if (binary) 1 else path$place + 1
  for (k in seq_along(tuned$path_scores)) preval[out$samples + 1, , k] <- sign * tuned$path_scores[[k]][, columns]
  foldid <- rep(NA_integer_, n)
  foldid[out$samples + 1] <- out$folds + 1L
  list(fit.preval = if (binary) matrix(preval, n) else preval, foldid = foldid)
}

# s as predict() has it: a name, or numbers along the path that has the best point.
model_of <- function(object, s) {
  if (is.character(s)) {
    if (length(s) != 1 || !s %in% c("lambda.1se", "lambda.min"))
      refuse("option", "s ", describe_value(s), ": must be \"lambda.1se\", \"lambda.min\" or numbers")
    fit <- if (s == "lambda.min") object$min.fit else object$one.se.fit
    return(list(fit = fit, s = NULL, name = s))
  }
  s <- check_s(s, "\"lambda.1se\", \"lambda.min\" or numbers of at least 0")
  if (length(s) == 1 && s == object$lambda.min) return(list(fit = object$min.fit, s = NULL, name = "s1"))
  if (is.null(object$hsvm.fit))
    refuse("option", "s ", describe_value(s), ": a file holds the two chosen models, \"lambda.1se\" and \"lambda.min\", and not the path")
  list(fit = object$hsvm.fit, s = s, name = NULL)
}

name_steps <- function(fit, name) {
  rename <- function(beta) {
    colnames(beta) <- name
    beta
  }
  fit$beta <- if (is.list(fit$beta)) lapply(fit$beta, rename) else rename(fit$beta)
  fit
}

coef.cv.hsvm <- function(object, s = "lambda.1se", exact = FALSE, ...) {
  chosen <- model_of(object, s)
  fit <- if (is.null(chosen$name)) chosen$fit else name_steps(chosen$fit, chosen$name)
  coef.hsvm(exact_at(fit, chosen$s, exact, parent.frame(), ...), s = chosen$s)
}

predict.cv.hsvm <- function(object, newx, s = "lambda.1se", type = c("link", "class", "response", "coefficients", "nonzero"),
                            exact = FALSE, ...) {
  type <- check_choice(type, "type", types)
  chosen <- model_of(object, s)
  if (type == "response" && is.null(chosen$fit$calibration))
    refuse("option", "type = \"response\": probabilities are there for s = \"lambda.1se\" and s = \"lambda.min\" alone")
  fit <- if (is.null(chosen$name)) chosen$fit else name_steps(chosen$fit, chosen$name)
  predict.hsvm(exact_at(fit, chosen$s, exact, parent.frame(), ...), newx, s = chosen$s, type = type)
}

print.cv.hsvm <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  if (!is.null(x$call)) cat("\nCall: ", deparse(x$call), "\n")
  cat("\nMeasure:", x$name, "\n\n")
  measure <- measures[[x$measure]]
  at <- function(index, fit) {
    data.frame(Lambda = signif(fit$lambda, digits), Lambda2 = signif(fit$lambda2, digits), Index = index,
               Measure = signif(measure$of(x$grid[[paste0("mean_", measure$score)]][index]), digits),
               SE = signif(measure$scale * x$grid[[paste0("se_", measure$score)]][index], digits), Nonzero = fit$df,
               Gap = signif(fit$gap, 2))
  }
  table <- rbind(min = at(x$index[["min"]], x$min.fit), `1se` = at(x$index[["1se"]], x$one.se.fit))
  print(table, ...)
  both <- list(x$min.fit, x$one.se.fit)
  cat("\n", certificate_line(vapply(both, `[[`, 0, "gap"), vapply(both, `[[`, 0, "relative.gap"),
                             vapply(both, `[[`, "", "status")), "\n", sep = "")
  for (note in x$notes) cat(strwrap(paste0("Note: ", note), width = getOption("width"), exdent = 2), sep = "\n")
  invisible(x)
}

as.data.frame.cv.hsvm <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(x$grid, chosen = replace(replace(rep("", nrow(x$grid)), x$index[["1se"]], "1se"), x$index[["min"]], "min"),
             row.names = row.names, ...)
}

summary.cv.hsvm <- function(object, ...) {
  structure(class = "summary.cv.hsvm", list(cv = object, calibration = object$min.fit$calibration, nested = object$nested))
}

print.summary.cv.hsvm <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cv <- x$cv
  cat(sprintf("\n%d samples, %d features, classes %s\n", cv$min.fit$nobs, cv$min.fit$dim[1], paste(cv$classnames, collapse = ", ")))
  cat(sprintf("%d folds%s, seed %.0f; %d points of %s lambda2 and %s delta\n", cv$nfolds,
              if (cv$repeats > 1) paste0(", ", cv$repeats, " times over") else "", cv$seed, nrow(cv$grid),
              length(unique(cv$grid$lambda2)), length(unique(cv$grid$delta))))
  print(cv, digits = digits, ...)
  if (!is.null(x$calibration))
    cat(sprintf("Probabilities of lambda.min, on held-out samples: log-loss %.4g, Brier score %.4g\n", x$calibration$log_loss,
                x$calibration$brier_score))
  if (!is.null(x$nested)) {
    cat("\nThe whole procedure, judged by outer folds:\n")
    print(signif(x$nested$min, digits))
  }
  invisible(x)
}

update.cv.hsvm <- function(object, formula., ..., evaluate = TRUE) {
  if (is.null(object$call)) refuse("input", "the model was read from a file: there is no call to update")
  call <- object$call
  if (!missing(formula.)) call$formula <- stats::update.formula(formula(object$terms), formula.)
  for (name in ...names()) call[[name]] <- substitute(list(...))[[name]]
  if (evaluate) eval(call, parent.frame()) else call
}
