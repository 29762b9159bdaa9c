// Every number of a file is compared with its size before anything is taken or read by it.
#include "runtime/perplexity/base_file.h"

#include "lamina/core/error.h"
#include "runtime/json_text.h"
#include "runtime/perplexity/settings.h"
#include "runtime/perplexity/stored_row.h"
#include "runtime/system.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace lamina {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "LAMINAKL";
constexpr std::uint32_t version = 1;
constexpr std::size_t sum_bytes = 64;

struct Numbers {
  char magic[8];
  std::uint32_t version, context, chunks, vocab, settings, zero;
};
static_assert(sizeof(Numbers) == 32);

std::string sum_of(std::span<const std::byte> a, std::span<const std::byte> b = {}) {
  Sha256 sum;
  sum.update(a);
  sum.update(b);
  return sum.hex();
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

fs::path part(fs::path path) { return path += ".part"; }

[[noreturn]] void damaged(const fs::path& path, const std::string& what) {
  throw Error(fmt::format(
      "{}: is damaged: {}; remove it and write the base again (--kl-divergence-base alone)",
      path.string(), what));
}

}  // namespace

std::size_t BaseHeader::row_bytes() const { return StoredRow::size(vocab); }

std::size_t BaseHeader::chunk_bytes() const {
  return scored_positions(chunks.context) * row_bytes() + sum_bytes;
}

std::uint64_t BaseHeader::file_bytes() const {
  return bytes().size() + std::uint64_t{chunks.count()} * chunk_bytes();
}

std::string BaseHeader::bytes() const {
  std::string text =
      settings.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  Numbers numbers{{},
                  version,
                  static_cast<std::uint32_t>(chunks.context),
                  static_cast<std::uint32_t>(chunks.count()),
                  static_cast<std::uint32_t>(vocab),
                  static_cast<std::uint32_t>(text.size()),
                  0};
  std::memcpy(numbers.magic, magic.data(), magic.size());
  text += as_text(std::as_bytes(std::span(chunks.tokens)));
  const auto front = std::as_bytes(std::span(&numbers, 1));
  const std::string sum = sum_of(front, std::as_bytes(std::span(text)));
  return std::string(as_text(front)) + sum + text;
}

BaseFile::BaseFile(const fs::path& path, bool unfinished) : file_(path) {
  read_header();
  const std::uint64_t whole = header_.file_bytes(), found = file_.bytes().size();
  if (found > whole || (found < whole && !unfinished)) {
    damaged(path, fmt::format("it has {} bytes, expected {}", found, whole));
  }
}

void BaseFile::read_header() {
  const auto bytes = file_.bytes();
  Numbers numbers{};
  std::memcpy(&numbers, bytes.data(), std::min(sizeof numbers, bytes.size()));
  if (std::string_view(numbers.magic, magic.size()) != magic) {
    throw Error(
        fmt::format("{}: is no base for --kl-divergence; write one with "
                    "--kl-divergence-base alone",
                    file_.path().string()));
  }
  if (bytes.size() < sizeof numbers) damaged(file_.path(), "it ends within its header");
  if (numbers.version != version) {
    throw Error(fmt::format("{}: has version {} of the format, expected {}; write it anew",
                            file_.path().string(), numbers.version, version));
  }
  const std::uint64_t fixed = sizeof numbers + sum_bytes + numbers.settings;
  const std::uint64_t tokens = std::uint64_t{numbers.context} * numbers.chunks;
  if (bytes.size() < fixed || (bytes.size() - fixed) / sizeof(Token) < tokens) {
    damaged(file_.path(), "it ends within its header");
  }
  header_bytes_ = fixed + tokens * sizeof(Token);
  const auto rest = bytes.first(header_bytes_).subspan(sizeof numbers + sum_bytes);
  fingerprint_ = as_text(bytes.subspan(sizeof numbers, sum_bytes));
  if (sum_of(bytes.first(sizeof numbers), rest) != fingerprint_) {
    damaged(file_.path(), "the SHA-256 of its header is another than it says");
  }
  // With these, and tokens that lie in the file, the size of no file overflows 64 bits.
  constexpr std::uint32_t most_context = 1u << 30, most_vocab = 1u << 24;
  if (numbers.context < shortest_chunk || numbers.context > most_context || numbers.chunks == 0 ||
      numbers.vocab == 0 || numbers.vocab > most_vocab) {
    damaged(file_.path(), fmt::format("{} chunks of {} tokens of {}", numbers.chunks,
                                      numbers.context, numbers.vocab));
  }
  header_.chunks.context = static_cast<Position>(numbers.context);
  header_.vocab = numbers.vocab;
  header_.settings = parse_ordered_json(as_text(rest.first(numbers.settings)),
                                        file_.path().string() + ": settings");
  header_.chunks.tokens.resize(tokens);
  std::memcpy(header_.chunks.tokens.data(), rest.data() + numbers.settings, tokens * sizeof(Token));
  for (const Token token : header_.chunks.tokens) {
    if (token < 0 || token >= header_.vocab) {
      damaged(file_.path(), fmt::format("token {} of a vocabulary of {}", token, header_.vocab));
    }
  }
}

