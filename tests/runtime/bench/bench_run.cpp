// What a model is fed: recorded by one that computes nothing.
#include "runtime/bench/bench_run.h"

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>
#include <stdexcept>

namespace lamina {
namespace {

class RecordingModel : public LanguageModel {
 public:
  struct Call {
    std::vector<Token> tokens;
    std::size_t rows, sequences;
  };

  RecordingModel() { info_.vocab = 50; }
  const ModelInfo& info() const override { return info_; }
  std::uint64_t kv_bytes(Position) const override { return 0; }
  SequenceId open(Position context) override {
    contexts.push_back(context);
    lengths[next_] = 0;
    return next_++;
  }
  SequenceId fork(SequenceId sequence) override {
    lengths[next_] = lengths.at(sequence);
    return next_++;
  }
  void rollback(SequenceId sequence, Position length) override {
    if (forgetful && length < lengths.at(sequence)) throw Error("what was there is gone");
    lengths.at(sequence) = length;
  }
  void close(SequenceId sequence) override { lengths.erase(sequence); }
  Outputs forward(const Batch& batch) override {
    std::set<SequenceId> sequences(batch.sequences.begin(), batch.sequences.end());
    for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
      Position& length = lengths.at(batch.sequences[i]);
      if (batch.positions[i] != length++) throw std::logic_error("a position out of order");
      if (batch.tokens[i] < 0 || batch.tokens[i] >= 50) throw std::logic_error("no such token");
    }
    calls.push_back(
        {{batch.tokens.begin(), batch.tokens.end()}, batch.outputs.size(), sequences.size()});
    return {};
  }

  bool forgetful = false;
  std::map<SequenceId, Position> lengths;
  std::vector<Position> contexts;
  std::vector<Call> calls;

 private:
  ModelInfo info_;
  SequenceId next_ = 3;
};

/// "tokens/rows" of each call, and "*sequences" where they are several.
std::string fed(const RecordingModel& model) {
  std::string text;
  for (const auto& call : model.calls) {
    text += std::to_string(call.tokens.size()) + "/" + std::to_string(call.rows);
    if (call.sequences > 1) text += "*" + std::to_string(call.sequences);
    text += ' ';
  }
  return text;
}

BOOST_AUTO_TEST_SUITE(bench_run)

BOOST_AUTO_TEST_CASE(prompts_and_generation) {
  RecordingModel model;
  {
    BenchRun run(model, {.prompt = 7, .generated = 3}, {.batch = 5});
    run.warm_up();
    BOOST_TEST(fed(model) == "5/0 2/1 1/1 ");
    model.calls.clear();
    BOOST_TEST(run.time() >= 0);
    run.time();
    BOOST_TEST(fed(model) == "5/0 2/1 1/1 1/1 1/1 5/0 2/1 1/1 1/1 1/1 ");
    BOOST_TEST(model.calls[0].tokens != model.calls[5].tokens);
  }
  BOOST_TEST(model.contexts == (std::vector<Position>{10}), boost::test_tools::per_element());
  BOOST_TEST(model.lengths.empty());
}

BOOST_AUTO_TEST_CASE(what_comes_before_is_computed_once) {
  RecordingModel model;
  {
    BenchRun run(model, {.generated = 2, .depth = 6, .sequences = 4}, {.batch = 4});
    BOOST_TEST(fed(model) == "4/0 2/1 ");
    run.time();
    run.time();
    BOOST_TEST(fed(model) == "4/0 2/1 4/4*4 4/4*4 4/4*4 4/4*4 ");
    BOOST_TEST(model.lengths.size() == 4u);
    for (const auto& [sequence, length] : model.lengths) BOOST_TEST(length == 8);
  }
  BOOST_TEST(model.lengths.empty());
}

BOOST_AUTO_TEST_CASE(a_store_that_cannot_go_back_is_filled_again) {
  RecordingModel model;
  model.forgetful = true;
  {
    BenchRun run(model, {.generated = 1, .depth = 6, .sequences = 2}, {});
    run.time();
    run.time();
  }
  BOOST_TEST(fed(model) == "6/1 2/2*2 6/1 2/2*2 ");
  BOOST_TEST(model.lengths.empty());
}

BOOST_AUTO_TEST_CASE(seeds_repeat) {
  RecordingModel a, b, c;
  BenchRun(a, {.prompt = 20}, {.seed = 4}).time();
  BenchRun(b, {.prompt = 20}, {.seed = 4}).time();
  BenchRun(c, {.prompt = 20}, {.seed = 5}).time();
  BOOST_TEST(a.calls[0].tokens == b.calls[0].tokens, boost::test_tools::per_element());
  BOOST_TEST(a.calls[0].tokens != c.calls[0].tokens);
}

BOOST_AUTO_TEST_CASE(an_interruption_closes_what_is_open) {
  RecordingModel model;
  std::int64_t steps = 0;
  BenchRunSettings settings;
  settings.on_step = [&](std::int64_t) { ++steps; };
  settings.interrupted = [&] { return steps == 2; };
  BOOST_CHECK_THROW(BenchRun(model, {.generated = 9}, settings).time(), BenchInterrupted);
  BOOST_TEST(model.calls.size() == 2u);
  BOOST_TEST(model.lengths.empty());
  steps = 1;  // also while what comes before is computed
  BOOST_CHECK_THROW(BenchRun(model, {.generated = 9, .depth = 3}, settings), BenchInterrupted);
  BOOST_TEST(model.lengths.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
