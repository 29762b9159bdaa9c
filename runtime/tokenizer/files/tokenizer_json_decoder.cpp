// `decoder` of a tokenizer.json.
#include "runtime/tokenizer/files/tokenizer_json_parts.h"

#include <limits>
#include <utility>

namespace lamina {
namespace {

StripDecoder read_strip(const JsonView& value) {
  const auto count = [&](std::string_view key) {
    return static_cast<std::size_t>(
        value.at(key).integer(0, std::numeric_limits<std::int64_t>::max()));
  };
  return {read_json_character(value.at("content")), count("start"), count("stop")};
}

DecoderStep read_step(const JsonView& value, const std::string& type) {
  if (type == "ByteLevel") return ByteLevelDecoder{};
  if (type == "ByteFallback") return ByteFallback{};
  if (type == "Fuse") return Fuse{};
  if (type == "Strip") return read_strip(value);
  if (type == "BPEDecoder") return BpeDecoder{value.at("suffix").text()};
  if (type == "Metaspace") {
    const Metaspace metaspace = read_json_metaspace(value);
    return MetaspaceDecoder{metaspace.replacement,
                            metaspace.prepend_scheme != PrependScheme::never};
  }
  if (type == "WordPiece") {
    return WordPieceDecoder{value.at("prefix").text(), value.at("cleanup").boolean()};
  }
  if (type == "Replace") {
    return ReplaceDecoder{read_json_pattern(value.at("pattern")), value.at("content").text()};
  }
  if (type == "CTC") {
    return CtcDecoder{value.at("pad_token").text(), value.at("word_delimiter_token").text(),
                      value.at("cleanup").boolean()};
  }
  value.at("type").fail(
      "a decoder: Sequence ByteLevel ByteFallback Fuse Metaspace Replace Strip WordPiece "
      "BPEDecoder CTC");
}

}  // namespace

std::vector<DecoderStep> read_json_decoder(const JsonView& decoder) {
  const std::string type = decoder.at("type").text();
  if (type != "Sequence") return {read_step(decoder, type)};
  std::vector<DecoderStep> steps;
  const JsonView parts = decoder.at("decoders");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (DecoderStep& step : read_json_decoder(parts[i])) steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace lamina
