// `lamina prompt`: what is wrong with a prompt, and which of two costs less.
#include "runtime/chat_format.h"
#include "runtime/gguf_files.h"
#include "runtime/model_catalog.h"
#include "runtime/prompt/prompt_comparison.h"
#include "runtime/prompt/prompt_lint.h"
#include "runtime/tokenizer/files/tokenizer_files.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/input_file.h"
#include "runtime/tools/output.h"
#include "runtime/tools/token_table.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

// ---- lint

struct LintFlags {
  std::string model;
  GeneralFlags general;
  InputFlags input;
  std::optional<std::string> messages;
  std::optional<std::string> chat_template;
  std::optional<Position> context;
  bool strict = false;
};

/// As a GGUF file or the config.json of a folder says; nothing where neither is there.
std::optional<std::int64_t> trained_context(const std::filesystem::path& path) {
  std::string begin(4, ' ');
  std::ifstream(path).read(begin.data(), 4);
  if (begin == "GGUF") {
    const GgufFiles files(path);
    const auto architecture = files.metadata().find<std::string_view>("general.architecture");
    if (!architecture) return std::nullopt;
    return files.metadata().find<std::int64_t>(fmt::format("{}.context_length", *architecture));
  }
  std::ifstream file(path / "config.json");
  const Json config = Json::parse(file, nullptr, false);
  const Json& text = config.contains("text_config") ? config["text_config"] : config;
  const bool said =
      text.contains("max_position_embeddings") && text["max_position_embeddings"].is_number();
  return said ? std::optional(text["max_position_embeddings"].get<std::int64_t>()) : std::nullopt;
}

struct Messages {
  Json list;
  Json tools;  // null where there are none
};

/// The conversation in a file: a list of messages, or an object with it and perhaps tools.
Messages read_messages(const std::string& path) {
  Json file = read_conversation_file("--messages", path);
  return {std::move(file["messages"]), file.value("tools", Json())};
}

PromptReport lint_messages(const Messages& messages, const ChosenTemplate& chosen,
                           const PromptModel& model) {
  const ChatFormat format(chosen, model.tokenizer, {.tools = messages.tools});
  const std::vector<TemplatePart> rendered = format.render(messages.list, PromptEnd::generation);
  std::vector<TextPart> parts;
  for (const TemplatePart& part : rendered) parts.push_back({part.text, part.from_user});
  return lint_prompt(parts, model);
}

Json as_json(const PromptReport& report, const std::optional<std::int64_t>& context) {
  Json findings = Json::array();
  for (const PromptFinding& each : report.findings) {
    findings.push_back({{"kind", each.kind},
                        {"what", each.what},
                        {"advice", each.advice},
                        {"byte", each.place.byte},
                        {"line", each.place.line},
                        {"column", each.place.column},
                        {"times", each.times},
                        {"tokens", each.tokens}});
  }
  return {{"findings", findings},
          {"tokens", report.tokens},
          {"marker_tokens", report.markers},
          {"context", context ? Json(*context) : Json()}};
}

std::string as_text(const PromptReport& report, const std::optional<std::int64_t>& context) {
  std::string text;
  for (const PromptFinding& each : report.findings) {
    text += fmt::format("{}:{} (byte {}): {}: {}\n    {}, {}; {}\n", each.place.line,
                        each.place.column, each.place.byte, each.kind, each.what,
                        counted(each.times, "time"), counted(each.tokens, "token"), each.advice);
  }
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  text += fmt::format("{}; {}, {} of them format markers ({:.1f} %)",
                      counted(report.findings.size(), "finding"), counted(report.tokens, "token"),
                      report.markers, share(report.markers, report.tokens));
  if (context) {
    text += fmt::format("; of a context of {}: the prompt {:.1f} %, markers {:.1f} %", *context,
                        share(report.tokens, *context), share(report.markers, *context));
  }
  return text + "\n";
}

void lint(const LintFlags& flags) {
  if (!flags.messages) {
    flags.input.check();
  } else if (flags.input.prompt || flags.input.file || flags.input.from_stdin) {
    throw UsageError("--messages was given with another input; expected one of them");
  }
  std::optional<Messages> messages;
  if (flags.messages) messages = read_messages(*flags.messages);
  const auto path = resolve_model(flags.model);
  const TokenizerFiles files = open_tokenizer(path);
  ChosenTemplate chosen;
  if (messages || flags.chat_template || files.chat_templates.contains("default")) {
    chosen = choose_template(flags.chat_template, files.chat_templates,
                             messages && !messages->tools.is_null(), flags.model);
  }
  const PromptModel model{
      files.tokenizer, chosen.text,
      flags.context ? std::optional<std::int64_t>(*flags.context) : trained_context(path)};
  const PromptReport report =
      messages ? lint_messages(*messages, chosen, model) : lint_prompt(flags.input.text(), model);
  if (flags.general.json) {
    print_json(as_json(report, model.context));
  } else {
    print_text(as_text(report, model.context));
  }
  if (flags.strict && !report.findings.empty()) {
    throw Error(counted(report.findings.size(), "finding") + ", and --strict was given");
  }
}

