# hsvm() and cv.hsvm() against glmnet's in one R session, each taking turns; the linear SVMs of e1071 and kernlab, which select nothing,
# for scale.
#   Rscript bench/r/rivals.R [path|cv|single ...]
# Every time is the median of several runs, in milliseconds; threads = 1 unless the column says otherwise.

suppressPackageStartupMessages({
  library(hsvm)
  library(glmnet)
  library(Matrix)
})
asked <- commandArgs(TRUE)
wanted <- function(part) length(asked) == 0 || part %in% asked

gaussian <- function(n, p, s = 20, seed = 1) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, p)
  score <- x[, seq_len(s)] %*% rep(c(0.5, -0.5), length.out = s) + rnorm(n)
  list(x = x, y = factor(ifelse(score > 0, "b", "a")))
}
several <- function(n, p, classes = 4, seed = 2) {
  set.seed(seed)
  k <- rep(seq_len(classes), length.out = n)
  x <- matrix(rnorm(n * p), n, p)
  x[, seq_len(3 * classes)] <- x[, seq_len(3 * classes)] + matrix(rnorm(classes * 3 * classes, sd = 1.2), classes)[k, ]
  list(x = x, y = factor(k))
}
text <- function(n, p, per_row = 60, seed = 3) {
  set.seed(seed)
  words <- pmin(p, 1 + floor(rexp(n * per_row, 12 / p)))
  x <- sparseMatrix(rep(seq_len(n), each = per_row), words, x = 1, dims = c(n, p))
  x@x <- log1p(x@x)
  score <- as.numeric(x[, 1:200] %*% rnorm(200)) + rnorm(n, sd = 0.5)
  list(x = x, y = factor(ifelse(score > median(score), "b", "a")))
}

data <- list(`62 x 2000` = gaussian(62, 2000), `200 x 2000` = gaussian(200, 2000), `100 x 20000` = gaussian(100, 20000),
             `20000 x 50` = gaussian(20000, 50), `5000 x 20000 sparse` = text(5000, 20000), `400 x 1000, 4 classes` = several(400, 1000))

milliseconds <- function(run) 1000 * system.time(run())[["elapsed"]]
# The medians of what takes turns: as many turns as fit into some seconds, three at least.
compare <- function(runs, seconds = 6) {
  times <- list()
  repeat {
    times[[length(times) + 1]] <- vapply(runs, milliseconds, 0)
    if (length(times) >= 3 && sum(unlist(times)) > 1000 * seconds) break
    if (length(times) >= 15) break
  }
  apply(do.call(rbind, times), 2, median)
}

show <- function(title, rows) {
  cat("\n", title, "\n\n", sep = "")
  header <- names(rows[[1]])
  cat("| data |", paste(header, collapse = " | "), "|\n|---|", strrep("---|", length(header)), "\n", sep = "")
  for (name in names(rows)) cat("|", name, "|", paste(vapply(rows[[name]], function(v) if (is.na(v)) "" else format(signif(v, 3)), ""), collapse = " | "), "|\n")
}

for (name in names(data)) invisible(hsvm(data[[name]]$x, data[[name]]$y, nlambda = 3)) # what happens once is done

if (wanted("path")) show("A path of up to 100 lambdas, milliseconds, one thread", lapply(data, function(d) {
  family <- if (nlevels(d$y) > 2) "multinomial" else "binomial"
  compare(list(`hsvm, lasso` = function() hsvm(d$x, d$y, alpha = 1, threads = 1), `glmnet, lasso` = function() glmnet(d$x, d$y, family),
               `hsvm, lambda2 = 0.01` = function() hsvm(d$x, d$y, threads = 1),
               `glmnet, alpha = 0.9` = function() glmnet(d$x, d$y, family, alpha = 0.9)))
}))

if (wanted("cv")) show("Ten folds, milliseconds", lapply(data, function(d) {
  family <- if (nlevels(d$y) > 2) "multinomial" else "binomial"
  foldid <- sample(rep(1:10, length.out = length(d$y)))
  compare(list(`cv.hsvm, lambda2 = 0.01` = function() cv.hsvm(d$x, d$y, lambda2 = 0.01, foldid = foldid, threads = 1),
               `the same, all threads` = function() cv.hsvm(d$x, d$y, lambda2 = 0.01, foldid = foldid, threads = 0),
               `cv.hsvm as it comes (four lambda2), all threads` = function() cv.hsvm(d$x, d$y, foldid = foldid, threads = 0),
               `cv.glmnet` = function() cv.glmnet(d$x, d$y, family = family, foldid = foldid, type.measure = "class")), 3)
}))

if (wanted("single") && requireNamespace("e1071", quietly = TRUE) && requireNamespace("kernlab", quietly = TRUE)) {
  dense <- Filter(function(d) is.matrix(d$x) && nrow(d$x) <= 1000, data)
  show("One model, milliseconds, one thread", lapply(dense, function(d) {
    compare(list(`hsvm, lambda = 0.05` = function() hsvm(d$x, d$y, lambda = 0.05, threads = 1),
                 `e1071::svm, linear` = function() e1071::svm(d$x, d$y, kernel = "linear"),
                 `kernlab::ksvm, linear` = function() utils::capture.output(kernlab::ksvm(d$x, d$y, kernel = "vanilladot"))))
  }))
}
