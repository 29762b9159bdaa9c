// `lamina chat`: a conversation, on a terminal or read from a script.
#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/chat_template/choice.h"
#include "runtime/json_text.h"
#include "runtime/line_editor.h"
#include "runtime/model_catalog.h"
#include "runtime/progress.h"
#include "runtime/tokenizer/files/gguf_tokenizer.h"
#include "runtime/tokenizer/files/tokenizer_files.h"
#include "runtime/tools/chat_commands.h"
#include "runtime/tools/chat_input.h"
#include "runtime/tools/chat_settings.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/generation_flags.h"
#include "runtime/tools/input_file.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

struct ChatFlags {
  std::string model;
  GeneralFlags general;
  ComputeFlags compute;
  SamplingFlags sampling;
  LengthFlags length;
  StreamInterval interval;
  ContextPolicy policy;
  std::vector<std::string> questions;
  std::optional<std::string> system, system_file, messages, tools, documents, chat_template;
  std::vector<std::pair<std::string, std::string>> template_arguments;
  Json template_kwargs = Json::object();
  std::optional<bool> reasoning, show_reasoning;
  std::optional<CallForm> calls;
  bool continue_final = false;
  bool parse_special = false;
};

// ---- flags

void add_text(CLI::App& command, const std::string& flag, const std::string& kind,
              std::optional<std::string>& value, const std::string& help,
              const std::string& group) {
  add_value(command, flag, kind, help, [&value](const std::string& text) {
    value = text;
  })->group(group);
}

/// Runs `take`, whose complaints are mistakes in the command line.
template <class Take>
void take_flag(std::string_view flag, const Take& take) {
  try {
    take();
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", flag, error.what()));
  }
}

void add_conversation_flags(CLI::App& command, ChatFlags& flags) {
  const std::string group = "Conversation";
  add_value(command, "-p", "TEXT", "a question to answer, instead of reading them; may be repeated",
            [&flags](const std::string& text) { flags.questions.push_back(text); })
      ->group(group);
  add_text(command, "--system", "TEXT", flags.system, "the system message", group);
  add_text(command, "--system-file", "FILE", flags.system_file, "a file that holds it", group);
  add_text(command, "--messages", "FILE", flags.messages,
           "a conversation to go on with: an array of messages as in OpenAI's API, or what /save "
           "wrote",
           group);
  command
      .add_flag("--continue-final-message", flags.continue_final,
                "go on with the answer that ends --messages")
      ->group(group);
  add_value(command, "--context-policy", "POLICY",
            "when the context is full: error (default), drop-oldest, window=N (never more than N "
            "exchanges), or summary (written by the model); what is dropped is said. A quarter of "
            "the context, or -n tokens if that is less, is kept for the answer",
            [&flags](const std::string& text) {
              take_flag("--context-policy", [&] { flags.policy = parse_context_policy(text); });
            })
      ->group(group);
}

void add_template_flags(CLI::App& command, ChatFlags& flags) {
  const std::string group = "Chat template";
  add_text(command, "--chat-template", "NAME|FILE", flags.chat_template,
           "one of the model's, one of a family, or a Jinja file (default: the model's own); "
           "'list' shows the names",
           group);
  add_text(command, "--tools", "FILE", flags.tools,
           "JSON: the tools the model may call, as in OpenAI's API", group);
  add_text(command, "--documents", "FILE", flags.documents,
           "JSON: documents for templates that take them", group);
  add_value(command, "--template-kwarg", "NAME=VALUE",
            "an argument of the template, JSON or text; may be repeated",
            [&flags](const std::string& text) {
              const std::size_t sign = text.find('=');
              if (sign == 0 || sign == std::string::npos) {
                throw UsageError(fmt::format("--template-kwarg '{}': expected NAME=VALUE", text));
              }
              flags.template_arguments.emplace_back(text.substr(0, sign), text.substr(sign + 1));
            })
      ->group(group);
  add_value(command, "--template-kwargs", "JSON", "an object of such arguments",
            [&flags](const std::string& text) {
              take_flag("--template-kwargs", [&] {
                flags.template_kwargs = parse_ordered_json(text, lamina::quoted(text));
              });
              if (!flags.template_kwargs.is_object()) {
                throw UsageError("--template-kwargs: expected a JSON object");
              }
            })
      ->group(group);
}

