data <- two_classes()
x <- data$x
y <- data$y

test_that("set.seed() decides the folds, and seed does without it", {
  set.seed(4)
  a <- cv.hsvm(x, y, lambda2 = 0.01)
  set.seed(4)
  b <- cv.hsvm(x, y, lambda2 = 0.01)
  c <- cv.hsvm(x, y, lambda2 = 0.01)
  expect_identical(a$cvm, b$cvm)
  expect_identical(a$seed, b$seed)
  expect_false(a$seed == c$seed)
  before <- .Random.seed
  d <- cv.hsvm(x, y, lambda2 = 0.01, seed = a$seed)
  expect_identical(d$cvm, a$cvm)
  expect_identical(.Random.seed, before)
})

test_that("foldid gives the folds, whatever its values are called", {
  foldid <- rep(1:5, length.out = nrow(x))
  a <- cv.hsvm(x, y, lambda2 = 0.01, foldid = foldid)
  expect_equal(a$nfolds, 5)
  expect_identical(cv.hsvm(x, y, lambda2 = 0.01, foldid = 10 * foldid)$cvm, a$cvm)
  expect_identical(cv.hsvm(x, y, lambda2 = 0.01, foldid = letters[foldid])$cvm, a$cvm)
  expect_identical(cv.hsvm(x, y, lambda2 = 0.01, foldid = foldid / 10)$cvm, a$cvm)
  # The error at each lambda, computed by hand from paths without the fold.
  k <- which.min(a$cvm)
  wrong <- vapply(1:5, function(f) {
    fit <- hsvm(x[foldid != f, ], y[foldid != f], lambda = a$lambda, lambda2 = 0.01)
    mean(predict(fit, x[foldid == f, ], s = a$lambda[k], type = "class") != y[foldid == f])
  }, 0)
  expect_equal(a$cvm[k], mean(wrong), tolerance = 1e-9)
  expect_equal(a$cvsd[k], sd(wrong) / sqrt(5), tolerance = 1e-9)
})

test_that("keep = TRUE keeps what the folds said of each sample", {
  foldid <- rep(1:4, length.out = nrow(x))
  cv <- cv.hsvm(x, factor(y, levels = c("yes", "no")), lambda2 = 0.01, foldid = foldid, keep = TRUE)
  expect_equal(dim(cv$fit.preval), c(nrow(x), length(cv$lambda)))
  expect_equal(cv$foldid, foldid)
  k <- which(cv$lambda == cv$lambda.min)
  expect_equal(mean((cv$fit.preval[, k] > 0) != (y == "no")), cv$cvm[k], tolerance = 1e-9)
  held <- foldid == 2
  fit <- hsvm(x[!held, ], factor(y, levels = c("yes", "no"))[!held], lambda = cv$lambda, lambda2 = 0.01)
  expect_equal(cv$fit.preval[held, k], unname(predict(fit, x[held, ], s = cv$lambda[k])[, 1]), tolerance = 1e-3)
  four <- four_classes()
  cv <- cv.hsvm(four$x, four$y, lambda2 = 0.1, nfolds = 4, keep = TRUE, seed = 1)
  expect_equal(dim(cv$fit.preval), c(nrow(four$x), 4, length(cv$lambda)))
  k <- which(cv$lambda == cv$lambda.min)
  said <- cv$classnames[max.col(cv$fit.preval[, , k], ties.method = "first")]
  expect_equal(mean(said != four$y), cv$cvm[k], tolerance = 1e-9)
})

test_that("the chosen models are points of the path, and certified", {
  cv <- cv.hsvm(x, y, seed = 3)
  expect_identical(as.numeric(coef(cv, s = "lambda.min")), as.numeric(coef(cv$hsvm.fit, s = cv$lambda.min)))
  expect_true(all(cv$gap <= 1e-6))
  expect_setequal(unique(cv$grid$lambda2), c(1, 0.1, 0.01, 0.001))
  expect_identical(cv$cvm[cv$lambda == cv$lambda.min], min(cv$cvm))
  expect_lte(cv$one.se.fit$df, cv$min.fit$df)
  table <- as.data.frame(cv)
  expect_equal(table$lambda1[table$chosen == "min"], cv$min.fit$lambda1)
  expect_output(print(cv), "Certificate")
  expect_output(print(summary(cv)), "10 folds, seed 3")
})

test_that("measures are those of glmnet by their names", {
  cv <- lapply(c(class = "class", accuracy = "accuracy", deviance = "deviance", log_loss = "log_loss", mse = "mse", auc = "auc", loss = "loss"),
               function(measure) cv.hsvm(x, y, lambda2 = 0.1, type.measure = measure, seed = 1, nfolds = 5))
  expect_equal(cv$class$cvm, 1 - cv$accuracy$cvm)
  expect_equal(cv$class$cvsd, cv$accuracy$cvsd)
  expect_equal(cv$deviance$cvm, 2 * cv$log_loss$cvm)
  expect_equal(cv$deviance$cvsd, 2 * cv$log_loss$cvsd)
  expect_identical(cv$auc$lambda.min, cv$auc$lambda[which.max(cv$auc$cvm)])
  expect_identical(cv$loss$lambda.min, cv$loss$lambda[which.min(cv$loss$cvm)])
  expect_true(all(cv$mse$cvm >= 0 & cv$mse$cvm <= 1))
  expect_identical(names(cv$class$name), "class")
  expect_error(cv.hsvm(x, y, type.measure = "mae"), "type.measure \"mae\": must be one of")
})

