// `lamina inspect`: what a model file holds.
#include "lamina/gguf/print.h"
#include "lamina/quant/formats.h"
#include "runtime/gguf_files.h"
#include "runtime/model_catalog.h"
#include "runtime/system.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

struct FormatTotal {
  std::int64_t tensors = 0;
  std::int64_t weights = 0;
  std::uint64_t bytes = 0;

  void add(const TensorView& tensor) {
    ++tensors;
    weights += tensor.elements();
    bytes += tensor.bytes.size();
  }
};

/// Innermost extent first, as the file has them; trailing ones are left out.
std::vector<std::int64_t> shape_of(const TensorView& tensor) {
  std::vector<std::int64_t> shape(std::begin(tensor.extent), std::end(tensor.extent));
  while (shape.size() > 1 && shape.back() == 1) shape.pop_back();
  return shape;
}

std::map<std::string, FormatTotal> totals_by_format(const GgufFiles& files) {
  std::map<std::string, FormatTotal> totals;
  for (const TensorView& tensor : files.tensors()) totals[format_name(tensor.format)].add(tensor);
  return totals;
}

FormatTotal total(const GgufFiles& files) {
  FormatTotal sum;
  for (const TensorView& tensor : files.tensors()) sum.add(tensor);
  return sum;
}

template <class T>
Json json_of(const MetadataValue& value) {
  return value.is_array() ? Json(value.as<std::vector<T>>()) : Json(value.as<T>());
}

Json json_of(const MetadataValue& value) {
  switch (value.type()) {
    case ValueType::boolean:
      return json_of<bool>(value);
    case ValueType::string:
      return json_of<std::string>(value);
    case ValueType::f32:
      return json_of<float>(value);
    case ValueType::f64:
      return json_of<double>(value);
    case ValueType::u64:
      return json_of<std::uint64_t>(value);
    default:
      return json_of<std::int64_t>(value);
  }
}

Json as_json(const GgufFiles& files) {
  Json result = {{"files", Json::array()}, {"bytes", files.size()}};
  for (const MappedFile& file : files.files()) result["files"].push_back(file.path().string());
  Json& metadata = result["metadata"] = Json::object();
  for (const MetadataEntry& entry : files.metadata().entries())
    metadata[std::string(entry.key)] = json_of(entry.value);
  Json& tensors = result["tensors"] = Json::array();
  for (const TensorView& tensor : files.tensors()) {
    tensors.push_back({{"name", tensor.name},
                       {"shape", shape_of(tensor)},
                       {"format", format_name(tensor.format)},
                       {"bytes", tensor.bytes.size()}});
  }
  Json& formats = result["formats"] = Json::object();
  for (const auto& [format, sum] : totals_by_format(files)) {
    formats[format] = {{"tensors", sum.tensors}, {"weights", sum.weights}, {"bytes", sum.bytes}};
  }
  const FormatTotal sum = total(files);
  result["total"] = {{"tensors", sum.tensors}, {"weights", sum.weights}, {"bytes", sum.bytes}};
  return result;
}

std::string line(const char* what, const FormatTotal& sum) {
  const double bits =
      sum.weights > 0 ? 8.0 * static_cast<double>(sum.bytes) / static_cast<double>(sum.weights) : 0;
  return fmt::format("  {:<8} {:>5} tensors {:>15} weights {:>11} {:>6.2f} bits a weight\n", what,
                     sum.tensors, sum.weights, readable_size(sum.bytes), bits);
}

void print_metadata(const GgufFiles& files) {
  print_text(fmt::format("metadata: {} keys\n", files.metadata().entries().size()));
  std::size_t width = 0;
  for (const MetadataEntry& entry : files.metadata().entries())
    width = std::max(width, entry.key.size());
  for (const MetadataEntry& entry : files.metadata().entries()) {
    const std::string key = quoted(entry.key, 200);
    print_text(fmt::format("  {:<{}} {:<14} {}\n", key.substr(1, key.size() - 2),
                           std::min<std::size_t>(width, 60), entry.value.type_name(),
                           printable(entry.value, 70)));
  }
}

void print_tensors(const GgufFiles& files) {
  print_text(fmt::format("tensors: {}, shapes with the contiguous extent first\n",
                         files.tensors().size()));
  for (const TensorView& tensor : files.tensors()) {
    const std::string name = quoted(tensor.name, 200);
    print_text(fmt::format("  {:<32} {:<8} {:>11} [{}]\n", name.substr(1, name.size() - 2),
                           format_name(tensor.format), readable_size(tensor.bytes.size()),
                           fmt::join(shape_of(tensor), ", ")));
  }
}

void inspect(const std::string& model, bool json) {
  const GgufFiles files(resolve_model(model));
  if (json) return print_json(as_json(files));
  for (const MappedFile& file : files.files()) {
    print_text(
        fmt::format("file: {} ({})\n", file.path().string(), readable_size(file.bytes().size())));
  }
  print_metadata(files);
  print_tensors(files);
  print_text("formats:\n");
  for (const auto& [format, sum] : totals_by_format(files)) print_text(line(format.c_str(), sum));
  print_text(line("total", total(files)));
}

}  // namespace

void add_inspect(CLI::App& program, Action& chosen) {
  struct InspectFlags {
    std::string model;
    GeneralFlags general;
  };
  auto flags = std::make_shared<InspectFlags>();
  CLI::App& command = *program.add_subcommand("inspect", "print what a model file holds");
  command.footer("With --output json every value is whole; the text shortens long ones.");
  add_model(command, flags->model);
  flags->general.add_to(command);
  command.callback(
      [flags, &chosen] { chosen = [flags] { inspect(flags->model, flags->general.json); }; });
}

}  // namespace lamina
