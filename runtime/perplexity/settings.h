// What a measurement depends on, as an object of JSON: two parts of one must agree in all of it.
#pragma once

#include "runtime/gguf_files.h"
#include "runtime/perplexity/perplexity.h"

#include <nlohmann/json.hpp>

#include <string>

namespace lamina {

/// SHA-256, in hexadecimal, of what tells a model from others without reading all of it: of each
/// file the size, the bytes before its first tensor (keys and the table of tensors) and the first
/// 4 KiB of each tensor.
std::string fingerprint(const GgufFiles& files);

/// The same of the tokens of all chunks.
std::string fingerprint(const Chunks& chunks);

/// Throws Error, which begins with `source` and names what differs, unless `found`, with which a
/// file was begun, is equal to `now`.
void check_settings(const nlohmann::ordered_json& found, const nlohmann::ordered_json& now,
                    const std::string& source);

}  // namespace lamina
