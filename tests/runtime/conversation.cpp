// The bookkeeping of messages, and files that are no conversations.
#include "runtime/conversation.h"

#include "message_of.h"
#include "runtime/streaming/utf8_stream.h"

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

BOOST_AUTO_TEST_CASE(a_summary_without_a_system_message_goes_to_the_first_question) {
  const std::string note = "Summary of the conversation before this point:\ngist";
  Conversation conversation = exchanges_of(2);
  conversation.set_system("");
  const Json seen = conversation.visible(2, "gist");
  BOOST_TEST(seen[0] == Json({{"role", "user"}, {"content", note + "\n\nu1"}}));
  BOOST_TEST(texts(seen) == note + "\n\nu1 a1 ");
  const Json parts = Json::array({{{"type", "text"}, {"text", "u0"}}});
  const Json answer = {{"role", "assistant"}, {"content", "a0"}};
  Conversation listed(Json{{"messages", {{{"role", "user"}, {"content", parts}}, answer}}});
  const Json content = listed.visible(0, "gist")[0]["content"];
  BOOST_TEST_REQUIRE(content.size() == 2u);
  BOOST_TEST(content[0]["text"] == note + "\n\n");
  BOOST_TEST(content[1] == parts[0]);
  // Where no question is left to hold it, it is one.
  BOOST_TEST(listed.visible(1, "gist")[0] == Json({{"role", "user"}, {"content", note}}));
  BOOST_TEST(listed.visible(1, "gist")[1] == answer);
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

BOOST_AUTO_TEST_CASE(no_byte_is_lost) {
  const std::string question("a\xFF\0b\xC3", 5);
  Conversation conversation;
  conversation.set_system("\xE2\x82");
  conversation.add("user", question);
  BOOST_TEST(has_ill_formed(conversation.messages()));
  conversation.add("assistant", "So");
  conversation.continue_last(" it \xC3\xA9");
  const Json saved = Json::parse(conversation.to_json().dump());  // dump throws where it is no JSON
  BOOST_TEST(saved["messages"][1]["content"] == as_utf8(question));
  BOOST_TEST(saved["messages"][1]["bytes"] == Json({'a', 0xFF, 0, 'b', 0xC3}));
  BOOST_TEST(!saved["messages"][2].contains("bytes"));
  const Conversation loaded(read_conversation(saved, "f"));
  BOOST_TEST((loaded.messages() == conversation.messages()));
  BOOST_TEST(loaded.system() == "\xE2\x82");
  conversation.undo();
  conversation.set_system("");
  BOOST_TEST(!has_ill_formed(conversation.messages()));
}

BOOST_AUTO_TEST_CASE(roles_that_few_templates_know) {
  Conversation conversation = exchanges_of(1);
  for (const char* role : {"developer", "tool", "User", "ipython", "User"})
    conversation.add(role, "x");
  BOOST_TEST(
      unusual_roles(conversation.messages()) == (std::vector<std::string>{"User", "ipython"}),
      boost::test_tools::per_element());
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
           {"7", "f.json: found the number 7; expected a list of messages"},
           {"{}", "f.json: found an empty object without \"messages\"; expected a list"},
           {R"({"messages": {}})", "found an empty object as \"messages\"; expected a list"},
           {"[" + good + ", 3]", "message 2 is the number 3; expected an object such as"},
           {R"([{"content": "a"}])", "message 1 has no \"role\""},
           {R"([{"role": 1, "content": "a"}])", "message 1 has as \"role\" the number 1"},
           {R"([{"role": "user"}])", "has no \"content\""},
           {R"([{"role": "user", "content": 1}])", "the number 1, neither text nor a list"},
           {R"([{"role": "user", "content": "a", "bytes": [98]}])", "differ from its \"content\""},
           {R"([{"role": "user", "content": "a", "bytes": [256]}])", "numbers from 0 to 255"},
           {R"([{"role": "user", "content": "a", "bytes": "a"}])", "numbers from 0 to 255"},
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
