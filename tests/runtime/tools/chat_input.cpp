// Lines to messages: continuation, blocks, pastes, and what was given up.
#include "runtime/tools/chat_input.h"

#include "message_of.h"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <vector>

namespace lamina {
namespace {

using Kind = EditedLine::Kind;

/// What is read from lines that come one by one; "^C" stands for a line that was given up, and
/// "+" at the start of a line for one after which more waits.
std::vector<std::string> read_all(std::deque<std::string> lines) {
  const LineSource source = [&](bool) -> EditedLine {
    if (lines.empty()) return {};
    std::string line = lines.front();
    lines.pop_front();
    if (line == "^C") return {Kind::cleared, {}, false};
    const bool more = line.starts_with('+');
    return {Kind::line, line.substr(more ? 1 : 0), more};
  };
  std::vector<std::string> all;
  while (true) {
    const ChatInput input = read_chat_input(source);
    if (input.kind == ChatInput::Kind::end) return all;
    all.push_back((input.kind == ChatInput::Kind::command ? "command " : "") + input.text);
  }
}

void check(const std::deque<std::string>& lines, const std::vector<std::string>& expected) {
  BOOST_TEST(read_all(lines) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE(chat_input)

BOOST_AUTO_TEST_CASE(a_line_is_a_message) {
  check({"a", "", "  ", " b "}, {"a", " b "});
  check({"/set a b", " /set", "a / b"}, {"command /set a b", " /set", "a / b"});
}

BOOST_AUTO_TEST_CASE(a_backslash_goes_on) {
  check({"a\\", "b\\", "c", "d"}, {"a\nb\nc", "d"});
  check({"a\\", "/b"}, {"a\n/b"});
  check({"a\\"}, {"a\n"});
}

BOOST_AUTO_TEST_CASE(a_block_is_verbatim) {
  check({"\"\"\"", "/a\\", "", "  b", "\"\"\"", "c"}, {"/a\\\n\n  b", "c"});
  check({"\"\"\"a", "b\"\"\""}, {"a\nb"});
  check({"\"\"\"", "", "b", "", "\"\"\""}, {"\nb\n"});
  check({"\"\"\"a\"\"\"", "\"\"\"\"\"\"", "b"}, {"a", "b"});
  BOOST_TEST(test::contains(test::message_of([] {
                              read_all({"\"\"\"a", "b"});
                            }),
                            "the input ended in a block"));
}

BOOST_AUTO_TEST_CASE(a_paste_is_one_message) {
  check({"+a", "+", "+/b", "c", "d"}, {"a\n\n/b\nc", "d"});
}

BOOST_AUTO_TEST_CASE(what_was_given_up_is_nothing) {
  check({"^C", "a\\", "^C", "b", "\"\"\"c", "^C", "d"}, {"b", "d"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
