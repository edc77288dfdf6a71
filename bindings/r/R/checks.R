# Arguments, checked where they enter.

is_number <- function(value) is.numeric(value) && length(value) == 1 && !is.na(value)

describe_value <- function(value) {
  if (is.null(value)) return("NULL")
  if (length(value) == 0) return(paste0(class(value)[1], "(0)"))
  text <- paste(format(head(value, 3), digits = 15, trim = TRUE), collapse = ", ")
  if (is.character(value)) text <- paste0("\"", text, "\"")
  if (length(value) > 3) paste0(text, ", ...") else text
}

# A number, or NULL where that is allowed. Ranges are the library's business.
check_number <- function(value, name, null = FALSE) {
  if (null && is.null(value)) return(NULL)
  if (!is_number(value)) refuse("option", name, " ", describe_value(value), ": must be a number", if (null) " or NULL")
  as.double(value)
}

check_numbers <- function(value, name) {
  if (is.null(value)) return(NULL)
  if (!is.numeric(value) || length(value) == 0 || !all(is.finite(value)))
    refuse("option", name, " ", describe_value(value), ": must hold numbers, all of them finite")
  as.double(value)
}

check_flag <- function(value, name) {
  if (!is.logical(value) || length(value) != 1 || is.na(value))
    refuse("option", name, " ", describe_value(value), ": must be TRUE or FALSE")
  value
}

check_word <- function(value, name, words) {
  if (!is.character(value) || length(value) != 1 || !value %in% words)
    refuse("option", name, " ", describe_value(value), ": must be one of ", paste0("\"", words, "\"", collapse = ", "))
  value
}

# One of some words, or the beginning of one.
check_choice <- function(value, name, words) {
  if (identical(value, words)) return(words[1])
  found <- if (is.character(value) && length(value) == 1) pmatch(value, words) else NA
  if (is.na(found)) check_word(value, name, words)
  words[found]
}

check_file <- function(file) {
  if (!is.character(file) || length(file) != 1 || is.na(file) || !nzchar(file))
    refuse("input", "file ", describe_value(file), ": must be the name of a file")
  path.expand(file)
}

check_dots <- function(...) {
  given <- ...names()
  if (...length() == 0) return(invisible())
  if (is.null(given) || any(!nzchar(given))) refuse("option", "there are more arguments than the function has")
  hint <- unlist(elsewhere[given])[1]
  refuse("option", "there is no argument named ", list_words(given), if (!is.null(hint)) paste0(": ", hint))
}

# Arguments that glmnet and others have, and what there is instead.
elsewhere <- list(
  newdata = "new samples are given as newx",
  family = "the labels in y say whether there are two classes or more", parallel = "all cores are used; threads = 1 would use one",
  type.multinomial = "all classes are fitted together; see margins", pmax = "dfmax ends a path by the number of features",
  offset = "scores have no offset", newoffset = "scores have no offset", gamma = "models are not relaxed", relax = "models are not relaxed",
  lower.limits = "coefficients have no limits but those of penalty.factor and exclude",
  upper.limits = "coefficients have no limits but those of penalty.factor and exclude",
  type.logistic = "solver chooses how a model is fitted", alignment = "folds use the same lambda throughout")

# A numeric matrix as it is, or a dgCMatrix; everything else is turned into one of them or refused.
check_x <- function(x, name = "x") {
  if (is.data.frame(x))
    refuse("input", name, " is a data frame: give a numeric matrix (as.matrix() where all columns are numbers, model.matrix() where ",
           "some are factors), or a formula: hsvm(y ~ ., data = ", name, ")")
  if (is(x, "sparseMatrix")) {
    if (!is(x, "dgCMatrix")) x <- as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
    return(x)
  }
  if (is(x, "Matrix")) x <- as.matrix(x)
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x)))
    refuse("input", name, " is ", describe_type(x), ": must be a numeric matrix or a sparse one of package Matrix")
  if (!is.double(x)) storage.mode(x) <- "double"
  x
}

describe_type <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.matrix(x)) return(paste("a", typeof(x), "matrix"))
  paste0("of class \"", class(x)[1], "\"")
}

