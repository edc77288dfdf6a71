# The blocks of docs/r.md run from top to bottom.
test_that("the tutorial does what it says", {
  page <- Sys.getenv("HSVM_TUTORIAL")
  skip_if(page == "", "no tutorial here (HSVM_TUTORIAL)")
  lines <- readLines(page)
  fences <- grep("^```", lines)
  begins <- fences[lines[fences] == "```r"]
  expect_gt(length(begins), 5)
  code <- unlist(lapply(begins, function(begin) lines[seq.int(begin + 1, min(fences[fences > begin]) - 1)]))
  script <- tempfile(fileext = ".R")
  writeLines(code, script)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  utils::capture.output(expect_no_error(source(script, local = new.env(), echo = TRUE)))
})
