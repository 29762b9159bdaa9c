// Each step is made into a function when the decoder is made.
#include "runtime/tokenizer/steps/decoder.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace lamina {
namespace {

using Texts = std::vector<std::string>;
using Join = std::function<void(Texts&)>;

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD

/// With U+FFFD for each part that is no UTF-8.
std::string repaired(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8Part part = first_utf8_part(text);
    out += part.kind == Utf8Part::Kind::character ? text.substr(0, part.length)
                                                  : replacement_character;
    text.remove_prefix(part.length);
  }
  return out;
}

/// With `to` for each `from`; an empty one is found around every character.
std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t found = text.find(from, at);
    if (found == std::string_view::npos) break;
    out += text.substr(at, found - at);
    out += to;
    at = found + from.size();
    if (!from.empty()) continue;
    const std::size_t length = at < text.size() ? character_length(text.substr(at)) : 1;
    out += text.substr(at, length);
    at += length;
  }
  if (at < text.size()) out += text.substr(at);
  return out;
}

/// Of English text that was cut into words.
std::string cleaned_up(std::string text) {
  using Pair = std::pair<std::string_view, std::string_view>;
  for (const auto& [from, to] :
       {Pair{" .", "."}, Pair{" ?", "?"}, Pair{" !", "!"}, Pair{" ,", ","}, Pair{" ' ", "'"},
        Pair{" n't", "n't"}, Pair{" 'm", "'m"}, Pair{" do not", " don't"}, Pair{" 's", "'s"},
        Pair{" 've", "'ve"}, Pair{" 're", "'re"}}) {
    text = replaced(text, from, to);
  }
  return text;
}

void check_character(std::string_view text, std::string_view what) {
  if (text.empty() || well_formed_length(text) != text.size()) {
    throw Error(fmt::format("the {} is {}; it has to be one character", what, quoted(text)));
  }
}

/// The byte of a text <0xNN>. As numbers are read in Rust, one of the digits may be a + before.
std::optional<char> spelled_byte(std::string_view text) {
  if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>') return std::nullopt;
  unsigned value = 0;
  for (const char c : text.substr(text[3] == '+' ? 4 : 3, text[3] == '+' ? 1 : 2)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<unsigned>(digit);
  }
  return static_cast<char>(static_cast<unsigned char>(value));
}

/// Appends what a run of such bytes is.
void append_run(Texts& out, std::string run, InvalidBytes invalid) {
  if (run.empty()) return;
  if (invalid == InvalidBytes::kept || is_utf8(run)) {
    out.push_back(std::move(run));
  } else {
    out.insert(out.end(), run.size(), std::string(replacement_character));
  }
}

std::string stripped(std::string_view text, const StripDecoder& step) {
  for (std::size_t i = 0; i < step.start && text.starts_with(step.content); ++i) {
    text.remove_prefix(step.content.size());
  }
  for (std::size_t i = 0; i < step.stop && text.ends_with(step.content); ++i) {
    text.remove_suffix(step.content.size());
  }
  return std::string(text);
}

std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

Join make(ByteLevelDecoder, InvalidBytes invalid) {
  return [invalid](Texts& texts) {
    std::string bytes;
    for (const std::string& text : texts) {
      if (!append_unspelled(bytes, text)) bytes += text;
    }
    texts.assign(1, invalid == InvalidBytes::kept ? std::move(bytes) : repaired(bytes));
  };
}

Join make(MetaspaceDecoder step, InvalidBytes) {
  check_character(step.replacement, "replacement of Metaspace");
  return [step](Texts& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts[i] = replaced(texts[i], step.replacement, i == 0 && step.prepended ? "" : " ");
    }
  };
}

Join make(WordPieceDecoder step, InvalidBytes) {
  return [step](Texts& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i > 0 && texts[i].starts_with(step.prefix)) {
        texts[i].erase(0, step.prefix.size());
      } else if (i > 0) {
        texts[i].insert(0, " ");
      }
      if (step.cleanup) texts[i] = cleaned_up(std::move(texts[i]));
    }
  };
}

Join make(ByteFallback, InvalidBytes invalid) {
  return [invalid](Texts& texts) {
    Texts out;
    std::string run;
    for (std::string& text : texts) {
      if (const auto byte = spelled_byte(text)) {
        run += *byte;
        continue;
      }
      append_run(out, std::exchange(run, {}), invalid);
      out.push_back(std::move(text));
    }
    append_run(out, std::move(run), invalid);
    texts = std::move(out);
  };
}

Join make(Fuse, InvalidBytes) {
  return [](Texts& texts) { texts.assign(1, joined(texts)); };
}

Join make(const ReplaceDecoder& step, InvalidBytes) {
  const auto pattern = std::make_shared<const PatternSearch>(step.pattern);
  return [pattern, content = step.content](Texts& texts) {
    for (std::string& text : texts) text = pattern->replaced(text, content);
  };
}

Join make(StripDecoder step, InvalidBytes) {
  check_character(step.content, "content of Strip");
  return [step](Texts& texts) {
    for (std::string& text : texts) text = stripped(text, step);
  };
}

Join make(BpeDecoder step, InvalidBytes) {
  return [step](Texts& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts[i] = replaced(texts[i], step.suffix, i + 1 == texts.size() ? "" : " ");
    }
  };
}

Join make(CtcDecoder step, InvalidBytes) {
  return [step](Texts& texts) {
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    for (std::string& text : texts) {
      text = replaced(text, step.pad_token, "");
      if (step.cleanup) {
        text = replaced(cleaned_up(std::move(text)), step.word_delimiter_token, " ");
      }
    }
    std::erase(texts, "");
  };
}

Join make(const SentencePieceDecoder& step, InvalidBytes invalid) {
  return [step, invalid](Texts& texts) {
    join_sentence_pieces(step, texts, invalid == InvalidBytes::kept);
  };
}

}  // namespace

Decoder::Decoder(std::vector<DecoderStep> steps, InvalidBytes invalid) {
  for (DecoderStep& step : steps) {
    steps_.push_back(std::visit([&](auto& each) { return make(std::move(each), invalid); }, step));
  }
}

std::string Decoder::decode(std::vector<std::string> token_texts) const {
  for (const auto& step : steps_) step(token_texts);
  return joined(token_texts);
}

}  // namespace lamina
