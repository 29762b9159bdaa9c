// `post_processor` of a tokenizer.json, as far as it concerns a single text.
#include "runtime/tokenizer/files/tokenizer_json_parts.h"

#include <limits>

namespace lamina {
namespace {

Token read_token(const JsonView& value) {
  return static_cast<Token>(value.integer(0, std::numeric_limits<Token>::max()));
}

/// The number in `["[SEP]", 102]`.
Token read_named_token(const JsonView& value) {
  if (value.size() != 2) value.fail("a text and a number");
  return read_token(value[1]);
}

void append_special(std::vector<Token>& out, const JsonView& processor, const JsonView& special) {
  const JsonView id = special.at("id");
  const auto entry = processor.at("special_tokens").find(id.text());
  if (!entry) id.fail("a member of special_tokens");
  const JsonView ids = entry->at("ids");
  for (std::size_t i = 0; i < ids.size(); ++i) out.push_back(read_token(ids[i]));
}

JsonFrame read_template(const JsonView& processor) {
  JsonFrame frame;
  bool there = false;  // the text
  const JsonView pieces = processor.at("single");
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const JsonView piece = pieces[i];
    if (const auto special = piece.find("SpecialToken")) {
      append_special(there ? frame.suffix : frame.prefix, processor, *special);
      continue;
    }
    const auto sequence = piece.find("Sequence");
    if (!sequence) piece.fail("an object with Sequence or SpecialToken");
    const JsonView id = sequence->at("id");
    if (id.text() != "A") id.fail("A, the only text there is");
    if (there) piece.fail_because("is the text once more, which is not supported");
    there = true;
  }
  if (!there) pieces.fail_because("has no Sequence: every text would become nothing");
  return frame;
}

/// `inner` was put around the text first.
JsonFrame around(const JsonFrame& inner, JsonFrame outer) {
  outer.prefix.insert(outer.prefix.end(), inner.prefix.begin(), inner.prefix.end());
  outer.suffix.insert(outer.suffix.begin(), inner.suffix.begin(), inner.suffix.end());
  return outer;
}

}  // namespace

JsonFrame read_json_post_processor(const JsonView& post_processor) {
  const JsonView type = post_processor.at("type");
  const std::string name = type.text();
  if (name == "ByteLevel") return {};  // only moves offsets
  if (name == "TemplateProcessing") return read_template(post_processor);
  if (name == "BertProcessing" || name == "RobertaProcessing") {
    return {{read_named_token(post_processor.at("cls"))},
            {read_named_token(post_processor.at("sep"))}};
  }
  if (name != "Sequence") {
    type.fail(
        "a post-processor: Sequence TemplateProcessing BertProcessing RobertaProcessing "
        "ByteLevel");
  }
  JsonFrame frame;
  const JsonView parts = post_processor.at("processors");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    frame = around(frame, read_json_post_processor(parts[i]));
  }
  return frame;
}

}  // namespace lamina
