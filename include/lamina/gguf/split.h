// A model in several GGUF files: how its parts are named, and how they become one.
//
// Parts are called PREFIX-00001-of-00003.gguf; `split.no` counts from 0, `split.count` says how
// many there are. The first part carries all metadata, every part its own tensors;
// `split.tensors.count` is the number of tensors of all (ggml-org/llama.cpp, tools/gguf-split).
#pragma once

#include "lamina/gguf/reader.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lamina {

/// Which part of how many a file is; a file that is not split is part 0 of 1.
struct SplitPart {
  std::uint32_t index = 0;
  std::uint32_t count = 1;
};

/// The model of one or more parts; views into the bytes of all of them.
struct MergedGguf {
  Metadata metadata;  // of the first part
  TensorTable tensors;
};

/// What the file says of itself; throws where that makes no sense.
SplitPart split_part(const Metadata& metadata);

/// How the name of the part ends: "-00001-of-00003.gguf".
std::string split_suffix(SplitPart part);

/// The name of part `part` when the first one is called `first`; throws where `first`
/// does not end in the first one's suffix.
std::string split_part_name(std::string_view first, SplitPart part);

/// Puts the parts, all of them and in order, together.
MergedGguf merge_gguf(std::vector<GgufFile> parts);

inline std::string split_suffix(SplitPart part) {
  const auto five_digits = [](std::uint32_t number) {
    const std::string digits = std::to_string(number);
    return std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
  };
  return "-" + five_digits(part.index + 1) + "-of-" + five_digits(part.count) + ".gguf";
}

inline SplitPart split_part(const Metadata& metadata) {
  const auto count = metadata.get_or<std::uint16_t>("split.count", 1);
  if (count <= 1) return {};  // 0 is what a model put together again has
  const SplitPart part{metadata.get<std::uint16_t>("split.no"), count};
  if (part.index < part.count) return part;
  throw Error(metadata.source() + ": the key 'split.no' is " + std::to_string(part.index) +
              ", expected less than 'split.count', which is " + std::to_string(part.count) +
              "; split the model again");
}

inline std::string split_part_name(std::string_view first, SplitPart part) {
  const std::string suffix = split_suffix({0, part.count});
  if (!first.ends_with(suffix)) {
    throw Error(std::string(first) + ": the first of " + std::to_string(part.count) +
                " parts must be named ...'" + suffix +
                "' for the others to be found; rename the files");
  }
  first.remove_suffix(suffix.size());
  return std::string(first) + split_suffix(part);
}

inline MergedGguf merge_gguf(std::vector<GgufFile> parts) {
  if (parts.empty()) throw Error("no GGUF file was given to put together");
  const Metadata& metadata = parts[0].metadata;
  std::size_t total = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SplitPart part = split_part(parts[i].metadata);
    if (part.index != i || part.count != parts.size()) {
      throw Error(parts[i].metadata.source() + ": says it is part " +
                  std::to_string(part.index + 1) + " of " + std::to_string(part.count) +
                  ", expected part " + std::to_string(i + 1) + " of " +
                  std::to_string(parts.size()) + "; the parts do not belong together");
    }
    total += parts[i].tensors.size();
  }
  if (parts.size() > 1) {
    const auto expected = metadata.get<std::uint64_t>("split.tensors.count");
    if (total != expected) {
      throw Error(metadata.source() + ": the key 'split.tensors.count' is " +
                  std::to_string(expected) + ", but the parts have " + std::to_string(total) +
                  " tensors; the parts do not belong together");
    }
  }
  if (parts.size() == 1) return {std::move(parts[0].metadata), std::move(parts[0].tensors)};
  std::vector<TensorView> tensors;
  tensors.reserve(total);
  for (const GgufFile& part : parts) {
    tensors.insert(tensors.end(), part.tensors.begin(), part.tensors.end());
  }
  TensorTable table(metadata.source() + " and its other parts", std::move(tensors));
  return {std::move(parts[0].metadata), std::move(table)};
}

}  // namespace lamina
