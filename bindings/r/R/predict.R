# coef() and predict(): models at any lambda of a path, as glmnet has them.

# Where s stands between the lambdas of the path: left and right points and the share of the left one. glmnet's rule, which is
# linear interpolation.
interpolate_s <- function(lambda, s, begins_empty) {
  n <- length(lambda)
  below <- s[s < lambda[n] * (1 - 1e-12)]
  above <- if (begins_empty) numeric() else s[s > lambda[1] * (1 + 1e-12)]
  if (length(below) > 0)
    warning(sprintf("s = %.6g is below the path, which ends at lambda = %.6g: that model is taken", below[1], lambda[n]), call. = FALSE)
  if (length(above) > 0)
    warning(sprintf("s = %.6g is above the path, which begins at lambda = %.6g: that model is taken", above[1], lambda[1]), call. = FALSE)
  if (n == 1) return(list(left = rep(1L, length(s)), right = rep(1L, length(s)), share = rep(1, length(s))))
  s <- pmin(pmax(s, lambda[n]), lambda[1])
  place <- approx(lambda, seq_along(lambda), s)$y
  left <- as.integer(floor(place))
  right <- as.integer(ceiling(place))
  share <- ifelse(left == right, 1, (s - lambda[right]) / (lambda[left] - lambda[right]))
  exact <- match(s, lambda)
  left[!is.na(exact)] <- right[!is.na(exact)] <- exact[!is.na(exact)]
  share[!is.na(exact)] <- 1
  list(left = left, right = right, share = share)
}

check_s <- function(s, what = "numbers of at least 0") {
  if (!is.numeric(s) || length(s) == 0 || anyNA(s) || any(s < 0))
    refuse("option", "s ", describe_value(s), ": must be ", what, if (is.character(s)) "; what cv.hsvm() gives knows \"lambda.min\" and \"lambda.1se\"")
  as.double(s)
}

mix_columns <- function(matrix, at) {
  if (all(at$left == at$right)) return(matrix[, at$left, drop = FALSE])
  mixed <- matrix[, at$left, drop = FALSE] %*% Matrix::Diagonal(x = at$share) +
    matrix[, at$right, drop = FALSE] %*% Matrix::Diagonal(x = 1 - at$share)
  as(mixed, "CsparseMatrix")
}

# The models at s: a0, n_outputs x length(s), and beta, a list of p x length(s).
models_at <- function(object, s) {
  a0 <- if (is.matrix(object$a0)) object$a0 else matrix(object$a0, 1)
  betas <- if (is.list(object$beta)) object$beta else list(object$beta)
  if (is.null(s)) return(list(a0 = a0, beta = betas, steps = colnames(betas[[1]])))
  begins_empty <- !is.null(object$lambda1.max) && object$lambda1[1] >= object$lambda1.max * (1 - 1e-12)
  at <- interpolate_s(object$lambda, check_s(s), begins_empty)
  mixed <- sweep(a0[, at$left, drop = FALSE], 2, at$share, "*") + sweep(a0[, at$right, drop = FALSE], 2, 1 - at$share, "*")
  steps <- paste0("s", seq_along(s))
  betas <- lapply(betas, function(beta) {
    beta <- mix_columns(beta, at)
    dimnames(beta) <- list(rownames(object$beta %|1|% beta), steps)
    beta
  })
  list(a0 = mixed, beta = betas, steps = steps)
}

# The first matrix of a list of them, or the matrix itself.
`%|1|%` <- function(beta, other) if (is.list(beta)) beta[[1]] else beta

with_intercept <- function(a0, beta) {
  rows <- new("dgCMatrix", i = rep(0L, length(a0)), p = seq.int(0L, length(a0)), x = as.double(a0), Dim = c(1L, length(a0)),
              Dimnames = list("(Intercept)", colnames(beta)))
  as(rbind(rows, beta), "CsparseMatrix")
}

coef.hsvm <- function(object, s = NULL, exact = FALSE, ...) {
  object <- exact_at(object, s, exact, parent.frame(), ...)
  coefficients_of(models_at(object, s), object)
}

types <- c("link", "class", "response", "coefficients", "nonzero")

predict.hsvm <- function(object, newx, s = NULL, type = c("link", "class", "response", "coefficients", "nonzero"),
                         exact = FALSE, ...) {
  type <- check_choice(type, "type", types)
  object <- exact_at(object, s, exact, parent.frame(), ...)
  models <- models_at(object, s)
  if (type == "coefficients") return(coefficients_of(models, object))
  if (type == "nonzero") return(nonzero_of(models, object))
  if (type == "response" && is.null(object$calibration))
    refuse("option", "type = \"response\": a path has no probabilities; cv.hsvm() gives them, from the scores of held-out samples")
  if (missing(newx)) refuse("input", "newx is missing: give the samples to predict")
  answer(link_of(models, new_matrix(object, newx), object), type, models, object)
}

# exact = TRUE adds the values of s to the path and fits it anew, as glmnet does. What it was fitted to is found by its call, or given by
# name.
exact_at <- function(object, s, exact, frame, ...) {
  if (!check_flag(exact, "exact")) {
    check_dots(...)
    return(object)
  }
  missing <- if (!is.null(s)) setdiff(check_s(s), object$lambda)
  if (length(missing) == 0) return(object)
  if (is.null(object$call)) refuse("input", "exact = TRUE: the model is of a file or one that cv.hsvm() chose: there is no call to fit it again")
  call <- object$call
  given <- list(...)
  for (name in names(given)) call[[name]] <- as.name(name)
  call$lambda <- sort(c(object$lambda, missing), decreasing = TRUE)
  eval(call, list2env(given, parent = frame))
}

