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

template <class IsKey>
std::size_t Dict::place(std::size_t hash, const IsKey& is_key) const {
  const auto here = [&](std::size_t i) {
    heap.touch();
    return hashes_[i] == hash && is_key(entries_[i].first);
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

std::size_t Dict::place(std::size_t hash, const Value& key) const {
  return place(hash, [&](const Value& each) { return same(each, key) || equal(heap, each, key); });
}

void Dict::add_to_table(std::size_t entry) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = spread(hashes_[entry]) & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) heap.touch();
  table_[at] = static_cast<std::uint32_t>(entry + 1);
}

void Dict::build_table() {
  table_.clear();
  if (entries_.size() <= few) return;
  table_.resize(std::bit_ceil(entries_.size() * 3));
  heap.touch(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) add_to_table(i);
}

const Value* Dict::find(const Value& key) const {
  const std::size_t at = place(hash_of(heap, key), key);
  return at == nowhere ? nullptr : &entries_[at].second;
}

const Value* Dict::find(std::string_view key) const {
  heap.work(key.size());
  const std::size_t at = place(std::hash<std::string_view>()(key), [&](const Value& each) {
    const String* text = each.string();
    return text != nullptr && text->text.view() == key;
  });
  return at == nowhere ? nullptr : &entries_[at].second;
}

void Dict::set(const Value& key, Value value) {
  const std::size_t hash = hash_of(heap, key);
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
    add_to_table(entries_.size() - 1);
  }
}

bool Dict::erase(const Value& key) {
  const std::size_t at = place(hash_of(heap, key), key);
  if (at == nowhere) return false;
  heap.touch(entries_.size());
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
