# glmnet on data that `real_bench write` wrote, one thread: all 100 points of its standardised path, or cv.glmnet with its own
# defaults. Prints one JSON object with the best seconds of several rounds.
#
#   Rscript glmnet_real.R FOLDER path|cv
#
# The matrix is dense for glmnet where most of it is stored, and its own sparse kind elsewhere. glmnet ends a path early where the
# deviance hardly falls any more; for `path` it is told not to. A refusal is a result, too: its words are in "error". Ends with 3
# where glmnet is absent.

if (!suppressWarnings(suppressMessages(require(glmnet, quietly = TRUE)))) quit(status = 3)
arguments <- commandArgs(trailingOnly = TRUE)

numbers <- function(name, what, size) {
  file <- file.path(arguments[1], name)
  readBin(file, what, file.size(file) / size)
}

start <- numbers("start.i32", "integer", 4)
rows <- numbers("rows.i32", "integer", 4)
values <- numbers("values.f64", "double", 8)
y <- factor(numbers("classes.i32", "integer", 4))
x <- new("dgCMatrix", i = rows, p = start, x = values, Dim = c(length(y), length(start) - 1L))
if (length(values) > 0.5 * length(y) * (length(start) - 1)) x <- as.matrix(x)
family <- if (nlevels(y) == 2) "binomial" else "multinomial"

if (arguments[2] == "path") {
  glmnet.control(fdev = 0, devmax = 1)
  call <- function() glmnet(x, y, family = family, nlambda = 100, lambda.min.ratio = 0.01, standardize = TRUE)
  count <- function(fit) length(fit$lambda)
} else {
  set.seed(1)
  call <- function() cv.glmnet(x, y, family = family)
  count <- function(fit) length(fit$lambda)
}

best <- Inf
spent <- 0
rounds <- 0
lambdas <- 0
failure <- NULL
while (is.null(failure) && (rounds == 0 || (rounds < 3 && spent < 3) || (rounds < 100 && spent < 0.4))) {
  begin <- Sys.time()
  fit <- tryCatch(suppressWarnings(call()), error = function(e) e)
  seconds <- as.numeric(difftime(Sys.time(), begin, units = "secs"))
  if (inherits(fit, "error")) failure <- conditionMessage(fit) else lambdas <- count(fit)
  best <- min(best, seconds)
  spent <- spent + seconds
  rounds <- rounds + 1
}
if (!is.null(failure)) {
  cat(sprintf('{"error": "%s"}\n', gsub("\\s+", " ", gsub('[\\\\"]', "'", failure))))
} else {
  cat(sprintf('{"seconds": %.9g, "lambdas": %d, "rounds": %d, "version": "%s"}\n', best, lambdas, rounds,
              as.character(packageVersion("glmnet"))))
}
