// Conversations in files: what is saved, what is loaded, and what is no conversation.
#include "tests/runtime/tools/chat_program.h"

#include <filesystem>

namespace lamina {
namespace {

using test::Arguments;
using test::ChatProgram;
using test::contains;
using test::Json;
using test::Outcome;

BOOST_AUTO_TEST_SUITE(chat_files)

BOOST_AUTO_TEST_CASE(saved_and_loaded) {
  const ChatProgram lamina;
  BOOST_TEST(lamina.talk("hello\n/set seed 5\n/set n 3\n/save saved.json\n").code == 0);
  const Json saved = lamina.saved();
  const std::string before = test::content(lamina.folder().path() / "saved.json");
  lamina.fails(1, "/save saved.json\n", {}, "exists already; /save -f FILE replaces it");
  BOOST_TEST(test::content(lamina.folder().path() / "saved.json") == before);
  // Its own file is replaced, another one with -f.
  const Outcome again =
      lamina.talk("/load saved.json\nand\n/save saved.json\n/save -f other.json\n");
  BOOST_TEST(again.code == 0, again.err);
  Json longer = lamina.saved();
  BOOST_TEST(longer["messages"].size() == 4u);
  BOOST_TEST(longer["settings"] == saved["settings"]);
  BOOST_TEST(longer["settings"]["n"] == 3);
  BOOST_TEST(lamina.saved("other.json") == longer);
  // A saved conversation is one to start from, too.
  const auto turns = lamina.objects("more\n", {"--messages", "saved.json"});
  BOOST_TEST(turns[0]["message_tokens"].size() == 5u);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(lamina.folder().path())) {
    files += entry.path().filename().string().starts_with("saved.json") ? 1u : 0u;
  }
  BOOST_TEST(files == 1u);  // nothing is left beside it
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_are_kept) {
  const ChatProgram lamina;
  const Outcome outcome = lamina.talk(
      "a\xFF\xC3z\n/save one.json\n/load one.json\nb\n/save -f two.json\n/load two.json\n");
  BOOST_TEST(outcome.code == 0, outcome.err);
  BOOST_TEST(contains(outcome.err, "a message is no UTF-8: the model sees U+FFFD"), outcome.err);
  BOOST_TEST(outcome.err.find("is no UTF-8") == outcome.err.rfind("is no UTF-8"));  // said once
  for (const char* file : {"one.json", "two.json"}) {
    const Json message = lamina.saved(file)["messages"][0];
    BOOST_TEST(message["content"] == "a\xEF\xBF\xBD\xEF\xBF\xBDz");
    BOOST_TEST(message["bytes"] == Json({'a', 0xFF, 0xC3, 'z'}));
  }
  lamina.fails(1, "/set template.mood \xFF\n", {},
               "template argument 'mood'='\\xff': expected UTF-8");
}

BOOST_AUTO_TEST_CASE(files_of_json_that_are_wrong) {
  const ChatProgram lamina;
  lamina.folder().write("empty.json", "");
  lamina.folder().write("comma.json", "[\n {\"role\": \"user\", \"content\": \"a\"},\n]");
  lamina.folder().write("role.json", R"([{"role": "usr", "content": "a"},
                                         {"role": "user", "content": "b"}])");
  for (const char* flag : {"--messages", "--tools", "--documents"}) {
    for (const auto& [file, said] : std::vector<std::pair<std::string, std::string>>{
             {"none.json", "cannot be opened: No such file or directory"},
             {".", "is a directory; expected a file"},
             {"empty.json", "this is no JSON: there is nothing in it"},
             {"comma.json", "this is no JSON: line 3, column 1: ']', which cannot stand there"},
         }) {
      lamina.fails(1, "", {flag, file}, std::string("error: ") + flag + " " + file + ": " + said);
    }
  }
  const Outcome outcome = lamina.talk("", {"--messages", "role.json"});
  BOOST_TEST(outcome.code == 0, outcome.err);
  BOOST_TEST(contains(outcome.err, "--messages role.json: a message has the role 'usr'"),
             outcome.err);
  BOOST_TEST(contains(outcome.err, "system, developer, user, assistant, tool"), outcome.err);
  BOOST_TEST(contains(lamina.talk("/load role.json\n").err, "role 'usr'"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
