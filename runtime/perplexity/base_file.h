// The base of a comparison: what a model made of a text, in a file that others are measured with.
//
// Layout, little-endian:
//   8 bytes "LAMINAKL"; uint32 version 1; uint32 context; uint32 chunks; uint32 vocabulary;
//   uint32 length of the settings; 4 zero bytes;
//   64 bytes: SHA-256, in hexadecimal, of the 32 bytes before, the settings and the tokens;
//   settings: JSON, which says what made the file; int32 tokens[chunks][context], as they were fed;
//   chunks, each: context - 1 - context/2 rows (stored_row.h), and 64 bytes: their SHA-256.
// A file of another size than that is damaged. While it is written it is called F.part and ends
// after any chunk; F is there only when it is whole.
#pragma once

#include "runtime/mapped_file.h"
#include "runtime/perplexity/append_file.h"
#include "runtime/perplexity/perplexity.h"
#include "runtime/perplexity/statistics.h"
#include "runtime/sha256.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace lamina {

struct BaseHeader {
  Chunks chunks;
  std::int64_t vocab = 0;
  nlohmann::ordered_json settings;

  std::size_t row_bytes() const;
  std::size_t chunk_bytes() const;   // with its sum
  std::uint64_t file_bytes() const;  // of the whole file
  std::string bytes() const;         // the header as it stands in the file
};

class BaseFile {
 public:
  /// Opens the file and checks its header and size. Throws Error for anything but a base: a whole
  /// one, unless it is `unfinished`.
  explicit BaseFile(const std::filesystem::path& path, bool unfinished = false);

  const BaseHeader& header() const { return header_; }
  /// The SHA-256 in the header.
  const std::string& fingerprint() const { return fingerprint_; }
  /// Chunks that are there.
  std::size_t count() const;
  /// The rows of a chunk; throws Error where their sum is another.
  std::span<const std::byte> rows(std::size_t chunk) const;
  /// A hint that the rows of the chunk are not needed any more.
  void release(std::size_t chunk) const;

 private:
  std::span<const std::byte> chunk(std::size_t index) const;
  void read_header();

  MappedFile file_;
  BaseHeader header_;
  std::string fingerprint_;
  std::size_t header_bytes_ = 0;
};

class BaseWriter {
 public:
  /// Begins F.part, or goes on with one that was begun with the same header. Throws Error where F
  /// exists, where F.part is of another measurement, and where the disk has not the space.
  BaseWriter(std::filesystem::path path, BaseHeader header);

  /// -ln p of the scored positions of the chunks that are there already.
  const std::vector<Measured>& measured() const { return measured_; }

  /// The next rows of the chunk under way.
  void write_rows(std::span<const std::byte> rows);
  void end_chunk();
  /// After the last chunk: gives the file its name.
  void finish();

 private:
  void resume();
  void check_space() const;

  std::filesystem::path path_;
  BaseHeader header_;
  AppendFile file_;
  Sha256 sum_;
  std::vector<Measured> measured_;
};

}  // namespace lamina