test_that("probabilities come with the two chosen models", {
  turned <- factor(y, levels = c("yes", "no"))
  cv <- cv.hsvm(x, y, lambda2 = 0.1, seed = 2)
  other <- cv.hsvm(x, turned, lambda2 = 0.1, seed = 2)
  p <- predict(cv, x, s = "lambda.min", type = "response")
  expect_true(all(p > 0 & p < 1))
  expect_gt(mean(p[y == "yes"]), mean(p[y == "no"]) + 0.3)
  expect_equal(predict(other, x, s = "lambda.min", type = "response"), 1 - p, tolerance = 1e-12)
  expect_error(predict(cv, x, s = 0.01, type = "response"), "alone", class = "hsvm_option_error")
  four <- four_classes()
  cv <- cv.hsvm(four$x, factor(four$y, levels = c("c", "a", "d", "b")), lambda2 = 0.1, nfolds = 4, seed = 2)
  p <- predict(cv, four$x, type = "response")
  expect_equal(dim(p), c(nrow(four$x), 4, 1))
  expect_equal(rowSums(p[, , 1]), rep(1, nrow(four$x)))
  expect_gt(mean(colnames(p)[max.col(p[, , 1])] == four$y), 0.9)
})

test_that("groups are held out together", {
  groups <- rep(sprintf("patient %02d", 1:20), each = 4)
  cv <- cv.hsvm(x, y, lambda2 = 0.1, groups = groups, nfolds = 5, keep = TRUE, seed = 1)
  expect_true(all(tapply(cv$foldid, groups, function(f) length(unique(f))) == 1))
  expect_error(cv.hsvm(x, y, groups = 1:3), "3 groups for the 80 rows of x")
})

test_that("several lambda2 and delta are tried, and alpha fixes their ratio", {
  cv <- cv.hsvm(x, y, lambda2 = c(0.5, 0.05), delta = c(0.5, 2), nfolds = 4, nlambda = 20, seed = 1)
  expect_setequal(unique(cv$grid$lambda2), c(0.5, 0.05))
  expect_setequal(unique(cv$grid$delta), c(0.5, 2))
  expect_true(cv$delta.min %in% c(0.5, 2))
  cv <- cv.hsvm(x, y, alpha = 0.5, nfolds = 4, seed = 1)
  expect_equal(cv$min.fit$lambda1, 0.5 * cv$lambda.min)
  expect_equal(cv$min.fit$lambda2, 0.5 * cv$lambda.min)
  expect_identical(as.numeric(coef(cv, s = cv$lambda.min)), as.numeric(coef(cv, s = "lambda.min")))
})

test_that("nested cross-validation judges the procedure", {
  cv <- cv.hsvm(x, y, lambda2 = 0.1, nfolds = 4, nlambda = 15, nested = TRUE, seed = 1)
  expect_equal(nrow(cv$nested$folds), 4)
  expect_equal(sum(cv$nested$folds$held_out), nrow(x))
  expect_true(cv$nested$min["accuracy", "mean"] > 0.5)
  expect_output(print(summary(cv)), "judged by outer folds")
})

test_that("leave-one-out and repeats are there", {
  few <- c(1:12, which(y != y[1])[1:12])
  cv <- cv.hsvm(x[few, ], y[few], lambda2 = 0.1, leave.one.out = TRUE, nlambda = 10)
  expect_equal(cv$nfolds, length(few))
  cv <- cv.hsvm(x, y, lambda2 = 0.1, nfolds = 3, repeats = 2, nlambda = 10, seed = 1)
  expect_equal(cv$repeats, 2)
  expect_error(cv.hsvm(x, y, foldid = rep(1:4, 20), leave.one.out = TRUE), "exclude each other")
})

test_that("features are counted on random halves", {
  st <- hsvm.stability(x, y, n.halves = 20, cutoff = 0.7, lambda2 = 0.1, seed = 1)
  expect_s3_class(st, "hsvm.stability")
  expect_equal(sort(unname(st$selected)), sort(unname(which(st$frequency >= 0.7))))
  expect_true(all(c("g1", "g2") %in% names(st$selected)))
  expect_equal(st$max.false, st$mean.selected^2 / (0.4 * ncol(x)))
  expect_output(print(st), "of 40 features are selected on at least 0.7 of 20 random halves")
  table <- as.data.frame(st)
  expect_equal(nrow(table), ncol(x))
  expect_identical(table$frequency, sort(table$frequency, decreasing = TRUE))
  expect_identical(table$selected, table$frequency >= 0.7)
  expect_error(hsvm.stability(x, y, cutoff = 0.4), "cutoff 0.4: must be greater than 0.5")
})

test_that("trace.it shows how far it is", {
  expect_output(cv.hsvm(x, y, repeats = 20, seed = 1, trace.it = 1), "of [0-9]+ paths")
  expect_silent(cv.hsvm(x, y, lambda2 = 0.1, nfolds = 3, seed = 1))
})
