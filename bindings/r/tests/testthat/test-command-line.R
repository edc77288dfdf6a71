# The same data gives the same model as the command line, bit for bit, and files go both ways.

folder <- tempfile("hsvm")
dir.create(folder)
file_in <- function(name) file.path(folder, name)

tables <- list(binary = two_classes(), four = four_classes())

test_that("single models of dense data are the same", {
  for (name in names(tables)) {
    data <- tables[[name]]
    write_table(file_in("data.csv"), data$x, data$y)
    for (case in list(
      list(flags = c("--lambda1", "0.02", "--lambda2", "0.5", "--no-standardize"),
           arguments = list(lambda = 0.02, lambda2 = 0.5, standardize = FALSE)),
      list(flags = c("--lambda1", "0.05", "--loss", "squared-hinge", "--tolerance", "1e-4"),
           arguments = list(lambda = 0.05, loss = "squared-hinge", thresh = 1e-4)),
      list(flags = c("--lambda1", "0.1", "--class-weight", "balanced", "--margins", "absolute", "--no-intercept"),
           arguments = list(lambda = 0.1, class.weights = "balanced", margins = "absolute", intercept = FALSE)),
      list(flags = c("--lambda", "0.08", "--alpha", "0.5", "--delta", "0.5"),
           arguments = list(lambda = 0.08, alpha = 0.5, delta = 0.5)))) {
      program("fit", file_in("data.csv"), "--label", "label", "-m", file_in("theirs.json"), "--quiet", case$flags)
      fit <- do.call(hsvm, c(list(data$x, data$y), case$arguments))
      write_hsvm(fit, file_in("ours.json"), s = fit$lambda)
      expect_same_file(file_in("ours.json"), file_in("theirs.json"))
    }
  }
})

test_that("paths are the same, dense and sparse", {
  for (name in names(tables)) {
    data <- tables[[name]]
    write_table(file_in("data.csv"), data$x, data$y)
    program("path", file_in("data.csv"), "--label", "label", "-m", file_in("theirs.json"), "--quiet", "--nlambda", "12")
    # Levels in another order change nothing of what is written.
    fit <- hsvm(data$x, factor(data$y, levels = rev(sort(unique(data$y)))), nlambda = 12)
    write_hsvm(fit, file_in("ours.json"))
    expect_same_file(file_in("ours.json"), file_in("theirs.json"))
  }
  counts <- sparse_counts()
  write_libsvm(file_in("data.libsvm"), counts$x, counts$y)
  program("path", file_in("data.libsvm"), "--features", ncol(counts$x), "-m", file_in("theirs.json"), "--quiet")
  write_hsvm(hsvm(counts$x, counts$y), file_in("ours.json"))
  expect_same_file(file_in("ours.json"), file_in("theirs.json"))
})

test_that("weights and penalty factors are the same", {
  data <- tables$binary
  weights <- rep(c(1, 0.5, 2), length.out = nrow(data$x))
  factors <- rep(c(0.5, 1.5), ncol(data$x) / 2)
  write_table(file_in("data.csv"), data$x, data$y)
  writeLines(format(weights), file_in("weights"))
  writeLines(format(factors), file_in("factors"))
  program("path", file_in("data.csv"), "--label", "label", "-m", file_in("theirs.json"), "--quiet", "--nlambda", "10",
          "--weights", file_in("weights"), "--penalty-factors", file_in("factors"))
  write_hsvm(hsvm(data$x, data$y, weights = weights, penalty.factor = factors, nlambda = 10), file_in("ours.json"))
  expect_same_file(file_in("ours.json"), file_in("theirs.json"))
})

test_that("cross-validation is the same, by seed, by folds and by groups", {
  for (name in names(tables)) {
    data <- tables[[name]]
    write_table(file_in("data.csv"), data$x, data$y)
    program("cv", file_in("data.csv"), "--label", "label", "-m", file_in("theirs.json"), "--quiet", "--seed", "7", "--stability", "4")
    write_hsvm(cv.hsvm(data$x, data$y, seed = 7, stability = 4), file_in("ours.json"))
    expect_same_file(file_in("ours.json"), file_in("theirs.json"))
    foldid <- rep(1:5, length.out = nrow(data$x))
    writeLines(as.character(foldid), file_in("folds"))
    program("cv", file_in("data.csv"), "--label", "label", "-m", file_in("theirs.json"), "--quiet", "--folds-file", file_in("folds"),
            "--lambda2", "0.1", "--score", "loss")
    write_hsvm(cv.hsvm(data$x, data$y, foldid = foldid, lambda2 = 0.1, type.measure = "loss", seed = 1), file_in("ours.json"))
    expect_same_file(file_in("ours.json"), file_in("theirs.json"))
  }
  data <- tables$binary
  groups <- rep(c("10", "9", "x", "8"), 20)
  writeLines(groups, file_in("groups"))
  write_table(file_in("data.csv"), data$x, data$y)
  program("cv", file_in("data.csv"), "--label", "label", "-m", file_in("theirs.json"), "--quiet", "--groups", file_in("groups"), "--folds", "3",
          "--lambda2", "0.1", "--seed", "5")
  write_hsvm(cv.hsvm(data$x, data$y, groups = groups, nfolds = 3, lambda2 = 0.1, seed = 5), file_in("ours.json"))
  expect_same_file(file_in("ours.json"), file_in("theirs.json"))
})

test_that("cross-validation of sparse data is the same", {
  counts <- sparse_counts()
  write_libsvm(file_in("data.libsvm"), counts$x, counts$y)
  program("cv", file_in("data.libsvm"), "--features", ncol(counts$x), "-m", file_in("theirs.json"), "--quiet", "--seed", "3", "--lambda2", "0.1")
  write_hsvm(cv.hsvm(counts$x, counts$y, lambda2 = 0.1, seed = 3), file_in("ours.json"))
  expect_same_file(file_in("ours.json"), file_in("theirs.json"))
})

test_that("what the program writes is read, written again to the byte, and predicts the same", {
  for (name in names(tables)) {
    data <- tables[[name]]
    write_table(file_in("data.csv"), data$x, data$y)
    for (verb in c("fit", "path", "cv")) {
      program(verb, file_in("data.csv"), "--label", "label", "-m", file_in("theirs.json"), "--quiet")
      model <- read_hsvm(file_in("theirs.json"))
      write_hsvm(model, file_in("again.json"))
      expect_identical(readLines(file_in("again.json")), readLines(file_in("theirs.json")))
      if (verb == "path") next
      said <- program("predict", file_in("theirs.json"), file_in("data.csv"), "-o", file_in("said"))
      s <- if (verb == "cv") "lambda.min"
      expect_identical(as.character(predict(model, data$x, s = s, type = "class")), readLines(file_in("said")))
    }
  }
})

test_that("what R writes the program reads", {
  data <- tables$four
  write_table(file_in("data.csv"), data$x, data$y)
  cv <- cv.hsvm(data$x, data$y, lambda2 = 0.1, seed = 1)
  write_hsvm(cv, file_in("ours.json"))
  program("predict", file_in("ours.json"), file_in("data.csv"), "-o", file_in("said"))
  expect_identical(as.character(predict(cv, data$x, s = "lambda.min", type = "class")), readLines(file_in("said")))
  write_hsvm(cv, file_in("sparser.json"), s = "lambda.1se")
  program("predict", file_in("sparser.json"), file_in("data.csv"), "-o", file_in("said"))
  expect_identical(as.character(predict(cv, data$x, type = "class")), readLines(file_in("said")))
  expect_match(paste(program("inspect", file_in("ours.json")), collapse = "\n"), "lambda1")
})
