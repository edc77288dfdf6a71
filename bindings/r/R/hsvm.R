# hsvm(): a path of models, from the library's list to an object of class "hsvm".

hsvm <- function(x, ...) UseMethod("hsvm")

hsvm.default <- function(x, y, weights = NULL, alpha = NULL, lambda2 = NULL, nlambda = 100, lambda.min.ratio = NULL,
                         lambda = NULL, standardize = TRUE, intercept = TRUE, penalty.factor = NULL, exclude = NULL,
                         dfmax = NULL, delta = 1, loss = "huberized", margins = NULL, class.weights = NULL, lambda3 = 0,
                         thresh = 1e-6, maxit = 1e5, time.limit = Inf, full.path = FALSE, solver = "newton",
                         threads = getOption("hsvm.threads"), trace.it = 0, ...) {
  check_dots(...)
  data <- make_data(x, y, weights, penalty.factor, exclude)
  model <- model_options(alpha, check_number(lambda2, "lambda2", null = TRUE), standardize, intercept,
                         check_number(delta, "delta"), loss, margins, class.weights, lambda3, data$labels)
  solving <- solver_options(thresh, maxit, time.limit, solver, threads)
  path <- path_options(nlambda, lambda.min.ratio, lambda, dfmax, full.path, alpha)
  refuse_ridge_path(alpha, lambda)
  # One lambda is one fit, with the very bits that the command line's fit has.
  fitted <- if (length(lambda) == 1) {
    call_core(hsvm_fit, data, c(model, solving, single_lambda(lambda, alpha)), shows(trace.it))
  } else {
    call_core(hsvm_fit_path, data, c(model, solving, path), shows(trace.it))
  }
  fit <- make_hsvm(fitted, data$labels, alpha, null_loss(data, model), colnames(data$x))
  fit$call <- clean_call(match.call(), "hsvm")
  warn_of_path(fit)
  fit
}

# glmnet has a path for alpha = 0, which begins at a lambda that is made up; a path of ours begins where no feature is in the model.
refuse_ridge_path <- function(alpha, lambda) {
  if (!is.null(alpha) && alpha == 0 && length(lambda) != 1)
    refuse("option", "alpha 0: must be greater than 0 and at most 1 for a path; hsvm(x, y, alpha = 0, lambda = 0.1) fits one model without l1 penalty")
}

single_lambda <- function(lambda, alpha) if (is.null(alpha)) list(lambda1 = lambda) else list(lambda = lambda)

# A path may have a point that is not solved, or may have been ended before its time.
warn_of_path <- function(fit) {
  worst <- which.max(fit$relative.gap)
  ended <- fit$path_status %||% fit$status
  if (all(fit$status == "converged") && ended != "converged") {
    warn_of_convergence(sprintf("the path was stopped (%s) at lambda = %.4g, its point %d: smaller values of lambda were not fitted", ended,
                                min(fit$lambda), length(fit$lambda)))
  } else {
    warn_unless_converged(ended, fit$gap[worst], fit$relative.gap[worst], fit$thresh, sprintf(" at lambda = %.4g", fit$lambda[worst]))
  }
}

# The loss of the best constant: that of a problem with a pair of samples for each class, as heavy as the class is.
null_loss <- function(data, model) {
  heavy <- rowsum(data$weights %||% rep(1, length(data$codes)), data$codes)
  codes <- rep(seq_along(data$classes) - 1L, 2)
  constant <- list(x = matrix(0, length(codes), 1), classes = data$classes, codes = codes, feature_names = character(),
                   sample_names = character(), weights = rep(heavy[, 1] / 2, 2), factors = NULL)
  model$standardize <- FALSE
  model[c("alpha", "lambda2")] <- NULL
  found <- call_core(hsvm_fit, constant, c(model, list(lambda1 = 1, tolerance = 1e-12, threads = 1)), FALSE)
  found$loss_left
}

