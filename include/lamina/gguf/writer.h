// Writes a GGUF file of version 3: the keys as they were set, the tensors as they were added.
//
// It refuses what the reader refuses, by the same rules (gguf/layout.h), so that reading what was
// written gives back the same keys, values, tensors and bytes.
#pragma once

#include "lamina/gguf/layout.h"
#include "lamina/gguf/metadata.h"
#include "lamina/core/tensor.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

class GgufWriter {
 public:
  /// Sets a key; `general.alignment` becomes the file's alignment.
  GgufWriter& set(std::string_view key, MetadataValue value);

  /// Sets every key of `metadata`, whose bytes must live until the file is written.
  GgufWriter& set(const Metadata& metadata);

  /// Adds a tensor of 1 to 4 extents, innermost first; its bytes must live until the file is
  /// written.
  GgufWriter& add_tensor(std::string_view name, FormatId format,
                         std::span<const std::int64_t> extents, std::span<const std::byte> bytes);
  GgufWriter& add_tensor(std::string_view name, FormatId format,
                         std::initializer_list<std::int64_t> extents,
                         std::span<const std::byte> bytes);

  /// Adds a tensor of another file; outer extents of 1 are left out.
  GgufWriter& add_tensor(const TensorView& tensor);

  const Metadata& metadata() const { return metadata_; }

  void write(std::ostream& out) const;
  std::vector<std::byte> to_bytes() const;

 private:
  struct Tensor {
    std::string name;
    FormatId format;
    std::vector<std::uint64_t> extents;
    std::span<const std::byte> bytes;
  };

  std::uint32_t alignment() const;
  std::vector<std::byte> head() const;  // everything before the data
  template <class Sink>
  void emit(Sink&& sink) const;

  Metadata metadata_ = Metadata({}, "GGUF to write");
  std::vector<Tensor> tensors_;
  std::set<std::string, std::less<>> names_;
};

inline GgufWriter& GgufWriter::set(std::string_view key, MetadataValue value) {
  check_key(metadata_.source(), key);
  if (!metadata_.contains(key) && metadata_.entries().size() == GgufLayout::max_keys) {
    throw Error(metadata_.source() + ": more than " + std::to_string(GgufLayout::max_keys) +
                " keys");
  }
  if (key == "general.alignment") {
    check_alignment(metadata_.source(), Metadata({{key, value}}).get<std::uint64_t>(key));
  }
  metadata_.set(key, std::move(value));
  return *this;
}

inline GgufWriter& GgufWriter::set(const Metadata& metadata) {
  for (const MetadataEntry& entry : metadata.entries()) set(entry.key, entry.value);
  return *this;
}

inline GgufWriter& GgufWriter::add_tensor(std::string_view name, FormatId format,
                                          std::span<const std::int64_t> extents,
                                          std::span<const std::byte> bytes) {
  const std::string& source = metadata_.source();
  check_tensor_name(source, name);
  Tensor tensor{std::string(name), format, {}, bytes};
  for (const std::int64_t extent : extents) {
    tensor.extents.push_back(extent < 0 ? 0 : static_cast<std::uint64_t>(extent));  // 0: refused
  }
  const FormatInfo& info = checked_format(source, name, static_cast<std::uint32_t>(format));
  const std::uint64_t expected = checked_tensor_bytes(source, name, info, tensor.extents);
  if (bytes.size() != expected) {
    throw Error(source + ": the tensor " + quoted(name) + " comes with " +
                std::to_string(bytes.size()) + " bytes, its extents and format take " +
                std::to_string(expected));
  }
  if (tensors_.size() == GgufLayout::max_tensors) {
    throw Error(source + ": more than " + std::to_string(GgufLayout::max_tensors) + " tensors");
  }
  if (!names_.insert(tensor.name).second) {
    throw Error(source + ": the tensor " + quoted(name) + " was already added");
  }
  tensors_.push_back(std::move(tensor));
  return *this;
}

inline GgufWriter& GgufWriter::add_tensor(std::string_view name, FormatId format,
                                          std::initializer_list<std::int64_t> extents,
                                          std::span<const std::byte> bytes) {
  return add_tensor(name, format, std::span(extents.begin(), extents.size()), bytes);
}

inline GgufWriter& GgufWriter::add_tensor(const TensorView& tensor) {
  std::size_t rank = GgufLayout::max_extents;
  while (rank > 1 && tensor.extent[rank - 1] == 1) --rank;
  return add_tensor(tensor.name, tensor.format, std::span(tensor.extent, rank), tensor.bytes);
}

inline std::uint32_t GgufWriter::alignment() const {
  return metadata_.get_or("general.alignment", GgufLayout::default_alignment);
}

inline std::vector<std::byte> GgufWriter::head() const {
  std::vector<std::byte> out;
  detail::append(out, GgufLayout::magic.data(), GgufLayout::magic.size());
  detail::encode(out, GgufLayout::version);
  detail::encode(out, std::uint64_t{tensors_.size()});
  detail::encode(out, std::uint64_t{metadata_.entries().size()});
  for (const auto& [key, value, owner] : metadata_.entries()) {
    detail::encode(out, key);
    if (value.is_array()) detail::encode(out, static_cast<std::uint32_t>(ValueType::array));
    detail::encode(out, static_cast<std::uint32_t>(value.type()));
    if (value.is_array()) detail::encode(out, value.size());
    detail::append(out, value.bytes().data(), value.bytes().size());
  }
  std::uint64_t offset = 0;
  for (const Tensor& tensor : tensors_) {
    detail::encode(out, tensor.name);
    detail::encode(out, static_cast<std::uint32_t>(tensor.extents.size()));
    for (const std::uint64_t extent : tensor.extents) detail::encode(out, extent);
    detail::encode(out, static_cast<std::uint32_t>(tensor.format));
    detail::encode(out, offset);
    offset = align_up(offset + tensor.bytes.size(), alignment());
  }
  out.resize(align_up(out.size(), alignment()));
  return out;
}

/// Hands the file to `sink` piece by piece, in order.
template <class Sink>
void GgufWriter::emit(Sink&& sink) const {
  sink(std::span<const std::byte>(head()));
  const std::vector<std::byte> zeros(alignment());
  for (const Tensor& tensor : tensors_) {
    sink(tensor.bytes);
    const std::uint64_t padded = align_up(tensor.bytes.size(), alignment());
    sink(std::span(zeros).first(static_cast<std::size_t>(padded - tensor.bytes.size())));
  }
}

inline void GgufWriter::write(std::ostream& out) const {
  emit([&](std::span<const std::byte> piece) {
    out.write(reinterpret_cast<const char*>(piece.data()),
              static_cast<std::streamsize>(piece.size()));
  });
  if (!out.flush()) {
    throw Error(metadata_.source() + ": writing failed; is the disk full?");
  }
}

inline std::vector<std::byte> GgufWriter::to_bytes() const {
  std::vector<std::byte> out;
  emit([&](std::span<const std::byte> piece) { detail::append(out, piece.data(), piece.size()); });
  return out;
}

}  // namespace lamina
