// Compares a kernel's output with float64 expectations and a bound for each element, and says what
// is wrong.
//
// e_i = |got_i - expected_i| / bound_i; an output passes if no e_i is above 1. A NaN equals nothing
// and counts as an infinite error, so that it cannot vanish from a maximum; so does an element that
// still holds the poison it was filled with (verify/inputs.h), an infinity that was not expected,
// or a finite number where infinity was. Comparing nothing does not pass.
#pragma once

#include "lamina/core/error.h"
#include "lamina/core/float16.h"
#include "lamina/verify/bounds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

namespace lamina {

/// How an element type is read, rounded and poisoned. The two poisons are quiet NaNs that no
/// arithmetic makes: run a kernel with one and then with the other, and stale or unwritten output
/// shows.
template <class T>
struct ElementTraits;

template <>
struct ElementTraits<float> {
  using Bits = std::uint32_t;
  static constexpr Rounding rounding = float32_rounding;
  static constexpr Bits poison[2] = {0x7fd5'a5a5u, 0xffda'5a5au};
  static double value(float x) { return static_cast<double>(x); }
};

template <>
struct ElementTraits<double> {
  using Bits = std::uint64_t;
  static constexpr Rounding rounding = float64_rounding;
  static constexpr Bits poison[2] = {0x7ffa'5a5a'5a5a'5a5aull, 0xfffd'a5a5'a5a5'a5a5ull};
  static double value(double x) { return x; }
};

template <>
struct ElementTraits<float16> {
  using Bits = std::uint16_t;
  static constexpr Rounding rounding = float16_rounding;
  static constexpr Bits poison[2] = {0x7e5a, 0xffa5};
  static double value(float16 x) { return static_cast<double>(to_float(x)); }
};

template <>
struct ElementTraits<bfloat16> {
  using Bits = std::uint16_t;
  static constexpr Rounding rounding = bfloat16_rounding;
  static constexpr Bits poison[2] = {0x7fda, 0xffe5};
  static double value(bfloat16 x) { return static_cast<double>(to_float(x)); }
};

/// Whether `x` is, bit for bit, a value that output is filled with before a kernel runs.
template <class T>
bool is_poison(const T& x) {
  const auto bits = std::bit_cast<typename ElementTraits<T>::Bits>(x);
  return bits == ElementTraits<T>::poison[0] || bits == ElementTraits<T>::poison[1];
}

/// One element that is off.
struct Deviation {
  std::size_t index = 0;
  double got = 0;
  double expected = 0;
  double bound = 0;
  double distance =
      0;  // |got - expected|; infinite for NaN, unwritten, or an infinity on one side only
  double ratio = 0;  // distance / bound
};

struct CompareOptions {
  std::size_t cols = 0;      // row length, for coordinates in the report; 0: plain indices
  bool nan_equal = false;    // a NaN where a NaN is expected is right
  bool allow_empty = false;  // comparing nothing passes
};

/// What `compare` found.
struct Comparison {
  CompareOptions options;
  std::size_t elements = 0;
  std::size_t over = 0;       // elements with ratio > 1, of whatever cause
  std::size_t nans = 0;       // of these: NaN, not expected
  std::size_t unwritten = 0;  // of these: still poison
  double worst_ratio = 0;
  std::size_t worst_index = 0;
  double max_abs = 0;  // |got - expected|; infinite if any element is NaN or wrongly infinite
  double max_rel = 0;  // the same over |expected|, where that is not 0
  double max_ulp = 0;  // the same in ulps of the output type
  std::array<std::size_t, 4> box{};  // first and last wrong row, first and last wrong column
  std::array<Deviation, 5> worst{};  // the first `worst_count` are set, worst first
  std::size_t worst_count = 0;

  bool passed() const { return over == 0 && (elements > 0 || options.allow_empty); }

  /// One line; on failure the worst elements follow, one a line.
  std::string report(const std::string& name = "compare") const;

  /// Takes one more element into account; `spacing` is an ulp at the expected value.
  void add(Deviation element, double spacing);

 private:
  void add_wrong(const Deviation& element);
};

namespace detail {

inline std::string text(const char* pattern, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, pattern, value);
  return buffer;
}

inline std::string coordinate(std::size_t index, std::size_t cols) {
  std::string place = "[";
  if (cols != 0) place.append(std::to_string(index / cols)).append(", ");
  return place.append(std::to_string(cols != 0 ? index % cols : index)).append("]");
}

/// |got - expected|: 0 for equal infinities, infinite where either side is NaN.
inline double distance(double got, double expected) {
  if (got == expected) return 0;
  const double difference = std::fabs(got - expected);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

template <class Bound>
double bound_of(const Bound& bound, std::size_t i) {
  if constexpr (std::is_invocable_r_v<double, const Bound&, std::size_t>) {
    return bound(i);
  } else if constexpr (std::is_convertible_v<const Bound&, double>) {
    return bound;
  } else {
    return bound[i];
  }
}

inline void check_size(const char* what, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  throw Error("compare: " + std::string(what) + " has " + std::to_string(found) +
              " elements, the output has " + std::to_string(expected));
}

template <class T, class Bound>
Comparison compare_elements(std::span<const T> got, std::span<const double> expected,
                            const Bound& bound, CompareOptions options) {
  check_size("the expectation", expected.size(), got.size());
  if constexpr (requires { bound.size(); }) check_size("the bound", bound.size(), got.size());
  Comparison result{.options = options};
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double value = ElementTraits<T>::value(got[i]);
    const double allowed = bound_of(bound, i);
    if (!(allowed >= 0) || std::isinf(allowed)) {
      throw Error("compare: the bound of element " + std::to_string(i) + " is " +
                  text("%g", allowed) + "; expected a finite number >= 0, else nothing can fail");
    }
    Deviation element{i, value, expected[i], allowed, distance(value, expected[i])};
    if (is_poison(got[i])) {
      ++result.unwritten;
    } else if (options.nan_equal && std::isnan(value) && std::isnan(expected[i])) {
      element.distance = 0;
    } else if (std::isnan(value)) {
      ++result.nans;
    }
    result.add(element, ulp(expected[i], ElementTraits<T>::rounding));
  }
  return result;
}

}  // namespace detail

