// GgufFiles: a model's GGUF file, or all the parts it is split into, opened by the path of the
// first.
#pragma once

#include "lamina/gguf/split.h"
#include "runtime/mapped_file.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace lamina {

class GgufFiles {
 public:
  /// Maps and reads the file and, where it is the first of several, the others beside it.
  explicit GgufFiles(const std::filesystem::path& path);

  /// The keys of the first file.
  const Metadata& metadata() const { return model_.metadata; }

  /// The tensors of all files, in order.
  const std::vector<TensorView>& tensors() const { return model_.tensors.all(); }

  /// The tensor called `name`, or null.
  const TensorView* find(std::string_view name) const { return model_.tensors.find(name); }

  std::span<const MappedFile> files() const { return files_; }

  /// Bytes of all files.
  std::size_t size() const;

  /// A hint that the tensor's bytes are not needed for now.
  void release(const TensorView& tensor) const;

 private:
  std::vector<MappedFile> files_;
  MergedGguf model_;  // views into files_
};

}  // namespace lamina
