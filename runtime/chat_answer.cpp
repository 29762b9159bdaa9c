// Where each event goes.
#include "runtime/chat_answer.h"

#include <fmt/format.h>

#include <variant>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace

void ChatAnswer::add(const AnswerEvent& event) {
  std::visit(Overloaded{
                 [&](const ContentDelta& delta) { content_ += delta.text; },
                 [&](const ReasoningDelta& delta) { reasoning_ += delta.text; },
                 [&](const CallBegin& begin) {
                   const std::string id =
                       begin.id.empty() ? fmt::format("call_{}", begin.call) : begin.id;
                   calls_.push_back({{"id", id},
                                     {"type", "function"},
                                     {"function", {{"name", begin.name}, {"arguments", ""}}}});
                 },
                 [&](const CallArguments& part) {
                   Json& arguments = calls_.back()["function"]["arguments"];
                   arguments = arguments.get<std::string>() + part.text;
                 },
                 [](const CallEnd&) {},
             },
             event);
}

Json ChatAnswer::message() const {
  Json message = {{"role", "assistant"}, {"content", content_}};
  if (!reasoning_.empty()) message["reasoning_content"] = reasoning_;
  if (!calls_.empty()) message["tool_calls"] = calls_;
  return message;
}

}  // namespace lamina
