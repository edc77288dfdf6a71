# Model files of the command line, and its report.

read_hsvm <- function(file) {
  file <- check_file(file)
  if (!file.exists(file)) refuse("input", file, ": there is no such file")
  found <- call_core(hsvm_read, file)
  if (found$format != "tuned") {
    fit <- make_hsvm(found)
    fit$calibration <- found$calibration
    return(fit)
  }
  name <- names(measures)[match(found$tuning$score, vapply(measures, `[[`, "", "score"))]
  make_cv(found, find_measure(name))
}

write_hsvm <- function(object, file, s = NULL) {
  file <- check_file(file)
  if (!inherits(object, c("hsvm", "cv.hsvm")))
    refuse("input", "object is ", describe_type(object), ": must be what hsvm() or cv.hsvm() has given")
  call_core(hsvm_write, object$text, file, which_model(object, s))
  invisible(object)
}

# What of an object is meant by s, as the library has it.
which_model <- function(object, s) {
  if (is.null(s)) return(NULL)
  if (inherits(object, "cv.hsvm")) {
    if (!identical(s, "lambda.min") && !identical(s, "lambda.1se"))
      refuse("option", "s ", describe_value(s), ": must be \"lambda.1se\" or \"lambda.min\"; write the path hsvm.fit for other values")
    return(if (s == "lambda.min") "best" else "one_se")
  }
  s <- check_s(s, "a number of at least 0")
  if (length(s) != 1) refuse("option", "s ", describe_value(s), ": must be one number")
  place <- match(s, object$lambda)
  if (is.na(place)) s * (object$alpha %||% 1) else object$lambda1[place]
}

hsvm_report <- function(object, file, s = NULL, name = NULL) {
  file <- check_file(file)
  objects <- if (inherits(object, c("hsvm", "cv.hsvm"))) list(object) else object
  if (!is.list(objects) || length(objects) == 0 || !all(vapply(objects, inherits, NA, c("hsvm", "cv.hsvm"))))
    refuse("input", "object is ", describe_type(object), ": must be what hsvm() or cv.hsvm() has given, or a list of such")
  titles <- name %||% names(objects) %||% sprintf("model %d", seq_along(objects))
  if (length(objects) == 1 && is.null(name) && is.null(names(objects))) titles <- class(objects[[1]])[1]
  if (!is.character(titles) || length(titles) != length(objects))
    refuse("option", "name ", describe_value(titles), ": must be a word for each model")
  models <- Map(function(one, title) {
    which <- which_model(one, s)
    list(text = one$text, name = title, one_se = identical(which, "one_se"), lambda = if (is.numeric(which)) which)
  }, objects, titles)
  call_core(hsvm_report_page, unname(models), file)
  invisible(file)
}
