// DeepSeekCalls: calls between DeepSeek's control tokens <｜tool▁calls▁begin｜> and
// <｜tool▁calls▁end｜>, as V3 and R1 write them and as V3.1 does (the public chat templates):
//
//   <｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{...}\n```<｜tool▁call▁end｜>
//   <｜tool▁call▁begin｜>f<｜tool▁sep｜>{...}<｜tool▁call▁end｜>
#pragma once

#include "runtime/streaming/json_calls.h"

#include <optional>
#include <string>

namespace lamina {

class DeepSeekCalls {
 public:
  static constexpr std::string_view openers[] = {"<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"};

  void open(std::size_t which);
  Reading read(AnswerText& text);

 private:
  enum class State {
    call,  // or the end of the section
    kind,
    form,
    name,
    fence,
    space,
    arguments,
    wrong,
    fence_end,
    end,
  };
  // Each takes what it can, and returns how the section ends or that more is needed; nothing where
  // the state has changed.
  using Step = std::optional<Reading>;
  Step step(AnswerText& text);
  Step call(AnswerText& text);
  Step name(AnswerText& text);
  void begin(AnswerText& text);
  Step go(State state);
  Reading stop() const;

  State state_ = State::call;
  bool called_ = false;  // in this section
  bool fenced_ = false;  // the arguments at hand
  std::string name_;
  JsonScanner scanner_;
};
static_assert(CallReader<DeepSeekCalls>);

}  // namespace lamina