void add_lint(CLI::App& prompt, Action& chosen) {
  auto flags = std::make_shared<LintFlags>();
  CLI::App& command = *prompt.add_subcommand("lint", "say what is likely wrong with a prompt");
  command.footer(
      "Each finding: line:column (byte), what it is, how often, the tokens it costs, what to do. "
      "Places\n"
      "with --messages are those in the rendered prompt.");
  add_model(command, flags->model);
  flags->input.add_to(command, "pf-");
  command
      .add_option("--messages", flags->messages,
                  "a JSON file with the messages of a conversation, put through the chat template")
      ->type_name("FILE")
      ->group("Input (exactly one)");
  command
      .add_option("--chat-template", flags->chat_template,
                  "a family's name or a file (default: the model's own)")
      ->type_name("NAME|FILE");
  add_value(command, "-c", "N", "the context to compare with (default: the trained length)",
            [flags](const std::string& text) {
              flags->context = static_cast<Position>(
                  parse_integer("-c", text, 1, std::numeric_limits<Position>::max()));
            });
  command.add_flag("--strict", flags->strict, "fail where there is a finding");
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { lint(*flags); }; });
}

// ---- compare

struct CompareFlags {
  std::vector<std::string> models;
  GeneralFlags general;
  std::optional<std::string> a, a_file, b, b_file;
};

std::string text_of(const char* flag, const std::optional<std::string>& text,
                    const std::optional<std::string>& file) {
  if (text.has_value() == file.has_value()) {
    throw UsageError(fmt::format("expected exactly one of -{0} TEXT and --{0}-file FILE", flag));
  }
  return text ? *text : read_file(fmt::format("--{}-file", flag), *file);
}

/// The first few pieces, with bars between them.
std::string shown_pieces(const Tokenizer& tokenizer, std::span<const Token> tokens) {
  constexpr std::size_t most = 16;
  std::string text;
  for (const Token token : tokens.first(std::min(most, tokens.size())))
    text += (text.empty() ? "" : "|") + visible(tokenizer.piece(token, true));
  if (tokens.size() > most) text += fmt::format("| and {} more", tokens.size() - most);
  return text.empty() ? "nothing" : text;
}

void compare(const CompareFlags& flags) {
  const std::string a = text_of("a", flags.a, flags.a_file);
  const std::string b = text_of("b", flags.b, flags.b_file);
  Json models = Json::array();
  std::size_t width = 5;
  for (const std::string& model : flags.models) width = std::max(width, model.size());
  std::string table =
      fmt::format("{:<{}}  {:>8}  {:>8}  {:>10}  {:>8}\n", "model", width, "A", "B", "B - A", "%");
  for (const std::string& model : flags.models) {
    const Tokenizer tokenizer = open_tokenizer(resolve_model(model)).tokenizer;
    const PromptComparison result = compare_prompts(tokenizer, a, b);
    table += fmt::format("{:<{}}  {:>8}  {:>8}  {:>+10}  {:>+8.1f}\n", model, width,
                         result.a.size(), result.b.size(), result.difference(), result.percent());
    table +=
        fmt::format("  after {} and before {} tokens in common, A: {}\n  B: {}\n",
                    result.same_start, result.same_end, shown_pieces(tokenizer, result.only_a()),
                    shown_pieces(tokenizer, result.only_b()));
    models.push_back({{"model", model},
                      {"a", result.a.size()},
                      {"b", result.b.size()},
                      {"difference", result.difference()},
                      {"percent", result.percent()},
                      {"same_start", result.same_start},
                      {"same_end", result.same_end},
                      {"only_a", token_list(tokenizer, result.only_a())},
                      {"only_b", token_list(tokenizer, result.only_b())}});
  }
  if (!flags.general.json) return print_text(table);
  const auto counts = [](const std::string& text) {
    const TextCounts each = count_text(text);
    return Json{{"characters", each.characters}, {"bytes", each.bytes}, {"words", each.words}};
  };
  print_json({{"a", counts(a)}, {"b", counts(b)}, {"models", models}});
}

void add_compare(CLI::App& prompt, Action& chosen) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App& command =
      *prompt.add_subcommand("compare", "count the tokens of two phrasings, for several models");
  command.footer(
      "For each model: the tokens of A and of B, the difference, and where they differ.");
  command.add_option("MODEL", flags->models, "the models: files or aliases")->required();
  const std::string group = "Texts (one of each pair)";
  command.add_option("-a", flags->a, "the text A")->type_name("TEXT")->group(group);
  command.add_option("--a-file", flags->a_file, "a file with it")->type_name("FILE")->group(group);
  command.add_option("-b", flags->b, "the text B")->type_name("TEXT")->group(group);
  command.add_option("--b-file", flags->b_file, "a file with it")->type_name("FILE")->group(group);
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { compare(*flags); }; });
}

}  // namespace

void add_prompt(CLI::App& program, Action& chosen) {
  CLI::App& command = *program.add_subcommand("prompt", "look at prompts: lint, compare");
  command.require_subcommand(1);
  add_lint(command, chosen);
  add_compare(command, chosen);
}

}  // namespace lamina
