// Metadata of a small model, to be changed one key at a time.
#pragma once

#include "lamina/gguf/metadata.h"

#include <string>

namespace lamina::test {

inline Metadata small_metadata(const std::string& name) {
  const std::string p = name + ".";
  return Metadata({{"general.architecture", name},
                   {p + "block_count", 4u},
                   {p + "context_length", 128u},
                   {p + "embedding_length", 48u},
                   {p + "feed_forward_length", 80u},
                   {p + "attention.head_count", 6u},
                   {p + "attention.head_count_kv", 2u},
                   {p + "attention.layer_norm_rms_epsilon", 1e-5f}},
                  "small.gguf");
}

/// The same with one key set.
template <class T>
Metadata with(Metadata metadata, const std::string& key, const T& value) {
  metadata.set(key, value);
  return metadata;
}

}  // namespace lamina::test