# Names the first entry that is missing or infinite. The sum is finite where all entries are, and takes no memory.
refuse_not_finite <- function(x, name = "x") {
  values <- if (is.matrix(x)) x else x@x
  if (is.finite(sum(values))) return(invisible())
  at <- which(!is.finite(values))[1]
  if (is.na(at)) return(invisible())
  if (is.matrix(x)) {
    i <- (at - 1) %% nrow(x) + 1
    j <- (at - 1) %/% nrow(x) + 1
  } else {
    i <- x@i[at] + 1
    j <- findInterval(at - 1, x@p)
  }
  column <- if (is.null(colnames(x))) j else paste0("'", colnames(x)[j], "'")
  what <- if (is.na(values[at])) "a missing value" else "an infinite value"
  refuse("input", name, " has ", what, " in row ", i, ", column ", column, ": fill it in, or leave the row or the column out")
}

# The classes of the samples: levels in R's order, and where each stands in the library's.
check_y <- function(y, n) {
  if (is.matrix(y) || is.data.frame(y)) {
    if (ncol(y) != 1)
      refuse("input", "y has ", ncol(y), " columns: must be one label for each sample (a factor, words, or numbers such as 0 and 1)")
    y <- y[, 1]
  }
  if (!is.factor(y) && !is.character(y) && !is.logical(y) && !is.numeric(y))
    refuse("input", "y is ", describe_type(y), ": must be a factor, words, logical or numbers")
  if (anyNA(levels(y))) refuse("input", "y has NA among its levels: leave those samples out, or give them a name")
  if (length(y) != n) refuse("input", length(y), " labels in y for the ", n, " rows of x: there must be one for each")
  if (anyNA(y)) refuse("input", "y has a missing label in place ", which(is.na(y))[1], ": leave that sample out")
  if (is.numeric(y) && any(is.infinite(y))) refuse("input", "y has an infinite label in place ", which(is.infinite(y))[1])
  labels <- if (is.factor(y)) y else as.factor(y)
  empty <- setdiff(levels(labels), as.character(labels))
  if (length(empty) > 0) {
    warning("no sample of y is of level ", list_words(empty), ": left out", call. = FALSE)
    labels <- droplevels(labels)
  }
  if (nlevels(labels) < 2)
    refuse("input", "all ", n, " samples are of one class, ", list_words(levels(labels)), ": a fit needs two classes")
  if (nlevels(labels) == n && n > 4)
    refuse("input", "all ", n, " labels in y differ, ", list_words(levels(labels)), ": y must hold classes, each of several samples")
  library_classes(labels)
}

# Words that the library would take for the same number (1 and 01) get their place before them.
library_classes <- function(labels) {
  known <- call_core(hsvm_class_names, levels(labels))
  if (is.null(known)) known <- call_core(hsvm_class_names, sprintf("%06d %s", seq_len(nlevels(labels)), levels(labels)))
  list(levels = levels(labels), names = known$names, place = known$place, codes = known$place[as.integer(labels)])
}

check_weights <- function(weights, n) {
  if (is.null(weights)) return(NULL)
  if (!(is.numeric(weights) || is.logical(weights)) || !all(is.finite(weights)))
    refuse("input", "weights must be numbers, all of them finite")
  if (length(weights) != n) refuse("input", length(weights), " weights for the ", n, " rows of x: there must be one for each")
  if (any(weights < 0)) refuse("input", "weights: ", min(weights), " in place ", which.min(weights), " must be at least 0")
  as.double(weights)
}

