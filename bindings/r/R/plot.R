# Plots of paths and of cross-validation, as glmnet draws them.

plot.hsvm <- function(x, xvar = c("norm", "lambda", "dev"), label = FALSE, type.coef = c("coef", "2norm"), ...) {
  xvar <- check_choice(xvar, "xvar", c("norm", "lambda", "dev"))
  type.coef <- check_choice(type.coef, "type.coef", c("coef", "2norm"))
  label <- check_flag(label, "label")
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

# On an axis of log(lambda) a model at lambda = 0 has no place.
path_axis <- function(x, xvar, values) {
  if (xvar == "norm") return(list(at = Reduce(`+`, lapply(values, function(v) colSums(abs(v)))), name = "L1 Norm", side = 4))
  if (xvar == "lambda") return(list(at = ifelse(x$lambda > 0, log(x$lambda), NA), name = "Log Lambda", side = 2))
  if (anyNA(x$dev.ratio)) refuse("input", "xvar = \"dev\": what each point explains is not in a file")
  list(at = x$dev.ratio, name = "Fraction of Loss Explained", side = 4)
}

draw_path <- function(where, values, used, df, ylab, label, xlab = where$name, type = "l", lty = 1, col = path_colours(nrow(values)),
                      xlim = with_room(range(where$at, na.rm = TRUE), where$side, labels$room), ylim = range(values),
                      panel.first = abline(h = 0, col = "grey80"), ...) {
  labels <- if (label) line_labels(rownames(values), used) else list(room = 0)
  matplot(where$at, t(without_zeros(values)), type = type, lty = lty, col = col, xlab = xlab, ylab = ylab, xlim = xlim, ylim = ylim,
          panel.first = panel.first, ...)
  end <- if (where$side == 4) which.max(where$at) else which.min(where$at)
  ticks <- pretty(where$at)
  ticks <- c(where$at[end], ticks[ticks >= min(where$at, na.rm = TRUE) & ticks <= max(where$at, na.rm = TRUE)]) # those that would touch are left out
  axis(3, ticks, counts_at(where$at, df, ticks), tick = FALSE, line = -0.5)
  mtext("features", side = 3, line = 1.5, cex = 0.8 * par("cex"))
  if (!label) return(invisible())
  last <- values[, end]
  shown <- apart(last, 0.7 * graphics::strheight("0"))
  text(rep(where$at[end], length(shown)), last[shown], labels$words[shown], pos = where$side, offset = 0.2, cex = label_size,
       col = rep_len(col, length(last))[shown])
}
label_size <- 0.7

# The number of features at a tick: that of the nearest model.
counts_at <- function(at, df, ticks) df[vapply(ticks, function(tick) which.min(abs(at - tick)), 0L)]

# A line begins where its feature comes in and ends where it leaves: between them and the axis lines would cover each other.
without_zeros <- function(values) {
  zero <- values == 0
  n <- ncol(values)
  inside <- zero & cbind(TRUE, zero[, -n, drop = FALSE]) & cbind(zero[, -1, drop = FALSE], TRUE)
  replace(values, inside, NA)
}

# Names where they take a quarter of the plot at most, else numbers of columns, as glmnet has them; and the share of the plot's width
# that the widest takes. The figure is begun, so that words can be measured.
line_labels <- function(names, used) {
  graphics::plot.new()
  par(new = TRUE)
  share <- function(words) graphics::strwidth(words, units = "inches", cex = label_size) / par("pin")[1]
  words <- ifelse(grepl("^V[0-9]+$", names) | share(names) > 0.25, as.character(used), names)
  list(words = words, room = max(share(words)) + 0.01)
}

# Room for labels, a share of the plot, at the end where they are.
with_room <- function(range, side, room) {
  more <- diff(range) * room / (1 - room)
  if (side == 4) range + c(0, more) else range - c(more, 0)
}

# Lines to be labelled: the largest first, none within a distance of one that is.
apart <- function(values, distance) {
  shown <- integer()
  for (k in order(-abs(values))) if (values[k] != 0 && all(abs(values[shown] - values[k]) > distance)) shown <- c(shown, k)
  shown
}

path_colours <- function(n) hcl.colors(max(n, 2), "Dark 3")[seq_len(n)]

plot.cv.hsvm <- function(x, sign.lambda = 1, ...) {
  draw_curve(x, sign.lambda, which(x$lambda > 0), ...)
  invisible(x)
}

draw_curve <- function(x, sign.lambda, kept, xlab = if (sign.lambda < 0) expression(-Log(lambda)) else expression(Log(lambda)),
                       ylab = unname(x$name), xlim = range(at, chosen[is.finite(chosen)]), ylim = range(x$cvup, x$cvlo), col = "#D55E00", ...) {
  at <- sign.lambda * log(x$lambda[kept])
  chosen <- sign.lambda * log(c(x$lambda.min, x$lambda.1se))
  plot(at, x$cvm[kept], xlim = xlim, ylim = ylim, xlab = xlab, ylab = ylab, type = "n", ...)
  width <- 0.01 * diff(range(at))
  low <- x$cvlo[kept]
  high <- x$cvup[kept]
  segments(at, low, at, high, col = "darkgrey")
  segments(at - width / 2, low, at + width / 2, low, col = "darkgrey")
  segments(at - width / 2, high, at + width / 2, high, col = "darkgrey")
  points(at, x$cvm[kept], pch = 20, col = col)
  axis(3, at, x$nzero[kept], tick = FALSE, line = -0.5)
  mtext("features", side = 3, line = 1.5, cex = 0.8 * par("cex"))
  abline(v = chosen, lty = 3)
  # The sparser model may have another lambda2, and then it is no point of this curve.
  if (x$lambda2.1se != x$lambda2.min)
    text(chosen[2], ylim[2], sprintf("1se, with lambda2 = %g", x$lambda2.1se), srt = 90, adj = c(1, -0.3), cex = 0.6)
}
