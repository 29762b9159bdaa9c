// The variable `loop`.
#include "runtime/chat_template/jinja/evaluation/loop.h"

#include "runtime/chat_template/jinja/values/operations.h"

#include <algorithm>

namespace lamina::jinja {

void Loop::release(Values& parts) {
  const auto give = [&](Value& value) { parts.push_back(std::exchange(value, {})); };
  std::for_each(source.begin(), source.end(), give);
  std::for_each(ahead_.begin(), ahead_.end(), give);
  source.clear();
  ahead_.clear();
  for (Value* value : {&iterator, &scope, &before_, &current_}) give(*value);
  if (shown_) std::for_each(shown_->begin(), shown_->end(), give);
  shown_.reset();
  pull = nullptr;
}

bool Loop::peek() {
  if (!ahead_.empty()) return true;
  Value item;
  if (!pull || !pull(item)) return false;
  ahead_.push_back(std::move(item));
  return true;
}

bool Loop::next(Value& item) {
  if (!peek()) return false;
  item = std::move(ahead_.front());
  ahead_.pop_front();
  ++index0;
  before_ = std::exchange(current_, item);
  return true;
}

std::size_t Loop::length() {
  for (Value item; pull && pull(item);) ahead_.push_back(item);
  return static_cast<std::size_t>(index0 + 1) + ahead_.size();
}

Value Loop::previous_item() const {
  return index0 == 0 ? Value::undefined("there is no previous item") : before_;
}

Value Loop::next_item() {
  return peek() ? ahead_.front() : Value::undefined("there is no next item");
}

Value Loop::cycle(const Arguments& arguments) const {
  const Values& items = arguments.positional;
  if (items.empty() || !arguments.named.empty()) fail("no items for cycling given");
  return items[static_cast<std::size_t>(index0 % static_cast<Integer>(items.size()))];
}

Value Loop::changed(const Arguments& arguments) {
  if (!arguments.named.empty()) fail("changed() got an unexpected keyword argument");
  const Values& now = arguments.positional;
  const bool unchanged =
      shown_ && shown_->size() == now.size() &&
      std::equal(now.begin(), now.end(), shown_->begin(),
                 [&](const Value& a, const Value& b) { return equal(heap, a, b); });
  shown_ = now;
  return !unchanged;
}

std::optional<Value> loop_member(Loop& loop, std::string_view name) {
  if (name == "index") return loop.index0 + 1;
  if (name == "index0") return loop.index0;
  if (name == "first") return loop.index0 == 0;
  if (name == "last") return loop.last();
  if (name == "length") return loop.length();
  if (name == "revindex") return static_cast<Integer>(loop.length()) - loop.index0;
  if (name == "revindex0") return static_cast<Integer>(loop.length()) - loop.index0 - 1;
  if (name == "previtem") return loop.previous_item();
  if (name == "nextitem") return loop.next_item();
  if (name == "depth") return loop.depth0 + 1;
  if (name == "depth0") return loop.depth0;
  return std::nullopt;
}

}  // namespace lamina::jinja
