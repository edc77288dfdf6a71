# hsvm.stability(): which features are selected on most random halves of the samples.

hsvm.stability <- function(x, y, n.halves = 50, cutoff = 0.6, s = "lambda.min", ...) {
  n.halves <- check_number(n.halves, "n.halves")
  if (n.halves < 1) refuse("option", "n.halves ", n.halves, ": must be at least 1")
  cutoff <- check_number(cutoff, "cutoff")
  if (cutoff <= 0.5 || cutoff > 1) refuse("option", "cutoff ", cutoff, ": must be greater than 0.5 and at most 1")
  check_word(s, "s", c("lambda.1se", "lambda.min"))
  cv <- cv.hsvm(x, y, stability = n.halves, ...)
  counted <- if (s == "lambda.min") cv$stability else cv$stability.1se
  selected <- which(counted$frequency >= cutoff)
  q <- counted$mean.selected
  structure(class = "hsvm.stability", list(
    call = match.call(), frequency = counted$frequency, selected = selected[order(-counted$frequency[selected])], cutoff = cutoff,
    n.halves = counted$n.halves, mean.selected = q, max.false = q^2 / ((2 * cutoff - 1) * length(counted$frequency)), s = s, cv = cv))
}

print.hsvm.stability <- function(x, n = 10, digits = max(3, getOption("digits") - 3), ...) {
  cat("\nCall: ", deparse(x$call), "\n\n")
  cat(sprintf("%d of %d features are selected on at least %s of %d random halves\n", length(x$selected), length(x$frequency),
              format(x$cutoff), x$n.halves))
  cat(sprintf("A half selects %s features on average; at most %s of these are expected to be noise\n\n",
              format(signif(x$mean.selected, digits)), format(signif(x$max.false, digits))))
  print(head(x$frequency[x$selected], n), digits = digits, ...)
  if (length(x$selected) > n) cat("... and", length(x$selected) - n, "more\n")
  invisible(x)
}

as.data.frame.hsvm.stability <- function(x, row.names = NULL, optional = FALSE, ...) {
  order <- order(-x$frequency)
  data.frame(feature = names(x$frequency)[order], frequency = unname(x$frequency)[order],
             selected = order %in% x$selected, row.names = row.names, ...)
}

plot.hsvm.stability <- function(x, n = 30, ...) {
  top <- head(sort(x$frequency[x$frequency > 0], decreasing = TRUE), n)
  if (length(top) == 0) refuse("input", "no feature was ever selected: there is nothing to plot")
  draw <- function(xlab = "Share of the halves", main = "", col = ifelse(top >= x$cutoff, "#D55E00", "grey60"), ...) {
    at <- rev(seq_along(top))
    graphics::plot.new()
    words <- fitting_words(names(top), 0.4 * par("fin")[1])
    line <- par("csi")
    margins <- c(4.5 * line, max(graphics::strwidth(words, units = "inches")) + 1.5 * line, if (identical(main, "")) line else 3 * line, line)
    old <- par(mai = margins, new = TRUE)
    on.exit(par(old["mai"]))
    plot(top, at, xlim = c(0, 1), yaxt = "n", xlab = xlab, ylab = "", main = main, pch = 19, col = col, ...)
    segments(0, at, top, at, col = col)
    axis(2, at, words, las = 1, tick = FALSE)
    abline(v = x$cutoff, lty = 3)
  }
  draw(...)
  invisible(x)
}

# Words that are wider than so many inches are cut.
fitting_words <- function(words, inches) {
  wide <- function(word) graphics::strwidth(word, units = "inches") > inches
  vapply(words, function(word) {
    shown <- word
    for (length in rev(seq_len(nchar(word) - 1))) {
      if (!wide(shown)) break
      shown <- paste0(substr(word, 1, length), "...")
    }
    shown
  }, "", USE.NAMES = FALSE)
}
