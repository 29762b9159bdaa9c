// Reads a GGUF file of version 2 or 3 from its bytes: metadata and tensors, as views into them.
//
// The bytes are not trusted: every number is checked against what is really there before it is
// used, and what cannot be right is an Error that names the file and the key or tensor. Memory
// taken does not grow with any number the file states, only with entries it holds. Layout:
// gguf/layout.h.
#pragma once

#include "lamina/gguf/byte_reader.h"
#include "lamina/gguf/layout.h"
#include "lamina/gguf/metadata.h"
#include "lamina/gguf/tensor_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lamina {

/// What a GGUF file holds; views into the bytes it was read from, which must outlive it.
struct GgufFile {
  std::uint32_t version = 0;
  Metadata metadata;
  TensorTable tensors;
  std::uint32_t alignment = 0;  // bytes; of the data and of each tensor in it
  std::uint64_t data_offset =
      0;  // bytes from the start of the file; its end may come first, without tensors

  /// The tensor called `name`, or null.
  const TensorView* find(std::string_view name) const { return tensors.find(name); }
};

/// Reads the bytes of a whole file; `file_name` is what messages call it.
GgufFile read_gguf(std::span<const std::byte> bytes, std::string_view file_name);

namespace detail {

struct GgufCounts {
  std::uint64_t tensors = 0;
  std::uint64_t keys = 0;
};

inline void check_magic(ByteReader& reader) {
  const auto start = reader.take(std::min<std::uint64_t>(4, reader.remaining()), "the header");
  const std::string_view found(reinterpret_cast<const char*>(start.data()), start.size());
  if (found == GgufLayout::magic) return;
  throw Error(
      std::string(reader.source()) + ": not a GGUF file: it starts with " + quoted(found) +
      ", expected 'GGUF'; an older ggml model must be converted, a failed download repeated");
}

inline std::uint32_t read_version(ByteReader& reader) {
  const auto version = reader.number<std::uint32_t>("the version");
  if (version == 2 || version == 3) return version;
  const std::string found(reader.source());
  if (version != 0 && (version & 0xFFFF) == 0) {
    throw Error(found +
                ": a big-endian GGUF file, lamina reads little-endian ones; convert it with "
                "gguf-convert-endian of the Python package gguf");
  }
  throw Error(found + ": GGUF version " + std::to_string(version) + ", expected 2 or 3; " +
              (version == 1 ? "convert the original model again: version 1 (2023) is no longer read"
                            : "the file is damaged or newer than this version of lamina"));
}

struct CountRule {
  std::string_view what;
  std::uint64_t smallest;  // bytes of one entry
  std::uint64_t limit;
};

inline std::uint64_t checked_count(const ByteReader& reader, std::uint64_t count, CountRule rule) {
  if (count <= rule.limit && count <= reader.remaining() / rule.smallest) return count;
  throw Error(std::string(reader.source()) + ": the header says there are " +
              std::to_string(count) + " " + std::string(rule.what) + ", but the " +
              std::to_string(reader.remaining()) + " bytes after it have room for " +
              std::to_string(std::min(rule.limit, reader.remaining() / rule.smallest)) +
              " at most; the file is damaged or cut short: download or convert it again");
}

inline GgufCounts read_counts(ByteReader& reader) {
  GgufCounts counts;
  counts.tensors = reader.number<std::uint64_t>("the number of tensors");
  counts.keys = reader.number<std::uint64_t>("the number of keys");
  checked_count(reader, counts.keys, {"keys", GgufLayout::min_key_entry, GgufLayout::max_keys});
  checked_count(reader, counts.tensors,
                {"tensors", GgufLayout::min_tensor_entry, GgufLayout::max_tensors});
  return counts;
}

inline Metadata read_metadata(ByteReader& reader, std::uint64_t count) {
  std::vector<MetadataEntry> entries;
  entries.reserve(static_cast<std::size_t>(count));  // checked against the bytes left
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view key = reader.string("the name of key " + std::to_string(i));
    check_key(reader.source(), key);
    entries.push_back({key, MetadataValue::read(reader, "the value of key " + quoted(key))});
  }
  return Metadata(std::string(reader.source()), std::move(entries));
}

inline std::uint32_t read_alignment(const Metadata& metadata) {
  const std::uint64_t alignment =
      metadata.get_or<std::uint64_t>("general.alignment", GgufLayout::default_alignment);
  check_alignment(metadata.source(), alignment);
  return static_cast<std::uint32_t>(alignment);
}

