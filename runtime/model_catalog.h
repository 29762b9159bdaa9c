// The models the program knows by name: where each comes from, and what its file must be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

/// One package of the Python Package Index that holds a piece of a model's file.
struct CatalogPart {
  std::string package{};
  std::string version{};
  std::string member{};     // the piece's path inside the package's wheel
  std::uint64_t bytes = 0;  // of the piece, unpacked
};

struct CatalogModel {
  std::string name{};
  std::string description{};
  std::string license{};
  std::string notice{};  // shown before the download; empty where the licence asks for none
  std::vector<CatalogPart> parts{};  // the file is their pieces, one after the other
  std::uint64_t bytes = 0;
  std::string sha256{};
};

std::span<const CatalogModel> model_catalog();

/// The entry called `name`, or null.
const CatalogModel* find_model(std::string_view name);

/// $XDG_CACHE_HOME/lamina, by default ~/.cache/lamina; it need not exist.
std::filesystem::path cache_folder();

/// Where the file of `model` lies in `cache`, once it has been downloaded.
std::filesystem::path cached_file(const CatalogModel& model, const std::filesystem::path& cache);

/// The file that a command's MODEL argument means: a path, or a name of the catalog, whose file is
/// downloaded where it is not in the cache. Throws Error for what is neither.
std::filesystem::path resolve_model(const std::string& argument);

}  // namespace lamina