/// Compares `got` with `expected`; `bound` is a number, a sequence of numbers, or a function of the
/// index.
template <class Bound>
Comparison compare(std::span<const float> got, std::span<const double> expected, const Bound& bound,
                   CompareOptions options = {}) {
  return detail::compare_elements(got, expected, bound, options);
}

template <class Bound>
Comparison compare(std::span<const double> got, std::span<const double> expected,
                   const Bound& bound, CompareOptions options = {}) {
  return detail::compare_elements(got, expected, bound, options);
}

template <class Bound>
Comparison compare(std::span<const float16> got, std::span<const double> expected,
                   const Bound& bound, CompareOptions options = {}) {
  return detail::compare_elements(got, expected, bound, options);
}

template <class Bound>
Comparison compare(std::span<const bfloat16> got, std::span<const double> expected,
                   const Bound& bound, CompareOptions options = {}) {
  return detail::compare_elements(got, expected, bound, options);
}

/// Index of the first element whose bits differ, or the shorter length where one sequence goes on
/// alone; nothing where both are the same. A NaN is the same as itself, +0 and -0 differ.
template <class A, class B>
std::optional<std::size_t> first_difference(const A& a, const B& b) {
  const std::span left(a);
  const std::span right(b);
  using Element = std::remove_cv_t<typename decltype(left)::element_type>;
  static_assert(std::is_same_v<Element, std::remove_cv_t<typename decltype(right)::element_type>>,
                "only sequences of one type have comparable bits");
  const std::size_t shared = std::min(left.size(), right.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (std::memcmp(&left[i], &right[i], sizeof(Element)) != 0) return i;
  }
  if (left.size() == right.size()) return std::nullopt;
  return shared;
}

/// Whether two sequences are equal bit for bit, lengths included.
template <class A, class B>
bool same_bits(const A& a, const B& b) {
  return !first_difference(a, b).has_value();
}

inline void Comparison::add(Deviation element, double spacing) {
  // A bound of 0 allows nothing: the ratio is then infinite.
  element.ratio = element.distance > 0 ? element.distance / element.bound : 0;
  max_abs = std::max(max_abs, element.distance);
  max_ulp = std::max(max_ulp, element.distance / spacing);
  if (element.expected != 0 && element.distance > 0) {
    const double size = std::fabs(element.expected);
    max_rel = std::max(max_rel, std::isfinite(size) ? element.distance / size : element.distance);
  }
  if (element.ratio > worst_ratio || elements == 0) {
    worst_ratio = element.ratio;
    worst_index = element.index;
  }
  ++elements;
  if (element.ratio > 1) add_wrong(element);
}

inline void Comparison::add_wrong(const Deviation& element) {
  const std::size_t row = options.cols == 0 ? 0 : element.index / options.cols;
  const std::size_t col = options.cols == 0 ? element.index : element.index % options.cols;
  if (over++ == 0) box = {row, row, col, col};
  box = {std::min(box[0], row), std::max(box[1], row), std::min(box[2], col),
         std::max(box[3], col)};
  std::size_t slot = worst_count;
  while (slot > 0 && worst[slot - 1].ratio < element.ratio) --slot;
  if (slot == worst.size()) return;
  worst_count = std::min(worst_count + 1, worst.size());
  for (std::size_t i = worst_count - 1; i > slot; --i) worst[i] = worst[i - 1];
  worst[slot] = element;
}

inline std::string Comparison::report(const std::string& name) const {
  std::string line = (passed() ? "PASS " : "FAIL ") + name;
  if (elements == 0) return line + ": nothing was compared";
  line += " e=" + detail::text("%.3g", worst_ratio) + " at " +
          detail::coordinate(worst_index, options.cols) + " abs=" + detail::text("%.3g", max_abs) +
          " rel=" + detail::text("%.3g", max_rel) + " ulp=" + detail::text("%.3g", max_ulp) +
          " of " + std::to_string(elements);
  if (over == 0) return line;
  line += ": " + std::to_string(over) + " wrong (" + std::to_string(nans) + " nan, " +
          std::to_string(unwritten) + " unwritten)";
  if (options.cols != 0) {
    line += " in rows " + std::to_string(box[0]) + "-" + std::to_string(box[1]) + ", columns " +
            std::to_string(box[2]) + "-" + std::to_string(box[3]);
  }
  for (std::size_t i = 0; i < worst_count; ++i) {
    const Deviation& one = worst[i];
    line += "\n  " + detail::coordinate(one.index, options.cols) + " got " +
            detail::text("%.9g", one.got) + " expected " + detail::text("%.9g", one.expected) +
            " bound " + detail::text("%.3g", one.bound) + " e=" + detail::text("%.3g", one.ratio);
  }
  return line;
}

}  // namespace lamina
