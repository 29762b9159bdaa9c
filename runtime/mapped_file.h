// MappedFile: a file's bytes in memory, read by the system when they are touched.
//
// The file must not be shortened while it is mapped: touching what is gone ends the process
// (SIGBUS).
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace lamina {

class MappedFile {
 public:
  /// Maps the whole file read-only; throws where it is missing, empty, no regular file or not
  /// readable.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }
  const std::filesystem::path& path() const { return path_; }

  /// A hint that `part` is not needed for now: its whole pages may leave memory, and are read again
  /// when touched. Does nothing where `part` lies outside bytes().
  void release(std::span<const std::byte> part) const;

 private:
  std::filesystem::path path_;
  std::span<const std::byte> bytes_;
};

}  // namespace lamina
