// What stands on stdout for each kind of event.
#include "runtime/tools/chat_printer.h"

#include "runtime/temporary_folder.h"
#include "tests/runtime/tools/run_program.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace lamina {
namespace {

/// What `printer` writes for the events.
std::string printed(ChatPrinter printer, const std::vector<AnswerEvent>& events) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("out", "").string();
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  dup2(file, STDOUT_FILENO);
  for (const AnswerEvent& event : events) printer.print(event);
  printer.finish();
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  close(file);
  return test::content(path);
}

const std::vector<AnswerEvent> thought = {ReasoningDelta{"h"}, ReasoningDelta{"m"},
                                          ContentDelta{"So"}, ContentDelta{" it is."}};

BOOST_AUTO_TEST_SUITE(chat_printer)

BOOST_AUTO_TEST_CASE(text_ends_with_a_line_break) {
  const ChatPrinter printer(true, true);
  BOOST_TEST(printed(printer, {ContentDelta{"a"}, ContentDelta{"b"}}) == "ab\n");
  BOOST_TEST(printed(printer, {ContentDelta{"ab\n"}}) == "ab\n");
  BOOST_TEST(printed(printer, {}) == "");
}

BOOST_AUTO_TEST_CASE(reasoning_is_dimmed_marked_or_left_out) {
  BOOST_TEST(printed({true, true}, thought) == "\x1b[2mhm\n\x1b[0mSo it is.\n");
  BOOST_TEST(printed({true, false}, thought) == "<think>\nhm\n</think>\nSo it is.\n");
  BOOST_TEST(printed({false, true}, thought) == "So it is.\n");
  BOOST_TEST(printed({true, true}, {ReasoningDelta{"hm"}}) == "\x1b[2mhm\n\x1b[0m");
}

BOOST_AUTO_TEST_CASE(calls_are_lines_of_json) {
  const std::vector<AnswerEvent> events = {
      ContentDelta{"I look."}, CallBegin{0, "add", ""}, CallArguments{0, "{\"a\": "},
      CallArguments{0, "1}"},  CallEnd{0, true},        CallBegin{1, "now", "abc"},
      CallArguments{1, "{]"},  CallEnd{1, false}};
  BOOST_TEST(printed({true, true}, events) ==
             "I look.\n"
             R"({"tool_call":"add","id":"call_0","arguments":{"a":1}})"
             "\n"
             R"({"tool_call":"now","id":"abc","arguments":"{]"})"
             "\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
