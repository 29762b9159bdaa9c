// `lamina chat` as a test runs it: a toy model, a template of letters, lines of a script.
#pragma once

#include "message_of.h"
#include "tests/runtime/tools/run_program.h"

#include <sstream>
#include <string>
#include <vector>

namespace lamina::test {

/// The program with its toy model and a template that the model's vocabulary can spell.
struct ChatProgram : Program {
  ChatProgram() {
    folder().write("chat.jinja",
                   "{% for m in messages %}{{ m.role }} {{ m.content }}<end>{% endfor %}"
                   "{% if add_generation_prompt %}assistant {% endif %}");
  }

  Arguments command(const Arguments& more = {}) const {
    return Arguments{"chat", model(), "--chat-template", "chat.jinja", "--greedy", "-n", "8"} +
           more;
  }
  Outcome talk(const std::string& lines, const Arguments& more = {}) const {
    return (*this)(command(more), lines);
  }
  /// The objects printed, one a line.
  std::vector<Json> objects(const std::string& lines, const Arguments& more = {}) const {
    const Outcome outcome = talk(lines, more + Arguments{"--output", "json"});
    BOOST_TEST_REQUIRE(outcome.code == 0, outcome.err);
    std::vector<Json> all;
    std::istringstream stream(outcome.out);
    for (std::string line; std::getline(stream, line);) all.push_back(Json::parse(line));
    return all;
  }
  Json saved(const std::string& name = "saved.json") const {
    return Json::parse(content(folder().path() / name));
  }
  void fails(int code, const std::string& lines, const Arguments& more,
             const std::string& said) const {
    const Outcome outcome = talk(lines, more);
    BOOST_TEST(outcome.code == code, outcome.err);
    BOOST_TEST(contains(outcome.err, said), outcome.err << "\nexpected: " << said);
  }
};

}  // namespace lamina::test
