// ByteTrie: which tokens begin at a place of a text, found byte by byte.
//
// The edges of the trie are a hash table with linear probing, at most half full, from (node, byte)
// to the node below: memory and time to build are linear in the bytes of the texts, whatever they
// are, and a step costs one look-up. Nothing recurses.
#pragma once

#include "lamina/core/types.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lamina {

class ByteTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node root = 0;
  static constexpr Node none = 0xFFFFFFFF;

  ByteTrie();

  /// Of two equal texts the first stays; an empty text is left out.
  void insert(std::string_view text, Token token);

  /// The node below `node` by `byte`; none where no text goes on so, or where `node` is none.
  Node next(Node node, char byte) const;

  /// The same for all bytes of `text`.
  Node walk(Node node, std::string_view text) const;

  /// The token whose text ends at `node`; -1 where none does.
  Token token(Node node) const { return tokens_[node]; }

  struct Match {
    Token token = -1;
    std::size_t size = 0;  // bytes
  };

  /// The token of the longest text below `node` that `text` begins with; -1 where there is none.
  Match longest(std::string_view text, Node node = root) const;

  bool empty() const { return tokens_.size() == 1; }

 private:
  static constexpr std::uint64_t free_edge = ~std::uint64_t{0};
  struct Edge {
    std::uint64_t from = free_edge;  // node, then byte
    Node to = none;
  };

  std::size_t locate(std::uint64_t from) const;
  void grow();

  std::vector<Edge> edges_;    // a power of two
  std::vector<Token> tokens_;  // of each node
  int shift_ = 0;              // brings a 64-bit hash into the range of edges_
};

inline std::size_t ByteTrie::locate(std::uint64_t from) const {
  // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
  std::size_t slot = (from * 0x9E3779B97F4A7C15) >> shift_;
  while (edges_[slot].from != from && edges_[slot].from != free_edge) {
    slot = (slot + 1) & (edges_.size() - 1);
  }
  return slot;
}

inline ByteTrie::Node ByteTrie::next(Node node, char byte) const {
  return edges_[locate(std::uint64_t{node} << 8 | static_cast<unsigned char>(byte))].to;
}

}  // namespace lamina
