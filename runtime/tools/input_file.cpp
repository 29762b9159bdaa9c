// Reading piece by piece: a pipe has no size that could be looked at first.
#include "runtime/tools/input_file.h"

#include "lamina/core/error.h"
#include "runtime/json_text.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <istream>
#include <system_error>

namespace lamina {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_mib = 256;

[[noreturn]] void fail(const std::string& source, std::string_view what) {
  throw Error(fmt::format("{}: {}", source, what));
}

}  // namespace

std::string file_source(std::string_view flag, const fs::path& path) {
  return fmt::format("{}{}{}", flag, flag.empty() ? "" : " ", path.string());
}

std::string read_stream(std::istream& stream, const std::string& source) {
  std::string text;
  std::array<char, 1 << 16> piece{};
  errno = 0;
  while (stream.read(piece.data(), piece.size()) || stream.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > largest_mib << 20) {
      fail(source, fmt::format("is larger than {} MiB", largest_mib));
    }
  }
  if (stream.bad() || errno != 0) {
    fail(source, fmt::format("reading failed: {}", std::strerror(errno)));
  }
  return text;
}

std::string read_file(std::string_view flag, const fs::path& path) {
  const std::string source = file_source(flag, path);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail(source, "is a directory; expected a file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(source, fmt::format("cannot be opened: {}", std::strerror(errno)));
  return read_stream(stream, source);
}

nlohmann::ordered_json read_json_file(std::string_view flag, const fs::path& path) {
  return parse_ordered_json(read_file(flag, path), file_source(flag, path));
}

}  // namespace lamina
