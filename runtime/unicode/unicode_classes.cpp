// From runs to blocks.
#include "runtime/unicode/unicode_classes.h"

#include <algorithm>
#include <map>
#include <string>

namespace lamina {
namespace {

constexpr std::string_view names = "LuLlLtLmLoMnMcMeNdNlNoPcPdPsPePiPfPoSmScSkSoZsZlZpCcCwCfCoCnCs";

struct Run {
  std::uint8_t value = 0;
  std::size_t length = 0;
};

/// Takes the next run off `text`, which starts at it.
Run next_run(std::string_view& text, unsigned han_bit, unsigned recent_bit, unsigned word_bit) {
  using namespace character_set;
  const auto category = static_cast<unsigned>(names.find(text.substr(0, 2)) / 2);
  text.remove_prefix(2);
  Run run;
  for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1)) {
    run.length = run.length * 10 + static_cast<std::size_t>(text[0] - '0');
  }
  if (run.length == 0) run.length = 1;
  constexpr CharacterSet words = letter | mark | set_of(Nd, Nl, Pc);
  unsigned value = category | ((words >> category & 1u) != 0 ? word_bit : 0u);
  for (; !text.empty() && text[0] > ' '; text.remove_prefix(1)) {
    value ^= text[0] == 'h' ? han_bit : text[0] == 'n' ? recent_bit : word_bit;
  }
  while (!text.empty() && text[0] <= ' ') text.remove_prefix(1);
  run.value = static_cast<std::uint8_t>(value);
  return run;
}

}  // namespace

UnicodeClasses::UnicodeClasses() {
  std::string flat;
  flat.reserve(code_points);
  std::string_view text = unicode_runs.substr(1);  // from behind the line break
  while (!text.empty()) {
    const Run run = next_run(text, han_bit, recent_bit, word_bit);
    flat.append(run.length, static_cast<char>(run.value));
  }
  std::map<std::string_view, std::uint16_t> known;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::string_view block = std::string_view(flat).substr(i * block_size, block_size);
    const auto [at, added] = known.try_emplace(block, static_cast<std::uint16_t>(known.size()));
    if (added) values_.insert(values_.end(), block.begin(), block.end());
    blocks_[i] = at->second;
  }
}

const UnicodeClasses& UnicodeClasses::instance() {
  static const UnicodeClasses made;
  return made;
}

}  // namespace lamina
