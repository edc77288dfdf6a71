# A fit stops soon after Ctrl-C, R goes on, and a fit in a forked child works.

test_that("an interrupt ends a long fit within a second, and the session goes on", {
  skip_on_os("windows")
  skip_on_cran()
  code <- '
    library(hsvm)
    set.seed(1)
    x <- matrix(rnorm(400 * 3000), 400)
    y <- as.integer(x[, 1] + rnorm(400) > 0)
    cat("ready\\n")
    started <- proc.time()[[3]]
    caught <- tryCatch(repeat cv.hsvm(x, y, repeats = 50, seed = 1), interrupt = function(e) "interrupted")
    cat(caught, "\\n")
    fit <- hsvm(x[, 1:50], y, nlambda = 5)
    cat("fitted", length(fit$lambda), "\\n")'
  script <- tempfile(fileext = ".R")
  said <- tempfile()
  writeLines(code, script)
  libraries <- paste(.libPaths(), collapse = ":")
  pid <- as.integer(system(sprintf("R_LIBS='%s' '%s' '%s' > '%s' 2>&1 & echo $!", libraries,
                                   file.path(R.home("bin"), "Rscript"), script, said), intern = TRUE))
  wait_for <- function(pattern, seconds) {
    for (k in seq_len(10 * seconds)) {
      if (any(grepl(pattern, readLines(said, warn = FALSE)))) return(TRUE)
      Sys.sleep(0.1)
    }
    FALSE
  }
  expect_true(wait_for("ready", 60))
  Sys.sleep(1)
  tools::pskill(pid, tools::SIGINT)
  expect_true(wait_for("interrupted", 5))
  expect_true(wait_for("fitted 5", 20))
})

# The process that runs the tests interrupts itself.
interrupted_fit <- function(x, y, after = 0.3) {
  system(sprintf("(sleep %g; kill -INT %d) > /dev/null 2>&1 &", after, Sys.getpid()))
  tryCatch(repeat cv.hsvm(x, y, repeats = 50, seed = 1), interrupt = function(e) "interrupted")
}

test_that("interrupted fits leave neither memory nor threads behind", {
  skip_on_cran()
  skip_if_not(file.exists("/proc/self/status"), "no /proc here")
  status <- function(key) as.numeric(gsub("[^0-9]", "", grep(paste0("^", key), readLines("/proc/self/status"), value = TRUE)))
  set.seed(1)
  x <- matrix(rnorm(1000 * 2000), 1000) # 16 MB, which a fit copies parts of
  y <- as.integer(x[, 1] + rnorm(1000) > 0)
  round <- function() {
    for (k in 1:4) expect_identical(interrupted_fit(x, y), "interrupted")
    invisible(gc())
    c(memory = status("VmRSS"), threads = status("Threads"))
  }
  before <- round()
  # A leak of one fold's data adds at least 4 times some megabytes in every round. The allocator's own growth depends
  # on which thread asks when and differs from round to round: one round with less shows that nothing leaks.
  # The sanitizer keeps what is freed for a while.
  grown <- Inf
  for (attempt in 1:10) {
    after <- round()
    expect_lte(after[["threads"]], before[["threads"]])
    grown <- min(grown, (after[["memory"]] - before[["memory"]]) / 1024)
    if (grown < 4) break
    before <- after
  }
  if (!nzchar(Sys.getenv("ASAN_OPTIONS"))) expect_lt(grown, 4)
  expect_identical(unique(hsvm(x[, 1:20], y, nlambda = 5)$status), "converged")
})

test_that("a time limit of R's is an error, and the session goes on", {
  skip_on_cran()
  set.seed(1)
  x <- matrix(rnorm(400 * 3000), 400)
  y <- as.integer(x[, 1] + rnorm(400) > 0)
  limited <- function() {
    setTimeLimit(elapsed = 0.5, transient = TRUE)
    on.exit(setTimeLimit())
    repeat cv.hsvm(x, y, repeats = 50, seed = 1)
  }
  expect_error(limited(), "time limit")
  expect_identical(unique(hsvm(x[, 1:20], y, nlambda = 5)$status), "converged")
})

test_that("a forked child fits on one thread", {
  skip_on_os("windows")
  skip_on_cran()
  data <- two_classes()
  reference <- hsvm(data$x, data$y, nlambda = 8)
  fits <- parallel::mclapply(1:2, function(k) hsvm(data$x, data$y, nlambda = 8)$beta, mc.cores = 2)
  expect_identical(fits[[1]], reference$beta)
  expect_identical(fits[[2]], reference$beta)
})
