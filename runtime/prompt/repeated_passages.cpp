// Words to numbers, windows of them to hashes, hashes to the first place they were seen.
#include "runtime/prompt/repeated_passages.h"

#include "runtime/prompt/prompt_text.h"
#include "runtime/unicode/unicode_classes.h"
#include "runtime/unicode/utf8.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

namespace lamina {
namespace {

struct Word {
  std::size_t begin, end;
  std::uint64_t number;  // the same for the same text
};

enum class Character { white, letter, other };

Character kind_of(std::string_view character) {
  if (well_formed_length(character) == 0) return Character::other;
  const UnicodeClasses& classes = UnicodeClasses::instance();
  const char32_t code = first_code_point(character);
  if (classes.is(code, character_set::white)) return Character::white;
  const bool letter =
      classes.is(code, character_set::letter | character_set::mark | character_set::number);
  return letter && !classes.han(code) ? Character::letter : Character::other;
}

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  std::unordered_map<std::string_view, std::uint64_t> numbers;
  bool joins = false;  // the next letter belongs to the last word
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    const Character kind = kind_of(text.substr(at, length));
    if (kind == Character::letter && joins) {
      words.back().end = at + length;
    } else if (kind != Character::white) {
      words.push_back({at, at + length, 0});
    }
    joins = kind == Character::letter;
    at += length;
  }
  for (Word& word : words) {
    const std::string_view spelled = text.substr(word.begin, word.end - word.begin);
    word.number = numbers.try_emplace(spelled, numbers.size()).first->second;
  }
  return words;
}

/// A hash of each window of `size` words: a polynomial in an odd number, modulo 2^64.
std::vector<std::uint64_t> window_hashes(const std::vector<Word>& words, std::size_t size) {
  constexpr std::uint64_t base = 0x9E3779B97F4A7C15;
  if (words.size() < size) return {};
  std::vector<std::uint64_t> hashes;
  std::uint64_t hash = 0, leaving = 1;  // base ^ size
  for (std::size_t i = 0; i < size; ++i) leaving *= base;
  for (std::size_t i = 0; i < words.size(); ++i) {
    hash = hash * base + words[i].number + 1;
    if (i >= size) hash -= leaving * (words[i - size].number + 1);
    if (i + 1 >= size) hashes.push_back(hash);
  }
  return hashes;
}

/// Words from `later` on that agree with those from `earlier` on, without an overlap.
std::size_t common_words(const std::vector<Word>& words, std::size_t earlier, std::size_t later) {
  std::size_t count = 0;
  while (later + count < words.size() && earlier + count < later &&
         words[earlier + count].number == words[later + count].number)
    ++count;
  return count;
}

}  // namespace

std::vector<RepeatedPassage> repeated_passages(std::string_view text, std::size_t least) {
  const std::vector<Word> words = words_of(text);
  const std::vector<std::uint64_t> hashes = window_hashes(words, least);
  std::unordered_map<std::uint64_t, std::size_t> seen;  // hash to the first word of its window
  std::map<std::pair<std::size_t, std::size_t>, RepeatedPassage> found;  // by first word and count
  std::size_t noted = 0;  // windows before this one are in `seen`
  for (std::size_t at = 0; at < hashes.size();) {
    for (; noted + least <= at; ++noted) seen.try_emplace(hashes[noted], noted);
    const auto before = seen.find(hashes[at]);
    const std::size_t count =
        before != seen.end() ? common_words(words, before->second, at) : std::size_t{0};
    if (count < least) {
      ++at;
      continue;
    }
    const std::size_t first = before->second;
    RepeatedPassage& passage = found[{first, count}];
    passage.first = words[first].begin;
    passage.length = words[first + count - 1].end - words[first].begin;
    passage.again.push_back(words[at].begin);
    at += count;
  }
  std::vector<RepeatedPassage> passages;
  for (auto& [place, passage] : found) passages.push_back(std::move(passage));
  std::stable_sort(passages.begin(), passages.end(), [](const auto& a, const auto& b) {
    return a.length * a.again.size() > b.length * b.again.size();
  });
  return passages;
}

}  // namespace lamina
