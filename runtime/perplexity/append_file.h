// AppendFile: a file that grows by what is finished, so that a long run can go on where it ended.
//
// One process writes it at a time: it is locked (flock) while the object lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace lamina {

class AppendFile {
 public:
  /// Opens the file, or makes an empty one. Throws Error where another process writes it.
  explicit AppendFile(std::filesystem::path path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const;
  /// Forgets everything from byte `size` on.
  void cut(std::uint64_t size);
  void append(std::span<const std::byte> bytes);
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
  /// Gives the file another name.
  void move(const std::filesystem::path& to);

 private:
  [[noreturn]] void fail(std::string_view what, std::string_view advice) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace lamina
