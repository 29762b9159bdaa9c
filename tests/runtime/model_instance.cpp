// A LanguageModel's sequences and batches: pieces, company, forks, rollbacks, and batches that are
// refused whole.
// Covers runtime/language_model.h.
#include "runtime/model_instance.h"

#include "lamina/verify/compare.h"
#include "tests/runtime/small_files.h"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace lamina;
using namespace lamina::test;

namespace {

std::vector<Token> random_tokens(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Token> tokens(count);
  for (Token& token : tokens) token = static_cast<Token>(random() % 61);
  return tokens;
}

/// The vectors a Batch points into.
struct Rows {
  std::vector<Token> tokens;
  std::vector<Position> positions;
  std::vector<SequenceId> sequences;
  std::vector<std::int32_t> outputs;

  void add(SequenceId sequence, Position first, std::span<const Token> more) {
    for (std::size_t i = 0; i < more.size(); ++i) {
      tokens.push_back(more[i]);
      positions.push_back(first + static_cast<Position>(i));
      sequences.push_back(sequence);
    }
  }
  operator Batch() const { return {tokens, positions, sequences, outputs}; }
};

std::string refusal(LanguageModel& model, const Rows& rows) {
  try {
    model.forward(rows);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(model_instance)

BOOST_AUTO_TEST_CASE(long_batches_are_cut_without_a_trace) {
  for (const char* name : {"llama", "gemma3"}) {
    const LoadedModel model = load_small(name, exact_options("cpu"));
    const std::vector<Token> tokens = random_tokens(longest_batch + 211, 1);
    const std::vector<float> whole = run_all(*model.model, tokens);
    const SequenceId sequence = model->open(static_cast<Position>(tokens.size()));
    std::vector<float> pieces;
    for (std::size_t first = 0; first < tokens.size(); first += 100) {
      Rows rows;
      const auto count = std::min<std::size_t>(100, tokens.size() - first);
      rows.add(sequence, static_cast<Position>(first), std::span(tokens).subspan(first, count));
      for (std::size_t i = 0; i < count; ++i) rows.outputs.push_back(static_cast<std::int32_t>(i));
      const Outputs outputs = model->forward(rows);
      pieces.insert(pieces.end(), outputs.logits.begin(), outputs.logits.end());
    }
    BOOST_TEST(same_bits(pieces, whole), name);
  }
}

BOOST_AUTO_TEST_CASE(outputs_come_in_the_order_asked_for) {
  const LoadedModel model = load_small("qwen3", exact_options("cpu"));
  const std::vector<Token> tokens = random_tokens(longest_batch + 50, 2);
  const std::vector<float> whole = run_all(*model.model, tokens);
  Rows rows;
  rows.add(model->open(static_cast<Position>(tokens.size())), 0, tokens);
  rows.outputs = {longest_batch + 49, 0, 511, 512, 0};
  const Outputs outputs = model->forward(rows);
  for (std::size_t i = 0; i < rows.outputs.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows.outputs[i]);
    BOOST_TEST(same_bits(outputs.row(i), std::span<const float>(whole).subspan(row * 61, 61)));
  }
}

BOOST_AUTO_TEST_CASE(sequences_share_batches_and_fork) {
  const LoadedModel model = load_small("gemma3", exact_options("cpu"));
  const std::vector<Token> tokens = random_tokens(60, 3);
  const std::vector<float> whole = run_all(*model.model, tokens);
  const SequenceId first = model->open(60), other = model->open(60);
  Rows prompt;
  prompt.add(other, 0, random_tokens(33, 4));
  prompt.add(first, 0, std::span(tokens).first(40));
  BOOST_TEST(model->forward(prompt).logits.empty());
  const SequenceId twin = model->fork(first);
  Rows away;
  away.add(first, 40, random_tokens(8, 5));
  model->forward(away);
  model->rollback(first, 40);
  for (const SequenceId sequence : {twin, first}) {
    Rows rest;
    rest.add(sequence, 40, std::span(tokens).subspan(40));
    rest.outputs = {19};
    const Outputs outputs = model->forward(rest);
    BOOST_TEST(same_bits(outputs.row(0), std::span<const float>(whole).subspan(59 * 61, 61)));
  }
}

BOOST_AUTO_TEST_CASE(a_refused_batch_leaves_every_sequence_as_it_was) {
  const LoadedModel model = load_small("llama", exact_options("cpu"));
  const std::vector<Token> tokens = random_tokens(20, 6);
  const std::vector<float> whole = run_all(*model.model, tokens);
  const SequenceId sequence = model->open(20);
  Rows start;
  start.add(sequence, 0, std::span(tokens).first(10));
  model->forward(start);

  Rows rows;
  rows.add(sequence, 10, random_tokens(11, 7));
  BOOST_TEST(says(refusal(*model.model, rows), "20 tokens; 11 more"));
  rows = {};
  rows.add(sequence, 11, tokens);
  BOOST_TEST(says(refusal(*model.model, rows), "next free position is 10"));
  rows = {};
  rows.add(sequence, 10, std::span(tokens).first(2));
  rows.tokens[1] = 61;
  BOOST_TEST(says(refusal(*model.model, rows), "token 61"));
  rows.tokens[1] = -1;
  BOOST_TEST(says(refusal(*model.model, rows), "token -1"));
  rows.tokens[1] = 0;
  rows.outputs = {2};
  BOOST_TEST(says(refusal(*model.model, rows), "row 2"));
  rows.outputs = {};
  rows.sequences[1] = 99;
  BOOST_TEST(says(refusal(*model.model, rows), "sequence 99"));
  rows.sequences.pop_back();
  BOOST_TEST(says(refusal(*model.model, rows), "1 sequences"));

  Rows rest;
  rest.add(sequence, 10, std::span(tokens).subspan(10));
  rest.outputs = {9};
  const Outputs outputs = model->forward(rest);
  BOOST_TEST(same_bits(outputs.row(0), std::span<const float>(whole).subspan(19 * 61, 61)));
}

BOOST_AUTO_TEST_CASE(closed_sequences_are_gone) {
  const LoadedModel model = load_small("llama", exact_options("cpu"));
  const SequenceId sequence = model->open(4);
  model->close(sequence);
  BOOST_CHECK_THROW(model->close(sequence), Error);
  BOOST_CHECK_THROW(model->fork(sequence), Error);
  BOOST_CHECK_THROW(model->rollback(sequence, 0), Error);
  BOOST_CHECK_THROW(model->open(0), Error);
  BOOST_TEST(model->open(4) != sequence);
}

BOOST_AUTO_TEST_CASE(memory_is_announced_as_it_is_taken) {
  const LoadedModel model = load_small("llama", exact_options("cpu"));
  // 2 layers * 2 heads * (12 + 12) elements * 4 bytes a position
  BOOST_TEST(model->kv_bytes(100) == 2u * 2 * 24 * 4 * 100);
}

BOOST_AUTO_TEST_SUITE_END()