inline std::uint32_t read_rank(ByteReader& reader, std::string_view name, std::string_view what) {
  const auto rank = reader.number<std::uint32_t>(what);
  if (rank >= 1 && rank <= GgufLayout::max_extents) return rank;
  throw Error(std::string(reader.source()) + ": the tensor " + quoted(name) + " has " +
              std::to_string(rank) +
              " extents, expected 1 to 4; the file is damaged: download or convert it again");
}

/// Adds the next tensor of the list to both; its view still lacks its bytes.
inline void read_tensor(ByteReader& reader, std::vector<TensorView>& tensors,
                        std::vector<std::uint64_t>& offsets) {
  const std::string_view name =
      reader.string("the name of tensor " + std::to_string(tensors.size()));
  check_tensor_name(reader.source(), name);
  const std::string what = "the entry of tensor " + quoted(name);
  const std::uint32_t rank = read_rank(reader, name, what);
  std::uint64_t extents[GgufLayout::max_extents] = {};
  for (std::uint32_t i = 0; i < rank; ++i) extents[i] = reader.number<std::uint64_t>(what);
  const auto number = reader.number<std::uint32_t>(what);
  const FormatInfo& format = checked_format(reader.source(), name, number);
  checked_tensor_bytes(reader.source(), name, format, {extents, rank});
  TensorView tensor;
  tensor.name = name;
  tensor.format = format.id;
  for (std::uint32_t i = 0; i < rank; ++i) {
    tensor.extent[i] = static_cast<std::int64_t>(extents[i]);  // at most 2^48
  }
  tensors.push_back(tensor);
  offsets.push_back(reader.number<std::uint64_t>(what));
}

struct DataSection {
  std::string_view source;
  std::span<const std::byte> bytes;
  std::uint32_t alignment;
};

/// The bytes of `tensor` at `offset`, after checking that it lies where one may lie.
inline std::span<const std::byte> place(const TensorView& tensor, std::uint64_t offset,
                                        const DataSection& data) {
  const auto fail = [&](const std::string& how) {
    throw Error(std::string(data.source) + ": the tensor " + quoted(tensor.name) + " " + how +
                "; the file is damaged or cut short: download or convert it again");
  };
  const FormatInfo& format = *find_format(tensor.format);
  const auto size = static_cast<std::uint64_t>(tensor.elements() / format.block_size) *
                    static_cast<std::uint64_t>(format.block_bytes);
  if (offset % data.alignment != 0) {
    fail("starts at " + std::to_string(offset) + ", which is not a multiple of " +
         std::to_string(data.alignment));
  }
  if (offset > data.bytes.size() || size > data.bytes.size() - offset) {  // no sum that could wrap
    fail("has " + std::to_string(size) + " bytes at " + std::to_string(offset) +
         " of the data, but the file has only " + std::to_string(data.bytes.size()) +
         " bytes of data");
  }
  return data.bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

inline void check_no_overlap(std::string_view source, const std::vector<TensorView>& tensors) {
  std::vector<std::uint32_t> order(tensors.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  const auto start = [&](std::uint32_t i) { return tensors[i].bytes.data(); };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return start(a) < start(b); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const TensorView& before = tensors[order[i - 1]];
    const TensorView& after = tensors[order[i]];
    if (before.bytes.data() + before.bytes.size() <= after.bytes.data()) continue;
    throw Error(std::string(source) + ": the tensors " + quoted(before.name) + " and " +
                quoted(after.name) + " overlap; the file is damaged: download or convert it again");
  }
}

}  // namespace detail

inline GgufFile read_gguf(std::span<const std::byte> bytes, std::string_view file_name) {
  ByteReader reader(bytes, file_name);
  GgufFile file;
  detail::check_magic(reader);
  file.version = detail::read_version(reader);
  const detail::GgufCounts counts = detail::read_counts(reader);
  file.metadata = detail::read_metadata(reader, counts.keys);
  file.alignment = detail::read_alignment(file.metadata);

  std::vector<TensorView> tensors;
  std::vector<std::uint64_t> offsets;                         // from the start of the data
  tensors.reserve(static_cast<std::size_t>(counts.tensors));  // checked against the bytes left
  offsets.reserve(static_cast<std::size_t>(counts.tensors));
  for (std::uint64_t i = 0; i < counts.tensors; ++i) detail::read_tensor(reader, tensors, offsets);
  file.data_offset = align_up(reader.position(), file.alignment);
  const auto start = std::min<std::uint64_t>(file.data_offset, bytes.size());
  const detail::DataSection data{file_name, bytes.subspan(start), file.alignment};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    tensors[i].bytes = detail::place(tensors[i], offsets[i], data);
  }
  detail::check_no_overlap(file_name, tensors);
  file.tensors = TensorTable(file_name, std::move(tensors));
  return file;
}

}  // namespace lamina
