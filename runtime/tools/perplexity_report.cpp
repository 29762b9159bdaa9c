// The layout of the tables is that of llama-perplexity, so that a script which reads one reads
// both.
#include "runtime/tools/perplexity_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vector>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

struct Quantile {
  double fraction;
  const char* title;
  const char* key;
};

constexpr Quantile of_divergences[] = {
    {1, "Maximum", "maximum"},  {0.999, "99.9%  ", "p99.9"}, {0.99, "99.0%  ", "p99"},
    {0.95, "95.0%  ", "p95"},   {0.9, "90.0%  ", "p90"},     {0.5, "Median ", "median"},
    {0.1, "10.0%  ", "p10"},    {0.05, " 5.0%  ", "p5"},     {0.01, " 1.0%  ", "p1"},
    {0.001, " 0.1%  ", "p0.1"}, {0, "Minimum", "minimum"}};
constexpr Quantile of_deltas[] = {
    {1, "Maximum", "maximum"},  {0.999, "99.9%  ", "p99.9"}, {0.99, "99.0%  ", "p99"},
    {0.95, "95.0%  ", "p95"},   {0.9, "90.0%  ", "p90"},     {0.75, "75.0%  ", "p75"},
    {0.5, "Median ", "median"}, {0.25, "25.0%  ", "p25"},    {0.1, "10.0%  ", "p10"},
    {0.05, " 5.0%  ", "p5"},    {0.01, " 1.0%  ", "p1"},     {0.001, " 0.1%  ", "p0.1"},
    {0, "Minimum", "minimum"}};

Estimate percent(Estimate x) { return {100 * x.value, 100 * x.error}; }

Json json(Estimate x) { return {{"value", x.value}, {"error", x.error}}; }

Json json(Estimate mean, std::span<const Quantile> quantiles, std::span<const double> sorted,
          double unit) {
  Json result = {{"mean", mean.value}, {"error", mean.error}};
  for (const Quantile& q : quantiles) result[q.key] = unit * quantile(sorted, q.fraction);
  return result;
}

std::string perplexity_table(const Comparison& c) {
  std::string text = "====== Perplexity statistics ======\n";
  const auto line = [&](const char* title, Estimate x) {
    text += fmt::format("{:<30}: {:10.6f} ± {:10.6f}\n", title, x.value, x.error);
  };
  line("Mean PPL(Q)", c.perplexity);
  line("Mean PPL(base)", c.base_perplexity);
  text += fmt::format("Cor(ln(PPL(Q)), ln(PPL(base))): {:6.2f}%\n", 100 * c.correlation);
  line("Mean ln(PPL(Q)/PPL(base))", c.log_ratio);
  line("Mean PPL(Q)/PPL(base)", c.ratio);
  line("Mean PPL(Q)-PPL(base)", c.difference);
  return text;
}

}  // namespace

std::string perplexity_line(std::span<const Measured> measured) {
  const Estimate ppl = perplexity_of(measured);
  return fmt::format("PPL = {:.4f} +/- {:.5f}", ppl.value, ppl.error);
}

std::string comparison_line(std::span<const Measured> measured) {
  const Comparison c = compare(measured);
  const Estimate rms = percent(c.delta_rms), same = percent(c.same_top);
  return fmt::format(
      "{}, ln(PPL(Q)/PPL(base)) {:.5f} +/- {:.5f}, KLD {:.5f} +/- {:.5f}, RMS Δp {:.3f} +/- "
      "{:.3f} %, same top p {:.3f} +/- {:.3f} %",
      perplexity_line(measured), c.log_ratio.value, c.log_ratio.error, c.divergence.value,
      c.divergence.error, rms.value, rms.error, same.value, same.error);
}

std::string comparison_text(const Comparison& c) {
  std::string text = perplexity_table(c);
  text +=
      fmt::format("\n====== KL divergence statistics ======\nMean    KLD: {:10.6f} ± {:10.6f}\n",
                  c.divergence.value, c.divergence.error);
  for (const Quantile& q : of_divergences) {
    text += fmt::format("{} KLD: {:10.6f}\n", q.title, quantile(c.divergences, q.fraction));
  }
  const Estimate delta = percent(c.delta), rms = percent(c.delta_rms), same = percent(c.same_top);
  text +=
      fmt::format("\n====== Token probability statistics ======\nMean    Δp: {:6.3f} ± {:5.3f} %\n",
                  delta.value, delta.error);
  for (const Quantile& q : of_deltas) {
    text += fmt::format("{} Δp: {:6.3f}%\n", q.title, 100 * quantile(c.deltas, q.fraction));
  }
  text += fmt::format("RMS Δp    : {:6.3f} ± {:5.3f} %\n", rms.value, rms.error);
  text += fmt::format("Same top p: {:6.3f} ± {:5.3f} %\n", same.value, same.error);
  return text;
}

Json perplexity_json(std::span<const Measured> measured) {
  std::vector<double> nll;
  for (const Measured& m : measured) nll.push_back(m.nll);
  return {{"ppl", json(perplexity_of(measured))}, {"nll", json(mean_of(nll))}};
}

Json comparison_json(const Comparison& c) {
  return {{"ppl", json(c.perplexity)},
          {"ppl_base", json(c.base_perplexity)},
          {"correlation", c.correlation},
          {"ln_ppl_ratio", json(c.log_ratio)},
          {"ppl_ratio", json(c.ratio)},
          {"ppl_difference", json(c.difference)},
          {"kld", json(c.divergence, of_divergences, c.divergences, 1)},
          {"delta_p_percent", json(percent(c.delta), of_deltas, c.deltas, 100)},
          {"delta_p_rms_percent", json(percent(c.delta_rms))},
          {"same_top_percent", json(percent(c.same_top))}};
}

}  // namespace lamina
