// A base as it is written, continued, read, and refused when anything is wrong with it.
// Covers runtime/perplexity/append_file.h.
#include "runtime/perplexity/base_file.h"

#include "message_of.h"
#include "runtime/perplexity/stored_row.h"
#include "runtime/temporary_folder.h"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>

namespace lamina {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::message_of;
using test::TemporaryFolder;

constexpr Position context = 8;
constexpr std::size_t positions = 3, chunk_count = 3;
constexpr std::int64_t vocab = 37;

BaseHeader header() {
  BaseHeader header;
  header.chunks.context = context;
  header.chunks.tokens.resize(context * chunk_count);
  std::iota(header.chunks.tokens.begin(), header.chunks.tokens.end(), 5);
  header.vocab = vocab;
  header.settings = {{"model", "abc"}, {"backend", "cpu"}};
  return header;
}

/// The rows of a chunk, made up from its number.
std::vector<std::byte> rows(std::size_t chunk) {
  const std::size_t size = StoredRow::size(vocab);
  std::vector<std::byte> bytes(positions * size);
  for (std::size_t i = 0; i < positions; ++i) {
    std::vector<float> logits(vocab);
    for (std::size_t t = 0; t < logits.size(); ++t) {
      logits[t] = static_cast<float>((t * 7 + i * 3 + chunk) % 11);
    }
    StoredRow::write(logits, log_sum_exp(logits), 4, std::span(bytes).subspan(i * size, size));
  }
  return bytes;
}

void write_chunk(BaseWriter& writer, std::size_t chunk) {
  const auto bytes = rows(chunk);
  writer.write_rows(std::span(bytes).first(10));  // in any pieces
  writer.write_rows(std::span(bytes).subspan(10));
  writer.end_chunk();
}

fs::path write_base(const fs::path& path) {
  BaseWriter writer(path, header());
  for (std::size_t i = writer.measured().size() / positions; i < chunk_count; ++i) {
    write_chunk(writer, i);
  }
  writer.finish();
  return path;
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What opening the file and reading all of it complains of.
std::string complaint(const fs::path& path) {
  return message_of([&] {
    const BaseFile file(path);
    for (std::size_t i = 0; i < file.count(); ++i) file.rows(i);
  });
}

BOOST_AUTO_TEST_SUITE(base_file)

BOOST_AUTO_TEST_CASE(what_is_written_is_read) {
  const TemporaryFolder folder;
  const auto path = write_base(folder.path() / "base");
  BOOST_TEST(!fs::exists(folder.path() / "base.part"));
  const BaseFile file(path);
  BOOST_TEST(file.count() == chunk_count);
  BOOST_TEST(file.header().vocab == vocab);
  BOOST_TEST(file.header().chunks.context == context);
  BOOST_TEST(file.header().chunks.tokens == header().chunks.tokens,
             boost::test_tools::per_element());
  BOOST_TEST((file.header().settings == header().settings));
  BOOST_TEST(file.fingerprint() == header().bytes().substr(32, 64));
  for (std::size_t i = 0; i < chunk_count; ++i) {
    const auto found = file.rows(i);
    BOOST_TEST(found.size() == positions * (32u + 80u));  // 37 codes padded to 40
    BOOST_TEST(std::memcmp(found.data(), rows(i).data(), found.size()) == 0);
    file.release(i);
    BOOST_TEST(std::memcmp(file.rows(i).data(), rows(i).data(), found.size()) == 0);
  }
  BOOST_TEST(fs::file_size(path) == header().file_bytes());
}

BOOST_AUTO_TEST_CASE(every_truncation_is_refused_and_every_changed_byte) {
  const TemporaryFolder folder;
  const std::string whole = content(write_base(folder.path() / "base"));
  for (std::size_t size = 1; size < whole.size(); size += size < 210 ? 1 : 41) {
    const auto path = folder.write("cut", std::string_view(whole).substr(0, size));
    const std::string said = complaint(path);
    BOOST_TEST((contains(said, "is damaged") || contains(said, "is no base")), size << said);
  }
  BOOST_TEST(contains(complaint(folder.write("cut", "")), "empty"));
  BOOST_TEST(contains(complaint(folder.write("longer", whole + "x")), "is damaged: it has"));
  for (std::size_t at = 0; at < whole.size(); at += at < 210 ? 1 : 53) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    const std::string said = complaint(folder.write("changed", changed));
    BOOST_TEST((contains(said, "is damaged") || contains(said, "is no base") ||
                contains(said, "has version")),
               at << said);
  }
}

/// A header with a number replaced and its sum made right again, and nothing after it.
std::string forged(std::size_t place, std::uint32_t number) {
  std::string bytes = header().bytes();
  std::memcpy(bytes.data() + place, &number, sizeof number);
  Sha256 sum;
  sum.update(std::as_bytes(std::span(bytes).first(32)));
  sum.update(std::as_bytes(std::span(bytes).subspan(96)));
  return bytes.replace(32, 64, sum.hex());
}

BOOST_AUTO_TEST_CASE(no_number_of_a_file_is_believed) {
  const TemporaryFolder folder;
  for (const std::size_t place : {12u, 16u, 20u, 24u}) {  // context, chunks, vocabulary, settings
    for (const std::uint32_t number : {0u, 1u, 7u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
      const std::string said = complaint(folder.write("forged", forged(place, number)));
      BOOST_TEST(!contains(said, "no error"), place << ", " << number);
      BOOST_TEST(contains(said, "forged"), said);
    }
  }
  std::string token = header().bytes();
  const std::int32_t outside = vocab;
  std::memcpy(token.data() + token.size() - 4, &outside, 4);
  Sha256 sum;
  sum.update(std::as_bytes(std::span(token).first(32)));
  sum.update(std::as_bytes(std::span(token).subspan(96)));
  token.replace(32, 64, sum.hex());
  BOOST_TEST(contains(complaint(folder.write("token", token)), "token 37 of a vocabulary of 37"));
}

BOOST_AUTO_TEST_CASE(an_interrupted_base_goes_on_wherever_it_ended) {
  const TemporaryFolder folder;
  const std::string whole = content(write_base(folder.path() / "base"));
  const std::size_t start = header().bytes().size(), chunk = header().chunk_bytes();
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{90}, start - 1, start, start + 1, start + chunk - 1,
        start + chunk, start + 2 * chunk + 30, start + 3 * chunk}) {
    folder.write("again.part", std::string_view(whole).substr(0, size));
    {
      const BaseWriter writer(folder.path() / "again", header());
      const std::size_t finished = size < start ? 0 : (size - start) / chunk;
      BOOST_TEST(writer.measured().size() == finished * positions);
      for (std::size_t i = 0; i < writer.measured().size(); ++i) {
        const std::vector<std::byte> bytes = rows(i / positions);
        const std::size_t row = StoredRow::size(vocab);
        const std::span<const std::byte> all = bytes;
        const StoredRow expected(all.subspan(i % positions * row, row), vocab);
        BOOST_TEST(writer.measured()[i].nll == expected.nll());
      }
    }
    write_base(folder.path() / "again");
    BOOST_TEST(content(folder.path() / "again") == whole, size);
    fs::remove(folder.path() / "again");
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_ones_own_is_not_overwritten) {
  const TemporaryFolder folder;
  const auto path = write_base(folder.path() / "base");
  BOOST_TEST(contains(message_of([&] { BaseWriter(path, header()); }), "exists already"));
  const std::string whole = content(path);
  folder.write("other.part", whole.substr(0, whole.size() / 2));
  BaseHeader changed = header();
  changed.settings["backend"] = "reference";
  BOOST_TEST(contains(message_of([&] { BaseWriter(folder.path() / "other", changed); }),
                      "backend is \"cpu\" there and \"reference\" now"));
  folder.write("text.part", "a letter to somebody");
  BOOST_TEST(
      contains(message_of([&] { BaseWriter(folder.path() / "text", header()); }), "is no base"));
  BOOST_TEST(content(folder.path() / "text.part") == "a letter to somebody");
  std::string bad = whole.substr(0, whole.size() - 1);
  bad[header().bytes().size() + 40] ^= 1;
  folder.write("bad.part", bad);
  BOOST_TEST(contains(message_of([&] { BaseWriter(folder.path() / "bad", header()); }),
                      "the SHA-256 of chunk 1"));
  BOOST_TEST(contains(message_of([&] { BaseWriter(folder.path() / "no" / "base", header()); }),
                      "cannot be opened for writing"));
}

BOOST_AUTO_TEST_CASE(a_base_that_is_not_whole_gets_no_name) {
  const TemporaryFolder folder;
  BaseWriter writer(folder.path() / "base", header());
  write_chunk(writer, 0);
  BOOST_TEST(contains(message_of([&] { writer.finish(); }), "bytes were written of"));
  BOOST_TEST(!fs::exists(folder.path() / "base"));
  BOOST_TEST(contains(message_of([&] { BaseWriter(folder.path() / "base", header()); }),
                      "another process is writing it"));
}

BOOST_AUTO_TEST_CASE(a_base_larger_than_the_disk_is_refused_before_it_is_written) {
  const TemporaryFolder folder;
  BaseHeader large = header();
  large.chunks.context = 1 << 16;
  large.chunks.tokens.resize(std::size_t{1} << 20);
  large.vocab = std::int64_t{1} << 40;
  BOOST_TEST(contains(message_of([&] { BaseWriter(folder.path() / "base", large); }),
                      "are still to be written, but"));
  BOOST_TEST(fs::file_size(folder.path() / "base.part") == 0u);
}

BOOST_AUTO_TEST_CASE(files_that_grow) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "file";
  {
    AppendFile file(path);
    file.append("one two");
    file.cut(3);
    file.append(" three");
    BOOST_TEST(file.size() == 9u);
    BOOST_TEST(contains(message_of([&] { AppendFile second(path); }), "another process"));
    file.move(folder.path() / "moved");
    BOOST_TEST(file.path() == folder.path() / "moved");
    BOOST_TEST(
        contains(message_of([&] { file.move(folder.path() / "no" / "x"); }), "cannot be renamed"));
  }
  BOOST_TEST(content(folder.path() / "moved") == "one three");
  BOOST_TEST(AppendFile(folder.path() / "moved").size() == 9u);  // free again, and kept
  BOOST_TEST(contains(message_of([] { AppendFile file("/dev/null"); }), "no regular file"));
  BOOST_TEST(contains(message_of([&] { AppendFile file(folder.path()); }), "cannot be opened"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
