// Real models, teacher-forced, against transformers in float32 on the same dequantized weights.
//
// Both backends run two prompts a model; with LAMINA_ORACLE=all they run all of them.
#include "runtime/model_catalog.h"
#include "tests/npy_file.h"
#include "tests/runtime/small_files.h"
#include "tests/skip.h"
#include "tests/sanitized.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

using namespace lamina;
using namespace lamina::test;

namespace {

struct OracleCase {
  std::vector<Token> prompt, ids, second;
  std::vector<float> gap;  // between the two best logits
};

std::vector<OracleCase> read_oracle(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<OracleCase> cases;
  for (const auto& row : nlohmann::json::parse(in)) {
    cases.push_back(
        {row.at("prompt_ids"), row.at("ids"), row.at("second_ids"), row.at("top2_gap")});
  }
  return cases;
}

/// What a backend may differ by. The reference computes in float; the CPU backend rounds
/// activations to integers, which moves logits by tenths (docs/numerics.md).
struct Allowed {
  float gap = 0;          // between logits that may change places
  double logit = 0;       // of any stored logit
  double divergence = 0;  // mean KL divergence of the stored rows
};

Allowed allowed(std::string_view backend) {
  return backend == "cpu" ? Allowed{0.3f, 3.0, 0.01} : Allowed{0.02f, 2e-3, 1e-6};
}

std::vector<Token> tokens_of(const OracleCase& oracle) {
  std::vector<Token> tokens = oracle.prompt;
  tokens.insert(tokens.end(), oracle.ids.begin(), oracle.ids.end() - 1);
  return tokens;
}

/// The logits that follow the prompt and each token after it.
std::vector<std::span<const float>> answer_rows(std::span<const float> logits,
                                                const OracleCase& oracle) {
  const std::size_t vocab = logits.size() / tokens_of(oracle).size();
  std::vector<std::span<const float>> rows;
  for (std::size_t i = 0; i < oracle.ids.size(); ++i) {
    rows.push_back(logits.subspan((oracle.prompt.size() - 1 + i) * vocab, vocab));
  }
  return rows;
}

Token best_of(std::span<const float> logits) {
  return static_cast<Token>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

/// The reference's best token is the oracle's, or, where its two best logits are close, one of
/// those two. That of another backend is one whose logit, by the reference, is close to the best.
void check_case(LanguageModel& reference, LanguageModel& other, const OracleCase& oracle) {
  const std::vector<Token> tokens = tokens_of(oracle);
  const std::vector<float> exact = run_all(reference, tokens), rounded = run_all(other, tokens);
  const auto expected = answer_rows(exact, oracle), got = answer_rows(rounded, oracle);
  for (std::size_t i = 0; i < oracle.ids.size(); ++i) {
    const Token best = best_of(expected[i]), chosen = best_of(got[i]);
    const bool close =
        oracle.gap[i] < allowed(reference.info().backend).gap && best == oracle.second[i];
    BOOST_TEST((best == oracle.ids[i] || close),
               "answer's token " << i << ": " << best << ", expected " << oracle.ids[i]);
    const float behind =
        expected[i][static_cast<std::size_t>(best)] - expected[i][static_cast<std::size_t>(chosen)];
    BOOST_TEST(behind < allowed(other.info().backend).gap,
               "answer's token " << i << ": " << chosen << ", whose logit is " << behind
                                 << " behind that of " << best);
  }
}

/// log(sum(exp(logits))).
double log_sum_exp(std::span<const float> logits) {
  const auto top = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - top);
  return top + std::log(sum);
}

/// Of the distributions that two rows of logits stand for, in nats.
double kl_divergence(std::span<const float> of, std::span<const float> from) {
  const double a = log_sum_exp(of), b = log_sum_exp(from);
  double sum = 0;
  for (std::size_t i = 0; i < of.size(); ++i) {
    const double p = static_cast<double>(of[i]) - a, q = static_cast<double>(from[i]) - b;
    sum += std::exp(p) * (p - q);
  }
  return sum;
}

/// The stored logits of the last positions of the first prompt.
void check_logits(LanguageModel& model, const std::vector<Token>& prompt,
                  const NpyMatrix& expected) {
  const std::vector<float> logits = run_all(model, prompt);
  const auto tail = std::span(logits).last(expected.values.size());
  double worst = 0;
  for (std::size_t i = 0; i < tail.size(); ++i) {
    const double difference =
        std::fabs(static_cast<double>(tail[i]) - static_cast<double>(expected.values[i]));
    if (!(difference <= worst)) worst = difference;
  }
  BOOST_TEST_MESSAGE(model.info().backend << ": largest difference of a stored logit " << worst);
  BOOST_TEST(worst < allowed(model.info().backend).logit);

  const auto vocab = static_cast<std::size_t>(model.info().vocab);
  double divergence = 0;
  for (std::size_t at = 0; at < tail.size(); at += vocab) {
    divergence +=
        kl_divergence(std::span(expected.values).subspan(at, vocab), tail.subspan(at, vocab));
  }
  divergence *= static_cast<double>(vocab) / static_cast<double>(tail.size());
  BOOST_TEST_MESSAGE(model.info().backend << ": mean KL divergence " << divergence);
  BOOST_TEST(divergence < allowed(model.info().backend).divergence);
}

void check_model(const std::string& file, const std::string& oracle) {
  if (sanitized) return skip("real models take minutes under a sanitizer; the small ones run");
  const auto data = shared_data();
  if (!data) return skip(no_shared_data());
  const std::filesystem::path path = cache_folder() / (file + ".gguf");
  if (!std::filesystem::exists(path)) {
    return skip("needs the model " + file + ": `lamina inspect " + file + "` downloads it");
  }
  const char* extent = std::getenv("LAMINA_ORACLE");
  const bool all = extent != nullptr && std::string(extent) == "all";
  const std::vector<OracleCase> cases = read_oracle(*data / "oracle" / (oracle + ".json"));
  const LoadedModel reference = load_file(path, exact_options("reference", 0));
  const LoadedModel cpu = load_file(path, exact_options("cpu", 0));
  const NpyMatrix logits = read_npy(*data / "oracle" / (oracle + ".logits0.npy"));
  check_logits(*reference.model, cases.front().prompt, logits);
  check_logits(*cpu.model, cases.front().prompt, logits);
  const std::size_t count = all ? cases.size() : 2;
  for (std::size_t i = 0; i < count; ++i) check_case(*reference.model, *cpu.model, cases[i]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(oracle)

BOOST_AUTO_TEST_CASE(smollm2) { check_model("smollm2-135m", "smollm2"); }

BOOST_AUTO_TEST_CASE(gemma3_270m) { check_model("gemma3-270m", "gemma3"); }

BOOST_AUTO_TEST_SUITE_END()
