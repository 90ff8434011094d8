# Mixed models of the ratings in this folder: variances and log-likelihood by lme4, differences of
# all pairs with Kenward and Roger's standard errors and degrees of freedom by pbkrtest and lmerTest.
options(digits = 12)
suppressMessages({library(lmerTest); library(pbkrtest)})
control <- lmerControl(
  optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 50000),
  check.conv.singular = "ignore", check.nobs.vs.nlev = "ignore", check.nobs.vs.nRE = "ignore"
)
components <- NULL
contrasts <- NULL
models <- read.csv("models.csv", stringsAsFactors = FALSE)
for (row in seq_len(nrow(models))) {
  name <- models$set[row]
  frame <- read.csv(paste0(name, ".csv"), stringsAsFactors = TRUE)
  if (!"document" %in% names(frame)) frame$document <- "only"
  frame$segment <- interaction(frame$document, frame$segment, drop = TRUE)
  terms <- strsplit(models$terms[row], " ")[[1]]
  random <- paste0("(1 | ", terms, ")", collapse = " + ")
  fitted <- lmer(as.formula(paste("raw ~ 0 + system +", random)), frame, control = control)
  variances <- as.data.frame(VarCorr(fitted))
  components <- rbind(components, data.frame(
    set = name, term = variances$grp, variance = variances$vcov,
    log_likelihood = as.numeric(logLik(fitted))
  ))
  adjusted <- vcovAdj(fitted)
  systems <- levels(frame$system)
  for (pair in combn(length(systems), 2, simplify = FALSE)) {
    contrast <- replace(rep(0, length(systems)), pair, c(1, -1))
    test <- contest1D(fitted, contrast, ddf = "Kenward-Roger")
    contrasts <- rbind(contrasts, data.frame(
      set = name, system_a = systems[pair[1]], system_b = systems[pair[2]],
      difference = test$Estimate,
      standard_error = sqrt(sum(contrast * as.vector(adjusted %*% contrast))),
      degrees_of_freedom = test$df, pvalue = test[["Pr(>|t|)"]]
    ))
  }
}
write.csv(components, "components.csv", row.names = FALSE, quote = FALSE)
write.csv(contrasts, "contrasts.csv", row.names = FALSE, quote = FALSE)
