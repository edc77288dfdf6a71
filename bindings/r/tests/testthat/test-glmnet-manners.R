# Arguments that glmnet has, too, mean here what they mean there. Where glmnet is installed the shapes of answers are held beside its own.
data <- two_classes()
x <- data$x
y <- data$y

test_that("lambda sequences fall geometrically, nlambda of them, to lambda.min.ratio of the first", {
  fit <- hsvm(x, y, nlambda = 20, lambda.min.ratio = 0.05, full.path = TRUE)
  expect_length(fit$lambda, 20)
  expect_equal(fit$lambda[20] / fit$lambda[1], 0.05)
  expect_equal(diff(log(fit$lambda)), rep(log(0.05) / 19, 19))
})

test_that("a given lambda sequence is sorted, and fitted whole", {
  given <- c(0.05, 0.3, 0.1)
  fit <- hsvm(x, y, lambda = given)
  expect_identical(fit$lambda, sort(given, decreasing = TRUE))
  skip_if_not_installed("glmnet")
  expect_identical(glmnet::glmnet(x, y, "binomial", lambda = given)$lambda, fit$lambda)
})

test_that("the default smallest lambda is 1e-4 of the first with more samples than features, else 1e-2", {
  tall <- hsvm(x, y, full.path = TRUE)
  wide <- hsvm(x[1:30, ], y[1:30], full.path = TRUE)
  expect_equal(min(tall$lambda) / max(tall$lambda), 1e-4)
  expect_equal(min(wide$lambda) / max(wide$lambda), 1e-2)
})

test_that("a weight counts as so many rows", {
  weights <- rep(c(1, 2, 3), length.out = nrow(x))
  rows <- rep(seq_len(nrow(x)), weights)
  weighted <- hsvm(x, y, weights = weights, lambda = c(0.2, 0.1, 0.05), thresh = 1e-10)
  repeated <- hsvm(x[rows, ], y[rows], lambda = c(0.2, 0.1, 0.05), thresh = 1e-10)
  expect_equal(as.matrix(weighted$beta), as.matrix(repeated$beta), tolerance = 1e-5)
  expect_equal(weighted$a0, repeated$a0, tolerance = 1e-5)
  expect_identical(hsvm(x, y, weights = rep(7, nrow(x)), nlambda = 5)$lambda, hsvm(x, y, nlambda = 5)$lambda)
  left_out <- replace(rep(1, nrow(x)), 1:10, 0)
  expect_equal(as.matrix(hsvm(x, y, weights = left_out, lambda = 0.1, thresh = 1e-10)$beta),
               as.matrix(hsvm(x[-(1:10), ], y[-(1:10)], lambda = 0.1, thresh = 1e-10)$beta), tolerance = 1e-5)
})

test_that("excluded features are never in the model, and are as good as not there", {
  fit <- hsvm(x, y, exclude = c(1, 3), lambda = c(0.2, 0.05), thresh = 1e-10)
  expect_equal(sum(abs(fit$beta[c(1, 3), ])), 0)
  without <- hsvm(x[, -c(1, 3)], y, lambda = c(0.2, 0.05), thresh = 1e-10)
  expect_equal(as.matrix(fit$beta[-c(1, 3), ]), as.matrix(without$beta), tolerance = 1e-5)
  expect_identical(hsvm(x, y, exclude = c("g1", "g3"), lambda = c(0.2, 0.05), thresh = 1e-10)$beta, fit$beta)
  infinite <- replace(rep(1, ncol(x)), c(1, 3), Inf)
  expect_identical(hsvm(x, y, penalty.factor = infinite, lambda = c(0.2, 0.05), thresh = 1e-10)$beta, fit$beta)
})

test_that("penalty factors count relative to their mean, and 0 keeps a feature in", {
  plain <- hsvm(x, y, nlambda = 10)
  expect_identical(hsvm(x, y, penalty.factor = rep(2, ncol(x)), nlambda = 10)$beta, plain$beta)
  free <- hsvm(x, y, penalty.factor = replace(rep(1, ncol(x)), 7, 0), nlambda = 10)
  expect_true(all(free$beta[7, ] != 0))
  expect_gt(free$dev.ratio[1], 0) # the constant model is what counts, as in glmnet
  heavy <- hsvm(x, y, penalty.factor = replace(rep(1, ncol(x)), 1, 50), nlambda = 10)
  expect_true(all(heavy$beta[1, 1:5] == 0))
})

