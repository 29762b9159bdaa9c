// The search of Knuth, Morris and Pratt, from either side.
#include "runtime/chat_template/jinja/values/search.h"

#include <algorithm>

namespace lamina::jinja {
namespace {

constexpr std::size_t byte_work = 4;  // a byte of a search takes as long as copying so many

template <class Iterator>
std::vector<std::uint32_t> borders_of(Iterator wanted, std::size_t size) {
  std::vector<std::uint32_t> borders(size);
  std::uint32_t length = 0;
  for (std::size_t i = 1; i < size; ++i) {
    const auto at = [&](std::size_t place) { return wanted[static_cast<std::ptrdiff_t>(place)]; };
    while (length > 0 && at(length) != at(i)) length = borders[length - 1];
    if (at(length) == at(i)) ++length;
    borders[i] = length;
  }
  return borders;
}

}  // namespace

Search::Search(Heap& heap, std::string_view wanted, bool from_right)
    : heap_(heap),
      wanted_(wanted),
      from_right_(from_right),
      memory_(heap, wanted.size() * sizeof(std::uint32_t)) {
  heap.work(wanted.size() * byte_work);
  borders_ = from_right ? borders_of(wanted.rbegin(), wanted.size())
                        : borders_of(wanted.begin(), wanted.size());
}

/// Behind the first match; `begin` where there is none, or nothing is wanted.
template <class Iterator>
Iterator Search::end_of_match(Iterator begin, Iterator end, Iterator wanted) const {
  std::size_t matched = 0;
  for (Iterator at = begin; at != end; ++at) {
    if (matched == 0) at = std::find(at, end, *wanted);
    if (at == end) break;
    const auto next = [&] { return wanted[static_cast<std::ptrdiff_t>(matched)]; };
    while (matched > 0 && next() != *at) matched = borders_[matched - 1];
    if (next() == *at && ++matched == wanted_.size()) return at + 1;
  }
  return begin;
}

std::size_t Search::first(std::string_view all) const {
  if (wanted_.size() > all.size()) return all.npos;
  if (wanted_.empty()) return from_right_ ? all.size() : 0;
  std::size_t passed = 0;  // up to the end of the match
  if (from_right_) {
    passed = static_cast<std::size_t>(end_of_match(all.rbegin(), all.rend(), wanted_.rbegin()) -
                                      all.rbegin());
  } else {
    passed = static_cast<std::size_t>(end_of_match(all.begin(), all.end(), wanted_.begin()) -
                                      all.begin());
  }
  heap_.work((passed > 0 ? passed : all.size()) * byte_work);
  if (passed == 0) return all.npos;
  return from_right_ ? all.size() - passed : passed - wanted_.size();
}

}  // namespace lamina::jinja
