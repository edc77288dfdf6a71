data <- two_classes()
x <- data$x
y <- data$y

test_that("a path begins empty and is certified to the tolerance", {
  fit <- hsvm(x, y)
  expect_s3_class(fit, "hsvm")
  expect_equal(fit$df[1], 0)
  expect_true(all(diff(fit$lambda) < 0))
  expect_true(all(fit$status == "converged"))
  expect_true(all(fit$relative.gap <= 1e-6))
  expect_equal(fit$objective - fit$dual.objective, fit$gap)
  expect_equal(fit$lambda[1], fit$lambda1.max)
  expect_true(all(fit$dev.ratio >= 0 & fit$dev.ratio < 1) && all(diff(fit$dev.ratio) > -1e-6))
})

test_that("the two-point problem has the answer worked out by hand", {
  # (x, y) = (+1, +1), (-1, -1), delta = 1, lambda1 = 1/4, lambda2 = 1/2: b = 0, w = 1/2, objective 5/16; empty from lambda1 = 1.
  fit <- hsvm(matrix(c(-1, 1), 2), c(-1, 1), lambda = c(1, 1 / 4), lambda2 = 1 / 2, standardize = FALSE, thresh = 1e-12)
  expect_equal(as.numeric(fit$beta), c(0, 1 / 2), tolerance = 1e-6)
  expect_equal(unname(fit$a0), c(0, 0), tolerance = 1e-6)
  expect_equal(fit$objective, c(1 / 2, 5 / 16), tolerance = 1e-9)
})

test_that("the objective is that of the model in R's own arithmetic", {
  fit <- hsvm(x, y, standardize = FALSE, lambda2 = 0.1, delta = 0.7, nlambda = 5)
  sign <- ifelse(y == "yes", 1, -1)
  for (k in seq_along(fit$lambda)) {
    w <- fit$beta[, k]
    loss <- mean(huberized(sign * (fit$a0[k] + x %*% w), 0.7))
    expect_equal(loss + fit$lambda[k] * sum(abs(w)) + 0.05 * sum(w^2), fit$objective[k], tolerance = 1e-8)
    null <- fit$objective[1]
    expect_equal(fit$dev.ratio[k], 1 - loss / null, tolerance = 1e-6)
  }
})

test_that("alpha parts one lambda among the two penalties", {
  fit <- hsvm(x, y, alpha = 0.25, nlambda = 6)
  expect_equal(fit$lambda1, 0.25 * fit$lambda)
  expect_equal(fit$lambda2, 0.75 * fit$lambda)
  again <- hsvm(x, y, alpha = 0.25, lambda = fit$lambda[3])
  expect_equal(again$lambda, fit$lambda[3])
  expect_equal(as.numeric(again$beta), unname(fit$beta[, 3]), tolerance = 1e-3)
  expect_error(hsvm(x, y, alpha = 0.5, lambda2 = 0.1), "alpha and lambda2 exclude each other")
  ridge <- hsvm(x, y, alpha = 0, lambda = 0.1)
  expect_identical(c(ridge$lambda, ridge$lambda1, ridge$lambda2), c(0.1, 0, 0.1))
  expect_identical(predict(ridge, x, s = 0.1), predict(hsvm(x, y, lambda = 0, lambda2 = 0.1), x, s = 0), ignore_attr = TRUE)
})

test_that("every kind of label gives the same model", {
  zero_one <- as.integer(y == "yes")
  reference <- hsvm(x, factor(y, levels = c("no", "yes")), nlambda = 10)
  for (labels in list(y, zero_one, as.double(zero_one), 2 * zero_one - 1, zero_one == 1, matrix(zero_one), factor(zero_one + 5))) {
    fit <- hsvm(x, labels, nlambda = 10)
    expect_identical(fit$beta, reference$beta)
    expect_identical(fit$a0, reference$a0)
  }
})

test_that("the second level is the positive class, whatever the order of the words", {
  plain <- hsvm(x, factor(y, levels = c("no", "yes")), nlambda = 10)
  turned <- hsvm(x, factor(y, levels = c("yes", "no")), nlambda = 10)
  expect_identical(turned$beta, -plain$beta)
  expect_identical(turned$a0, -plain$a0)
  expect_identical(turned$classnames, c("yes", "no"))
  expect_identical(predict(turned, x, type = "class"), predict(plain, x, type = "class"))
  expect_identical(predict(turned, x), -predict(plain, x))
})

