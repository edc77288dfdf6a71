#include "hsvm/model/score.hpp"

#include "hsvm/model/score_sums.hpp"

namespace hsvm {

std::vector<Score> tuning_scores() {
  std::vector<Score> scores;
  for (std::size_t which = 0; which < kScoreTable.size(); ++which) {
    if (kScoreTable[which].input != ScoreInput::probabilities) scores.push_back(static_cast<Score>(which));
  }
  return scores;
}

std::string list_tuning_scores() {
  std::string text;
  for (const Score score : tuning_scores()) {
    text += (text.empty() ? "" : ", ") + std::string(to_string(score));
    if (info_of(score).max_classes == 2) text += " (two classes)";
  }
  return text;
}

Scores all_scores(const ScoredSamples& samples, const HuberizedHinge& loss) {
  std::vector<Index> there;
  for (std::size_t i = 0; i < samples.truth.size(); ++i) {
    if (samples.weight_of(i) > 0.0) there.push_back(static_cast<Index>(i));
  }
  const detail::JudgedSamples judged = detail::judge(samples, loss);
  return detail::scores_of(judged, detail::sum_up(judged, there));
}

std::optional<double> score(Score which, const ScoredSamples& samples, const HuberizedHinge& loss) {
  return all_scores(samples, loss)[static_cast<std::size_t>(which)];
}

}  // namespace hsvm
