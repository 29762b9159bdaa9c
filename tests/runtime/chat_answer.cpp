// Events of an answer become a message.
#include "runtime/chat_answer.h"

#include "runtime/streaming/answer_stream.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

/// The message of a text in the form that Qwen and Hermes write, fed byte by byte.
Json message_of_text(const std::string& text) {
  AnswerStream stream({CallForm::hermes, think_tags});
  ChatAnswer answer;
  for (const char byte : text) {
    for (const AnswerEvent& event : stream.feed(std::string(1, byte))) answer.add(event);
  }
  for (const AnswerEvent& event : stream.finish()) answer.add(event);
  return answer.message();
}

BOOST_AUTO_TEST_SUITE(chat_answer)

BOOST_AUTO_TEST_CASE(text_alone) {
  BOOST_TEST(message_of_text("Hello.") == Json({{"role", "assistant"}, {"content", "Hello."}}));
}

BOOST_AUTO_TEST_CASE(reasoning_and_calls) {
  const Json message = message_of_text(
      "<think>\nhm\n</think>\n\nLet me see."
      "<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": 1}}\n</tool_call>\n"
      "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>");
  BOOST_TEST(message["content"] == "Let me see.");
  BOOST_TEST(message["reasoning_content"] == "hm");
  BOOST_TEST_REQUIRE(message["tool_calls"].size() == 2u);
  BOOST_TEST(message["tool_calls"][0] ==
             Json({{"id", "call_0"},
                   {"type", "function"},
                   {"function", {{"name", "add"}, {"arguments", "{\"a\": 1}"}}}}));
  BOOST_TEST(message["tool_calls"][1]["id"] == "call_1");
}

BOOST_AUTO_TEST_CASE(an_id_of_the_model_is_kept) {
  ChatAnswer answer;
  answer.add(CallBegin{0, "f", "abc123456"});
  answer.add(CallArguments{0, "{\"a\""});
  answer.add(CallArguments{0, ":1}"});
  answer.add(CallEnd{0, true});
  BOOST_TEST(answer.calls()[0]["id"] == "abc123456");
  BOOST_TEST(answer.calls()[0]["function"]["arguments"] == "{\"a\":1}");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
