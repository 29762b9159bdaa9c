// What one rendering may take: memory, steps, nesting; and the making of values within it.
#pragma once

#include "runtime/chat_template/jinja/values/value.h"

#include <memory>
#include <string>
#include <string_view>

namespace lamina::jinja {

class Heap {
 public:
  explicit Heap(const TemplateLimits& limits) : limits_(limits) {}
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  ~Heap();

  const TemplateLimits& limits() const { return limits_; }
  /// Counts work; throws where it is too much. A step stands for about a microsecond, and whatever
  /// takes longer the more there is counts all of it, here or by one of the next three.
  void step(std::size_t steps = 1) { spend(steps * step_ticks); }
  /// Values that are copied, compared or passed over.
  void touch(std::size_t values = 1) { spend(values * (step_ticks / 64)); }
  /// Bytes that are copied or compared as a whole.
  void work(std::size_t bytes) { spend(2 * bytes); }
  /// Characters that are looked at one by one.
  void character_work(std::size_t bytes) { spend(bytes * (step_ticks / 64)); }
  /// Throws where a string or the output would get so long.
  void check_length(std::size_t bytes) const;
  /// Throws where a list, a dict or a range would get so long.
  void check_items(std::size_t items) const;

  Value string(Text text, bool markup = false);
  Value string(std::string_view text) { return string(Text(text)); }
  Value list(Values items);
  Value tuple(Values items);
  std::shared_ptr<Dict> dict() { return std::make_shared<Dict>(*this); }

  // For the objects themselves.
  void take(std::size_t bytes);
  void give_back(std::size_t bytes) { bytes_ -= bytes; }
  void add(Container& container);
  void remove(Container& container);
  void bury(Container& container);

 private:
  static constexpr std::size_t step_ticks = 4096;

  void spend(std::size_t ticks) {
    ticks_ += ticks;
    if (ticks_ / step_ticks > limits_.steps) fail_steps();
  }
  [[noreturn]] void fail_steps() const;

  const TemplateLimits limits_;
  std::size_t ticks_ = 0;
  std::size_t bytes_ = 0;
  Container* first_ = nullptr;
  Values buried_;
  bool burying_ = false;
};

/// Memory that is taken for as long as this lives.
class Held {
 public:
  Held(Heap& heap, std::size_t bytes) : heap_(heap), bytes_(bytes) { heap_.take(bytes_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { heap_.give_back(bytes_); }

 private:
  Heap& heap_;
  const std::size_t bytes_;
};

/// Goes one level deeper for as long as it lives; throws where that is too deep.
class Deeper {
 public:
  Deeper(std::size_t& depth, std::size_t most, const char* what) : depth_(depth) {
    if (depth_ >= most) fail_limit(std::string(what) + " nested too deep");
    ++depth_;
  }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  ~Deeper() { --depth_; }

 private:
  std::size_t& depth_;
};

/// How deep lists and dicts may lie in each other.
inline constexpr std::size_t most_nested_values = 200;

}  // namespace lamina::jinja
