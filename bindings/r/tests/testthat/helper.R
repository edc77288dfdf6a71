# Data that tests share, and the command line beside which answers are held.

# Two classes told apart by the first features; some labels are turned round.
two_classes <- function(n = 80, p = 40, seed = 1) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, p, dimnames = list(NULL, paste0("g", seq_len(p))))
  score <- x[, 1] - x[, 2] + 0.5 * x[, 3] + rnorm(n, sd = 0.7)
  list(x = x, y = ifelse(score > 0, "yes", "no"))
}

four_classes <- function(n = 120, p = 25, seed = 2) {
  set.seed(seed)
  centre <- matrix(rnorm(4 * p, sd = rep(c(2, 0), c(6, p - 6))[rep(seq_len(p), each = 4)]), 4, p)
  k <- rep(1:4, length.out = n)
  x <- centre[k, ] + matrix(rnorm(n * p), n, p)
  colnames(x) <- paste0("g", seq_len(p))
  list(x = x, y = c("d", "a", "c", "b")[k])
}

sparse_counts <- function(n = 90, p = 200, seed = 3) {
  set.seed(seed)
  x <- Matrix::rsparsematrix(n, p, 0.06, rand.x = function(k) rpois(k, 2) + 1)
  score <- as.numeric(x[, 1:20] %*% rep(c(1, -1), 10)) + rnorm(n, sd = 0.5)
  list(x = as(x, "CsparseMatrix"), y = as.integer(score > median(score)))
}

# What the fit must do at a point: subgradients of the huberized hinge meet the penalty.
huberized <- function(t, delta = 1) ifelse(t > 1, 0, ifelse(t > 1 - delta, (1 - t)^2 / (2 * delta), 1 - t - delta / 2))

# The program of the same tree, where the tests are told of one.
program <- function(...) {
  path <- Sys.getenv("HSVM_PROGRAM")
  skip_if(path == "" || !file.exists(path), "no command line here (HSVM_PROGRAM)")
  # Under a sanitizer R has its runtime preloaded, which is nothing for a program that is built without.
  result <- suppressWarnings(system2(path, shQuote(c(...)), stdout = TRUE, stderr = TRUE, env = "LD_PRELOAD="))
  status <- attr(result, "status")
  if (!is.null(status) && status != 0) stop("hsvm ", paste(c(...), collapse = " "), ": ", paste(result, collapse = "\n"))
  as.character(result)
}

write_table <- function(file, x, y) {
  numbers <- matrix(sprintf("%.17g", x), nrow(x))
  writeLines(c(paste(c(colnames(x), "label"), collapse = ","), paste(apply(numbers, 1, paste, collapse = ","), y, sep = ",")), file)
}

write_libsvm <- function(file, x, y) {
  rows <- vapply(seq_len(nrow(x)), function(i) {
    j <- which(x[i, ] != 0)
    paste(c(y[i], sprintf("%d:%.17g", j, x[i, j])), collapse = " ")
  }, "")
  writeLines(rows, file)
}

# A model file without what differs from run to run and by where the data came from.
comparable <- function(file) {
  text <- paste(readLines(file), collapse = "\n")
  for (key in c("seconds", "pass_seconds")) text <- gsub(sprintf("\"%s\": ?(\\[[^]]*\\]|[-+.0-9eE]+)", key), sprintf("\"%s\": 0", key), text)
  for (key in c("source", "command")) text <- gsub(sprintf("\"%s\": ?\"([^\"\\\\]|\\\\.)*\"", key), sprintf("\"%s\": \"\"", key), text)
  gsub("\"label\": ?(\\{[^}]*\\}|\"[^\"]*\"),?\\s*", "", text)
}

expect_same_file <- function(ours, theirs) {
  a <- comparable(ours)
  b <- comparable(theirs)
  at <- if (identical(a, b)) 0 else which(utf8ToInt(a)[seq_len(min(nchar(a), nchar(b)))] != utf8ToInt(b)[seq_len(min(nchar(a), nchar(b)))])[1]
  expect_identical(a == b, TRUE, info = paste0("ours: ", substr(a, at - 80, at + 80), "\ntheirs: ", substr(b, at - 80, at + 80)))
}
