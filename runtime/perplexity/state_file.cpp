// Lines are checked as they are read: their number, their lists and every value.
#include "runtime/perplexity/state_file.h"

#include "lamina/core/error.h"
#include "runtime/json_text.h"
#include "runtime/mapped_file.h"
#include "runtime/perplexity/settings.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* mark = "lamina-perplexity";
constexpr int version = 1;

[[noreturn]] void refuse(const std::string& source, std::string_view what) {
  throw Error(fmt::format("{}: {}; remove the file to begin anew", source, what));
}

/// The list `key` of a line, which must have `size` values of the right kind.
const Json& list(const Json& line, const char* key, std::size_t size, const std::string& source) {
  const auto found = line.is_object() ? line.find(key) : line.end();
  if (found == line.end() || !found->is_array() || found->size() != size) {
    refuse(source, fmt::format("expected \"{}\", a list of {}", key, size));
  }
  return *found;
}

double number(const Json& value, const std::string& source) {
  if (!value.is_number()) refuse(source, "expected a number, found " + json_kind(value));
  return value.get<double>();
}

}  // namespace

StateFile::StateFile(const std::filesystem::path& path, const Json& settings, Shape shape)
    : file_(path), shape_(shape) {
  if (file_.size() > 0) {
    const MappedFile begun(path);
    const auto bytes = begun.bytes();
    read({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, settings);
  }
  if (file_.size() == 0) {
    file_.append(Json{{mark, version}, {"settings", settings}}.dump(
                     -1, ' ', false, Json::error_handler_t::replace) +
                 "\n");
  }
}

void StateFile::read(std::string_view text, const Json& settings) {
  std::size_t at = 0;
  for (std::size_t number = 1;; ++number) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    const std::string source = fmt::format("{}: line {}", file_.path().string(), number);
    const Json line = parse_ordered_json(text.substr(at, end - at), source);
    if (number > 1) {
      read_chunk(line, source);
    } else if (!line.is_object() || line.value(mark, Json()) != version) {
      refuse(source, fmt::format("this is no state of a measurement in version {}", version));
    } else {
      check_settings(line.value("settings", Json()), settings, file_.path().string());
    }
    at = end + 1;
  }
  // A first line that was never ended is ours only if it begins as ours do.
  if (at == 0 && !text.starts_with(fmt::format("{{\"{}\"", mark))) {
    refuse(file_.path().string(), "this is no state of a measurement");
  }
  file_.cut(at);
}

void StateFile::read_chunk(const Json& line, const std::string& source) {
  const std::size_t index = measured_.size() / shape_.positions;
  if (!line.is_object() || line.value("chunk", Json()) != index || index >= shape_.chunks) {
    refuse(source, fmt::format("expected chunk {} of {}", index, shape_.chunks));
  }
  const auto values = [&](const char* key) -> const Json& {
    return list(line, key, shape_.positions, source);
  };
  for (std::size_t i = 0; i < shape_.positions; ++i) {
    Measured m{.nll = number(values("nll")[i], source)};
    if (shape_.compared) {
      m.base_nll = number(values("base_nll")[i], source);
      m.divergence = number(values("divergence")[i], source);
      const Json& same = values("same_top")[i];
      if (!same.is_boolean()) refuse(source, "expected true or false, found " + json_kind(same));
      m.same_top = same.get<bool>();
    }
    measured_.push_back(m);
  }
}

void StateFile::add(std::span<const Measured> chunk) {
  Json line = {{"chunk", measured_.size() / shape_.positions}};
  for (const Measured& m : chunk) {
    line["nll"].push_back(m.nll);
    if (!shape_.compared) continue;
    line["base_nll"].push_back(m.base_nll);
    line["divergence"].push_back(m.divergence);
    line["same_top"].push_back(m.same_top);
  }
  file_.append(line.dump() + "\n");
  measured_.insert(measured_.end(), chunk.begin(), chunk.end());
}

}  // namespace lamina
