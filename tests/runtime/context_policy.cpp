// Every policy on conversations that do not fit, with a model that only counts.
#include "runtime/context_policy.h"

#include "message_of.h"
#include "runtime/gguf_files.h"
#include "shared_data.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

using Kind = ContextPolicy::Kind;

constexpr const char* plain_template =
    "{% for m in messages %}{{ '<|start|>' + m.role + '\\n' + m.content + '<|end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|start|>assistant\\n' }}{% endif %}";

struct Bench {
  Tokenizer tokenizer =
      Tokenizer::from_metadata(GgufFiles(test::goldens() / "tokenizer" / "llama3.gguf").metadata());
  ChatFormat format;
  Conversation conversation;
  std::vector<std::string> requests = {};  // what the model was asked to sum up
  std::string answer = "gist";

  /// A system message, `count` exchanges of nearly equal length and a last question.
  explicit Bench(int count, const char* chat_template = plain_template)
      : format({chat_template, "test"}, tokenizer, {}) {
    conversation.set_system("the rules");
    for (int i = 0; i < count; ++i) {
      conversation.add("user", "question " + std::to_string(100 + i));
      conversation.add("assistant", "an answer that is a little longer " + std::to_string(100 + i));
    }
    conversation.add("user", "the last question");
  }

  std::int64_t length(std::size_t dropped = 0) const {
    return static_cast<std::int64_t>(
        format.tokens(conversation.visible(dropped, ""), PromptEnd::generation).size());
  }

  FittedPrompt fit(const ContextPolicy& policy, ContextRoom room) {
    return fit_prompt(conversation, format, PromptEnd::generation, room, policy,
                      [&](const std::vector<Token>& prompt, std::int64_t) {
                        requests.push_back(tokenizer.decode(prompt, true));
                        return answer;
                      });
  }

  std::string refusal(const ContextPolicy& policy, ContextRoom room) {
    const auto before = conversation.to_json();
    const std::string message = test::message_of([&] { fit(policy, room); });
    BOOST_TEST(conversation.to_json() == before);
    return message;
  }
};

BOOST_AUTO_TEST_SUITE(context_policy)