/// A flag whose value is one of two words; `take` gets whether it is the first.
void add_switch(CLI::App& command, const std::string& flag, const std::string& first,
                const std::string& second, const std::string& help,
                const std::function<void(bool)>& take) {
  add_value(command, flag, first + "|" + second, help, [=](const std::string& text) {
    if (text != first && text != second) {
      throw UsageError(fmt::format("{} '{}': expected {} or {}", flag, text, first, second));
    }
    take(text == first);
  })->group("Chat template");
}

void add_answer_flags(CLI::App& command, ChatFlags& flags) {
  add_switch(command, "--reasoning", "on", "off", "whether the model thinks before it answers",
             [&flags](bool on) { flags.reasoning = on; });
  add_switch(command, "--show-reasoning", "yes", "no",
             "whether reasoning is printed (default: on a terminal); with --output json it always "
             "is",
             [&flags](bool yes) { flags.show_reasoning = yes; });
  add_switch(command, "--special-in-user-text", "parse", "text",
             "whether text of messages may spell special tokens (default: text, it may not)",
             [&flags](bool parse) { flags.parse_special = parse; });
  add_value(command, "--call-form", "NAME",
            fmt::format("how the model writes calls of tools: {} (default: as the template shows)",
                        fmt::join(call_form_names(), ", ")),
            [&flags](const std::string& text) {
              take_flag("--call-form", [&] { flags.calls = call_form(text); });
            })
      ->group("Chat template");
}

// ---- starting

constexpr std::string_view tool_example =
    R"({"type": "function", "function": {"name": "weather", "parameters": {}}})";
constexpr std::string_view document_example = R"({"title": "Tides", "text": "..."})";

/// A list of objects, of which `example` is one; null without a file.
Json read_list(const char* flag, const std::optional<std::string>& file, std::string_view example) {
  if (!file) return nullptr;
  Json list = read_json_file(flag, *file);
  const auto refuse = [&](const std::string& found) {
    throw Error(fmt::format("{} {}: found {}, expected a list of objects such as {}", flag, *file,
                            found, example));
  };
  if (!list.is_array()) refuse(json_kind(list));
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_object()) refuse(fmt::format("{} as element {}", json_kind(list[i]), i + 1));
  }
  return list;
}

ChatFormat make_format(const ChatFlags& flags, Session& session) {
  ChatVariables variables{.tools = read_list("--tools", flags.tools, tool_example),
                          .documents = read_list("--documents", flags.documents, document_example),
                          .arguments = flags.template_kwargs};
  const auto own = gguf_chat_templates(session.files().metadata());
  const ChosenTemplate chosen =
      choose_template(flags.chat_template, own, !variables.tools.is_null(), flags.model);
  ChatFormat format(chosen, session.tokenizer(), std::move(variables));
  spdlog::debug("chat template: {}", format.source());
  for (const auto& [name, value] : flags.template_arguments) {
    set_template_argument(format, name, value);
  }
  if (flags.reasoning) set_reasoning(format, *flags.reasoning);
  format.parse_special_in_messages = flags.parse_special;
  if (flags.calls) format.answer_form.calls = *flags.calls;
  return format;
}

Conversation start_conversation(const ChatFlags& flags) {
  Conversation conversation;
  if (flags.messages) {
    const char* flag = "--messages";
    conversation = Conversation(read_conversation(read_json_file(flag, *flags.messages),
                                                  file_source(flag, *flags.messages)));
  }
  if (flags.system_file) conversation.set_system(read_file("--system-file", *flags.system_file));
  if (flags.system) conversation.set_system(*flags.system);
  return conversation;
}

void check(const ChatFlags& flags) {
  if (flags.system && flags.system_file) {
    throw UsageError("--system and --system-file were given; expected one of them");
  }
  if (flags.continue_final && !flags.messages) {
    throw UsageError("--continue-final-message goes with --messages FILE, which ends with it");
  }
}

// ---- talking

