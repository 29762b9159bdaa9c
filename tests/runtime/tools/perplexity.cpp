// `lamina perplexity` from outside, against what `lamina logits` gives for the same chunks.
// Covers runtime/tools/perplexity_report.h.
#include "npy_file.h"
#include "runtime/child_process.h"
#include "runtime/perplexity/base_file.h"
#include "runtime/tools/perplexity_report.h"
#include "tests/runtime/tools/run_program.h"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lamina {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::check_fails;
using test::content;
using test::Json;
using test::json_of;
using test::Outcome;
using test::Program;
using test::operator+;

/// A text of one token a character, none of them joined by the model's few merges.
std::string letters(std::size_t count) {
  std::string text;
  std::uint32_t x = 1;
  for (std::size_t i = 0; i < count; ++i) {
    x = x * 1664525 + 1013904223;
    text += static_cast<char>('a' + (x >> 16) % 3 * 2);  // a, c, e
  }
  return text;
}

/// The golden model, which puts <end> in front of a text.
std::string model_with_bos(const Program& lamina) {
  const GgufFiles files(lamina.model());
  GgufWriter writer;
  writer.set(files.metadata());
  writer.set("tokenizer.ggml.add_bos_token", true).set("tokenizer.ggml.bos_token_id", 0u);
  for (const TensorView& tensor : files.tensors()) writer.add_tensor(tensor);
  const auto path = lamina.folder().path() / "bos.gguf";
  std::ofstream file(path, std::ios::binary);
  writer.write(file);
  return path.string();
}

/// Log-probabilities of every position of the tokens, as `lamina logits` and plain sums give them.
std::vector<std::vector<double>> log_probabilities(const Program& lamina, const std::string& model,
                                                   const Json& tokens, const Arguments& flags) {
  const Outcome outcome =
      lamina(Arguments{"logits", model, "--tokens", tokens.dump(), "--all", "-o", "l.npy"} + flags);
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.err);
  const test::NpyMatrix matrix = test::read_npy(lamina.folder().path() / "l.npy");
  std::vector<std::vector<double>> rows;
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    const auto row = matrix.row(r);
    double sum = 0;
    for (const float x : row) sum += std::exp(double{x});
    std::vector<double> values;
    for (const float x : row) values.push_back(double{x} - std::log(sum));
    rows.push_back(std::move(values));
  }
  return rows;
}

struct Mean {
  double sum = 0, squares = 0, count = 0;
  void add(double x) { sum += x, squares += x * x, ++count; }
  double value() const { return sum / count; }
  double error() const { return std::sqrt((squares / count - value() * value()) / (count - 1)); }
};

constexpr std::size_t context = 16;

/// The tokens as llama-perplexity feeds them, chunk by chunk.
std::vector<Json> chunks_of(const Program& lamina, const std::string& model, bool bos) {
  const Json ids = json_of(lamina, {"tokenize", model, "-f", "text"});
  std::vector<Json> chunks;
  for (std::size_t at = 0; at + context <= ids.size(); at += context) {
    chunks.emplace_back(ids.begin() + static_cast<std::ptrdiff_t>(at),
                        ids.begin() + static_cast<std::ptrdiff_t>(at + context));
    if (bos) chunks.back()[0] = 0;
  }
  return chunks;
}

const Arguments exact = {"--backend", "reference"};
const Arguments rounded = {"--backend", "cpu", "--kv-k", "q8_0", "--kv-v", "q4_0"};

BOOST_AUTO_TEST_SUITE(perplexity_command)

BOOST_AUTO_TEST_CASE(a_perplexity_is_that_of_the_logits) {
  const Program lamina;
  lamina.folder().write("text", letters(75));
  for (const bool bos : {false, true}) {
    const std::string model = bos ? model_with_bos(lamina) : lamina.model();
    Mean nll;
    const auto chunks = chunks_of(lamina, model, bos);
    BOOST_TEST(chunks.size() == 4u);
    for (const Json& chunk : chunks) {
      const auto rows = log_probabilities(lamina, model, chunk, exact);
      for (std::size_t i = context / 2; i + 1 < context; ++i) {
        nll.add(-rows[i][chunk[i + 1].get<std::size_t>()]);
      }
    }
    const Arguments command = Arguments{"perplexity", model, "-f", "text", "-c", "16"} + exact;
    const Json found = json_of(lamina, command);
    BOOST_TEST(found["scored_tokens"] == 4 * 7);
    BOOST_TEST(found["chunks"] == 4);
    BOOST_TEST(found["context"] == 16);
    BOOST_TEST(std::abs(found["nll"]["value"].get<double>() - nll.value()) < 1e-12);
    BOOST_TEST(std::abs(found["ppl"]["value"].get<double>() / std::exp(nll.value()) - 1) < 1e-12);
    const double error = std::exp(nll.value()) * nll.error();
    BOOST_TEST(std::abs(found["ppl"]["error"].get<double>() / error - 1) < 1e-9);
    const Outcome text = lamina(command);
    BOOST_TEST(text.out == fmt::format("Final estimate: PPL = {:.4f} +/- {:.5f}\n",
                                       std::exp(nll.value()), error));
    BOOST_TEST(text.err.find("chunk 3 of 4: PPL = ") != std::string::npos, text.err);
    BOOST_TEST(json_of(lamina, command + Arguments{"--chunks", "2"})["scored_tokens"] == 14);
    BOOST_TEST(json_of(lamina, command + Arguments{"--threads", "1"}) == found);
  }
}

