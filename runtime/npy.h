// NpyWriter: a float32 matrix written row by row as a NumPy file.
//
// Layout (NumPy's format specification, numpy.lib.format, version 1.0): the bytes \x93NUMPY,
// version 1 0, a little-endian uint16 length, a header that is a Python dictionary padded with
// blanks to a multiple of 64 bytes, then the values, row after row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

namespace lamina {

/// The header of a C-ordered little-endian float32 array of shape (rows, cols).
std::string npy_header(std::int64_t rows, std::int64_t cols);

class NpyWriter {
 public:
  /// Starts `path` for [rows, cols] values. A regular file appears only when it is complete.
  NpyWriter(std::filesystem::path path, std::int64_t rows, std::int64_t cols);
  ~NpyWriter();
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;

  /// Writes the next row of `cols` values.
  void write_row(std::span<const float> row);
  /// Closes the file and puts it in its place; throws where rows are missing.
  void finish();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  std::filesystem::path writing_;  // beside path_ until finish(); path_ itself for a device or pipe
  std::ofstream file_;
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  std::int64_t written_ = 0;  // rows
};

}  // namespace lamina
