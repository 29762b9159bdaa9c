// Mistakes in the words of a command line, told with what there is to choose from.
#pragma once

#include <CLI/App.hpp>

#include <span>
#include <string>
#include <vector>

namespace lamina {

/// Throws UsageError where `words`, which follow the program's name, do not begin with a command,
/// or with one and one of its own; and lists those there are.
void check_command(const CLI::App& program, std::span<const char* const> words);

/// The words as `App::parse` takes a vector of them: the last first. Those flags of `bench` that
/// llama-bench spells with one dash and several letters (-pg, -ub, -ctk, -ctv) get their second.
std::vector<std::string> words_to_parse(std::span<const char* const> words);

/// What to say of `error`, which reading the command line gave: for a flag that is none, the flags.
std::string describe_mistake(const CLI::App& program, const CLI::ParseError& error);

}  // namespace lamina
