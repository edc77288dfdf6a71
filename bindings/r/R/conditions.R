# Errors and warnings: conditions of classes of their own, in the words of the library and under the names of R's arguments.

# An error of the user's call. `kind`: "option" (an argument out of its range), "input" (data, a model or a file), "stopped".
refuse <- function(kind, ..., call = user_call()) {
  stop(structure(class = c(paste0("hsvm_", kind, "_error"), "hsvm_error", "error", "condition"),
                 list(message = paste0(...), call = call)))
}

# The call of the package's function that the user has called, under the name of its generic.
user_call <- function() {
  for (k in seq_len(sys.nframe())) {
    called <- sys.function(k)
    if (is.primitive(called) || !identical(topenv(environment(called)), topenv())) next
    call <- sys.call(k)
    name <- if (is.call(call[[1]])) as.character(call[[1]])[3] else if (is.symbol(call[[1]])) as.character(call[[1]]) else ""
    method <- match(name, names(generics))
    if (is.na(method)) next
    call[[1]] <- as.name(generics[[method]])
    return(shorten_call(call))
  }
  NULL
}
generics <- c(hsvm = "hsvm", hsvm.default = "hsvm", hsvm.formula = "hsvm", cv.hsvm = "cv.hsvm", cv.hsvm.default = "cv.hsvm",
              cv.hsvm.formula = "cv.hsvm", hsvm.stability = "hsvm.stability", hsvm_report = "hsvm_report", read_hsvm = "read_hsvm",
              write_hsvm = "write_hsvm", predict.hsvm = "predict", predict.cv.hsvm = "predict", coef.hsvm = "coef", coef.cv.hsvm = "coef",
              plot.hsvm = "plot", plot.hsvm.stability = "plot", update.hsvm = "update", update.cv.hsvm = "update")

# do.call() puts whole matrices into a call; nobody wants to see them.
shorten_call <- function(call) {
  for (k in seq_along(call)[-1]) if (!is.language(call[[k]]) && length(call[[k]]) > 5) call[[k]] <- quote(...)
  call
}

# Calls an entry point; what comes back as a failure becomes an error.
call_core <- function(...) {
  result <- .Call(...)
  if (inherits(result, "hsvm_failure")) refuse(result$kind, result$message)
  result
}

warn_unless_converged <- function(status, gap, relative_gap, thresh, where = "") {
  if (status == "converged") return(invisible())
  warn_of_convergence(sprintf("stopped before the tolerance (%s)%s: the objective is within %.3g of the minimum, a relative gap of %.3g where thresh = %.3g was asked for",
                              status, where, gap, relative_gap, thresh))
}

warn_of_convergence <- function(message)
  warning(structure(class = c("hsvm_convergence_warning", "warning", "condition"), list(message = message, call = user_call())))

# "'a', 'b', 'c' and 4 more"
list_words <- function(words, most = 3) {
  shown <- paste0("'", head(words, most), "'", collapse = ", ")
  more <- length(words) - most
  if (more > 0) paste0(shown, " and ", more, " more") else shown
}