std::size_t BaseFile::count() const {
  return (file_.bytes().size() - header_bytes_) / header_.chunk_bytes();
}

std::span<const std::byte> BaseFile::chunk(std::size_t index) const {
  const std::size_t size = header_.chunk_bytes();
  return file_.bytes().subspan(header_bytes_ + index * size, size);
}

std::span<const std::byte> BaseFile::rows(std::size_t index) const {
  const auto bytes = chunk(index);
  const auto rows = bytes.first(bytes.size() - sum_bytes);
  if (sum_of(rows) != as_text(bytes.last(sum_bytes))) {
    damaged(file_.path(),
            fmt::format("the SHA-256 of chunk {} is another than it says", index + 1));
  }
  return rows;
}

void BaseFile::release(std::size_t index) const { file_.release(chunk(index)); }

BaseWriter::BaseWriter(fs::path path, BaseHeader header)
    : path_(std::move(path)), header_(std::move(header)), file_([&] {
        std::error_code ignored;
        if (!fs::exists(fs::symlink_status(path_, ignored))) return part(path_);
        throw Error(
            fmt::format("{}: exists already, and a base is not overwritten; compare with "
                        "it (--kl-divergence), remove it, or choose another name",
                        path_.string()));
      }()) {
  if (file_.size() > 0) resume();
  check_space();
  if (file_.size() == 0) file_.append(header_.bytes());
}

/// Takes over the finished chunks of F.part and cuts off what follows them.
void BaseWriter::resume() {
  const std::string expected = header_.bytes();
  const std::uint64_t found = file_.size();
  if (found <
      expected.size()) {  // it was ended within its header: only a beginning of ours is ours
    const MappedFile begun(file_.path());
    if (expected.starts_with(as_text(begun.bytes()))) return file_.cut(0);
  }
  const BaseFile begun(file_.path(), true);
  check_settings(begun.header().settings, header_.settings, file_.path().string());
  if (begun.header().bytes() != expected) damaged(file_.path(), "it has other tokens");
  for (std::size_t i = 0; i < begun.count(); ++i) {
    const auto rows = begun.rows(i);
    for (std::size_t at = 0; at < rows.size(); at += header_.row_bytes()) {
      const StoredRow row(rows.subspan(at, header_.row_bytes()), header_.vocab);
      measured_.push_back({.nll = row.nll()});
    }
    begun.release(i);
  }
  file_.cut(expected.size() + begun.count() * header_.chunk_bytes());
}

void BaseWriter::check_space() const {
  const std::uint64_t whole = header_.file_bytes(), there = file_.size();
  const fs::path folder = fs::absolute(path_).parent_path();
  const std::uint64_t available = fs::space(folder).available;
  spdlog::info("{}: takes {}; {} has {} free", path_.string(), readable_size(whole),
               folder.string(), readable_size(available));
  if (whole - there <= available) return;
  throw Error(fmt::format(
      "{}: {} are still to be written, but {} has only {} free; free some "
      "space, choose another folder or fewer --chunks",
      path_.string(), readable_size(whole - there), folder.string(), readable_size(available)));
}

void BaseWriter::write_rows(std::span<const std::byte> rows) {
  sum_.update(rows);
  file_.append(rows);
}

void BaseWriter::end_chunk() { file_.append(std::exchange(sum_, Sha256()).hex()); }

void BaseWriter::finish() {
  if (file_.size() != header_.file_bytes()) {
    throw Error(fmt::format("{}: {} bytes were written of {}", path_.string(), file_.size(),
                            header_.file_bytes()));
  }
  file_.move(path_);
}

}  // namespace lamina
