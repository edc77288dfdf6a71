# Everything that is wrong is an R condition of class hsvm_error, of the user's own call, in words that name R's arguments.
data <- two_classes()
x <- data$x
y <- data$y

refused <- function(call, words) {
  error <- expect_error(call, class = "hsvm_error")
  expect_match(conditionMessage(error), words)
  expect_no_match(conditionMessage(error), "--|lambda_|max_|no_intercept|\n")
  invisible(error)
}
expect_no_match <- function(text, pattern) expect_false(grepl(pattern, text), info = text)

test_that("matrices that are none are refused", {
  refused(hsvm(as.data.frame(x), y), "x is a data frame: give a numeric matrix .* hsvm\\(y ~ \\., data = x\\)")
  refused(hsvm("a", y), "x is of class \"character\"")
  refused(hsvm(matrix("a", 2, 2), 0:1), "x is a character matrix")
  refused(hsvm(x[, 1], y), "must be a numeric matrix")
  refused(hsvm(NULL, y), "x is NULL")
  refused(hsvm(x[, 0], y), "80 rows and 0 columns")
})

test_that("missing and infinite values are refused where they stand", {
  refused(hsvm(replace(x, 5, NA), y), "missing value in row 5, column 'g1'")
  refused(hsvm(replace(unname(x), 85, NaN), y), "missing value in row 5, column 2")
  refused(hsvm(replace(x, 5, Inf), y), "sample 5, feature 1 is inf")
  sparse <- as(x, "CsparseMatrix")
  sparse@x[81] <- NA
  refused(hsvm(sparse, y), "missing value in row 1, column 'g2'")
  refused(cv.hsvm(replace(x, 5, NA), y), "missing value in row 5")
  integers <- matrix(1:4, 2)
  integers[2, 1] <- NA
  refused(hsvm(integers, 0:1), "missing value in row 2, column 1")
})

test_that("labels that do not fit are refused", {
  refused(hsvm(x, y[-1]), "79 labels in y for the 80 rows")
  refused(hsvm(x, replace(y, 3, NA)), "missing label in place 3")
  refused(hsvm(x, rep(1, 80)), "all 80 samples are of one class, '1'")
  refused(hsvm(x, cbind(1, y == "yes")), "y has 2 columns")
  refused(hsvm(x, as.list(y)), "y is of class \"list\"")
  refused(hsvm(x, seq_len(80)), "every sample has a label of its own")
  expect_warning(fit <- hsvm(x, factor(y, levels = c("no", "maybe", "yes")), nlambda = 3), "no sample of y is of level 'maybe'")
  expect_identical(fit$classnames, c("no", "yes"))
})

test_that("a damaged sparse matrix is refused before it is read", {
  sparse <- as(x, "CsparseMatrix")
  sparse@i[2] <- 1000L
  refused(hsvm(sparse, y), "no valid dgCMatrix")
  sparse <- as(x, "CsparseMatrix")
  sparse@i[2:3] <- sparse@i[3:2]
  refused(hsvm(sparse, y), "must ascend")
  sparse <- as(x, "CsparseMatrix")
  sparse@p[2] <- 5000L
  refused(hsvm(sparse, y), "no valid dgCMatrix")
})

