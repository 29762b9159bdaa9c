// Opens a GGUF file and its siblings.
#include "runtime/gguf_files.h"

#include <string>
#include <system_error>
#include <utility>

namespace lamina {
namespace {

GgufFile read(const MappedFile& file) { return read_gguf(file.bytes(), file.path().string()); }

/// Where part `part` lies when the first is `first`; throws, naming it, where it is missing.
std::filesystem::path sibling(const std::filesystem::path& first, SplitPart part) {
  auto path = first.parent_path() / split_part_name(first.filename().string(), part);
  std::error_code unknown;  // left for opening it to explain
  if (std::filesystem::exists(path, unknown) || unknown) return path;
  throw Error(path.string() + ": does not exist, but " + first.filename().string() +
              " is the first of " + std::to_string(part.count) +
              " parts and needs it; download or copy all parts into one folder");
}

/// Throws where `path` is not the first part, naming the one to open.
void check_first(const std::filesystem::path& path, SplitPart part) {
  if (part.index == 0) return;
  throw Error(path.string() + ": is part " + std::to_string(part.index + 1) + " of " +
              std::to_string(part.count) + "; open the first one, whose name ends in " +
              split_suffix({0, part.count}));
}

}  // namespace

GgufFiles::GgufFiles(const std::filesystem::path& path) {
  files_.emplace_back(path);
  std::vector<GgufFile> parts;
  parts.push_back(read(files_[0]));
  const SplitPart split = split_part(parts[0].metadata);
  check_first(path, split);
  for (std::uint32_t i = 1; i < split.count; ++i) {
    files_.emplace_back(sibling(path, {i, split.count}));
    parts.push_back(read(files_.back()));
  }
  model_ = merge_gguf(std::move(parts));
}

std::size_t GgufFiles::size() const {
  std::size_t total = 0;
  for (const MappedFile& file : files_) total += file.bytes().size();
  return total;
}

void GgufFiles::release(const TensorView& tensor) const {
  for (const MappedFile& file : files_) file.release(tensor.bytes);  // only its own does anything
}

}  // namespace lamina