# penalty.factor and exclude in one: an infinite factor leaves a feature out. As in glmnet the factors that are finite count relative
# to their mean.
check_factors <- function(penalty.factor, exclude, p, names) {
  if (is.null(penalty.factor) && length(exclude) == 0) return(NULL)
  factors <- if (is.null(penalty.factor)) rep(1, p) else penalty.factor
  if (!is.numeric(factors) || anyNA(factors)) refuse("input", "penalty.factor must be numbers, none of them missing")
  if (length(factors) != p)
    refuse("input", length(factors), " numbers in penalty.factor for the ", p, " columns of x: there must be one for each")
  if (any(factors < 0)) refuse("input", "penalty.factor: ", min(factors), " in place ", which.min(factors), " must be at least 0")
  factors <- as.double(factors)
  factors[check_exclude(exclude, p, names)] <- Inf
  finite <- is.finite(factors)
  if (!any(finite)) refuse("input", "all columns of x are left out: one must stay in")
  counted <- ifelse(finite, factors, 1)
  if (sum(counted) <= 0)
    refuse("input", "penalty.factor is 0 throughout: one feature at least must be penalised")
  if (sum(counted) != p) factors[finite] <- factors[finite] * (p / sum(counted))
  factors
}

check_exclude <- function(exclude, p, names) {
  if (is.character(exclude)) {
    unknown <- setdiff(exclude, names)
    if (length(unknown) > 0) refuse("input", "exclude: x has no column named ", list_words(unknown))
    return(match(exclude, names))
  }
  if (length(exclude) > 0 && (!is.numeric(exclude) || anyNA(exclude) || any(exclude < 1 | exclude > p | exclude != round(exclude))))
    refuse("input", "exclude ", describe_value(exclude), ": must be numbers of columns, 1 to ", p, ", or names")
  exclude
}

check_class_weights <- function(class.weights, classes) {
  if (is.null(class.weights) || identical(class.weights, "balanced")) return(class.weights)
  if (!is.numeric(class.weights) || is.null(names(class.weights)))
    refuse("option", "class.weights ", describe_value(class.weights), ": must be \"balanced\" or numbers named by classes")
  unknown <- setdiff(names(class.weights), classes$levels)
  if (length(unknown) > 0) refuse("option", "class.weights: no class is called ", list_words(unknown))
  names(class.weights) <- classes$names[classes$place[match(names(class.weights), classes$levels)] + 1]
  class.weights
}

# What is said by threads, by the option hsvm.threads, or by the variables that batch systems and checks set; else all cores.
check_threads <- function(threads) {
  if (!is.null(threads)) return(check_number(threads, "threads"))
  for (variable in c("OMP_NUM_THREADS", "OMP_THREAD_LIMIT")) {
    asked <- suppressWarnings(as.integer(Sys.getenv(variable)))
    if (!is.na(asked) && asked > 0) return(asked)
  }
  0
}

# Everything the library takes from the data.
make_data <- function(x, y, weights, penalty.factor, exclude) {
  if (missing(x)) refuse("input", "x is missing: give a matrix with a row for each sample, or a formula and data")
  if (missing(y)) refuse("input", "y is missing: give a label for each row of x")
  x <- check_x(x)
  refuse_not_finite(x)
  n <- nrow(x)
  p <- ncol(x)
  if (n == 0 || p == 0) refuse("input", "x has ", n, " rows and ", p, " columns: must have some of both")
  classes <- check_y(y, n)
  names <- colnames(x)
  rows <- rownames(x)
  if (!is.null(rows) && (anyDuplicated(rows) || identical(rows, as.character(seq_len(n))))) rows <- NULL
  weights <- check_weights(weights, n)
  if (!is.null(weights)) {
    left <- unique(classes$codes[weights > 0])
    if (length(left) < 2)
      refuse("input", "the samples with a positive weight are of fewer than two classes: a fit needs two")
  }
  list(x = x, classes = classes$names, codes = classes$codes,
       feature_names = if (check_names(names)) enc2utf8(names) else character(),
       sample_names = if (is.null(rows)) character() else enc2utf8(rows), weights = weights,
       factors = check_factors(penalty.factor, exclude, p, names), labels = classes)
}

# Columns are known by names that differ, else by their places.
usable_names <- function(names) !is.null(names) && !anyNA(names) && all(nzchar(names)) && !anyDuplicated(names)

check_names <- function(names) {
  twice <- anyDuplicated(names)
  if (twice > 0)
    warning("x has more than one column named '", names[twice], "': columns are known by their places", call. = FALSE)
  usable_names(names)
}
