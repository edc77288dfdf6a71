# The peak of memory of a fit over the data's own, for a gigabyte: a matrix, and a dgCMatrix. Each in a process of its own:
#   Rscript bench/r/memory.R dense|sparse
library(hsvm)
suppressPackageStartupMessages(library(Matrix))

# The peak of this process so far, in MiB.
peak <- function() {
  line <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}
# Forgets the peak; where the system does not let us, what was before counts, too.
forget_peak <- function() try(suppressWarnings(cat("5", file = "/proc/self/clear_refs")), silent = TRUE)

kind <- commandArgs(TRUE)[1]
if (kind == "dense") {
  n <- 134218
  p <- 1000
  x <- matrix(0, n, p)
  for (j in seq_len(p)) x[, j] <- rnorm(n)
  size <- 8 * length(x)
} else {
  n <- 200000
  p <- 4474
  rows <- lapply(0:9, function(k) as.integer(seq(k, n - 1, 10)))
  x <- new("dgCMatrix", i = unlist(rep_len(rows, p)), p = as.integer(n / 10 * seq.int(0, p)), x = rnorm(p * n / 10), Dim = c(as.integer(n), as.integer(p)))
  size <- 12 * length(x@x)
}
y <- rep(0:1, length.out = n)
invisible(hsvm(as.matrix(x[1:500, 1:50]), y[1:500], nlambda = 3))
invisible(gc(full = TRUE))
forget_peak()
before <- peak()
fit <- hsvm(x, y, nlambda = 2, lambda.min.ratio = 0.8)
added <- peak() - before
cat(sprintf("%-8s %6.0f MiB of data; a path of two lambdas, down to %d features, adds %5.1f MiB at its peak (%.1f%%); %s\n", kind, size / 2^20, max(fit$df), added,
            100 * added * 2^20 / size, paste(unique(fit$status), collapse = ", ")))
before <- peak()
scores <- predict(fit, x, s = min(fit$lambda))
cat(sprintf("         predict adds %5.1f MiB, of which the scores are %.1f\n", peak() - before, 8 * n / 2^20))