BOOST_AUTO_TEST_CASE(what_fits_is_left_alone) {
  for (const ContextPolicy policy :
       {ContextPolicy{}, {Kind::drop_oldest, 0}, {Kind::summary, 0}, {Kind::window, 5}}) {
    Bench bench(4);
    const std::int64_t length = bench.length();
    const FittedPrompt fitted = bench.fit(policy, {length + 10, 10});
    BOOST_TEST(static_cast<std::int64_t>(fitted.tokens.size()) == length);
    BOOST_TEST(fitted.dropped_messages == 0u);
    BOOST_TEST(bench.requests.empty());
    BOOST_TEST(bench.conversation.dropped() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(error_says_what_is_needed) {
  Bench bench(4);
  const std::int64_t length = bench.length();
  const std::string message = bench.refusal({}, {length + 9, 10});
  BOOST_TEST(test::contains(message, std::to_string(length) + " tokens"), message);
  BOOST_TEST(test::contains(message, "room for " + std::to_string(length - 1)), message);
  BOOST_TEST(test::contains(message, "--context-policy drop-oldest"), message);
}

BOOST_AUTO_TEST_CASE(drop_oldest_drops_no_more_than_must_go) {
  for (const std::size_t gone : {1u, 2u, 3u, 4u}) {
    Bench bench(4);
    const std::int64_t before = bench.length(), after = bench.length(2 * gone);
    const FittedPrompt fitted = bench.fit({Kind::drop_oldest, 0}, {after + 7, 7});
    BOOST_TEST(fitted.dropped_messages == 2 * gone);
    BOOST_TEST(fitted.dropped_tokens == before - after);
    BOOST_TEST(static_cast<std::int64_t>(fitted.tokens.size()) == after);
    const auto seen = bench.conversation.visible();
    BOOST_TEST(seen.front()["content"] == "the rules");
    BOOST_TEST(seen.back()["content"] == "the last question");
    BOOST_TEST(bench.conversation.messages().size() == 10u);  // nothing is lost
    BOOST_TEST(bench.fit({Kind::drop_oldest, 0}, {after + 7, 7}).dropped_messages == 0u);
  }
}

BOOST_AUTO_TEST_CASE(the_system_message_and_the_last_question_must_fit) {
  Bench bench(4);
  const std::int64_t least = bench.length(8);
  const std::string message = bench.refusal({Kind::drop_oldest, 0}, {least - 1, 0});
  BOOST_TEST(test::contains(message, "the last question alone need " + std::to_string(least)),
             message);
}

BOOST_AUTO_TEST_CASE(a_window_is_kept_always) {
  Bench bench(4);
  const FittedPrompt fitted = bench.fit({Kind::window, 2}, {100000, 0});
  BOOST_TEST(fitted.dropped_messages == 6u);
  BOOST_TEST(bench.conversation.exchanges().size() == 2u);
  bench.conversation.add("assistant", "a");
  bench.conversation.add("user", "one more");
  BOOST_TEST(bench.fit({Kind::window, 2}, {100000, 0}).dropped_messages == 2u);
  BOOST_TEST(test::contains(bench.refusal({Kind::window, 2}, {20, 0}), "smaller window"));
}

BOOST_AUTO_TEST_CASE(a_summary_stands_for_what_is_dropped) {
  Bench bench(6);
  const std::int64_t length = bench.length();
  const FittedPrompt fitted = bench.fit({Kind::summary, 0}, {length + 10, 20});
  BOOST_TEST(fitted.summarised);
  BOOST_TEST(fitted.dropped_messages > 0u);
  BOOST_TEST_REQUIRE(bench.requests.size() == 1u);
  const std::string& request = bench.requests[0];
  for (const char* part : {"the rules", "question 100", "Summarise"}) {
    BOOST_TEST(test::contains(request, part), request);
  }
  BOOST_TEST(!test::contains(request, "the last question"));
  const std::string text = bench.tokenizer.decode(fitted.tokens, true);
  BOOST_TEST(test::contains(text, "the rules\n\nSummary"), text);
  BOOST_TEST(test::contains(text, "gist"), text);
  BOOST_TEST(!test::contains(text, "question 100"), text);
  BOOST_TEST(static_cast<std::int64_t>(fitted.tokens.size()) <= length - 10);
  // The next summary is told of the first.
  for (int i = 0; i < 3; ++i) {
    bench.conversation.add("assistant", "an answer that is a little longer " + std::to_string(i));
    bench.conversation.add("user", "one more question");
  }
  bench.answer = "second gist";
  bench.fit({Kind::summary, 0}, {length + 10, 20});
  BOOST_TEST_REQUIRE(bench.requests.size() >= 2u);
  BOOST_TEST(test::contains(bench.requests[1], "gist"));
  BOOST_TEST(bench.conversation.summary() == "second gist");
}

BOOST_AUTO_TEST_CASE(a_summary_for_a_template_that_refuses_system_messages) {
  Bench bench(
      6,
      "{% for m in messages %}"
      "{% if m.role == 'system' %}{{ raise_exception('no system messages') }}{% endif %}"
      "{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('turns') }}"
      "{% endif %}{{ '<|start|>' + m.role + '\\n' + m.content + '<|end|>\\n' }}{% endfor %}");
  bench.conversation.set_system("");
  const std::int64_t length = bench.length();
  for (int i = 0; i < 2; ++i) {
    const FittedPrompt fitted = bench.fit({Kind::summary, 0}, {length + 10, 20});
    BOOST_TEST(fitted.summarised);
    const std::string text = bench.tokenizer.decode(fitted.tokens, true);
    BOOST_TEST(test::contains(text, "user\nSummary of the conversation before this point:\ngist"),
               text);
    for (int k = 0; k < 3; ++k) {
      bench.conversation.add("assistant", "an answer that is a little longer");
      bench.conversation.add("user", "one more question");
    }
  }
  BOOST_TEST(bench.requests.size() >= 2u);
}

BOOST_AUTO_TEST_CASE(a_long_past_is_summed_up_in_steps) {
  Bench bench(40);
  const ContextRoom room{bench.length() / 4, 10};
  const FittedPrompt fitted = bench.fit({Kind::summary, 0}, room);
  BOOST_TEST(bench.requests.size() > 1u);
  std::string all;
  for (const std::string& request : bench.requests) all += request;
  for (std::size_t i = 0; i < fitted.dropped_messages / 2; ++i) {  // none is left out
    BOOST_TEST(test::contains(all, "question " + std::to_string(100 + i)));
  }
}

BOOST_AUTO_TEST_CASE(summaries_that_cannot_be) {
  Bench bench(20);
  bench.answer = "";
  const std::int64_t length = bench.length();
  const FittedPrompt none = bench.fit({Kind::summary, 0}, {length - 1, 0});
  BOOST_TEST(!none.summarised);
  BOOST_TEST(none.dropped_messages > 0u);
  Bench large(20);
  std::string words;
  for (int i = 0; i < 400; ++i) words += "word ";
  large.answer = words;  // more than it may be
  BOOST_TEST(test::contains(large.refusal({Kind::summary, 0}, {length - 1, 0}), "what is left"));
  Bench one(0);
  one.conversation.reset();
  one.conversation.add("user", words);
  one.conversation.add("assistant", "a");
  one.conversation.add("user", "b");
  BOOST_TEST(test::contains(one.refusal({Kind::summary, 0}, {200, 0}),
                            "summing up the oldest exchange needs"));
}

BOOST_AUTO_TEST_CASE(the_room_for_the_answer) {
  BOOST_TEST(context_room(4096, {}).answer == 1024);
  BOOST_TEST(context_room(4096, 100).answer == 100);
  BOOST_TEST(context_room(4096, 0).prompt() == 4096);
  BOOST_TEST(context_room(4096, 100000).prompt() == 3072);
}

BOOST_AUTO_TEST_CASE(policies_by_name) {
  for (const char* name : {"error", "drop-oldest", "window=3", "summary"}) {
    BOOST_TEST(describe(parse_context_policy(name)) == name);
  }
  BOOST_TEST(parse_context_policy("window 12").exchanges == 12u);
  for (const char* name : {"", "window", "window=", "window=0", "window=-1", "window=2x", "drop"}) {
    BOOST_TEST(test::contains(test::message_of([&] { parse_context_policy(name); }),
                              "is no context policy; expected error, drop-oldest"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
