# What is shown of a path.

certificate_line <- function(gap, relative_gap, status) {
  worst <- which.max(relative_gap)
  if (length(worst) == 0) return("Certificate: none")
  certified <- sum(status == "converged")
  sprintf("Certificate: %s within %.2g of the minimum (relative gap at most %.2g)%s",
          if (length(status) == 1) "the objective is" else "every objective is", max(gap), relative_gap[worst],
          if (certified == length(status)) "" else sprintf("; %d of %d met the tolerance", certified, length(status)))
}

print.hsvm <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  if (!is.null(x$call)) cat("\nCall: ", deparse(x$call), "\n\n")
  table <- data.frame(Df = x$df, `%Dev` = round(100 * x$dev.ratio, 2), Lambda = signif(x$lambda, digits),
                      Gap = signif(x$gap, 2), check.names = FALSE)
  print(table, ...)
  cat("\n", certificate_line(x$gap, x$relative.gap, x$status), "\n", sep = "")
  invisible(x)
}

as.data.frame.hsvm <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(lambda = x$lambda, lambda1 = x$lambda1, lambda2 = x$lambda2, df = x$df, dev.ratio = x$dev.ratio,
             objective = x$objective, gap = x$gap, status = x$status, row.names = row.names, ...)
}

summary.hsvm <- function(object, ...) {
  last <- length(object$lambda)
  structure(class = "summary.hsvm", list(
    call = object$call, classes = object$classnames, kind = object$kind, n = object$nobs, p = object$dim[1],
    loss = object$loss, delta = object$delta, margins = object$margins, standardized = object$standardized,
    lambda = range(object$lambda), lambda2 = range(object$lambda2), alpha = object$alpha, points = last, df = range(object$df),
    explained = object$dev.ratio[last], ended = object$ended, npasses = object$npasses,
    certificate = certificate_line(object$gap, object$relative.gap, object$status)))
}

path_ends <- c(grid = "the grid ended", explained = "nearly all of the loss is explained",
               flat = "what is explained hardly moves", max_nonzeros = "dfmax was exceeded", stopped = "it was stopped")

print.summary.hsvm <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  number <- function(value) format(signif(value, digits))
  span <- function(range) if (range[1] == range[2]) number(range[1]) else paste(number(range[1]), "to", number(range[2]))
  if (!is.null(x$call)) cat("\nCall: ", deparse(x$call), "\n\n")
  cat(sprintf("%d samples, %d features, classes %s\n", x$n, x$p, paste(x$classes, collapse = ", ")))
  cat("Loss: ", if (x$loss == "huberized") paste0("huberized hinge, delta = ", number(x$delta)) else "squared hinge",
      if (!is.null(x$margins)) paste0(", ", x$margins, " margins"), if (x$standardized) "; features standardised", "\n", sep = "")
  cat(sprintf("%d points, lambda %s, ", x$points, span(x$lambda)),
      if (is.null(x$alpha)) paste("lambda2", span(x$lambda2)) else paste("alpha", number(x$alpha)),
      sprintf("; %s features\n", span(x$df)), sep = "")
  if (!is.null(x$ended)) cat("The path ended where ", path_ends[[x$ended]], ": ", number(100 * x$explained), "% of the loss explained\n", sep = "")
  cat(sprintf("%s; %s passes over the data\n", x$certificate, number(x$npasses)))
  invisible(x)
}

# update() changes the call and evaluates it again.
update.hsvm <- function(object, formula., ..., evaluate = TRUE) {
  if (is.null(object$call)) refuse("input", "the model was read from a file, or is one that cv.hsvm() chose: there is no call to update")
  call <- object$call
  if (!missing(formula.)) call$formula <- stats::update.formula(formula(object$terms), formula.)
  for (name in ...names()) call[[name]] <- substitute(list(...))[[name]]
  if (evaluate) eval(call, parent.frame()) else call
}
