// What a template may take: whatever it asks for, it ends soon, in bounded memory, with an error.
// Covers runtime/chat_template/jinja/values/heap.h, runtime/chat_template/jinja/values/search.h.
// Covers runtime/chat_template/jinja/values/value.h.
#include "runtime/chat_template/chat_template.h"

#include "tests/sanitized.h"
#include "tests/small_stack.h"

#include <boost/test/unit_test.hpp>

#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace lamina;

namespace {

using Json = nlohmann::ordered_json;

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// The error that rendering ends with; empty where it goes well.
std::string message_of(const std::string& text, const RenderOptions& options = {}) {
  try {
    ChatTemplate(text, "t").render({{"n", 0}, {"s", "abc"}, {"l", {1, 2, 3}}}, options);
    return {};
  } catch (const TemplateError& error) {
    return error.what();
  }
}

/// Runs `work` in a thread with a stack of 1 MiB (more where a sanitizer widens the frames).
void on_small_stack(const std::function<void()>& work) {
  constexpr std::size_t size = std::size_t{test::sanitized ? 16 : 1} << 20;
  test::on_stack(size, work);
}

constexpr double most_seconds = test::sanitized ? 20 : 2;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

BOOST_AUTO_TEST_SUITE(template_limits)

BOOST_AUTO_TEST_CASE(endless_work_ends) {
  const std::string large = "{% set x = 'ab' * 4000000 %}";
  for (const std::string& text : std::vector<std::string>{
           "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
           "{% for a in range(99999) %}{{ 'x' * 1000 }}{% endfor %}",
           large + "{% for a in range(99999) %}{% if x.upper() %}{% endif %}{% endfor %}",
           large + "{% for a in range(99999) %}{% if 'b' in x %}{% endif %}{% endfor %}",
           "{% set x = 'é' * 4000000 %}{% for a in range(99999) %}{{ x[-1] }}{% endfor %}",
           "{% set x = range(90000)|list %}{% for a in range(99999) %}{% if x|sort %}{% endif %}{% "
           "endfor %}",
           "{% set x = range(90000)|list %}{% for a in range(99999) %}{% if x|list %}{% endif %}{% "
           "endfor %}",
           "{% set ns = namespace(s='x') %}{% for a in range(99) %}{% set ns.s = ns.s + ns.s %}{% "
           "endfor %}",
           "{% set ns = namespace(l=[1]) %}{% for a in range(99) %}{% set ns.l = ns.l + ns.l %}{% "
           "endfor %}",
           "{% set ns = namespace(s='<') %}{% for a in range(99) %}{% set ns.s = ns.s|forceescape "
           "%}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
           "{% set ns = namespace(l=[]) %}{% for a in range(99999) %}{% set _ = ns.l.append('x' * "
           "9999) %}{% endfor %}",
           "{% set x = [[1] * 1000] * 1000 %}{% set y = [x] * 1000 %}{{ y }}",
           "{% set x = [[1] * 1000] * 1000 %}{{ x|tojson(indent=99999) }}",
           "{% set x = {'a': ['b' * 1000] * 1000} %}{{ [x, x, x, x, x, x, x, x, x, x, x, x, x, x, "
           "x, x, x, x]|pprint }}",
           "{% macro m(n) %}{{ m(n + 1) }}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}"}) {
    RenderOptions options;
    options.limits.steps = 100'000;  // a tenth of what is usual, and so is the time
    const double before = cpu_seconds();
    const std::string message = message_of(text, options);
    const double taken = cpu_seconds() - before;
    BOOST_TEST(!message.empty(), text);
    BOOST_TEST(taken < most_seconds, text << " took " << taken << " s");
    BOOST_TEST_MESSAGE(taken << " s: " << message);
  }
}

BOOST_AUTO_TEST_CASE(whatever_takes_long_counts_as_long) {
  // Each line is a template that would run for minutes, or until the memory ends, if one operation
  // did not count what it does.
  std::ifstream file(LAMINA_SOURCE_DIR "/tests/runtime/chat_template/hostile.txt");
  RenderOptions options;
  options.limits.steps = 20'000;  // a fiftieth of what is usual
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const double before = cpu_seconds();
    static_cast<void>(message_of(line, options));
    const double taken = cpu_seconds() - before;
    BOOST_TEST(taken < most_seconds / 4, line << " took " << taken << " s");
  }
  BOOST_TEST(lines > 130);
}

