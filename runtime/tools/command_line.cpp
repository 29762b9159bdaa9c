// The lists are CLI11's own, of the command that was reached.
#include "runtime/tools/command_line.h"

#include "lamina/gguf/quoted.h"
#include "runtime/tools/flags.h"

#include <CLI/Error.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace lamina {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

/// The command that was reached last: `prompt lint` rather than `prompt`.
const CLI::App& innermost(const CLI::App& program) {
  const auto chosen = program.get_subcommands();
  return chosen.empty() ? program : innermost(*chosen.front());
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_lnames().empty()) {
      names.push_back("--" + option->get_lnames().front());
    } else if (!option->get_snames().empty()) {
      names.push_back("-" + option->get_snames().front());
    }
  }
  return names;
}

}  // namespace

void check_command(const CLI::App& program, std::span<const char* const> words) {
  const CLI::App* app = &program;
  for (auto known = commands_of(*app); !known.empty(); known = commands_of(*app)) {
    if (!words.empty() && std::string_view(words.front()).starts_with('-')) return;
    std::vector<std::string> names;
    for (const CLI::App* command : known) names.push_back(command->get_name());
    const auto found =
        words.empty() ? names.end() : std::find(names.begin(), names.end(), words.front());
    if (found == names.end()) {
      throw UsageError(
          fmt::format("{}; expected one of: {}",
                      words.empty() ? fmt::format("`{}` needs a command", full_name(*app))
                                    : fmt::format("{} is no command of `{}`",
                                                  lamina::quoted(words.front()), full_name(*app)),
                      fmt::join(names, ", ")));
    }
    app = known[static_cast<std::size_t>(found - names.begin())];
    words = words.subspan(1);
  }
}

std::vector<std::string> words_to_parse(std::span<const char* const> words) {
  constexpr std::string_view with_one_dash[] = {"-pg", "-ub", "-ctk", "-ctv"};
  const bool bench = !words.empty() && std::string_view(words.front()) == "bench";
  std::vector<std::string> backwards;
  for (const std::string_view word : words) {
    const bool one = bench && std::ranges::find(with_one_dash, word) != std::end(with_one_dash);
    backwards.emplace(backwards.begin(), (one ? "-" : "") + std::string(word));
  }
  return backwards;
}

std::string describe_mistake(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = innermost(program);
  const std::string name = full_name(command);
  const auto left = command.remaining();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || left.empty()) {
    return fmt::format("{}; see `{} --help`", error.what(), name);
  }
  const bool flag = left.front().starts_with('-');
  return fmt::format("{} is {} `{}`, whose flags are: {}; see `{} --help`",
                     lamina::quoted(left.front()), flag ? "no flag of" : "one word too many for",
                     name, fmt::join(flags_of(command), ", "), name);
}

}  // namespace lamina
