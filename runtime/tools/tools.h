// The commands of the program, one file each. Each adds its flags to the command line and, when it
// is the one chosen, leaves what is to be done.
#pragma once

#include <CLI/App.hpp>

#include <functional>

namespace lamina {

/// Does the command's work; throws Error where it fails.
using Action = std::function<void()>;

void add_run(CLI::App& program, Action& chosen);
void add_chat(CLI::App& program, Action& chosen);
void add_tokenize(CLI::App& program, Action& chosen);
void add_detokenize(CLI::App& program, Action& chosen);
void add_prompt(CLI::App& program, Action& chosen);
void add_template(CLI::App& program, Action& chosen);
void add_inspect(CLI::App& program, Action& chosen);
void add_logits(CLI::App& program, Action& chosen);
void add_perplexity(CLI::App& program, Action& chosen);
void add_bench(CLI::App& program, Action& chosen);
void add_models(CLI::App& program, Action& chosen);

}  // namespace lamina