BOOST_AUTO_TEST_CASE(searches_are_linear) {
  const std::string halves = "{% set a = 'a' * 4000000 %}{% set b = a + a %}";
  for (const auto& [text, found] : std::vector<std::pair<std::string, std::string>>{
           {"{{ b.find(a + 'b') }}", "-1"},
           {"{{ b.rfind('b' + a) }}", "-1"},
           {"{{ (b + 'b').find(a + 'b') }}", "4000000"},
           {"{{ ('a' + b + 'b').find(a + 'b') }}", "4000001"},
           {"{{ ('b' + b).rfind('b' + a) }}", "0"},
           {"{{ b.count(a) }}", "2"},
           {"{{ (a + 'b') in b }}", "False"},
           {"{{ b.replace(a, 'x') }}", "xx"},
           {"{{ (b + 'a').split(a) }}", "['', '', 'a']"},
           {"{{ ('a' + b).rsplit(a) }}", "['a', '', '']"},
           {"{{ ('c' + b).rpartition('c' + a)[2]|length }}", "4000000"}}) {
    const double before = cpu_seconds();
    BOOST_TEST(whole_text(ChatTemplate(halves + text).render(Json::object())) == found, text);
    BOOST_TEST(cpu_seconds() - before < most_seconds, text);
  }
}

BOOST_AUTO_TEST_CASE(keys_of_one_hash_are_told_apart_in_bounded_time) {
  const std::string text =
      "{% set d = {} %}{% for i in range(n) %}{% set _ = d.update({i * 18446744073709551616: i}) %}"
      "{% endfor %}{{ d|length }} {{ d[n * 18446744073709551616 - 18446744073709551616] }}";
  BOOST_TEST(whole_text(ChatTemplate(text).render({{"n", 300}})) == "300 299");
  BOOST_CHECK_THROW(ChatTemplate(text).render({{"n", 90000}}), TemplateError);
}

BOOST_AUTO_TEST_CASE(marks_of_the_user_count_as_memory) {
  // Each change between the user's text and the template's becomes a part of the prompt.
  const ChatTemplate chat_template("{{ ('a' ~ messages[0].content) * 4000000 }}");
  const Json says = {{"messages", {{{"role", "user"}, {"content", "b"}}}}};
  BOOST_CHECK_THROW(chat_template.render(says), TemplateError);
}

BOOST_AUTO_TEST_CASE(nothing_large_is_made_at_once) {
  for (const char* text : {"{{ 'ab' * 10**9 }}",
                           "{{ [1] * 10**9 }}",
                           "{{ '%1000000000d' % 1 }}",
                           "{{ '%.1000000000f' % 1 }}",
                           "{{ '%*d' % (10**9, 1) }}",
                           "{{ 'x'.center(10**9) }}",
                           "{{ 'x'.ljust(10**18) }}",
                           "{{ 'x'.zfill(10**12) }}",
                           "{{ '{:1000000000}'.format(1) }}",
                           "{{ '{:1000000000}'.format('x') }}",
                           "{{ '{:.1000000000f}'.format(1.5) }}",
                           "{{ '{:99999999999999999999}'.format(1) }}",
                           "{{ '%99999999999999999999d' % 1 }}",
                           "{{ 'x'|center(10**9) }}",
                           "{{ 'a\\nb'|indent(10**9) }}",
                           "{{ [1]|batch(10**9, 0)|list }}",
                           "{{ [1]|slice(10**9)|list }}",
                           "{{ range(10**9) }}",
                           "{{ range(10**30, 10**31) }}",
                           "{{ range(2**126, -2**126, -2**126) }}",
                           "{{ 2**127 }}",
                           "{{ 10**39 }}",
                           "{{ -(-2**127) }}",
                           "{{ 9**9**9 }}",
                           "{{ 'a\\tb'.expandtabs(10**12) }}",
                           "{{ [1]|tojson(indent=10**12) }}",
                           "{{ ('a' * 1000000).replace('', 'b' * 1000000) }}",
                           "{{ ('a' * 1000000).join(['b'] * 1000000) }}",
                           "{{ ('x' * 1000000)|list }}",
                           "{{ 170141183460469231731687303715884105728 }}",
                           "{{ '9' * 100|int }}{{ ('9' * 50)|int }}",
                           "{{ strftime_now('%1000000000Y') }}"}) {
    const double before = cpu_seconds();
    BOOST_TEST(!message_of(text).empty(), text);
    BOOST_TEST(cpu_seconds() - before < most_seconds, text);
  }
}

