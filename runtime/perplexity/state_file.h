// StateFile: the finished chunks of a measurement, so that it can go on after it was interrupted.
//
// JSON lines. The first: {"lamina-perplexity": 1, "settings": {...}}; then one a finished chunk:
// {"chunk": 0, "nll": [...]}, and where a base is compared with "base_nll", "divergence" and
// "same_top" (statistics.h), a value a scored position, written so that the same doubles are read.
// A last line without its end was being written when the process died, and is dropped.
#pragma once

#include "runtime/perplexity/append_file.h"
#include "runtime/perplexity/statistics.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace lamina {

class StateFile {
 public:
  struct Shape {
    std::size_t chunks = 0;
    std::size_t positions = 0;  // scored ones of a chunk
    bool compared = false;      // with a base
  };

  /// Begins the file, or goes on with one that was begun with equal settings. Throws Error for a
  /// file of anything else.
  StateFile(const std::filesystem::path& path, const nlohmann::ordered_json& settings, Shape shape);

  /// What the finished chunks gave, in order.
  const std::vector<Measured>& measured() const { return measured_; }
  void add(std::span<const Measured> chunk);

 private:
  void read(std::string_view text, const nlohmann::ordered_json& settings);
  void read_chunk(const nlohmann::ordered_json& line, const std::string& source);

  AppendFile file_;
  Shape shape_;
  std::vector<Measured> measured_;
};

}  // namespace lamina
