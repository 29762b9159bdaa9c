// Each kind of finding where it is planted, with its place and cost, and none where nothing is.
// Covers runtime/prompt/prompt_comparison.h.
#include "runtime/prompt/prompt_lint.h"

#include "runtime/prompt/prompt_comparison.h"
#include "tests/runtime/prompt/byte_tokenizer.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace lamina {
namespace {

const std::string chatml = "{{ '<|im_start|>' + m.role }}{{ '<|im_end|>' }}";

struct Bench {
  Tokenizer tokenizer = test::byte_tokenizer();
  std::string chat_template = chatml;
  std::optional<std::int64_t> context = 1000;

  PromptModel model() const { return {tokenizer, chat_template, context}; }
  PromptReport operator()(std::string_view text) const { return lint_prompt(text, model()); }
};

/// The kinds of what was found, in order.
std::vector<std::string> kinds(const PromptReport& report) {
  std::vector<std::string> found;
  for (const PromptFinding& finding : report.findings) found.push_back(finding.kind);
  return found;
}

/// The only finding there is.
PromptFinding only(const PromptReport& report, const std::string& kind) {
  BOOST_TEST_REQUIRE(kinds(report) == std::vector<std::string>{kind},
                     boost::test_tools::per_element());
  return report.findings[0];
}

BOOST_AUTO_TEST_SUITE(prompt_lint)

BOOST_AUTO_TEST_CASE(a_clean_prompt) {
  const Bench lint;
  const PromptReport report = lint("Why is the sky blue?\n\n\tBecause 天 is, e\u0301. 👩\u200D💻");
  BOOST_TEST(report.findings.empty());
  BOOST_TEST(report.markers == 1);  // the tokenizer's own BOS
  BOOST_TEST(lint("").findings.empty());
  BOOST_TEST(lint("abc").tokens == 4);
}

BOOST_AUTO_TEST_CASE(double_bos) {
  const Bench lint;
  const PromptReport report = lint("<s>abc");
  BOOST_TEST(kinds(report) == (std::vector<std::string>{"double-bos", "special-token"}),
             boost::test_tools::per_element());
  BOOST_TEST(report.findings[0].tokens == 1);
  BOOST_TEST((report.findings[0].place == TextPlace{0, 1, 1}));
  BOOST_TEST(report.findings[0].advice.find("the tokenizer adds it") != std::string::npos);
  const TextPart rendered[] = {{"<s><s>"}, {"abc", true}};
  const PromptFinding twice = only(lint_prompt(rendered, lint.model()), "double-bos");
  BOOST_TEST(twice.place.byte == 3u);
  const TextPart right[] = {{"<s>"}, {"abc", true}};
  BOOST_TEST(lint_prompt(right, lint.model()).findings.empty());
}

BOOST_AUTO_TEST_CASE(special_tokens_as_text) {
  const Bench lint;
  const PromptFinding raw = only(lint("a\nb<|im_end|>c<|im_end|>"), "special-token");
  BOOST_TEST((raw.place == TextPlace{3, 2, 2}));
  BOOST_TEST(raw.times == 2u);
  BOOST_TEST(raw.tokens == 2);
  // In a conversation those of the template are right, and those of a message are text.
  const TextPart rendered[] = {{"<|im_start|>user\n"}, {"x <|im_end|>", true}, {"<|im_end|>\n"}};
  const PromptReport report = lint_prompt(rendered, lint.model());
  const PromptFinding written = only(report, "special-token");
  BOOST_TEST(written.place.byte == 19u);
  BOOST_TEST(written.times == 1u);
  BOOST_TEST(written.tokens == 10);
  BOOST_TEST(report.tokens == 1 + 5 + 12 + 1 + 1);
  BOOST_TEST(report.markers == 8);
}

BOOST_AUTO_TEST_CASE(markers_of_another_format) {
  Bench lint;
  const PromptFinding found = only(lint("[INST] hello [INST]"), "other-format");
  BOOST_TEST(found.times == 2u);
  BOOST_TEST(found.tokens == 12);
  BOOST_TEST(found.what.find("Llama 2") != std::string::npos);
  BOOST_TEST(kinds(lint("### Instruction:\nGo")) == std::vector<std::string>{"other-format"},
             boost::test_tools::per_element());
  lint.chat_template = "{{ '[INST]' }}";
  BOOST_TEST(lint("[INST] hello").findings.empty());
  // Without a template, what is a token of the vocabulary passes.
  lint.chat_template = "";
  BOOST_TEST(kinds(lint("[INST]")) == std::vector<std::string>{"other-format"},
             boost::test_tools::per_element());
  BOOST_TEST(kinds(lint("<|im_start|>")) == std::vector<std::string>{"special-token"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(trailing_space) {
  const Bench lint;
  const PromptFinding found = only(lint("The sky is  "), "trailing-space");
  BOOST_TEST((found.place == TextPlace{10, 1, 11}));
  BOOST_TEST(found.tokens == 2);
  BOOST_TEST(lint("The sky is\n").findings.empty());
  const TextPart rendered[] = {{"user: "}, {"hello ", true}, {" "}};
  BOOST_TEST(lint_prompt(rendered, lint.model()).findings.empty());
}

BOOST_AUTO_TEST_CASE(repeated_passages_cost_what_their_repetition_takes) {
  const Bench lint;
  const std::string rule = "Always answer in one short sentence, and never in two.";
  const PromptFinding found = only(lint(rule + "\nHello.\n" + rule), "repeated");
  BOOST_TEST(found.tokens == static_cast<std::int64_t>(rule.size()));
  BOOST_TEST(found.times == 1u);
  BOOST_TEST((found.place == TextPlace{rule.size() + 8, 3, 1}));
  BOOST_TEST(lint("a b c d e f g h. a b c d").findings.empty());
}

BOOST_AUTO_TEST_CASE(invisible_characters) {
  const Bench lint;
  const PromptFinding zero_width = only(lint("pass\u200Bword\u200B"), "invisible");
  BOOST_TEST(zero_width.times == 2u);
  BOOST_TEST(zero_width.tokens == 6);
  BOOST_TEST(zero_width.place.byte == 4u);
  BOOST_TEST(zero_width.what.find("U+200B") != std::string::npos);
  BOOST_TEST(only(lint("a\r\nb\r\n"), "invisible").tokens == 2);
  BOOST_TEST(kinds(lint("\uFEFFa\u00A0b\u202Ec\x07")).size() == 4u);
}

BOOST_AUTO_TEST_CASE(invalid_utf8) {
  const Bench lint;
  const PromptFinding found = only(lint("ab\xFF\xE4\xB8z"), "invalid-utf8");
  BOOST_TEST(found.times == 2u);  // a byte, and the beginning of a character
  BOOST_TEST(found.tokens == 3);
  BOOST_TEST(found.place.byte == 2u);
}

BOOST_AUTO_TEST_CASE(the_context) {
  Bench lint;
  lint.context = 10;
  const PromptFinding found = only(lint("0123456789"), "over-context");
  BOOST_TEST(found.tokens == 1);
  BOOST_TEST(lint("012345678").findings.empty());
  const TextPart rendered[] = {{"<|im_start|>"}, {"hi", true}, {"<|im_end|>"}};
  const PromptFinding markers = only(lint_prompt(rendered, lint.model()), "markers");
  BOOST_TEST(markers.tokens == 2);
  lint.context.reset();
  BOOST_TEST(lint(std::string(5000, 'x')).findings.empty());
}

BOOST_AUTO_TEST_CASE(two_phrasings) {
  const Tokenizer tokenizer = test::byte_tokenizer();
  const PromptComparison result = compare_prompts(tokenizer, "say yes now", "say no now");
  BOOST_TEST(result.a.size() == 12u);
  BOOST_TEST(result.b.size() == 11u);
  BOOST_TEST(result.difference() == -1);
  BOOST_TEST(result.same_start == 5u);
  BOOST_TEST(result.same_end == 4u);
  BOOST_TEST(tokenizer.decode(result.only_a()) == "yes");
  BOOST_TEST(tokenizer.decode(result.only_b()) == "no");
  const PromptComparison grown = compare_prompts(tokenizer, "aa", "aaa");
  BOOST_TEST(grown.only_a().empty());
  BOOST_TEST(tokenizer.decode(grown.only_b()) == "a");
  BOOST_TEST(grown.percent() == 100.0 / 3);
  BOOST_TEST(compare_prompts(tokenizer, "", "").percent() == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
