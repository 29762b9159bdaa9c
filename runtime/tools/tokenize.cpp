// `lamina tokenize`: the tokens of a text.
#include "runtime/gguf_files.h"
#include "runtime/model_catalog.h"
#include "runtime/tokenizer/tokenizer.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace lamina {
namespace {

struct TokenizeFlags {
  std::string model;
  GeneralFlags general;
  InputFlags input;
  bool no_special = false;
  bool no_parse_special = false;
};

void tokenize(const TokenizeFlags& flags) {
  flags.input.check();
  const GgufFiles files(resolve_model(flags.model));
  const Tokenizer tokenizer = Tokenizer::from_metadata(files.metadata());
  const std::vector<Token> tokens = tokenizer.encode(
      flags.input.text(),
      {.add_special = !flags.no_special, .parse_special = !flags.no_parse_special});
  if (flags.general.json) {
    print_json(tokens, -1);
  } else {
    print_text(fmt::format("{}\n", fmt::join(tokens, " ")));
  }
}

}  // namespace

void add_tokenize(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<TokenizeFlags>();
  CLI::App& command = *program.add_subcommand("tokenize", "print the tokens of a text");
  command.footer("A MODEL file need hold no more than a vocabulary.");
  add_model(command, flags->model);
  flags->input.add_to(command, "pf");
  command.add_flag("--no-special", flags->no_special,
                   "add no token for the beginning or end of a text");
  command.add_flag("--no-parse-special", flags->no_parse_special,
                   "leave text that looks like a control token as text");
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { tokenize(*flags); }; });
}

}  // namespace lamina
