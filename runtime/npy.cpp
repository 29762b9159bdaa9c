// Writing beside the final name and renaming, so that no half file is ever found under it.
#include "runtime/npy.h"

#include "lamina/core/error.h"

#include <fmt/format.h>

#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

namespace lamina {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");

std::string npy_header(std::int64_t rows, std::int64_t cols) {
  std::string dictionary =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, cols);
  constexpr std::size_t before = 10;  // magic, version, length
  const std::size_t total = (before + dictionary.size() + 1 + 63) / 64 * 64;
  dictionary.append(total - before - dictionary.size() - 1, ' ').append("\n");
  const auto length = static_cast<std::uint16_t>(dictionary.size());
  std::string header = "\x93NUMPY";
  header += {'\x01', '\x00', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return header + dictionary;
}

NpyWriter::NpyWriter(fs::path path, std::int64_t rows, std::int64_t cols)
    : path_(std::move(path)), rows_(rows), cols_(cols) {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) {
    throw Error(
        fmt::format("{} is a directory; expected the name of a file to write", path_.string()));
  }
  writing_ = path_;
  if (!fs::exists(path_, ignored) || fs::is_regular_file(path_, ignored)) {
    writing_ += fmt::format(".{}.part", getpid());
  }
  file_.open(writing_, std::ios::binary | std::ios::trunc);
  const std::string header = npy_header(rows, cols);
  if (!file_ || !file_.write(header.data(), static_cast<std::streamsize>(header.size()))) {
    fail("cannot be opened for writing");
  }
}

NpyWriter::~NpyWriter() {
  file_.close();
  std::error_code ignored;
  if (writing_ != path_) fs::remove(writing_, ignored);
}

void NpyWriter::write_row(std::span<const float> row) {
  if (static_cast<std::int64_t>(row.size()) != cols_ || written_ == rows_) {
    throw Error(fmt::format("{}: row {} of {} values does not fit the announced shape ({}, {})",
                            path_.string(), written_, row.size(), rows_, cols_));
  }
  const auto bytes = std::as_bytes(row);
  file_.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  if (!file_) fail("cannot be written");
  ++written_;
}

void NpyWriter::finish() {
  if (written_ != rows_) {
    throw Error(
        fmt::format("{}: {} rows were written of {} announced", path_.string(), written_, rows_));
  }
  file_.close();
  if (!file_) fail("cannot be written");
  if (writing_ == path_) return;
  std::error_code error;
  fs::rename(writing_, path_, error);
  if (error)
    throw Error(fmt::format("{}: cannot be put in place: {}", path_.string(), error.message()));
  writing_ = path_;
}

void NpyWriter::fail(const char* what) const {
  const int cause = errno;
  std::error_code ignored;
  if (writing_ != path_) fs::remove(writing_, ignored);
  throw Error(fmt::format("{} {}: {}; choose another folder or free some space", path_.string(),
                          what, std::strerror(cause)));
}

}  // namespace lamina
