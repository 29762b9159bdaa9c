// Metadata: the keys of a GGUF file and their values, typed when asked for.
//
// Keys and values lie in the file's bytes; nothing is copied until a value is asked for, and text
// not even then. Values that are set are owned, and shared among copies of the Metadata.
#pragma once

#include "lamina/gguf/quoted.h"
#include "lamina/gguf/value.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lamina {

struct MetadataEntry {
  std::string_view key;
  MetadataValue value;
  std::shared_ptr<const std::string> key_owner = nullptr;  // null where the key is a file's
};

class Metadata {
 public:
  Metadata() = default;

  /// As read from `source`; throws where two entries have one key.
  Metadata(std::string source, std::vector<MetadataEntry> entries);

  /// Made in memory: `Metadata({{"general.architecture", "llama"}, {"llama.block_count", 30u}})`.
  Metadata(std::initializer_list<std::pair<std::string_view, MetadataValue>> values,
           std::string source = "metadata");

  bool contains(std::string_view key) const { return value(key) != nullptr; }

  /// The value of `key` as a T: bool, an integer, float, double, std::string_view, std::string, or
  /// a std::vector of these. Integers of any width in the file are taken where the value fits.
  /// Throws where the key is missing or its value is something else. Text lives as long as the
  /// file's bytes.
  template <class T>
  T get(std::string_view key) const;

  /// The same; nothing where the key is missing.
  template <class T>
  std::optional<T> find(std::string_view key) const;

  /// The same; `fallback` where the key is missing.
  template <class T>
  T get_or(std::string_view key, T fallback) const;

  /// The value as stored, or null; for keys that may hold one number or one for each layer.
  const MetadataValue* value(std::string_view key) const;

  /// Adds the key at the end, or replaces its value in place.
  void set(std::string_view key, MetadataValue value);

  /// In the order of the file.
  std::span<const MetadataEntry> entries() const { return entries_; }

  /// The name messages use: the file's.
  const std::string& source() const { return source_; }

 private:
  std::vector<std::uint32_t>::const_iterator lower_bound(std::string_view key) const;
  template <class T>
  T convert(std::string_view key, const MetadataValue& value) const;

  std::string source_ = "metadata";
  std::vector<MetadataEntry> entries_;
  std::vector<std::uint32_t> by_key_;  // indices of entries_, sorted by key
};

inline Metadata::Metadata(std::string source, std::vector<MetadataEntry> entries)
    : source_(std::move(source)), entries_(std::move(entries)) {
  by_key_.resize(entries_.size());
  for (std::size_t i = 0; i < by_key_.size(); ++i) by_key_[i] = static_cast<std::uint32_t>(i);
  const auto key = [this](std::uint32_t i) { return entries_[i].key; };
  std::sort(by_key_.begin(), by_key_.end(), [&](auto a, auto b) { return key(a) < key(b); });
  const auto same = [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); };
  const auto twice = std::adjacent_find(by_key_.begin(), by_key_.end(), same);
  if (twice == by_key_.end()) return;
  throw Error(source_ + ": the key " + quoted(key(*twice)) +
              " occurs twice, so that its value is undefined; convert the model again");
}

inline Metadata::Metadata(std::initializer_list<std::pair<std::string_view, MetadataValue>> values,
                          std::string source)
    : source_(std::move(source)) {
  for (const auto& [key, value] : values) set(key, value);
}

inline std::vector<std::uint32_t>::const_iterator Metadata::lower_bound(
    std::string_view key) const {
  const auto less = [this](std::uint32_t i, std::string_view k) { return entries_[i].key < k; };
  return std::lower_bound(by_key_.begin(), by_key_.end(), key, less);
}

inline const MetadataValue* Metadata::value(std::string_view key) const {
  const auto at = lower_bound(key);
  return at != by_key_.end() && entries_[*at].key == key ? &entries_[*at].value : nullptr;
}

inline void Metadata::set(std::string_view key, MetadataValue value) {
  const auto at = lower_bound(key);
  if (at != by_key_.end() && entries_[*at].key == key) {
    entries_[*at].value = std::move(value);
    return;
  }
  auto owned = std::make_shared<const std::string>(key);
  by_key_.insert(at, static_cast<std::uint32_t>(entries_.size()));
  entries_.push_back({*owned, std::move(value), owned});
}

template <class T>
T Metadata::convert(std::string_view key, const MetadataValue& value) const {
  try {
    return value.as<T>();
  } catch (const Error& error) {
    throw Error(source_ + ": the key " + quoted(key) + " " + error.what());
  }
}

template <class T>
T Metadata::get(std::string_view key) const {
  const MetadataValue* found = value(key);
  if (found != nullptr) return convert<T>(key, *found);
  throw Error(source_ + ": the key " + quoted(key) +
              " is missing; the file is incomplete: convert the model again");
}

template <class T>
std::optional<T> Metadata::find(std::string_view key) const {
  const MetadataValue* found = value(key);
  if (found == nullptr) return std::nullopt;
  return convert<T>(key, *found);
}

template <class T>
T Metadata::get_or(std::string_view key, T fallback) const {
  const MetadataValue* found = value(key);
  return found == nullptr ? std::move(fallback) : convert<T>(key, *found);
}

}  // namespace lamina
