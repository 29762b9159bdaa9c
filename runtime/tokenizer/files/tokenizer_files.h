// Opening a tokenizer by a path: a GGUF file, a Hugging Face folder, or one file of such a folder.
//
// In a folder tokenizer.json is read, else tokenizer.model, else a file of tiktoken, with what the
// files beside it say (tokenizer_config.h). A file given by itself stands for itself alone, and is
// known by what it holds, whatever it is called.
#pragma once

#include "runtime/tokenizer/tokenizer.h"

#include <filesystem>
#include <map>
#include <string>

namespace lamina {

struct TokenizerFiles {
  Tokenizer tokenizer;
  std::map<std::string, std::string> chat_templates;  // by name; the main one is `default`
};

/// Throws Error where there is no tokenizer, or a file is damaged.
TokenizerFiles open_tokenizer(const std::filesystem::path& path);

}  // namespace lamina
