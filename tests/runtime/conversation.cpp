// The bookkeeping of messages, and files that are no conversations.
#include "runtime/conversation.h"

#include "message_of.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

/// system, then u0 a0 u1 a1 ...
Conversation exchanges_of(int count) {
  Conversation conversation;
  conversation.set_system("s");
  for (int i = 0; i < count; ++i) {
    conversation.add("user", "u" + std::to_string(i));
    conversation.add("assistant", "a" + std::to_string(i));
  }
  return conversation;
}

std::string texts(const Json& messages) {
  std::string all;
  for (const Json& message : messages) all += message["content"].get<std::string>() + " ";
  return all;
}

BOOST_AUTO_TEST_SUITE(conversation)

BOOST_AUTO_TEST_CASE(the_system_message_is_the_first) {
  Conversation conversation;
  conversation.add("user", "a");
  conversation.set_system("one");
  conversation.set_system("two");
  BOOST_TEST(texts(conversation.messages()) == "two a ");
  BOOST_TEST(conversation.system() == "two");
  conversation.set_system("");
  BOOST_TEST(texts(conversation.messages()) == "a ");
  BOOST_TEST(conversation.system() == "");
}

BOOST_AUTO_TEST_CASE(taking_back) {
  Conversation conversation = exchanges_of(2);
  BOOST_TEST(!conversation.awaits_answer());
  BOOST_TEST(conversation.forget_answer());
  BOOST_TEST(texts(conversation.messages()) == "s u0 a0 u1 ");
  BOOST_TEST(conversation.awaits_answer());
  BOOST_TEST(!conversation.forget_answer());
  std::string question;
  BOOST_TEST(conversation.undo(&question));
  BOOST_TEST(question == "u1");
  BOOST_TEST(texts(conversation.messages()) == "s u0 a0 ");
  BOOST_TEST(conversation.undo());
  BOOST_TEST(!conversation.undo());
  conversation = exchanges_of(3);
  conversation.reset();
  BOOST_TEST(texts(conversation.messages()) == "s ");
}

BOOST_AUTO_TEST_CASE(what_the_model_sees) {
  Conversation conversation = exchanges_of(3);
  BOOST_TEST(conversation.exchanges() == (std::vector<std::size_t>{0, 2, 4}),
             boost::test_tools::per_element());
  conversation.drop(2, "gist");
  BOOST_TEST(conversation.exchanges() == (std::vector<std::size_t>{2, 4}),
             boost::test_tools::per_element());
  BOOST_TEST(texts(conversation.visible()) ==
             "s\n\nSummary of the conversation before this point:\ngist u1 a1 u2 a2 ");
  BOOST_TEST(texts(conversation.messages()) == "s u0 a0 u1 a1 u2 a2 ");
  BOOST_TEST(texts(conversation.visible(4, "")) == "s u2 a2 ");
  const Conversation again(read_conversation(conversation.to_json(), "saved"));
  BOOST_TEST(again.to_json() == conversation.to_json());
  BOOST_TEST(again.visible() == conversation.visible());
  conversation.undo();
  conversation.undo();
  BOOST_TEST(conversation.dropped() == 2u);
  conversation.undo();  // the dropped one
  BOOST_TEST(conversation.dropped() == 0u);
  BOOST_TEST(texts(conversation.visible()) == "s ");
}

BOOST_AUTO_TEST_CASE(a_summary_without_a_system_message_is_one) {
  Conversation conversation = exchanges_of(2);
  conversation.set_system("");
  const Json seen = conversation.visible(2, "gist");
  BOOST_TEST(seen[0]["role"] == "system");
  BOOST_TEST(seen.size() == 3u);
}

BOOST_AUTO_TEST_CASE(an_exchange_begins_with_a_question) {
  Conversation conversation;
  conversation.add("assistant", "greeting");
  conversation.add("user", "a");
  conversation.add("user", "b");
  conversation.add(Json{{"role", "assistant"}, {"tool_calls", Json::array()}});
  conversation.add("tool", "t");
  conversation.add("user", "c");
  BOOST_TEST(conversation.exchanges() == (std::vector<std::size_t>{0, 2, 5}),
             boost::test_tools::per_element());
  BOOST_TEST(Conversation().exchanges().empty());
}

BOOST_AUTO_TEST_CASE(results_go_to_calls_in_order) {
  Conversation conversation;
  conversation.add("user", "a");
  BOOST_TEST(test::contains(test::message_of([&] { conversation.add_tool_result("x"); }),
                            "no call of a tool waits"));
  const auto call = [](const char* name) {
    return Json{{"id", std::string("id-") + name}, {"function", {{"name", name}}}};
  };
  conversation.add(Json{{"role", "assistant"}, {"tool_calls", {call("f"), call("g")}}});
  BOOST_TEST(!conversation.add_tool_result("1"));
  BOOST_TEST(conversation.add_tool_result("2"));
  BOOST_TEST(conversation.messages()[3] ==
             Json({{"role", "tool"}, {"tool_call_id", "id-g"}, {"name", "g"}, {"content", "2"}}));
  BOOST_TEST(conversation.awaits_answer());
  BOOST_TEST(test::contains(test::message_of([&] { conversation.add_tool_result("3"); }),
                            "no call of a tool waits"));
}

BOOST_AUTO_TEST_CASE(texts_are_utf8) {
  Conversation conversation;
  conversation.add("user",
                   "a\xFF"
                   "b");
  conversation.add("assistant", "So");
  conversation.continue_last(" it \xC3\xA9\xC3");
  BOOST_TEST(texts(conversation.messages()) ==
             "a\xEF\xBF\xBD"
             "b So it \xC3\xA9\xEF\xBF\xBD ");
}

BOOST_AUTO_TEST_CASE(continuing_a_list_of_parts) {
  Conversation conversation(
      Json{{"messages", {{{"role", "assistant"}, {"content", Json::array()}}}}});
  conversation.continue_last("more");
  BOOST_TEST(conversation.messages()[0]["content"] ==
             Json::array({{{"type", "text"}, {"text", "more"}}}));
}

BOOST_AUTO_TEST_CASE(an_array_is_a_conversation_too) {
  const Json saved = read_conversation(Json::parse(R"([{"role": "user", "content": "a"}])"), "f");
  BOOST_TEST(texts(Conversation(saved).messages()) == "a ");
}

BOOST_AUTO_TEST_CASE(damaged_files) {
  const auto message = [](const std::string& text) {
    return test::message_of(
        [&] { Conversation made(read_conversation(Json::parse(text), "f.json")); });
  };
  const std::string good = R"({"role": "user", "content": "a"})";
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"7", "expected an array of messages"},
           {"{}", "expected an array of messages"},
           {R"({"messages": {}})", "expected an array of messages"},
           {"[" + good + ", 3]", "message 2 is no object"},
           {R"([{"content": "a"}])", "message 1 has no role"},
           {R"([{"role": 1, "content": "a"}])", "message 1 has no role"},
           {R"([{"role": "user"}])", "has no content"},
           {R"([{"role": "user", "content": 1}])", "neither text nor a list"},
           {R"({"messages": [], "context": 1})", "context"},
           {R"({"messages": [], "context": {"dropped": 1}})", "more was dropped"},
           {R"({"messages": [], "context": {"dropped": -1}})", "context"},
           {R"({"messages": [], "context": {"summary": 1}})", "context"},
       }) {
    BOOST_TEST(test::contains(message(text), said), text.substr(0, 60) << ": " << message(text));
    BOOST_TEST(test::contains(message(text), "f.json"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