clean_call <- function(call, verb) {
  call[[1]] <- as.name(verb)
  call
}

shows <- function(trace.it) isTRUE(as.logical(check_number(as.numeric(trace.it), "trace.it")))

model_options <- function(alpha, lambda2, standardize, intercept, delta, loss, margins, class.weights, lambda3, classes) {
  list(alpha = check_number(alpha, "alpha", null = TRUE), lambda2 = lambda2,
       standardize = check_flag(standardize, "standardize"), no_intercept = !check_flag(intercept, "intercept"),
       delta = delta, loss = check_word(loss, "loss", c("huberized", "squared-hinge")),
       margins = if (!is.null(margins)) check_word(margins, "margins", c("relative", "absolute")),
       class_weight = check_class_weights(class.weights, classes),
       lambda3 = if (check_number(lambda3, "lambda3") == 0) NULL else as.double(lambda3))
}

solver_options <- function(thresh, maxit, time.limit, solver, threads, seed = 1) {
  list(tolerance = check_number(thresh, "thresh"), max_iterations = check_number(maxit, "maxit"),
       time_limit = check_number(time.limit, "time.limit"),
       solver = check_word(solver, "solver", c("newton", "pg", "pg2")), threads = check_threads(threads), seed = seed)
}

# With alpha a user's lambda is the whole penalty, of which alpha is the share of lambda1.
path_options <- function(nlambda, lambda.min.ratio, lambda, dfmax, full.path, alpha) {
  lambda <- check_numbers(lambda, "lambda")
  if (!is.null(lambda) && anyDuplicated(lambda))
    refuse("option", "lambda holds ", lambda[anyDuplicated(lambda)], " more than once: each value must be there once")
  list(nlambda = if (is.null(lambda)) check_number(nlambda, "nlambda"),
       lambda_min_ratio = if (is.null(lambda)) check_number(lambda.min.ratio, "lambda.min.ratio", null = TRUE),
       lambda_grid = if (is.null(alpha)) lambda else if (!is.null(lambda)) lambda * alpha,
       max_nonzeros = check_number(dfmax, "dfmax", null = TRUE), full_path = check_flag(full.path, "full.path"))
}

# The object, from the library's list. labels: as check_y gives them, null: the loss of the best constant, columns: the names of x,
# which may be no good for telling columns apart; NULL for a model from a file.
make_hsvm <- function(fitted, labels = NULL, alpha = NULL, null = NULL, columns = NULL) {
  levels <- if (is.null(labels)) fitted$classes else labels$levels
  place <- if (is.null(labels)) seq_along(levels) - 1L else labels$place
  binary <- fitted$kind == "binary"
  sign <- if (binary && place[1] > place[2]) -1 else 1
  names <- if (length(fitted$feature_names) > 0) fitted$feature_names else columns %||% paste0("V", seq_len(fitted$n_features))
  steps <- paste0("s", seq_along(fitted$lambda1) - 1)
  betas <- lapply(fitted$beta, make_beta, sign = sign, names = names, steps = steps)
  a0 <- sign * fitted$intercept
  colnames(a0) <- steps
  fit <- list(
    call = NULL,
    a0 = if (binary) a0[1, ] else a0[place + 1, , drop = FALSE],
    beta = if (binary) betas[[1]] else stats::setNames(betas[place + 1], levels),
    lambda = if (is.null(alpha)) fitted$lambda1 else if (alpha == 0) fitted$lambda2 else fitted$lambda1 / alpha,
    lambda1 = fitted$lambda1, lambda2 = fitted$lambda2, lambda3 = fitted$lambda3, alpha = alpha,
    df = as.integer(fitted$df), dim = c(fitted$n_features, length(fitted$lambda1)), nobs = fitted$n_samples,
    dev.ratio = dev_ratio(fitted, null), objective = fitted$objective, dual.objective = fitted$dual_objective,
    gap = fitted$gap, relative.gap = fitted$relative_gap, status = fitted$status, iterations = as.integer(fitted$iterations),
    npasses = sum(fitted$passes), lambda1.max = fitted$lambda1_max, ended = fitted$ended, thresh = fitted$tolerance,
    classnames = levels, kind = fitted$kind, loss = fitted$loss, delta = fitted$delta,
    margins = if (!binary) fitted$margins, standardized = fitted$standardized, solver = fitted$solver,
    has_names = length(fitted$feature_names) > 0, place = place, path_status = fitted$path_status, text = fitted$text)
  if (!binary) rownames(fit$a0) <- levels
  structure(fit, class = "hsvm")
}