BOOST_AUTO_TEST_CASE(nesting_is_limited_on_a_small_stack) {
  // CT02
  on_small_stack([] {
    for (const std::string& text : std::vector<std::string>{
             repeated("(", 100000),
             "{{ " + repeated("(", 100000) + "1" + repeated(")", 100000) + " }}",
             "{{ " + repeated("[", 100000) + " }}",
             "{{ " + repeated("{1:", 100000) + " }}",
             "{{ " + repeated("not ", 100000) + "1 }}",
             "{{ " + repeated("-", 100000) + "1 }}",
             "{{ 1" + repeated(" + 1", 100000) + " }}",
             "{{ 1" + repeated("|string", 100000) + " }}",
             "{{ s" + repeated(".x", 100000) + " }}",
             "{{ s" + repeated("[0]", 100000) + " }}",
             "{{ s" + repeated("()", 100000) + " }}",
             "{{ 1" + repeated(" if 1 else 1", 100000) + " }}",
             repeated("{% if 1 %}", 50000),
             repeated("{% for x in l %}", 50000),
             repeated("{% macro m() %}", 50000),
             repeated("{% set x %}", 50000),
             repeated("{% filter upper %}", 50000),
             repeated("{% call m() %}", 50000),
             "{% macro x() %}{{ x() }}{% endmacro %}{{ x() }}",
             "{% macro x(f) %}{{ f(f) }}{% endmacro %}{{ x(x) }}",
             "{% macro x() %}{% call x() %}{% endcall %}{% endmacro %}{{ x() }}",
             "{% block b %}{{ self.b() }}{% endblock %}",
             "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
             "{% set ns = namespace(l=[]) %}{% for i in range(300) %}{% set ns.l = [ns.l] %}{% "
             "endfor %}{{ ns.l }}",
             "{% set l = [] %}{% set _ = l.append(l) %}{{ l }}",
             "{% set l = [] %}{% set _ = l.append(l) %}{{ l|tojson }}",
             "{% set l = [] %}{% set _ = l.append(l) %}{% set m = [] %}{% set _ = m.append(m) %}{{ "
             "l == m }}{{ l < m }}",
             "{{ ('[' * 100000)|from_json }}",
             "{{ ('[' * 300 ~ ']' * 300)|from_json }}"}) {
      if (text[0] != '(') BOOST_TEST(!message_of(text).empty(), text.substr(0, 60));
    }
  });
}

BOOST_AUTO_TEST_CASE(what_is_within_the_limits_works) {
  on_small_stack([] {
    const std::string deep =
        "{% macro m(n) %}{% if n > 0 %}{% for x in [1] %}{{ [m(n - 1)][0] }}"
        "{% endfor %}{% endif %}.{% endmacro %}{{ m(60) }}";
    BOOST_TEST(whole_text(ChatTemplate(deep).render(Json::object())) == std::string(61, '.'));
    const std::string brackets = "{{ " + repeated("(", 90) + "1" + repeated(")", 90) + " }}";
    BOOST_TEST(whole_text(ChatTemplate(brackets).render(Json::object())) == "1");
    const std::string sum = "{{ 1" + repeated(" + 1", 180) + " }}";
    BOOST_TEST(whole_text(ChatTemplate(sum).render(Json::object())) == "181");
    const std::string many = repeated("{% if n %}{% elif 1 %}x{% endif %}", 5000);
    BOOST_TEST(whole_text(ChatTemplate(many).render({{"n", 0}})).size() == 5000U);
  });
}

BOOST_AUTO_TEST_CASE(long_chains_of_values_end_without_recursion) {
  on_small_stack([] {
    for (const char* text :
         {"{% set ns = namespace(l=[]) %}{% for i in range(99999) %}{% set ns.l = [ns.l] %}{% "
          "endfor %}x",
          "{% set ns = namespace(l=[]) %}{% for i in range(50000) %}{% set ns.l = {'a': (ns.l, 1)} "
          "%}{% endfor %}x",
          "{% set ns = namespace(m=none) %}{% macro f(g) %}{% macro h() %}{{ g }}{% endmacro %}"
          "{% set ns.m = h %}{% endmacro %}{% for i in range(20000) %}{{ f(ns.m) }}{% endfor %}x",
          "{% set l = [] %}{% set _ = l.append(l) %}{% set d = {} %}{% set _ = d.update(a=d, l=l) "
          "%}"
          "{% set ns = namespace() %}{% set ns.ns = ns %}x"}) {
      BOOST_TEST(whole_text(ChatTemplate(text).render(Json::object())) == "x", text);
    }
  });
}

BOOST_AUTO_TEST_CASE(each_limit_can_be_set) {
  const auto limited = [](auto TemplateLimits::*limit, std::size_t value, const std::string& text) {
    RenderOptions options;
    options.limits.*limit = value;
    return message_of(text, options);
  };
  const std::string loop = "{% for i in range(50) %}{{ i }}{% endfor %}";
  BOOST_TEST(message_of(loop).empty());
  BOOST_TEST(limited(&TemplateLimits::steps, 40, loop).find("40 steps") != std::string::npos);
  BOOST_TEST(limited(&TemplateLimits::output_bytes, 60, loop).find("60 bytes") !=
             std::string::npos);
  BOOST_TEST(limited(&TemplateLimits::list_items, 30, loop).find("30") != std::string::npos);
  BOOST_TEST(limited(&TemplateLimits::memory_bytes, 900, loop).find("900 bytes") !=
             std::string::npos);
  const std::string calls = "{% macro m(n) %}{{ m(n - 1) if n }}{% endmacro %}{{ m(9) }}";
  BOOST_TEST(message_of(calls).empty());
  BOOST_TEST(limited(&TemplateLimits::depth, 5, calls).find("too deep") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
