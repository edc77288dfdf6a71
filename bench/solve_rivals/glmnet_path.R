# glmnet's binomial lasso path on data that `solve_bench --write FOLDER path` wrote: 100 values of lambda down to a
# hundredth of the largest, features as they are. Prints one JSON object with the best seconds of several rounds.
#
#   Rscript glmnet_path.R FOLDER NAME ROWS COLUMNS
#
# glmnet may end a path early where the deviance hardly falls any more: the number of lambdas it did is printed.

arguments <- commandArgs(trailingOnly = TRUE)
if (!suppressWarnings(suppressMessages(require(glmnet, quietly = TRUE)))) quit(status = 3)

file <- file.path(arguments[1], arguments[2])
n <- as.integer(arguments[3])
p <- as.integer(arguments[4])
x <- matrix(readBin(paste0(file, ".f64"), "double", n * p), n, p)
y <- factor(readBin(paste0(file, "_y.f64"), "double", n))

best <- Inf
spent <- 0
rounds <- 0
while ((rounds < 3 && spent < 6) || (rounds < 100 && spent < 0.4)) {
  start <- Sys.time()
  fit <- glmnet(x, y, family = "binomial", nlambda = 100, lambda.min.ratio = 0.01, standardize = FALSE)
  seconds <- as.numeric(difftime(Sys.time(), start, units = "secs"))
  best <- min(best, seconds)
  spent <- spent + seconds
  rounds <- rounds + 1
}
cat(sprintf('{"seconds": %.9g, "lambdas": %d, "rounds": %d, "nonzeros": %d, "version": "%s"}\n', best, length(fit$lambda),
            rounds, tail(fit$df, 1), as.character(packageVersion("glmnet"))))
