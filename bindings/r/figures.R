# The pictures of docs/r.md: Rscript bindings/r/figures.R FOLDER
library(hsvm)
folder <- commandArgs(TRUE)[1]
picture <- function(name, draw, width = 760, height = 520) {
  grDevices::png(file.path(folder, name), width, height, res = 110, type = "cairo")
  on.exit(grDevices::dev.off())
  draw()
}

set.seed(1)
x <- matrix(rnorm(62 * 2000), 62, dimnames = list(NULL, paste0("g", 1:2000)))
tissue <- factor(rep(c("normal", "tumour"), c(22, 40)))
x[, 1:12] <- x[, 1:12] + 0.6 * ifelse(tissue == "tumour", 1, -1)
set.seed(2)
fit <- cv.hsvm(x, tissue, type.measure = "loss")
picture("r-cv.png", function() plot(fit))
picture("r-path.png", function() plot(fit$hsvm.fit, xvar = "lambda", label = TRUE))
set.seed(3)
picture("r-stability.png", function() plot(hsvm.stability(x, tissue, n.halves = 50, cutoff = 0.8, lambda2 = 0.1), n = 20), height = 640)
picture("r-classes.png", function() {
  par(mfrow = c(1, 3), mar = c(4.5, 4.5, 4, 1.5))
  plot(hsvm(as.matrix(iris[, 1:4]), iris$Species), xvar = "dev", label = TRUE)
}, width = 1300, height = 480)
