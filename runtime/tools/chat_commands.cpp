// One table of commands; what they print goes to stderr, since stdout is for answers.
#include "runtime/tools/chat_commands.h"

#include "lamina/core/error.h"
#include "runtime/tools/chat_settings.h"
#include "runtime/tools/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace lamina {
namespace {

void say(std::string_view text) { fmt::print(stderr, "{}", text); }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const auto last = text.find_last_not_of(blanks);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// The first word of `text`, which loses it.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text = trimmed(text.substr(word.size()));
  return word;
}

std::string_view needed(std::string_view text, std::string_view what) {
  if (text.empty()) throw Error(fmt::format("expected {}", what));
  return text;
}

void help(ChatSession&, std::string_view) { say(chat_command_help()); }

void system(ChatSession& chat, std::string_view text) {
  if (text.empty()) {
    const std::string now = chat.conversation.system();
    say(now.empty() ? "there is no system message\n" : now + "\n");
  } else {
    chat.conversation.set_system(text == "none" ? "" : text);
  }
}

void regenerate(ChatSession& chat, std::string_view) { chat.regenerate(); }

void undo(ChatSession& chat, std::string_view) {
  std::string question;
  if (!chat.conversation.undo(&question)) throw Error("there is nothing to undo");
  say(fmt::format("taken back: {}\n", question));
}

void reset(ChatSession& chat, std::string_view) { chat.conversation.reset(); }

void stats(ChatSession& chat, std::string_view) { say(chat_statistics(chat)); }

void set(ChatSession& chat, std::string_view text) {
  if (text.empty()) return say(describe_settings(chat));
  const std::string_view name = take_word(text);
  set_chat_setting(chat, name, std::string(needed(text, "a name and a value")));
}

void save(ChatSession& chat, std::string_view text) {
  const bool replace = text.starts_with("-f ");
  if (replace) text = trimmed(text.substr(3));
  save_chat(chat, needed(text, "a file"), replace);
  say(fmt::format("saved to {}\n", text));
}

void load(ChatSession& chat, std::string_view text) {
  load_chat(chat, needed(text, "a file"));
  say(fmt::format("{} from {}\n", counted(chat.conversation.messages().size(), "message"), text));
}

void tool(ChatSession& chat, std::string_view text) {
  chat.answer_tool(needed(text, "the result of the tool that was called"));
}

struct Command {
  std::string_view name;
  std::string_view other_name;
  std::string_view arguments;
  std::string_view help;
  void (*run)(ChatSession&, std::string_view);  // null: ends the chat
};

constexpr std::array<Command, 11> commands = {{
    {"help", "?", "", "what can be said here", help},
    {"system", "", "[TEXT|none]", "show, set or remove the system message", system},
    {"regenerate", "retry", "", "answer the last question again, by another draw", regenerate},
    {"undo", "", "", "take back the last question and its answer", undo},
    {"reset", "clear", "", "begin anew; the system message stays", reset},
    {"stats", "", "", "tokens of each message, the context used, speeds", stats},
    {"set", "", "[NAME VALUE]", "change a setting; without one: list all", set},
    {"save", "", "[-f] FILE", "save messages and settings as JSON; -f: replace a file", save},
    {"load", "", "FILE", "go on with a saved conversation", load},
    {"tool", "", "TEXT", "give the result of a tool that the model called", tool},
    {"quit", "exit", "", "end the chat, as Ctrl-D does", nullptr},
}};

const Command& find_command(std::string_view name) {
  std::string known;
  for (const Command& command : commands) {
    if (command.name == name || (!command.other_name.empty() && command.other_name == name)) {
      return command;
    }
    known.append(known.empty() ? "/" : ", /").append(command.name);
  }
  throw Error(
      fmt::format("/{} is no command; expected one of: {} (a message that begins with / "
                  "is put in \"\"\" and \"\"\")",
                  name, known));
}

}  // namespace

bool run_chat_command(ChatSession& chat, std::string_view line) {
  std::string_view rest = trimmed(line.substr(1));
  const Command& command = find_command(take_word(rest));
  if (command.run == nullptr) return false;
  try {
    command.run(chat, rest);
  } catch (const Error& error) {
    throw Error(fmt::format("/{}: {}", command.name, error.what()));
  }
  return true;
}

std::string chat_command_help() {
  std::string text;
  for (const Command& command : commands) {
    const std::string shown = fmt::format("/{} {}", command.name, command.arguments);
    const std::string also =
        command.other_name.empty() ? "" : fmt::format(" (also /{})", command.other_name);
    text += fmt::format("{:<22} {}{}\n", shown, command.help, also);
  }
  return text +
         "A line that ends in \\ goes on in the next; \"\"\" begins and ends a block of lines.\n"
         "Ctrl-C ends an answer or clears the line.\n";
}

std::string chat_statistics(const ChatSession& chat) {
  const auto messages = chat.conversation.visible();
  std::string text;
  if (messages.empty()) {
    text = "no messages yet\n";
  } else {
    const bool waits = chat.conversation.awaits_answer();
    const PromptTokens counts =
        chat.format.count(messages, waits ? PromptEnd::generation : PromptEnd::nothing);
    text += fmt::format("{:>4}  {:<10} {:>7} {:>7}\n", "", "role", "tokens", "text");
    for (std::size_t i = 0; i < counts.messages.size(); ++i) {
      const MessageTokens& message = counts.messages[i];
      text +=
          fmt::format("{:>4}  {:<10} {:>7} {:>7}\n", i + 1, messages[i]["role"].get<std::string>(),
                      message.tokens ? std::to_string(*message.tokens) : "below", message.content);
    }
    const ContextRoom room = chat.room();
    text += fmt::format(
        "prompt {}, {} of them markers of the chat template; context {}, {} kept for the answer\n",
        counted(counts.total, "token"), counts.markers(), room.context, room.answer);
  }
  if (chat.conversation.dropped() > 0) {
    text += fmt::format("not seen by the model any more: {}{}\n",
                        counted(chat.conversation.dropped(), "message"),
                        chat.conversation.summary().empty() ? "" : ", for which a summary stands");
  }
  if (const auto& last = chat.last()) {
    const Timings& t = last->timings;
    text += fmt::format(
        "last answer: read {} at {:.1f} tokens/s ({} held already), generated {} at {:.1f} "
        "tokens/s, first token after {:.0f} ms\n",
        counted(t.prompt_n, "token"), t.prompt_per_second(), chat.last_reused(),
        counted(t.predicted_n, "token"), t.predicted_per_second(), t.first_token_ms);
  }
  return text;
}

}  // namespace lamina
