# Plots of paths and of cross-validation, as glmnet draws them.

plot.hsvm <- function(x, xvar = c("norm", "lambda", "dev"), label = FALSE, type.coef = c("coef", "2norm"), ...) {
  xvar <- match.arg(xvar)
  type.coef <- match.arg(type.coef)
  if (length(x$lambda) < 2) refuse("input", "the object has one model: a path of two points at least can be plotted")
  betas <- if (is.list(x$beta)) x$beta else list(x$beta)
  used <- sort(unique(unlist(lapply(betas, function(beta) unique(beta@i[beta@x != 0])))) + 1L)
  if (length(used) == 0) refuse("input", "no model of the path has a feature: there is nothing to plot")
  values <- lapply(betas, function(beta) as.matrix(beta[used, , drop = FALSE]))
  where <- path_axis(x, xvar, values)
  if (x$kind == "multiclass" && type.coef == "2norm") {
    values <- list(sqrt(Reduce(`+`, lapply(values, function(v) v^2))))
    labels <- "Coefficients: 2Norms"
  } else {
    labels <- if (x$kind == "binary") "Coefficients" else paste("Coefficients: Class", x$classnames)
  }
  for (k in seq_along(values)) draw_path(where, values[[k]], used, x$df, labels[k], label, ...)
  invisible(x)
}

path_axis <- function(x, xvar, values) {
  if (xvar == "norm") return(list(at = Reduce(`+`, lapply(values, function(v) colSums(abs(v)))), name = "L1 Norm", side = 4))
  if (xvar == "lambda") return(list(at = log(x$lambda), name = "Log Lambda", side = 2))
  if (anyNA(x$dev.ratio)) refuse("input", "xvar = \"dev\": what each point explains is not in a file")
  list(at = x$dev.ratio, name = "Fraction of Loss Explained", side = 4)
}

draw_path <- function(where, values, used, df, ylab, label, xlab = where$name, type = "l", lty = 1, col = path_colours(nrow(values)), ...) {
  matplot(where$at, t(values), type = type, lty = lty, col = col, xlab = xlab, ylab = ylab, ...)
  abline(h = 0, col = "grey80")
  ticks <- pretty(where$at)
  counts <- approx(where$at, df, ticks, rule = 2, method = "constant", f = 1, ties = "ordered")$y
  axis(3, ticks, counts, tcl = NA, line = -0.5, lwd = 0)
  mtext("features", side = 3, line = 1.5, cex = 0.8)
  if (!label) return(invisible())
  end <- if (where$side == 4) which.max(where$at) else which.min(where$at)
  last <- values[, ncol(values)]
  text(rep(where$at[end], length(last)), last, names_or_numbers(values, used), pos = where$side, offset = 0.2, cex = 0.6, xpd = NA)
}

# Names where they are short, numbers of columns else, as glmnet has them.
names_or_numbers <- function(values, used) {
  names <- rownames(values)
  ifelse(nchar(names) <= 8 & !grepl("^V[0-9]+$", names), names, used)
}

path_colours <- function(n) hcl.colors(max(n, 2), "Dark 3")[seq_len(n)]

plot.cv.hsvm <- function(x, sign.lambda = 1, ...) {
  at <- sign.lambda * log(x$lambda)
  draw_curve(at, x, sign.lambda, ...)
  invisible(x)
}

draw_curve <- function(at, x, sign.lambda, xlab = if (sign.lambda < 0) "-Log(Lambda)" else expression(Log(lambda)), ylab = unname(x$name),
                       ylim = range(x$cvup, x$cvlo), col = "#D55E00", ...) {
  plot(at, x$cvm, ylim = ylim, xlab = xlab, ylab = ylab, type = "n", ...)
  width <- 0.01 * diff(range(at))
  segments(at, x$cvlo, at, x$cvup, col = "darkgrey")
  segments(at - width / 2, x$cvlo, at + width / 2, x$cvlo, col = "darkgrey")
  segments(at - width / 2, x$cvup, at + width / 2, x$cvup, col = "darkgrey")
  points(at, x$cvm, pch = 20, col = col)
  axis(3, at, x$nzero, tick = FALSE, line = -0.5)
  mtext("features", side = 3, line = 1.5, cex = 0.8)
  abline(v = sign.lambda * log(x$lambda.min), lty = 3)
  # The sparser model may have another lambda2, and then no place on this curve.
  if (x$lambda2.1se == x$lambda2.min && x$delta.1se == x$delta.min) abline(v = sign.lambda * log(x$lambda.1se), lty = 3)
}