test_that("standardize makes units of no matter; without it they matter", {
  units <- 10^seq(-3, 3, length.out = ncol(x))
  scaled <- sweep(x, 2, units, "*")
  plain <- hsvm(x, y, nlambda = 12, thresh = 1e-9)
  other <- hsvm(scaled, y, nlambda = 12, thresh = 1e-9)
  expect_equal(as.matrix(other$beta * units), as.matrix(plain$beta), tolerance = 1e-4)
  by_hand <- sweep(sweep(x, 2, colMeans(x)), 2, sqrt(colMeans(sweep(x, 2, colMeans(x))^2)), "/")
  expect_equal(hsvm(by_hand, y, standardize = FALSE, nlambda = 12)$lambda, plain$lambda)
  expect_false(isTRUE(all.equal(hsvm(scaled, y, standardize = FALSE, nlambda = 12)$lambda, plain$lambda)))
})

test_that("without an intercept there is none", {
  fit <- hsvm(x, y, intercept = FALSE, nlambda = 6)
  expect_true(all(fit$a0 == 0))
})

test_that("dfmax ends the path with the first model that has more features", {
  fit <- hsvm(x, y, dfmax = 5)
  expect_gt(fit$df[length(fit$df)], 5)
  expect_true(all(fit$df[-length(fit$df)] <= 5))
  expect_identical(fit$ended, "max_nonzeros")
  skip_if_not_installed("glmnet")
  theirs <- glmnet::glmnet(x, y, "binomial", dfmax = 5)
  expect_true(all(theirs$df[-length(theirs$df)] <= 5) && theirs$df[length(theirs$df)] > 5)
})

test_that("a single column is enough", {
  fit <- hsvm(x[, 1, drop = FALSE], y)
  expect_equal(dim(fit$beta), c(1, length(fit$lambda)))
  expect_equal(dim(predict(fit, x[1:4, 1, drop = FALSE], s = c(0.1, 0.05))), c(4, 2))
  expect_s3_class(cv.hsvm(x[, 1, drop = FALSE], y, lambda2 = 0.1, seed = 1), "cv.hsvm")
})

test_that("constant columns stay out of the model", {
  constant <- cbind(x, one = 1, zero = 0)
  fit <- hsvm(constant, y, nlambda = 10)
  expect_equal(sum(abs(fit$beta[c("one", "zero"), ])), 0)
  expect_equal(as.matrix(fit$beta[seq_len(ncol(x)), ]), as.matrix(hsvm(x, y, nlambda = 10, lambda.min.ratio = min(fit$lambda) / max(fit$lambda))$beta),
               tolerance = 1e-3)
})

test_that("answers have the shapes and names that glmnet's have", {
  skip_if_not_installed("glmnet")
  theirs <- glmnet::glmnet(x, y, "binomial")
  ours <- hsvm(x, y)
  for (s in list(NULL, 0.05, c(0.1, 0.05))) {
    expect_identical(dim(predict(ours, x[1:3, ], s = s))[1], dim(predict(theirs, x[1:3, ], s = s))[1])
    if (!is.null(s)) expect_identical(dim(predict(ours, x[1:3, ], s = s)), dim(predict(theirs, x[1:3, ], s = s)))
    if (!is.null(s)) expect_identical(dimnames(coef(ours, s = s)), dimnames(coef(theirs, s = s)))
    expect_identical(class(coef(ours, s = s)), class(coef(theirs, s = s)))
    expect_identical(typeof(predict(ours, x[1:3, ], s = s, type = "class")), typeof(predict(theirs, x[1:3, ], s = s, type = "class")))
  }
  four <- four_classes()
  theirs <- glmnet::glmnet(four$x, four$y, "multinomial")
  ours <- hsvm(four$x, four$y)
  expect_identical(dim(predict(ours, four$x[1:3, ], s = c(0.1, 0.05))), dim(predict(theirs, four$x[1:3, ], s = c(0.1, 0.05))))
  expect_identical(dimnames(predict(ours, four$x[1:3, ], s = 0.1))[[2]], dimnames(predict(theirs, four$x[1:3, ], s = 0.1))[[2]])
  expect_identical(names(coef(ours, s = 0.1)), names(coef(theirs, s = 0.1)))
  expect_identical(lapply(coef(ours, s = 0.1), dim), lapply(coef(theirs, s = 0.1), dim))
  cv_theirs <- glmnet::cv.glmnet(x, y, family = "binomial", nfolds = 4)
  cv_ours <- cv.hsvm(x, y, nfolds = 4, lambda2 = 0.01, seed = 1)
  expect_true(all(c("lambda", "cvm", "cvsd", "cvup", "cvlo", "nzero", "name", "lambda.min", "lambda.1se") %in% names(cv_ours)))
  expect_identical(rownames(coef(cv_ours)), rownames(coef(cv_theirs)))
  expect_identical(dimnames(predict(cv_ours, x[1:2, ], s = "lambda.min")), dimnames(predict(cv_theirs, x[1:2, ], s = "lambda.min")))
})
