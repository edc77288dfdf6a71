data <- two_classes()
x <- data$x
y <- data$y
folder <- tempfile("hsvm")
dir.create(folder)
file_in <- function(name) file.path(folder, name)

test_that("models come back from their files as they were", {
  fit <- hsvm(x, y, nlambda = 12)
  write_hsvm(fit, file_in("path.json"))
  back <- read_hsvm(file_in("path.json"))
  for (part in c("beta", "a0", "lambda", "lambda2", "gap", "objective", "df", "status", "classnames"))
    expect_identical(back[[part]], fit[[part]])
  write_hsvm(fit, file_in("one.json"), s = 0.1)
  one <- read_hsvm(file_in("one.json"))
  expect_equal(as.numeric(coef(one)), as.numeric(coef(fit, s = 0.1)), tolerance = 1e-12)
  expect_equal(predict(one, x), predict(fit, x, s = 0.1), tolerance = 1e-12, ignore_attr = TRUE)
  cv <- cv.hsvm(x, y, lambda2 = 0.1, seed = 1)
  write_hsvm(cv, file_in("cv.json"))
  back <- read_hsvm(file_in("cv.json"))
  expect_identical(coef(back), coef(cv))
  expect_identical(predict(back, x, type = "response"), predict(cv, x, type = "response"))
  expect_identical(back$cvm, cv$cvm)
  expect_error(predict(back, x, s = 0.2), "a file holds the two chosen models")
  expect_error(update(back, nlambda = 3), "read from a file")
  expect_error(predict(back$min.fit, x, s = 0.2, exact = TRUE), "no call to fit it again")
})

test_that("objects survive saveRDS", {
  cv <- cv.hsvm(x, y, lambda2 = 0.1, seed = 1)
  saveRDS(cv, file_in("cv.rds"))
  back <- readRDS(file_in("cv.rds"))
  expect_identical(predict(back, x), predict(cv, x))
  write_hsvm(back, file_in("back.json"))
  write_hsvm(cv, file_in("cv.json"))
  expect_identical(readLines(file_in("back.json")), readLines(file_in("cv.json")))
})

read_first <- function(file) {
  opened <- gzfile(file)
  on.exit(close(opened))
  readLines(opened)[1]
}

test_that("compressed files are read and written, or refused in plain words", {
  fit <- hsvm(x, y, nlambda = 5)
  written <- tryCatch(write_hsvm(fit, file_in("path.json.gz")), hsvm_input_error = function(e) e)
  if (inherits(written, "condition")) {
    expect_match(conditionMessage(written), "Boost.Iostreams was not there")
  } else {
    expect_match(read_first(file_in("path.json.gz")), "\\{")
    expect_identical(read_hsvm(file_in("path.json.gz"))$beta, fit$beta)
  }
})

test_that("what is no model file is refused with its name", {
  writeLines("nothing of the kind", file_in("bad.json"))
  expect_error(read_hsvm(file_in("bad.json")), "bad.json", class = "hsvm_input_error")
  expect_error(read_hsvm(file_in("absent.json")), "there is no such file", class = "hsvm_input_error")
  expect_error(read_hsvm(3), "must be the name of a file")
  fit <- hsvm(x, y, nlambda = 5)
  expect_error(write_hsvm(fit, file.path(folder, "no", "such", "folder.json")), "folder.json", class = "hsvm_input_error")
  expect_error(write_hsvm(1, file_in("x.json")), "must be what hsvm\\(\\)")
  expect_error(write_hsvm(fit, file_in("x.json"), s = c(0.1, 0.2)), "must be one number")
})

test_that("words that look alike as numbers stay apart, and strange words come through", {
  fit <- hsvm(x, ifelse(y == "yes", "1", "01"), nlambda = 5)
  expect_identical(fit$classnames, c("01", "1"))
  expect_setequal(unique(as.character(predict(fit, x, type = "class", s = min(fit$lambda)))), c("01", "1"))
  words <- ifelse(y == "yes", "caf\u00e9 \"x\"", "na\u00efve")
  named <- x
  colnames(named)[1] <- "\u03b2-actin"
  fit <- hsvm(named, words, nlambda = 5)
  write_hsvm(fit, file_in("words.json"))
  back <- read_hsvm(file_in("words.json"))
  expect_setequal(back$classnames, unique(words))
  expect_identical(rownames(back$beta)[1], "\u03b2-actin")
})

test_that("a report is a web page", {
  cv <- cv.hsvm(x, y, lambda2 = 0.1, seed = 1)
  hsvm_report(cv, file_in("cv.html"), name = "my model")
  page <- paste(readLines(file_in("cv.html"), warn = FALSE), collapse = "\n")
  expect_match(page, "<!doctype html>", ignore.case = TRUE)
  expect_match(page, "my model", fixed = TRUE)
  hsvm_report(list(a = cv, b = cv$hsvm.fit), file_in("both.html"))
  page <- paste(readLines(file_in("both.html"), warn = FALSE), collapse = "\n")
  hsvm_report(hsvm(x, y, nlambda = 8), file_in("path.html"), s = 0.1)
  expect_true(file.exists(file_in("path.html")))
  expect_error(hsvm_report(3, file_in("x.html")), "must be what hsvm\\(\\)")
})
