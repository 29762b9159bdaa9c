// Which deltas belong together.
#include "runtime/streaming/answer_event.h"

#include <utility>

namespace lamina {

void append(std::vector<AnswerEvent>& all, AnswerEvent event) {
  const auto join = [&]<class Event>(const Event& more) {
    if constexpr (requires { more.text; }) {
      auto* last = all.empty() ? nullptr : std::get_if<Event>(&all.back());
      if (last != nullptr) last->text += more.text;
      return last != nullptr;
    }
    return false;
  };
  if (!std::visit(join, event)) all.push_back(std::move(event));
}

}  // namespace lamina