/// The figures of a comparison by plain sums over the logits of both.
struct Expected {
  Mean nll, base_nll, divergence, delta, squares, same;
  std::vector<double> divergences;
  double bound = 0;  // of what storing does to any of them (stored_row.h)

  void add(const std::vector<double>& p, const std::vector<double>& q, std::size_t next) {
    nll.add(-q[next]), base_nll.add(-p[next]);
    double kl = 0;
    for (std::size_t t = 0; t < p.size(); ++t) kl += std::exp(p[t]) * (p[t] - q[t]);
    divergence.add(kl);
    divergences.push_back(kl);
    const double step = 40.0 / 65534;
    bound = std::max(bound, step * step / 8 + std::expm1(step) * (kl + std::sqrt(2 * kl)));
    const double d = std::exp(q[next]) - std::exp(p[next]);
    delta.add(100 * d), squares.add(1e4 * d * d);
    const auto top = [](const auto& row) {
      return std::max_element(row.begin(), row.end()) - row.begin();
    };
    same.add(top(p) == top(q) ? 100 : 0);
  }
};

void check_figures(const Json& found, const Expected& expected) {
  const auto near = [&](const Json& value, double right, double tolerance = 1e-9) {
    BOOST_TEST(std::abs(value.get<double>() - right) <= tolerance, value << " is not " << right);
  };
  const double log_ratio = expected.nll.value() - expected.base_nll.value();
  near(found["ppl"]["value"], std::exp(expected.nll.value()));
  near(found["ppl_base"]["value"], std::exp(expected.base_nll.value()));
  near(found["ln_ppl_ratio"]["value"], log_ratio);
  near(found["ppl_ratio"]["value"], std::exp(log_ratio));
  const auto [least, most] =
      std::minmax_element(expected.divergences.begin(), expected.divergences.end());
  BOOST_TEST(expected.divergence.value() > 2 * expected.bound);  // there is something to see
  near(found["kld"]["mean"], expected.divergence.value(), expected.bound);
  near(found["kld"]["maximum"], *most, expected.bound);
  near(found["kld"]["minimum"], *least, expected.bound);
  near(found["delta_p_percent"]["mean"], expected.delta.value());
  near(found["delta_p_percent"]["error"], expected.delta.error());
  near(found["delta_p_rms_percent"]["value"], std::sqrt(expected.squares.value()));
  near(found["same_top_percent"]["value"], expected.same.value());
}

/// The tables have the same figures as the object.
void check_tables(const std::string& text, const Json& found) {
  const auto says = [&](const std::string& line) {
    BOOST_TEST(text.find(line) != std::string::npos, line << " is not in\n" << text);
  };
  const auto value = [&](const char* key, const char* of) { return found[key][of].get<double>(); };
  says(fmt::format("Mean PPL(Q)                   : {:10.6f} ± {:10.6f}\n", value("ppl", "value"),
                   value("ppl", "error")));
  says(fmt::format("Mean    KLD: {:10.6f} ± {:10.6f}\n", value("kld", "mean"),
                   value("kld", "error")));
  says(fmt::format("99.9%   KLD: {:10.6f}\n", value("kld", "p99.9")));
  says(fmt::format("Median  Δp: {:6.3f}%\n", value("delta_p_percent", "median")));
  says(fmt::format("RMS Δp    : {:6.3f} ± {:5.3f} %\n", value("delta_p_rms_percent", "value"),
                   value("delta_p_rms_percent", "error")));
  says(fmt::format("Cor(ln(PPL(Q)), ln(PPL(base))): {:6.2f}%\n",
                   100 * found["correlation"].get<double>()));
  says(fmt::format("Same top p: {:6.3f} ± ", value("same_top_percent", "value")));
}