test_that("dense, integer, logical and sparse matrices of one content give one path", {
  counts <- sparse_counts()
  dense <- as.matrix(counts$x)
  integers <- dense
  storage.mode(integers) <- "integer"
  reference <- hsvm(counts$x, counts$y, nlambda = 15)
  for (other in list(dense, integers, as(counts$x, "TsparseMatrix"), as(counts$x, "RsparseMatrix"), Matrix::Matrix(dense, sparse = FALSE))) {
    fit <- hsvm(other, counts$y, nlambda = 15)
    expect_equal(as.matrix(fit$beta), as.matrix(reference$beta), tolerance = 1e-2, ignore_attr = TRUE)
    expect_equal(fit$objective, reference$objective, tolerance = 1e-5)
  }
  expect_identical(hsvm(dense != 0, counts$y, nlambda = 5)$beta, hsvm(1 * (dense != 0), counts$y, nlambda = 5)$beta)
  symmetric <- Matrix::forceSymmetric(Matrix::crossprod(counts$x[, 1:30]))
  expect_s3_class(hsvm(symmetric, rep(0:1, 15)), "hsvm")
})

test_that("more classes are fitted all together, rows adding up to zero", {
  four <- four_classes()
  fit <- hsvm(four$x, four$y, nlambda = 20)
  expect_identical(names(fit$beta), c("a", "b", "c", "d"))
  expect_lt(max(abs(Reduce(`+`, fit$beta))), 1e-12)
  expect_lt(max(abs(colSums(fit$a0))), 1e-12)
  expect_gt(mean(predict(fit, four$x, s = min(fit$lambda), type = "class") == four$y), 0.95)
  expect_identical(hsvm(four$x, four$y, nlambda = 5, margins = "absolute")$margins, "absolute")
  # Levels in another order: the same models under the same names.
  other <- hsvm(four$x, factor(four$y, levels = c("d", "b", "a", "c")), nlambda = 20)
  expect_identical(other$beta[c("a", "b", "c", "d")], fit$beta)
  expect_identical(other$a0[c("a", "b", "c", "d"), ], fit$a0)
  expect_identical(predict(other, four$x, s = 0.1)[, c("a", "b", "c", "d"), ], predict(fit, four$x, s = 0.1)[, , 1])
})

test_that("the other losses and solvers are there", {
  expect_identical(hsvm(x, y, loss = "squared-hinge", nlambda = 5)$loss, "squared-hinge")
  fast <- hsvm(x, y, nlambda = 5)
  slow <- hsvm(x, y, nlambda = 5, solver = "pg")
  expect_equal(slow$objective, fast$objective, tolerance = 1e-5)
  expect_equal(slow$solver, "pg")
})

test_that("class weights count as weights of samples", {
  by_class <- hsvm(x, y, class.weights = c(yes = 3), nlambda = 8)
  by_sample <- hsvm(x, y, weights = ifelse(y == "yes", 3, 1), nlambda = 8, standardize = TRUE)
  # Standardising heeds weights of samples, never those of classes: without it the two are one.
  expect_identical(hsvm(x, y, class.weights = c(yes = 3), nlambda = 8, standardize = FALSE)$beta,
                   hsvm(x, y, weights = ifelse(y == "yes", 3, 1), nlambda = 8, standardize = FALSE)$beta)
  expect_false(identical(by_class$beta, by_sample$beta))
  expect_error(hsvm(x, y, class.weights = c(maybe = 2)), "no class is called 'maybe'", class = "hsvm_option_error")
  expect_s3_class(hsvm(x, y, class.weights = "balanced", nlambda = 3), "hsvm")
})

test_that("an early stop is a warning that says how far it is, and the model is there", {
  expect_warning(fit <- hsvm(x, y, maxit = 1, thresh = 1e-12, nlambda = 5), "stopped before the tolerance \\(iteration_limit\\)",
                 class = "hsvm_convergence_warning")
  expect_true(any(fit$status == "iteration_limit"))
  expect_equal(ncol(fit$beta), 5)
  expect_warning(fit <- hsvm(x, y, time.limit = 1e-9), "the path was stopped \\(time_limit\\) at lambda = .*, its point 1: smaller values of lambda were not fitted",
                 class = "hsvm_convergence_warning")
})

test_that("the same bits come out for any number of threads", {
  one <- hsvm(x, y, threads = 1)
  two <- hsvm(x, y, threads = 2)
  expect_identical(one$beta, two$beta)
})
