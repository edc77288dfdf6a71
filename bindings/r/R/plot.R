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

draw_path <- function(where, values, used, df, ylab, label, xlab = where$name, type = "l", lty = 1, col = path_colours(nrow(values)),
                      xlim = with_room(range(where$at), where$side, label), ...) {
  matplot(where$at, t(values), type = type, lty = lty, col = col, xlab = xlab, ylab = ylab, xlim = xlim, ...)
  abline(h = 0, col = "grey80")
  ticks <- pretty(where$at)
  axis(3, ticks, counts_at(where$at, df, ticks), tick = FALSE, line = -0.5)
  mtext("features", side = 3, line = 1.5, cex = 0.8 * par("cex"))
  if (!label) return(invisible())
  end <- if (where$side == 4) which.max(where$at) else which.min(where$at)
  last <- values[, ncol(values)]
  shown <- apart(last, 0.7 * graphics::strheight("0"))
  text(rep(where$at[end], length(shown)), last[shown], names_or_numbers(values, used)[shown], pos = where$side, offset = 0.2, cex = 0.7,
       col = rep_len(col, length(last))[shown])
}

# The number of features at a tick: that of the nearest model.
counts_at <- function(at, df, ticks) df[vapply(ticks, function(tick) which.min(abs(at - tick)), 0L)]

# Room for labels at the end where they are.
with_room <- function(range, side, label) {
  if (!label) return(range)
  if (side == 4) range + c(0, 0.06 * diff(range)) else range - c(0.06 * diff(range), 0)
}

# Lines to be labelled: the largest first, none within a distance of one that is.
apart <- function(values, distance) {
  shown <- integer()
  for (k in order(-abs(values))) if (values[k] != 0 && all(abs(values[shown] - values[k]) > distance)) shown <- c(shown, k)
  shown
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
  mtext("features", side = 3, line = 1.5, cex = 0.8 * par("cex"))
  abline(v = sign.lambda * log(c(x$lambda.min, x$lambda.1se)), lty = 3)
  # The sparser model may have another lambda2, and then it is no point of this curve.
  if (x$lambda2.1se != x$lambda2.min)
    text(sign.lambda * log(x$lambda.1se), ylim[2], sprintf("1se, with lambda2 = %g", x$lambda2.1se), srt = 90, adj = c(1, -0.3), cex = 0.6)
}