make_beta <- function(slots, sign, names, steps) {
  new("dgCMatrix", i = slots$i, p = slots$p, x = sign * slots$x, Dim = c(length(names), length(steps)),
      Dimnames = list(names, steps))
}

# The share of the constant model's loss that each point explains. Of a path from a file the last point's share is known.
dev_ratio <- function(fitted, null) {
  left <- fitted$loss_left
  if (is.null(null)) return(replace(rep(NA_real_, length(left)), length(left), fitted$explained %||% NA_real_))
  if (null > 0) pmax(0, 1 - left / null) else 0 * left
}

`%||%` <- function(a, b) if (is.null(a)) b else a

# A data frame by a formula: factors become columns of 0 and 1, and the intercept is the model's own. The contrasts and levels are
# kept, so that new data is treated the same.
hsvm.formula <- function(formula, data, weights, subset, na.action = na.fail, ...) {
  parts <- formula_parts(match.call(), parent.frame())
  fit <- hsvm.default(parts$x, parts$y, weights = parts$weights, ...)
  keep_formula(fit, parts, clean_call(match.call(), "hsvm"))
}

formula_parts <- function(call, frame) {
  call <- call[c(1, match(c("formula", "data", "weights", "subset", "na.action"), names(call), 0))]
  call[[1]] <- quote(stats::model.frame)
  if (is.null(call$na.action)) call$na.action <- refuse_incomplete("data", "; na.action = na.omit leaves such rows out")
  table <- as_refusal(eval(call, frame))
  terms <- attr(table, "terms")
  if (!is.null(stats::model.offset(table))) refuse("input", "the formula has an offset: ", elsewhere$offset)
  if (attr(terms, "response") == 0) refuse("input", "the formula names no label: write it as y ~ .")
  x <- design_of(terms, table)
  list(x = x, y = model.response(table), weights = model.weights(table), terms = terms,
       xlevels = stats::.getXlevels(terms, table), contrasts = attr(x, "contrasts"))
}

# Errors of R's own functions as ours; those that are ours stay what they are.
as_refusal <- function(value, before = "")
  tryCatch(value, error = function(e) if (inherits(e, "hsvm_error")) stop(e) else refuse("input", before, conditionMessage(e)))

# What is done about missing values where nothing else is asked for: the first is named.
refuse_incomplete <- function(name, hint = "") function(object, ...) {
  for (column in names(object)) {
    rows <- if (is.matrix(object[[column]])) rowSums(is.na(object[[column]])) > 0 else is.na(object[[column]])
    if (any(rows)) refuse("input", name, " has a missing value in row ", which(rows)[1], ", column '", column, "'", hint)
  }
  object
}

design_of <- function(terms, table, contrasts = NULL) {
  attr(terms, "intercept") <- 1L # so that factors have a reference level; its column is not kept
  x <- model.matrix(terms, table, contrasts.arg = contrasts)
  kept <- x[, attr(x, "assign") > 0, drop = FALSE]
  attr(kept, "contrasts") <- attr(x, "contrasts")
  kept
}

keep_formula <- function(fit, parts, call) {
  fit$call <- call
  fit$terms <- parts$terms
  fit$xlevels <- parts$xlevels
  fit$contrasts <- parts$contrasts
  fit
}