BOOST_AUTO_TEST_CASE(a_comparison_is_that_of_both_logits) {
  const Program lamina;
  const std::string model = model_with_bos(lamina);
  lamina.folder().write("text", letters(90));
  const Arguments base = {"perplexity", model, "--kl-divergence-base", "base"};
  const Outcome written = lamina(base + Arguments{"-f", "text", "-c", "16"} + exact);
  BOOST_TEST_REQUIRE(written.code == 0, written.err);
  BOOST_TEST(written.out.starts_with("Final estimate: PPL = "));
  BOOST_TEST(written.err.find("base: takes") != std::string::npos, written.err);
  Expected expected;
  for (const Json& chunk : chunks_of(lamina, model, true)) {
    const auto p = log_probabilities(lamina, model, chunk, exact);
    const auto q = log_probabilities(lamina, model, chunk, rounded);
    for (std::size_t i = context / 2; i + 1 < context; ++i) {
      expected.add(p[i], q[i], chunk[i + 1].get<std::size_t>());
    }
  }
  const Arguments compare = base + Arguments{"--kl-divergence"} + rounded;
  const Json found = json_of(lamina, compare + Arguments{"-f", "text"});
  check_figures(found, expected);
  check_tables(lamina(compare).out, found);
}

BOOST_AUTO_TEST_CASE(a_model_is_no_further_from_itself_than_the_storage) {
  const Program lamina;
  lamina.folder().write("text", letters(90));
  const Arguments base = {"perplexity", lamina.model(), "--kl-divergence-base", "base"};
  const Outcome written = lamina(base + Arguments{"-f", "text", "-c", "16"});
  BOOST_TEST_REQUIRE(written.code == 0, written.err);
  const Json found = json_of(lamina, base + Arguments{"--kl-divergence", "--chunks", "3"});
  BOOST_TEST(found["chunks"] == 3);
  BOOST_TEST(found["kld"]["maximum"].get<double>() <= std::pow(40.0 / 65534, 2) / 8);
  BOOST_TEST(found["ln_ppl_ratio"]["value"] == 0.0);
  BOOST_TEST(found["delta_p_rms_percent"]["value"] == 0.0);
  BOOST_TEST(found["same_top_percent"]["value"] == 100.0);
}

BOOST_AUTO_TEST_CASE(a_state_goes_on_to_the_same_figures) {
  const Program lamina;
  const fs::path folder = lamina.folder().path();
  lamina.folder().write("text", letters(90));
  const Arguments model = {"perplexity", lamina.model(), "--threads", "2"};
  const Outcome written =
      lamina(model + Arguments{"-f", "text", "-c", "16", "--kl-divergence-base", "base"});
  BOOST_TEST_REQUIRE(written.code == 0, written.err);
  for (const Arguments& measurement :
       {Arguments{"-f", "text", "-c", "16"},
        Arguments{"--kl-divergence-base", "base", "--kl-divergence", "--kv-k", "q4_0"}}) {
    fs::remove(folder / "state");
    const Arguments command = model + measurement + Arguments{"--state", "state"};
    const Json first = json_of(lamina, command);
    BOOST_TEST(first == json_of(lamina, model + measurement));
    const std::string state = content(folder / "state");
    lamina.folder().write("state", state.substr(0, state.size() * 2 / 3));  // within a line
    const Outcome again = lamina(command + Arguments{"--output", "json"});
    BOOST_TEST(again.err.find("going on after ") != std::string::npos, again.err);
    BOOST_TEST(Json::parse(again.out) == first);
    BOOST_TEST(content(folder / "state") == state);
    BOOST_TEST(json_of(lamina, command) == first);  // nothing is left to be done
    check_fails(lamina, 1, command + Arguments{"--kv-v", "q8_0"}, "values is ");
    check_fails(lamina, 1, command + Arguments{"--chunks", "2"}, "chunks is 5 there and 2 now");
  }
}

