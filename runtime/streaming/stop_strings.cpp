// Building the automaton, and following it byte by byte.
#include "runtime/streaming/stop_strings.h"

#include "lamina/core/error.h"

#include <algorithm>

namespace lamina {
namespace {

std::uint64_t key(std::size_t node, char next) {
  return std::uint64_t{node} << 8 | static_cast<unsigned char>(next);
}

}  // namespace

StopStrings::StopStrings(const std::vector<std::string>& stops) {
  for (const std::string& stop : stops) {
    if (stop.empty()) throw Error("a stop string is empty; expected at least one character");
    add(stop);
  }
  link();
}

void StopStrings::add(std::string_view stop) {
  std::size_t node = 0;
  for (const char next : stop) {
    const auto [at, added] = children_.try_emplace(key(node, next), nodes_.size());
    if (added) nodes_.push_back({.length = nodes_[node].length + 1});
    node = at->second;
  }
  nodes_[node].longest = stop.size();
}

/// Sets `shorter`, from short nodes to long ones, since each depends on shorter ones.
void StopStrings::link() {
  struct Edge {
    std::size_t from, to;
    char byte;
  };
  std::vector<Edge> edges;
  for (const auto& [from, to] : children_)
    edges.push_back({from >> 8, to, static_cast<char>(from)});
  std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
    return nodes_[a.to].length < nodes_[b.to].length;
  });
  for (const auto& [from, to, byte] : edges) {
    Node& node = nodes_[to];
    if (from != 0) node.shorter = follow(nodes_[from].shorter, byte);
    node.longest = std::max(node.longest, nodes_[node.shorter].longest);
  }
}

std::optional<std::size_t> StopStrings::child(std::size_t node, char next) const {
  const auto found = children_.find(key(node, next));
  return found != children_.end() ? std::optional(found->second) : std::nullopt;
}

std::size_t StopStrings::follow(std::size_t node, char next) const {
  for (;; node = nodes_[node].shorter) {
    if (const auto longer = child(node, next)) return *longer;
    if (node == 0) return 0;
  }
}

/// The held text up to byte `until` of the whole text.
std::string StopStrings::release(std::size_t until) {
  const std::size_t count = until - (read_ - held_.size());
  std::string text = held_.substr(0, count);
  held_.erase(0, count);
  return text;
}

std::string StopStrings::feed(std::string_view piece) {
  if (stopped_) return {};
  for (const char next : piece) {
    held_ += next;
    ++read_;
    node_ = follow(node_, next);
    const Node& node = nodes_[node_];
    if (node.longest > 0) found_ = std::min(found_.value_or(read_), read_ - node.longest);
    // What might still begin earlier than what was found decides later.
    stopped_ = found_ && *found_ <= read_ - node.length;
    if (stopped_) return release(*found_);
  }
  return release(std::min(found_.value_or(read_), read_ - nodes_[node_].length));
}

std::string StopStrings::finish() {
  stopped_ = stopped_ || found_.has_value();
  std::string text = found_ ? release(*found_) : release(read_);
  held_.clear();
  return text;
}

}  // namespace lamina
