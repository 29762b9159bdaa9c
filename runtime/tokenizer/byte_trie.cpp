// Adding texts, with a table that doubles.
#include "runtime/tokenizer/byte_trie.h"

#include <utility>

namespace lamina {

ByteTrie::ByteTrie() : edges_(16), tokens_(1, -1), shift_(60) {}

void ByteTrie::insert(std::string_view text, Token token) {
  if (text.empty()) return;
  Node node = root;
  for (const char byte : text) {
    const std::uint64_t from = std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
    std::size_t slot = locate(from);
    if (edges_[slot].to == none) {
      if (tokens_.size() * 2 > edges_.size()) {
        grow();
        slot = locate(from);
      }
      edges_[slot] = {from, static_cast<Node>(tokens_.size())};
      tokens_.push_back(-1);
    }
    node = edges_[slot].to;
  }
  if (tokens_[node] < 0) tokens_[node] = token;
}

ByteTrie::Node ByteTrie::walk(Node node, std::string_view text) const {
  for (const char byte : text) node = next(node, byte);
  return node;
}

ByteTrie::Match ByteTrie::longest(std::string_view text, Node node) const {
  Match match;
  for (std::size_t i = 0; i < text.size(); ++i) {
    node = next(node, text[i]);
    if (node == none) break;
    if (token(node) >= 0) match = {token(node), i + 1};
  }
  return match;
}

void ByteTrie::grow() {
  std::vector<Edge> old(edges_.size() * 2);
  std::swap(old, edges_);
  --shift_;
  for (const Edge& edge : old) {
    if (edge.from != free_edge) edges_[locate(edge.from)] = edge;
  }
}

}  // namespace lamina