BOOST_AUTO_TEST_CASE(ctrl_c_keeps_the_chunks_that_are_finished) {
  const Program lamina;
  const fs::path folder = lamina.folder().path(), part = folder / "base.part";
  lamina.folder().write("text", letters(16 * 1500));
  const Arguments command = {LAMINA_BINARY_DIR "/lamina",
                             "perplexity",
                             lamina.model(),
                             "-f",
                             (folder / "text").string(),
                             "-c",
                             "16",
                             "--threads",
                             "1",
                             "--kl-divergence-base"};
  const ChildResult whole =
      run({.arguments = command + Arguments{(folder / "whole").string()}, .log = folder / "log"});
  BOOST_TEST_REQUIRE(whole.exit_code == 0, content(folder / "log"));
  ChildProcess child{.arguments = command + Arguments{(folder / "base").string()},
                     .log = folder / "stopped"};
  child.stop = [&] { return fs::exists(part) && fs::file_size(part) > 40000; };
  const ChildResult stopped = run(child);
  const std::string said = content(folder / "stopped");
  BOOST_TEST(stopped.exit_code == 1, said);
  BOOST_TEST(said.find("the same command goes on from there") != std::string::npos, said);
  BOOST_TEST(said.find("error: interrupted after ") != std::string::npos, said);
  BOOST_TEST(!fs::exists(folder / "base"));
  child.stop = nullptr;
  BOOST_TEST(run(child).exit_code == 0);
  BOOST_TEST(content(folder / "base") == content(folder / "whole"));
  const std::string log = content(folder / "log"), last = content(folder / "stopped");
  BOOST_TEST(log.substr(log.rfind("Final")) == last.substr(last.rfind("Final")));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_measured) {
  const Program lamina;
  const std::string model = lamina.model();
  lamina.folder().write("text", letters(90));
  lamina.folder().write("other", "b" + letters(89));
  const Arguments command = {"perplexity", model, "-f", "text", "-c", "16"};
  check_fails(lamina, 2, {"perplexity", model}, "exactly one of: -f FILE");
  check_fails(lamina, 2, {"perplexity", model, "-f", "text", "-c", "7"}, "-c '7'");
  check_fails(lamina, 2, command + Arguments{"--chunks", "0"}, "--chunks '0'");
  check_fails(lamina, 2, command + Arguments{"--kl-divergence"}, "--kl-divergence-base F");
  check_fails(lamina, 2, command + Arguments{"--kl-divergence-base", "b", "--state", "s"},
              "in F.part");
  check_fails(lamina, 1, {"perplexity", model, "-f", "text"},
              "-f text: has 90 tokens; chunks of 512 (-c) need a text of at least 1024");
  check_fails(lamina, 1, {"perplexity", model, "-f", "none"}, "none");
  BOOST_TEST(lamina(command + Arguments{"--kl-divergence-base", "base"}).code == 0);
  check_fails(lamina, 1, command + Arguments{"--kl-divergence-base", "base"}, "exists already");
  const Arguments compare = {"perplexity", model, "--kl-divergence", "--kl-divergence-base"};
  check_fails(lamina, 1, compare + Arguments{"none"}, "none");
  check_fails(lamina, 1, compare + Arguments{"text"}, "text: is no base");
  check_fails(lamina, 1, compare + Arguments{"base", "-c", "32"}, "chunks of 16 tokens");
  check_fails(lamina, 1, compare + Arguments{"base", "--chunks", "6"}, "has 5 chunks");
  check_fails(lamina, 1, compare + Arguments{"base", "-f", "other"}, "was made of other tokens");
  check_fails(lamina, 1, compare + Arguments{"base", "--state", "text"}, "no state");
  const std::string base = content(lamina.folder().path() / "base");
  lamina.folder().write("cut", base.substr(0, base.size() - 1));
  check_fails(lamina, 1, compare + Arguments{"cut"}, "cut: is damaged");
  BaseHeader wide;
  wide.chunks = {.context = 8, .tokens = std::vector<Token>(8, 1)};
  wide.vocab = 62;
  lamina.folder().write("wide", wide.bytes() + std::string(wide.chunk_bytes(), '\0'));
  check_fails(lamina, 1, compare + Arguments{"wide"},
              "vocabulary of 62 tokens, the model one of 61");
}

BOOST_AUTO_TEST_CASE(the_tables_are_laid_out_as_llama_perplexity_does) {
  std::vector<Measured> measured(4,
                                 {.nll = 1, .base_nll = 1, .divergence = 0.25, .same_top = true});
  measured[1].same_top = false;
  measured[2].divergence = 1.25;
  measured[3].nll = 2;
  const std::string text = comparison_text(compare(measured));
  for (const char* line :
       {"====== Perplexity statistics ======\nMean PPL(Q)                   :   3.490343 ±",
        "Mean PPL(base)                :   2.718282 ±   0.000000\n",
        "Mean ln(PPL(Q)/PPL(base))     :   0.250000 ±   0.250000\n",
        "\n====== KL divergence statistics ======\nMean    KLD:   0.500000 ±   0.250000\n",
        "Maximum KLD:   1.250000\n", "90.0%   KLD:   0.950000\n", "Median  KLD:   0.250000\n",
        "Minimum KLD:   0.250000\n",
        "\n====== Token probability statistics ======\nMean    Δp: -5.814 ±",
        "Maximum Δp:  0.000%\n", "Same top p: 75.000 ± 25.000 %\n"}) {
    BOOST_TEST(text.find(line) != std::string::npos, line << "\nis not in\n" << text);
  }
  BOOST_TEST(perplexity_line(measured).starts_with("PPL = 3.4903 +/- 0.8725"));
  BOOST_TEST(comparison_line(measured).find("KLD 0.50000 +/- 0.25000") != std::string::npos);
  const auto object = comparison_json(compare(measured));
  BOOST_TEST(std::abs(object["kld"]["p90"].get<double>() - 0.95) < 1e-12);
  BOOST_TEST(perplexity_json(measured)["nll"]["value"] == 1.25);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
