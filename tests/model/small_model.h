// The small random models of tests/goldens/models, and ways to feed them.
#pragma once

#include "lamina/gguf/reader.h"
#include "lamina/model/find_tensors.h"
#include "lamina/model/model.h"
#include "tests/npy_file.h"
#include "tests/shared_data.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace lamina::test {

inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// A JSON array of integers, and nothing else.
inline std::vector<Token> read_tokens(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<Token> tokens;
  char punctuation = 0;
  Token token = 0;
  while (in >> punctuation >> token) tokens.push_back(token);
  return tokens;
}

struct SmallModel {
  std::vector<std::byte> bytes;
  GgufFile file;
  std::vector<Token> tokens;
  NpyMatrix logits;  // [tokens, vocab], by transformers in float32
};

inline SmallModel small_model(const std::string& name) {
  const std::filesystem::path folder = goldens() / "models";
  SmallModel model;
  model.bytes = read_bytes(folder / (name + ".gguf"));
  model.file = read_gguf(model.bytes, name + ".gguf");
  model.tokens = read_tokens(folder / (name + ".tokens.json"));
  model.logits = read_npy(folder / (name + ".logits.npy"));
  return model;
}

/// The graph of a file on a backend.
template <Architecture A, Backend B>
Model<A, B> make_graph(const GgufFile& file, B backend) {
  Extents extents = A::extents(file.metadata);
  const auto find = [&](std::string_view name) { return file.tensors.find(name); };
  const ModelTensors tensors = find_tensors("test", file.tensors.all(), find, A::tensors, extents);
  return Model<A, B>(std::move(backend), std::move(extents), tensors);
}

inline constexpr KvFormats exact_kv{FormatId::f32, FormatId::f32};

/// Memory nobody has written yet must not matter: every bit pattern of it is a NaN here.
inline void poison(SequenceState& state, const Extents& e) {
  int count[2] = {};
  for (const Mixer mixer : e.mixers) {
    const KvView view = state.view(mixer, count[static_cast<int>(mixer)]++);
    const std::size_t size = view.row.bytes() * static_cast<std::size_t>(view.page_size);
    std::memset(static_cast<void*>(view.memory), 0xff, size);
  }
}

/// Feeds a sequence from `state.length()` on; logits of every token: [tokens, vocab].
template <class Graph>
std::vector<float> feed(Graph& graph, SequenceState& state, std::span<const Token> tokens) {
  BatchRows rows;
  rows.tokens.assign(tokens.begin(), tokens.end());
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    rows.positions.push_back(state.length() + static_cast<Position>(t));
    rows.sequence.push_back(0);
    rows.outputs.push_back(static_cast<std::int32_t>(t));
  }
  std::vector<float> logits(tokens.size() * static_cast<std::size_t>(graph.extents().vocab));
  SequenceState* states[] = {&state};
  graph.forward(rows, states, logits);
  return logits;
}

/// A fresh, poisoned sequence fed in pieces of these lengths (the last one takes the rest).
template <class Graph>
std::vector<float> feed_pieces(Graph& graph, std::span<const Token> tokens,
                               std::span<const std::size_t> lengths, KvFormats formats = exact_kv) {
  const auto n = static_cast<Position>(tokens.size());
  SequenceState state(graph.extents(), formats, n, n);
  poison(state, graph.extents());
  std::vector<float> all;
  std::size_t first = 0;
  for (std::size_t i = 0; first < tokens.size(); ++i) {
    const std::size_t left = tokens.size() - first;
    const std::size_t length = i < lengths.size() ? std::min(lengths[i], left) : left;
    const std::vector<float> logits = feed(graph, state, tokens.subspan(first, length));
    all.insert(all.end(), logits.begin(), logits.end());
    first += length;
  }
  return all;
}

template <class Graph>
std::vector<float> feed_whole(Graph& graph, std::span<const Token> tokens,
                              KvFormats formats = exact_kv) {
  return feed_pieces(graph, tokens, {}, formats);
}

}  // namespace lamina::test