coefficients_of <- function(models, object) {
  result <- lapply(seq_along(models$beta), function(k) with_intercept(models$a0[k, ], models$beta[[k]]))
  if (object$kind == "binary") result[[1]] else stats::setNames(result, object$classnames)
}

nonzero_of <- function(models, object) {
  one <- function(beta) {
    found <- lapply(seq_len(ncol(beta)), function(k) {
      rows <- if (beta@p[k + 1] > beta@p[k]) beta@i[seq.int(beta@p[k] + 1, beta@p[k + 1])] + 1L
      rows[beta@x[seq.int(beta@p[k] + 1, length.out = length(rows))] != 0]
    })
    stats::setNames(found, models$steps)
  }
  result <- lapply(models$beta, one)
  if (object$kind == "binary") result[[1]] else stats::setNames(result, object$classnames)
}

# Samples to predict, with the numbers of their columns that stand for the model's features; NULL where they are the same.
new_matrix <- function(object, newx) {
  if (is.data.frame(newx) && is.null(object$terms))
    refuse("input", "newx is a data frame, and the model was fitted to a matrix: give a numeric matrix")
  if (is.list(newx) && !is.null(object$terms)) {
    table <- as_refusal(model.frame(stats::delete.response(object$terms), newx, na.action = refuse_incomplete("newx"), xlev = object$xlevels), "newx: ")
    newx <- design_of(stats::delete.response(object$terms), table, object$contrasts)
  }
  if (is.numeric(newx) && is.null(dim(newx)))
    refuse("input", "newx is a vector: must be a matrix, a row for each sample; matrix(newx, 1) for a single one")
  x <- check_x(newx, "newx")
  refuse_not_finite(x, "newx")
  names <- colnames(x)
  if (object$has_names && anyDuplicated(names))
    refuse("input", "newx has more than one column named '", names[anyDuplicated(names)], "': names must differ, or be none")
  known <- rownames(object$beta %|1|% NULL)
  by_name <- object$has_names && usable_names(names) && !identical(names, known)
  if (!by_name && ncol(x) != object$dim[1])
    refuse("input", "newx has ", ncol(x), " columns: must have the ", object$dim[1], " of the fit")
  list(x = x, place = if (by_name) match(known, names), known = known)
}

# Scores, n x n_outputs x length(s).
link_of <- function(models, new, object) {
  n_outputs <- length(models$beta)
  scores <- array(0, c(nrow(new$x), n_outputs, length(models$steps)))
  sign <- if (object$kind == "binary" && object$place[1] > object$place[2]) -1 else 1
  order <- if (object$kind == "binary") 1 else match(seq_len(n_outputs) - 1, object$place)
  threads <- check_threads(getOption("hsvm.threads"))
  for (k in seq_along(models$steps)) {
    columns <- lapply(models$beta, function(beta) column_of(beta, k))
    features <- sort(unique(unlist(lapply(columns, `[[`, "i"))))
    values <- vapply(columns, function(column) {
      w <- numeric(length(features))
      w[match(column$i, features)] <- column$x
      w
    }, numeric(length(features)))
    values <- matrix(values, ncol = n_outputs)
    if (!is.null(new$place)) {
      place <- new$place[features]
      if (anyNA(place)) refuse("input", "newx has no column named ", list_words(new$known[features[is.na(place)]]))
      values <- values[order(place), , drop = FALSE]
      features <- sort(place)
    }
    # In the library's order of the classes, so that the same bits come out as there.
    one <- call_core(hsvm_scores, new$x, sign * models$a0[order, k], features - 1L, sign * values[, order, drop = FALSE], threads)
    scores[, order, k] <- sign * one
  }
  dimnames(scores) <- list(rownames(new$x), if (n_outputs > 1) object$classnames, models$steps)
  scores
}

column_of <- function(beta, k) {
  range <- seq.int(beta@p[k] + 1, length.out = beta@p[k + 1] - beta@p[k])
  list(i = beta@i[range] + 1L, x = beta@x[range])
}

# Scores as the asked type has them: for two classes n x length(s), for more n x classes x length(s).
answer <- function(scores, type, models, object) {
  binary <- object$kind == "binary"
  flat <- function(values) matrix(values, dim(scores)[1], dim(scores)[3], dimnames = dimnames(scores)[c(1, 3)])
  if (type == "link") return(if (binary) flat(scores) else scores)
  if (type == "class") {
    if (binary) return(flat(object$classnames[1 + positive(scores, object)]))
    return(flat(object$classnames[apply(scores, c(1, 3), function(f) first_largest(f, object))]))
  }
  shares <- probabilities_of(scores, object)
  if (binary) flat(shares[, 2, ]) else shares
}

# Of a score of 0 the library's first class is meant, which is R's second where the order is the other.
positive <- function(scores, object) if (object$place[1] < object$place[2]) scores > 0 else scores >= 0
first_largest <- function(f, object) {
  order <- match(seq_along(f) - 1, object$place)
  order[which.max(f[order])]
}

# n x classes x length(s), by the calibration, which speaks of the library's order.
probabilities_of <- function(scores, object) {
  binary <- object$kind == "binary"
  sign <- if (binary && object$place[1] > object$place[2]) -1 else 1
  order <- match(seq_along(object$classnames) - 1, object$place)
  shares <- array(0, c(dim(scores)[1], length(object$classnames), dim(scores)[3]),
                  dimnames = list(dimnames(scores)[[1]], object$classnames, dimnames(scores)[[3]]))
  for (k in seq_len(dim(scores)[3])) {
    values <- matrix(scores[, , k], dim(scores)[1])
    values <- if (binary) sign * values else values[, order, drop = FALSE]
    shares[, order, k] <- call_core(hsvm_probabilities, object$calibration$slope, object$calibration$offsets, values)
  }
  shares
}
