// Which template is taken, and what is said where there is none.
#include "runtime/chat_template/choice.h"

#include "message_of.h"
#include "runtime/temporary_folder.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

const ModelTemplates two = {{"default", "D"}, {"tool_use", "T"}};

BOOST_AUTO_TEST_SUITE(template_choice)

BOOST_AUTO_TEST_CASE(the_models_own_unless_asked) {
  BOOST_TEST(choose_template({}, two, false, "m").text == "D");
  BOOST_TEST(choose_template({}, two, true, "m").text == "T");
  BOOST_TEST(choose_template({}, {{"default", "D"}}, true, "m").text == "D");
  BOOST_TEST(choose_template("tool_use", two, false, "m").text == "T");
  BOOST_TEST(choose_template("chatml", two, false, "m").source == "chatml");
  BOOST_TEST(test::contains(choose_template("chatml", {}, false, "m").text, "<|im_start|>"));
  const ModelTemplates shadow = {{"chatml", "own"}};
  BOOST_TEST(choose_template("chatml", shadow, false, "m").text == "own");
}

BOOST_AUTO_TEST_CASE(files) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("my.jinja", "a\r\nb").string();
  const ChosenTemplate chosen = choose_template(path, two, false, "m");
  BOOST_TEST(chosen.text == "a\r\nb");
  BOOST_TEST(chosen.source == path);
  const auto message = [&](const std::string& asked) {
    return test::message_of([&] { choose_template(asked, two, false, "m"); });
  };
  BOOST_TEST(test::contains(message("nope"), "--chat-template nope: No such file"));
  BOOST_TEST(test::contains(message("nope"), "default, tool_use, chatml, llama2"));
  BOOST_TEST(test::contains(message(folder.path().string()), "is a directory"));
  const std::string large = folder.write("large", std::string((4u << 20) + 1, ' ')).string();
  BOOST_TEST(test::contains(message(large), "larger than 4 MiB"));
}

BOOST_AUTO_TEST_CASE(a_model_without_one) {
  const auto message = [&](const ModelTemplates& own) {
    return test::message_of([&] { choose_template({}, own, false, "m.gguf"); });
  };
  BOOST_TEST(test::contains(message({}), "m.gguf has no chat template; give one with"));
  BOOST_TEST(test::contains(message({}), "chatml"));
  const ModelTemplates named = {{"rag", "R"}};
  BOOST_TEST(test::contains(message(named), "no default chat template"));
  BOOST_TEST(test::contains(message(named), "rag, chatml"));
}

BOOST_AUTO_TEST_CASE(the_list) {
  const std::string list = list_templates(two);
  for (const char* part : {"default", "tool_use", "in the model's files", "chatml", "command-r"}) {
    BOOST_TEST(test::contains(list, part));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
