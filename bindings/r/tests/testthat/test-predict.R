data <- two_classes()
x <- data$x
y <- data$y
fit <- hsvm(x, y)

test_that("links are intercept and products; classes are their signs", {
  s <- c(0.2, 0.05)
  coefficients <- coef(fit, s = s)
  by_hand <- as.matrix(cbind(1, x) %*% coefficients)
  expect_equal(predict(fit, x, s = s), by_hand, tolerance = 1e-12, ignore_attr = TRUE)
  expect_identical(predict(fit, x, s = s, type = "class")[], ifelse(predict(fit, x, s = s) > 0, "yes", "no"))
  expect_identical(predict(fit, x, s = s, type = "coefficients"), coefficients)
})

test_that("between two points models are interpolated, and at points they are themselves", {
  k <- 10
  expect_identical(as.numeric(coef(fit, s = fit$lambda[k])), c(unname(fit$a0[k]), unname(fit$beta[, k])))
  middle <- 0.25 * fit$lambda[k] + 0.75 * fit$lambda[k + 1]
  expect_equal(as.numeric(coef(fit, s = middle)),
               as.numeric(0.25 * coef(fit, s = fit$lambda[k]) + 0.75 * coef(fit, s = fit$lambda[k + 1])), tolerance = 1e-12)
  expect_identical(coef(fit, s = 10 * fit$lambda[1])[-1], rep(0, ncol(x)))
  expect_warning(low <- coef(fit, s = min(fit$lambda) / 2), "below the path")
  expect_equal(as.numeric(low[-1]), unname(fit$beta[, ncol(fit$beta)]))
  expect_warning(coef(hsvm(x, y, lambda = 0.1), s = 0.2), "above the path, which begins at lambda = 0.1")
  skip_if_not_installed("glmnet")
  theirs <- glmnet::glmnet(x, y, "binomial")
  theirs$lambda <- fit$lambda
  theirs$beta <- fit$beta
  theirs$a0 <- fit$a0
  s <- exp(seq(log(max(fit$lambda)), log(min(fit$lambda)), length.out = 37))
  expect_equal(as.matrix(coef(fit, s = s)), as.matrix(coef(theirs, s = s)), tolerance = 1e-10)
})

test_that("exact = TRUE fits anew, with the call's data or with what is given", {
  s <- mean(fit$lambda[10:11])
  exact <- coef(fit, s = s, exact = TRUE)
  direct <- hsvm(x, y, lambda = s)
  expect_equal(as.numeric(exact[-1]), unname(direct$beta[, 1]), tolerance = 1e-3)
  given <- predict(fit, x, s = s, exact = TRUE, x = x, y = y)
  expect_equal(given[, 1], predict(fit, x, s = s)[, 1], tolerance = 0.05)
})

test_that("the path of cv.hsvm() can be fitted again by itself", {
  cv <- cv.hsvm(x, y, nfolds = 4, nlambda = 30, delta = c(0.5, 2), seed = 1)
  expect_identical(names(cv$hsvm.fit$call), c("", "x", "y", "delta", "lambda2", "lambda"))
  again <- update(cv$hsvm.fit)
  expect_identical(again$lambda, cv$hsvm.fit$lambda)
  expect_equal(as.matrix(again$beta), as.matrix(cv$hsvm.fit$beta), tolerance = 1e-3)
  s <- mean(cv$lambda[5:6])
  expect_equal(as.numeric(coef(cv, s = s, exact = TRUE)), as.numeric(coef(again, s = s, exact = TRUE)), tolerance = 1e-3)
  expect_error(update(cv$min.fit), "one that cv.hsvm\\(\\) chose", class = "hsvm_input_error")
  frame <- data.frame(y = y, x[, 1:5])
  by_formula <- cv.hsvm(y ~ ., data = frame, nfolds = 4, lambda2 = 0.1, seed = 1)
  expect_identical(by_formula$hsvm.fit$call, quote(hsvm(formula = y ~ ., data = frame, lambda2 = 0.1)))
})

test_that("columns of the same name are known by their places", {
  twice <- x
  colnames(twice)[2] <- "g1"
  expect_warning(double <- hsvm(twice, y, nlambda = 10), "x has more than one column named 'g1': columns are known by their places")
  expect_identical(rownames(double$beta), colnames(twice))
  expect_identical(unname(as.matrix(double$beta)), unname(as.matrix(hsvm(x, y, nlambda = 10)$beta)))
  expect_identical(predict(double, twice), predict(hsvm(x, y, nlambda = 10), x))
})

test_that("nonzero names the features of each model", {
  found <- predict(fit, s = c(0.2, 0.05), type = "nonzero")
  expect_identical(found$s1, unname(which(fit$beta[, which.min(abs(fit$lambda - 0.2))] != 0)))
  expect_length(found, 2)
})

test_that("columns of new data are found by their names", {
  expected <- predict(fit, x, s = 0.05)
  mixed <- x[, rev(seq_len(ncol(x)))]
  expect_equal(predict(fit, mixed, s = 0.05), expected, tolerance = 1e-12)
  more <- cbind(extra = rnorm(nrow(x)), mixed)
  expect_equal(predict(fit, more, s = 0.05), expected, tolerance = 1e-12)
  used <- predict(fit, s = 0.05, type = "nonzero")[[1]]
  expect_equal(predict(fit, x[, used], s = 0.05), expected, tolerance = 1e-12)
  expect_error(predict(fit, x[, -used[1]], s = 0.05), "no column named 'g1'", class = "hsvm_input_error")
  expect_equal(predict(fit, unname(x), s = 0.05), unname(expected), tolerance = 1e-12, ignore_attr = TRUE)
  expect_error(predict(fit, unname(x)[, 1:3], s = 0.05), "newx has 3 columns: must have the 40")
  expect_equal(predict(fit, as(mixed, "CsparseMatrix"), s = 0.05), expected, tolerance = 1e-12)
})