test_that("arguments out of range are refused by their own names", {
  refused(hsvm(x, y, nlambda = 0), "nlambda 0: must be at least 1")
  refused(hsvm(x, y, nlambda = 2.5), "nlambda 2.5: must be a whole number")
  refused(hsvm(x, y, lambda.min.ratio = 1), "lambda.min.ratio 1: must be greater than 0 and less than 1")
  refused(hsvm(x, y, lambda = c(1, -1)), "must be at least 0")
  refused(hsvm(x, y, lambda = c(1, 1)), "more than once")
  refused(hsvm(x, y, lambda = "a"), "lambda \"a\": must hold numbers")
  refused(hsvm(x, y, lambda2 = -1), "lambda2 -1: must be at least 0")
  refused(hsvm(x, y, lambda = 0, lambda2 = 0), "both 0")
  refused(hsvm(x, y, alpha = 0), "alpha 0: must be greater than 0")
  refused(hsvm(x, y, alpha = 2), "alpha 2: must be")
  refused(hsvm(x, y, delta = 0), "delta 0: must be greater than 0")
  refused(hsvm(x, y, delta = c(1, 2)), "delta 1, 2: must be a number")
  refused(hsvm(x, y, loss = "hinge"), "loss \"hinge\": must be one of")
  refused(hsvm(x, y, loss = "squared-hinge", delta = 2), "has no such width")
  refused(hsvm(x, y, margins = "wide"), "margins \"wide\"")
  refused(hsvm(x, y, thresh = 0), "thresh 0: must be greater than 0")
  refused(hsvm(x, y, maxit = 0), "maxit 0: must be at least 1")
  refused(hsvm(x, y, time.limit = -1), "time.limit -1: must be greater than 0")
  refused(hsvm(x, y, standardize = "yes"), "standardize \"yes\": must be TRUE or FALSE")
  refused(hsvm(x, y, intercept = NA), "intercept NA: must be TRUE or FALSE")
  refused(hsvm(x, y, intercept = FALSE, lambda3 = 1), "lambda3 and intercept = FALSE exclude each other")
  refused(hsvm(x, y, dfmax = -1), "dfmax -1: must be at least 0")
  refused(hsvm(x, y, solver = "magic"), "solver \"magic\": must be one of")
  refused(hsvm(x, y, threads = -1), "threads -1: must be at least 0")
  refused(hsvm(x, y, weights = 1:3), "3 weights for the 80 rows")
  refused(hsvm(x, y, weights = rep(-1, 80)), "weights: -1 in place 1 must be at least 0")
  refused(hsvm(x, y, weights = ifelse(y == "yes", 1, 0)), "fewer than two classes")
  refused(hsvm(x, y, penalty.factor = 1:3), "3 numbers in penalty.factor for the 40 columns")
  refused(hsvm(x, y, penalty.factor = rep(0, 40)), "penalty.factor is 0 throughout")
  refused(hsvm(x, y, penalty.factor = rep(-1, 40)), "must be at least 0")
  refused(hsvm(x, y, exclude = 41), "exclude 41: must be numbers of columns")
  refused(hsvm(x, y, exclude = "g41"), "no column named 'g41'")
  refused(hsvm(x, y, exclude = 1:40), "one must stay in")
  refused(hsvm(x, y, nlamda = 5), "no argument named 'nlamda'")
  refused(cv.hsvm(x, y, nfolds = 1), "nfolds 1: must be at least 2")
  refused(cv.hsvm(x, y, nfolds = 1000), "1000")
  refused(cv.hsvm(x, y, foldid = 1:3), "3 numbers in foldid for the 80 rows")
  refused(cv.hsvm(x, y, foldid = rep(1, 80)), "fold")
  refused(cv.hsvm(x, y, lambda2 = c(0.1, 0.2), alpha = 0.5), "lambda2 and alpha exclude each other")
  refused(cv.hsvm(x, y, seed = -1), "seed")
  refused(cv.hsvm(x, y, time.limit = 1e-9), "time limit")
  refused(coef(cv.hsvm(x, y, lambda2 = 0.1, nfolds = 3, seed = 1), s = "lambda.max"), "s \"lambda.max\"")
})

test_that("errors are of the user's own call", {
  error <- refused(hsvm(x, y, nlambda = 0), "nlambda")
  expect_identical(error$call, quote(hsvm(x, y, nlambda = 0)))
  wrapped <- function() cv.hsvm(x, y, nfolds = 1)
  expect_identical(refused(wrapped(), "nfolds")$call[[1]], quote(cv.hsvm))
  expect_identical(refused(hsvm::hsvm(x, y, nlambda = 0), "nlambda")$call, quote(hsvm(x, y, nlambda = 0)))
  expect_identical(refused(predict(hsvm(x, y, nlambda = 3)), "newx is missing")$call[[1]], quote(predict))
  expect_lt(object.size(refused(do.call(hsvm, list(x, y, nlambda = 0)), "nlambda")$call), 5000)
})
