# cv.glmnet with its own defaults on data that bench/run-accuracy wrote, with the folds given there. Chosen by the
# misclassified share, as a classifier is judged. Prints one JSON object.
#
#   Rscript glmnet_cv.R FOLDER [test]      with "test": also the accuracy of the chosen model on the test file
#
# The matrix comes as triplets; it is dense for glmnet where most of it is stored. A refusal is a result, too: its words
# are in "error". Ends with 3 where glmnet is absent.

if (!suppressWarnings(suppressMessages(require(glmnet, quietly = TRUE)))) quit(status = 3)
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]

numbers <- function(name, what) {
  file <- file.path(folder, name)
  size <- if (what == "double") 8 else 4
  readBin(file, what, file.size(file) / size)
}

read_part <- function(part) {
  rows <- numbers(paste0(part, "_row.i32"), "integer")
  columns <- numbers(paste0(part, "_column.i32"), "integer")
  values <- numbers(paste0(part, "_value.f64"), "double")
  y <- numbers(paste0(part, "_label.f64"), "double")
  p <- numbers("columns.i32", "integer")
  x <- sparseMatrix(rows, columns, x = values, dims = c(length(y), p))
  list(x = if (length(values) > 0.5 * length(y) * p) as.matrix(x) else x, y = y)
}

text <- function(words) {
  words <- gsub("\\s+", " ", gsub('[\\\\"]', "'", words))
  paste0('"', words, '"', recycle0 = TRUE)
}

train <- read_part("train")
foldid <- as.integer(readLines(file.path(folder, "folds.txt")))
family <- if (length(unique(train$y)) == 2) "binomial" else "multinomial"
warned <- character()

fit <- tryCatch(
  withCallingHandlers({
    start <- Sys.time()
    fit <- cv.glmnet(train$x, factor(train$y), family = family, type.measure = "class", foldid = foldid)
    seconds <- as.numeric(difftime(Sys.time(), start, units = "secs"))
    fit
  }, warning = function(w) {
    warned <<- c(warned, conditionMessage(w))
    invokeRestart("muffleWarning")
  }),
  error = function(e) e)

version <- as.character(packageVersion("glmnet"))
if (inherits(fit, "error")) {
  cat(sprintf('{"error": %s, "version": "%s"}\n', text(conditionMessage(fit)), version))
  quit()
}

chosen <- fit$index["min", 1]
features <- unique(unlist(predict(fit, s = "lambda.min", type = "nonzero")))
tested <- ""
if (length(arguments) > 1) {
  test <- read_part("test")
  predicted <- predict(fit, test$x, s = "lambda.min", type = "class")
  tested <- sprintf(', "test_accuracy": %.17g', mean(as.numeric(predicted) == test$y))
}
fields <- c(
  sprintf('"accuracy": %.17g, "standard_error": %.17g', 1 - fit$cvm[chosen], fit$cvsd[chosen]),
  sprintf('"nonzeros": %d, "lambda": %.17g, "lambda_index": %d', length(features), fit$lambda.min, chosen),
  sprintf('"lambdas": %d, "seconds": %.9g%s', length(fit$lambda), seconds, tested),
  sprintf('"warnings": [%s], "version": "%s"', paste(text(unique(warned)), collapse = ", "), version))
cat("{", paste(fields, collapse = ", "), "}\n", sep = "")