/// Answers what waits: the end of --messages, and the questions of the command line.
void answer_given(ChatSession& chat, const ChatFlags& flags) {
  const auto stop_if_interrupted = [&](bool more) {
    if (chat.interrupted() && more)
      throw Error("interrupted; the other questions are not answered");
    return chat.interrupted();
  };
  if (flags.continue_final) {
    chat.continue_answer();
  } else if (chat.conversation.awaits_answer()) {
    chat.answer();
  }
  if (stop_if_interrupted(!flags.questions.empty())) return;
  for (std::size_t i = 0; i < flags.questions.size(); ++i) {
    chat.ask(flags.questions[i]);
    if (stop_if_interrupted(i + 1 < flags.questions.size())) return;
  }
}

/// One message or command; false at the end.
bool take_input(ChatSession& chat, const LineSource& next_line) {
  const ChatInput input = read_chat_input(next_line);
  if (input.kind == ChatInput::Kind::end) return false;
  if (input.kind == ChatInput::Kind::command) return run_chat_command(chat, input.text);
  chat.ask(input.text);
  return true;
}

/// Nobody is there to put right what fails: the first error ends the program, and so does Ctrl-C.
void read_script(ChatSession& chat) {
  while (take_input(chat, [](bool) { return read_stdin_line(); })) {
    if (chat.interrupted()) throw Error("interrupted; the rest of the input is not answered");
  }
}

void talk(ChatSession& chat) {
  LineEditor editor(state_folder() / "chat_history");
  const LineSource next_line = [&](bool continued) { return editor.read(continued ? ". " : "> "); };
  std::signal(SIGINT, SIG_IGN);  // a Ctrl-C just after an answer must not end the program
  fmt::print(stderr, "/help lists the commands, Ctrl-D ends the chat\n");
  for (bool going = true; going;) {
    try {
      going = take_input(chat, next_line);
    } catch (const Error& error) {
      fmt::print(stderr, "error: {}\n", error.what());
    }
  }
}

void run_chat(ChatFlags& flags) {
  check(flags);
  const auto path = resolve_model(flags.model);
  if (flags.chat_template == "list") {
    return print_text(list_templates(open_tokenizer(path).chat_templates));
  }
  Conversation conversation = start_conversation(flags);
  auto progress = std::make_unique<Progress>("loading " + flags.model);
  Session session(path, flags.compute.load_options(flags.general));
  ChatFormat format = make_format(flags, session);
  progress.reset();
  const bool reads_input = flags.questions.empty();
  ChatOptions options{
      .completion = {.context = choose_context(session.model(), flags.compute.context),
                     .max_tokens = flags.length.max_tokens,
                     .stops = flags.length.stops,
                     .interval = flags.interval,
                     .sampling =
                         flags.sampling.settings(session.files().metadata(), flags.general.seed)},
      .policy = flags.policy,
      .interactive = reads_input && !flags.general.json && isatty(STDIN_FILENO) != 0 &&
                     isatty(STDOUT_FILENO) != 0,
      .show_reasoning = flags.show_reasoning.value_or(isatty(STDOUT_FILENO) != 0),
      .json = flags.general.json};
  ChatSession chat(session, std::move(format), std::move(conversation), std::move(options));
  answer_given(chat, flags);
  if (!reads_input) return;
  if (chat.options.interactive) {
    talk(chat);
  } else {
    read_script(chat);
  }
}

}  // namespace

void add_chat(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<ChatFlags>();
  CLI::App& command = *program.add_subcommand("chat", "have a conversation");
  command.footer(
      "On a terminal lines can be edited and /help lists the commands. Without one, each line of "
      "stdin is a\n"
      "message or a command; answers go to stdout, everything else to stderr, and the first error "
      "ends it.\n"
      "Ctrl-C ends an answer; a second one, before the answer has ended, the program.");
  add_model(command, flags->model);
  add_conversation_flags(command, *flags);
  add_template_flags(command, *flags);
  add_answer_flags(command, *flags);
  flags->length.add_to(command);
  add_stream_interval(command, flags->interval);
  flags->sampling.add_to(command);
  flags->compute.add_to(command);
  flags->compute.add_kv_to(command, "f16; with --backend reference f32");
  flags->compute.add_context_to(command);
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { run_chat(*flags); }; });
}

}  // namespace lamina
