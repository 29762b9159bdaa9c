// `lamina tokenize`: the tokens of a text.
#include "runtime/model_catalog.h"
#include "runtime/tokenizer/files/tokenizer_files.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/token_table.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {
namespace {

struct TokenizeFlags {
  std::string model;
  GeneralFlags general;
  InputFlags input;
  bool no_special = false;
  bool no_parse_special = false;
  bool show = false;
};

void show(const Tokenizer& tokenizer, std::string_view text, std::span<const Token> tokens,
          bool json) {
  const TextCounts counts = count_text(text);
  if (json) {
    print_json({{"tokens", tokens},
                {"pieces", token_list(tokenizer, tokens)},
                {"counts", counts_json(counts, tokens.size())}});
  } else {
    print_text(token_table(tokenizer, tokens, isatty(STDOUT_FILENO) != 0) +
               counts_line(counts, tokens.size()));
  }
}

void tokenize(const TokenizeFlags& flags) {
  flags.input.check();
  const Tokenizer tokenizer = open_tokenizer(resolve_model(flags.model)).tokenizer;
  const std::string text = flags.input.text();
  const std::vector<Token> tokens = tokenizer.encode(
      text, {.add_special = !flags.no_special, .parse_special = !flags.no_parse_special});
  if (flags.show) {
    show(tokenizer, text, tokens, flags.general.json);
  } else if (flags.general.json) {
    print_json(tokens, -1);
  } else {
    print_text(fmt::format("{}\n", fmt::join(tokens, " ")));
  }
}

}  // namespace

void add_tokenize(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<TokenizeFlags>();
  CLI::App& command = *program.add_subcommand("tokenize", "print the tokens of a text");
  add_model(command, flags->model);
  command.get_option("MODEL")->description(
      "a GGUF file, which may hold no more than a vocabulary, a tokenizer.json, a SentencePiece "
      "model, a file of tiktoken, a Hugging Face folder with one of these, or a name that `lamina "
      "models` lists");
  flags->input.add_to(command, "pf-");
  command.add_flag("--no-special", flags->no_special,
                   "add no token for the beginning or end of a text");
  command.add_flag("--no-parse-special", flags->no_parse_special,
                   "leave text that looks like a control token as text");
  command.add_flag("--show", flags->show,
                   "show each token's piece, and count tokens, characters, bytes and words");
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { tokenize(*flags); }; });
}

}  // namespace lamina
