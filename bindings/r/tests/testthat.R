library(testthat)
library(hsvm)

test_check("hsvm")
