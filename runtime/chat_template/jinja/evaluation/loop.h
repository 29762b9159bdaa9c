// The variable `loop` of a {% for %}.
//
// Items are taken one by one, and the condition of the loop is asked as they are; `loop.last` and
// `loop.nextitem` take one ahead, `loop.length` all that are left.
#pragma once

#include "runtime/chat_template/jinja/evaluation/arguments.h"
#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/syntax/syntax.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace lamina::jinja {

struct Loop : Container {
  Loop(Heap& owner, std::size_t depth) : Container(owner, Kind::loop), depth0(depth) {}
  ~Loop() override { heap.bury(*this); }
  static bool holds(Kind kind) { return kind == Kind::loop; }
  void release(Values& parts) override;

  /// Goes to the next item; false where there is none.
  bool next(Value& item);
  bool last() { return !peek(); }
  std::size_t length();
  Value previous_item() const;
  Value next_item();
  Value cycle(const Arguments& arguments) const;
  Value changed(const Arguments& arguments);

  // What the items come from: a list, or an iterator. The loop ends these when it is over.
  Values source;
  std::size_t source_at = 0;
  Value iterator;
  std::function<bool(Value&)> pull;

  std::size_t depth0;
  Integer index0 = -1;
  const Statement* recursive = nullptr;
  Value scope;  // around the loop, for recursion

 private:
  bool peek();

  std::deque<Value> ahead_;
  Value before_, current_;
  std::optional<Values> shown_;  // what `changed` was told last
};

/// An attribute of the loop; nothing where there is none of the name.
std::optional<Value> loop_member(Loop& loop, std::string_view name);

}  // namespace lamina::jinja
