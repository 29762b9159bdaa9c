// Tensors without bytes in a file do not occur: the reader has checked their extents.
#include "runtime/perplexity/settings.h"

#include "lamina/core/error.h"
#include "runtime/sha256.h"

#include <fmt/format.h>

#include <algorithm>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

/// The bytes of the file that precede its first tensor.
std::span<const std::byte> head(const MappedFile& file, const std::vector<TensorView>& tensors) {
  const auto bytes = file.bytes();
  std::size_t size = bytes.size();
  for (const TensorView& tensor : tensors) {
    // As numbers: pointers into different files have no order.
    const auto place = reinterpret_cast<std::uintptr_t>(tensor.bytes.data());
    const auto start = reinterpret_cast<std::uintptr_t>(bytes.data());
    if (place >= start && place - start < size) size = place - start;
  }
  return bytes.first(size);
}

}  // namespace

std::string fingerprint(const GgufFiles& files) {
  Sha256 sum;
  for (const MappedFile& file : files.files()) {
    const std::uint64_t size = file.bytes().size();
    sum.update(std::as_bytes(std::span(&size, 1)));
    sum.update(head(file, files.tensors()));
  }
  for (const TensorView& tensor : files.tensors()) {
    sum.update(tensor.bytes.first(std::min<std::size_t>(tensor.bytes.size(), 4096)));
  }
  return sum.hex();
}

std::string fingerprint(const Chunks& chunks) {
  Sha256 sum;
  sum.update(std::as_bytes(std::span(chunks.tokens)));
  return sum.hex();
}

void check_settings(const Json& found, const Json& now, const std::string& source) {
  if (found == now) return;
  const auto shown = [](const Json& object, const std::string& key) {
    const auto value = object.is_object() ? object.find(key) : object.end();
    return value == object.end() ? std::string("absent")
                                 : value->dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string differences;
  const auto compare = [&](const std::string& key) {
    const std::string there = shown(found, key), here = shown(now, key);
    if (there == here) return;
    differences += fmt::format("{}{} is {} there and {} now", differences.empty() ? "" : ", ", key,
                               there, here);
  };
  for (const auto& [key, value] : now.items()) compare(key);
  for (const auto& [key, value] : found.items()) {
    if (!now.contains(key)) compare(key);
  }
  throw Error(
      fmt::format("{}: was begun by another measurement: {}; give the same model, text and flags "
                  "again, or remove the file to begin anew",
                  source, differences.empty() ? "it has other settings" : differences));
}

}  // namespace lamina
