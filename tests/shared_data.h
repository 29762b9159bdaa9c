// Where the independent expectations lie that are too large for the repository.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace lamina::test {

/// The folder $LAMINA_DATA, by default ../shared/data beside the source tree; nothing where it does
/// not exist.
inline std::optional<std::filesystem::path> shared_data() {
  const char* chosen = std::getenv("LAMINA_DATA");
  const std::filesystem::path folder =
      chosen != nullptr ? chosen
                        : std::filesystem::path(LAMINA_SOURCE_DIR) / ".." / "shared" / "data";
  if (!std::filesystem::is_directory(folder)) return std::nullopt;
  return folder;
}

/// The reason to give when `shared_data()` is empty.
inline std::string no_shared_data() {
  return "needs the shared test data: set LAMINA_DATA to its folder";
}

/// The folder of small generated files that the repository carries.
inline std::filesystem::path goldens() {
  return std::filesystem::path(LAMINA_SOURCE_DIR) / "tests" / "goldens";
}

}  // namespace lamina::test
