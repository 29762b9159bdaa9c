// A small vocabulary made in a test, as the metadata of a file.
#pragma once

#include "lamina/gguf/metadata.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lamina::test {

/// Token types as files number them.
enum TypeNumber : std::int32_t {
  normal = 1,
  unknown = 2,
  control = 3,
  user_defined = 4,
  unused = 5,
  byte = 6
};

struct MadeVocabulary {
  std::vector<std::string> tokens;
  std::vector<std::int32_t> types;
  std::vector<float> scores;
  std::vector<std::string> merges;

  /// Adds a token and returns its number.
  std::int32_t add(const std::string& text, std::int32_t type = normal, float score = 0) {
    tokens.push_back(text);
    types.push_back(type);
    scores.push_back(score);
    return static_cast<std::int32_t>(tokens.size() - 1);
  }

  /// Adds the 256 byte tokens <0x00> to <0xFF>.
  void add_byte_tokens() {
    constexpr char digits[] = "0123456789ABCDEF";
    for (unsigned value = 0; value < 256; ++value) {
      add(std::string("<0x") + digits[value >> 4] + digits[value & 15] + ">", byte);
    }
  }

  Metadata metadata(const std::string& model) const {
    Metadata made({{"tokenizer.ggml.model", model},
                   {"tokenizer.ggml.tokens", tokens},
                   {"tokenizer.ggml.token_type", types},
                   {"tokenizer.ggml.scores", scores},
                   {"tokenizer.ggml.merges", merges}});
    if (model == "gpt2") made.set("tokenizer.ggml.pre", "gpt-2");
    return made;
  }
};

}  // namespace lamina::test
