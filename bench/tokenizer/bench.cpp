// How fast texts become tokens: lamina's side of compare.py.
//
// usage: bench_tokenizer VOCABULARY.gguf DOCUMENTS PASSES IDS
// DOCUMENTS holds texts, each preceded by its size as 32 bits in native order; IDS gets the tokens
// of each text in the same form. Prints, as JSON, the milliseconds of loading and the MB/s of each
// pass over all documents, in processor time of the one thread.
#include "runtime/gguf_files.h"
#include "runtime/tokenizer/tokenizer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

double seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::vector<std::string_view> documents(std::string_view file) {
  std::vector<std::string_view> found;
  std::uint32_t size = 0;
  while (file.size() >= sizeof size) {
    std::memcpy(&size, file.data(), sizeof size);
    found.push_back(file.substr(sizeof size, size));
    file.remove_prefix(sizeof size + found.back().size());
  }
  return found;
}

void write(const std::vector<std::vector<lamina::Token>>& texts, const char* path) {
  std::ofstream out(path, std::ios::binary);
  for (const std::vector<lamina::Token>& tokens : texts) {
    const auto count = static_cast<std::uint32_t>(tokens.size());
    out.write(reinterpret_cast<const char*>(&count), sizeof count);
    out.write(reinterpret_cast<const char*>(tokens.data()),
              static_cast<std::streamsize>(count * sizeof(lamina::Token)));
  }
}

void run(char** arguments) {
  std::ifstream input(arguments[2], std::ios::binary);
  const std::string file((std::istreambuf_iterator<char>(input)), {});
  const std::vector<std::string_view> texts = documents(file);
  double start = seconds();
  const lamina::GgufFiles files(arguments[1]);
  const lamina::Tokenizer tokenizer = lamina::Tokenizer::from_metadata(files.metadata());
  const double load = seconds() - start;
  std::vector<double> speeds;
  std::vector<std::vector<lamina::Token>> tokens(texts.size());
  for (int pass = std::atoi(arguments[3]); pass > 0; --pass) {
    std::size_t bytes = 0;
    start = seconds();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      tokens[i] = tokenizer.encode(texts[i], {.add_special = false, .parse_special = false});
      bytes += texts[i].size();
    }
    speeds.push_back(static_cast<double>(bytes) / 1e6 / (seconds() - start));
  }
  write(tokens, arguments[4]);
  fmt::print("{{\"load_ms\": {:.1f}, \"passes\": [{:.2f}]}}\n", 1e3 * load,
             fmt::join(speeds, ", "));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) {
    std::fputs("usage: bench_tokenizer VOCABULARY.gguf DOCUMENTS PASSES IDS\n", stderr);
    return 2;
  }
  try {
    run(arguments);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_tokenizer: {}\n", error.what());
    return 1;
  }
}
