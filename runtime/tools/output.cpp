// Writing that notices when nobody receives it.
#include "runtime/tools/output.h"

#include "lamina/core/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace lamina {

void print_text(std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written != text.size() || std::fflush(stdout) != 0) {
    throw Error(fmt::format("stdout: writing failed: {}", std::strerror(errno)));
  }
}

void print_json(const nlohmann::ordered_json& value, int indent) {
  using Json = nlohmann::ordered_json;
  print_text(value.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace lamina
