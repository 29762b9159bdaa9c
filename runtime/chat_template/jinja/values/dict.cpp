// A dict: entries in order, and a table of hashes once there are more than a few.
#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <algorithm>
#include <bit>

namespace lamina::jinja {
namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
constexpr std::size_t few = 8;

std::size_t spread(std::size_t hash) { return (hash * 0x9E3779B97F4A7C15u) >> 20; }

}  // namespace

Dict::Dict(Heap& owner) : Container(owner, Kind::dict) {}
Dict::~Dict() { heap.bury(*this); }

void Dict::release(Values& parts) {
  for (auto& [key, value] : entries_) {
    parts.push_back(std::move(key));
    parts.push_back(std::move(value));
  }
  entries_.clear();
  hashes_.clear();
  table_.clear();
}

std::size_t Dict::place(std::size_t hash, const Value& key) const {
  const auto here = [&](std::size_t i) {
    return hashes_[i] == hash && (same(entries_[i].first, key) || equal(entries_[i].first, key));
  };
  if (table_.empty()) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (here(i)) return i;
    }
    return nowhere;
  }
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = spread(hash) & mask; table_[at] != 0; at = (at + 1) & mask) {
    if (here(table_[at] - 1)) return table_[at] - 1;
  }
  return nowhere;
}

void Dict::build_table() {
  table_.clear();
  if (entries_.size() <= few) return;
  table_.resize(std::bit_ceil(entries_.size() * 3));
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t at = spread(hashes_[i]) & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

const Value* Dict::find(const Value& key) const {
  const std::size_t at = place(hash_of(key), key);
  return at == nowhere ? nullptr : &entries_[at].second;
}

const Value* Dict::find(std::string_view key) const {
  const std::size_t hash = std::hash<std::string_view>()(key);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (hashes_[i] != hash) continue;
    const String* text = entries_[i].first.string();
    if (text != nullptr && text->text.view() == key) return &entries_[i].second;
  }
  return nullptr;
}

void Dict::set(const Value& key, Value value) {
  const std::size_t hash = hash_of(key);
  const std::size_t at = place(hash, key);
  if (at != nowhere) {
    entries_[at].second = std::move(value);
    return;
  }
  heap.check_items(entries_.size() + 1);
  entries_.emplace_back(key, std::move(value));
  hashes_.push_back(hash);
  resized(3 * entries_.size());
  if (entries_.size() * 2 > table_.size()) {
    build_table();
  } else {
    const std::size_t mask = table_.size() - 1;
    std::size_t place = spread(hash) & mask;
    while (table_[place] != 0) place = (place + 1) & mask;
    table_[place] = static_cast<std::uint32_t>(entries_.size());
  }
}

bool Dict::erase(const Value& key) {
  const std::size_t at = place(hash_of(key), key);
  if (at == nowhere) return false;
  heap.step(entries_.size() >> 6);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at));
  hashes_.erase(hashes_.begin() + static_cast<std::ptrdiff_t>(at));
  resized(3 * entries_.size());
  build_table();
  return true;
}

void Dict::clear() {
  heap.bury(*this);
  resized(0);
}

}  // namespace lamina::jinja