test_that("new data that does not fit is refused in plain words", {
  expect_error(predict(fit), "newx is missing")
  expect_error(predict(fit, x[1, ]), "newx is a vector")
  expect_error(predict(fit, as.data.frame(x)), "newx is a data frame")
  expect_error(predict(fit, replace(x, 3, NA)), "newx has a missing value in row 3, column 'g1'")
  expect_error(predict(fit, x, s = -1), "s -1: must be")
  expect_error(predict(fit, x, s = "lambda.min"), "s \"lambda.min\": must be numbers of at least 0; what cv.hsvm\\(\\) gives", class = "hsvm_option_error")
  expect_error(predict(fit, x, type = "prob"), "type \"prob\": must be one of \"link\", \"class\"", class = "hsvm_option_error")
  expect_error(predict(fit, x, S = 0.1), "no argument named 'S'", class = "hsvm_option_error")
  expect_error(predict(fit, newdata = x), "'newdata': new samples are given as newx", class = "hsvm_option_error")
  expect_error(coef(fit, sss = 0.1), "no argument named 'sss'", class = "hsvm_option_error")
  expect_error(predict(fit, cbind(x, g1 = 1)), "newx has more than one column named 'g1'", class = "hsvm_input_error")
  expect_identical(predict(fit, s = 0.1, type = "coef"), coef(fit, s = 0.1)) # the beginning of a word is enough, as in glmnet
  expect_error(predict(fit, x, s = 0.1, type = "response"), "cv.hsvm\\(\\) gives them", class = "hsvm_option_error")
})

test_that("formulas treat new data as they treated the old", {
  frame <- data.frame(y = y, a = x[, 1], b = x[, 2], kind = factor(rep(c("u", "v", "w", "w"), 20)))
  fit <- hsvm(y ~ ., data = frame, nlambda = 20)
  expect_identical(rownames(fit$beta), c("a", "b", "kindv", "kindw"))
  by_hand <- model.matrix(y ~ ., frame)[, -1]
  expect_identical(hsvm(by_hand, frame$y, nlambda = 20)$beta, fit$beta)
  few <- data.frame(a = frame$a[1:2], b = frame$b[1:2], kind = c("w", "u"))
  expect_equal(predict(fit, few, s = 0.05), predict(fit, cbind(a = few$a, b = few$b, kindv = 0, kindw = c(1, 0)), s = 0.05), ignore_attr = TRUE)
  expect_error(predict(fit, data.frame(a = 1, b = 1, kind = "z"), s = 0.05), "level z", class = "hsvm_input_error")
  gap <- transform(frame, a = replace(a, 3, NA))
  expect_error(hsvm(y ~ ., data = gap), "^data has a missing value in row 3, column 'a'; na.action = na.omit leaves such rows out$", class = "hsvm_input_error")
  expect_identical(hsvm(y ~ ., data = gap, na.action = na.omit, nlambda = 5)$beta, hsvm(y ~ ., data = frame[-3, ], nlambda = 5)$beta)
  expect_error(predict(fit, gap), "^newx has a missing value in row 3, column 'a'$", class = "hsvm_input_error")
  expect_error(hsvm(y ~ a + nothing, data = frame), "object 'nothing' not found", class = "hsvm_input_error")
  expect_error(hsvm(y ~ a + offset(b), data = frame), "the formula has an offset", class = "hsvm_input_error")
  expect_error(hsvm(y ~ 1, data = frame), "0 columns", class = "hsvm_input_error")
  table <- hsvm(y ~ x, nlambda = 5)
  expect_identical(predict(table, list(x = x[1:4, ])), predict(hsvm(x, y, nlambda = 5), x[1:4, ]), ignore_attr = TRUE)
  smaller <- update(fit, . ~ . - kind)
  expect_identical(rownames(smaller$beta), c("a", "b"))
  weighted <- hsvm(y ~ a + b, data = frame, weights = rep(1:2, 40), subset = a > -1, nlambda = 5)
  kept <- frame$a > -1
  expect_identical(weighted$beta, hsvm(x = as.matrix(frame[kept, 2:3]), y = frame$y[kept], weights = rep(1:2, 40)[kept], nlambda = 5)$beta)
  cv <- cv.hsvm(y ~ ., data = frame, lambda2 = 0.1, nfolds = 4, seed = 1)
  expect_equal(dim(predict(cv, few, type = "response")), c(2, 1))
})

test_that("update changes the call", {
  other <- update(fit, delta = 0.5, nlambda = 5)
  expect_equal(other$delta, 0.5)
  expect_length(other$lambda, 5)
  expect_identical(other$call$nlambda, 5)
})

test_that("paths are tables, and print shows the certificate", {
  table <- as.data.frame(fit)
  expect_identical(table$lambda, fit$lambda)
  expect_identical(table$gap, fit$gap)
  expect_output(print(fit), "Certificate: every objective is within")
  expect_output(print(summary(fit)), "80 samples, 40 features, classes no, yes")
})
