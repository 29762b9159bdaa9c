// `lamina detokenize`: the text that tokens stand for.
#include "runtime/model_catalog.h"
#include "runtime/tokenizer/files/tokenizer_files.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace lamina {
namespace {

struct DetokenizeFlags {
  std::string model;
  GeneralFlags general;
  std::string tokens;
};

void detokenize(const DetokenizeFlags& flags) {
  const std::vector<Token> tokens = parse_tokens("--tokens", flags.tokens);
  const Tokenizer tokenizer = open_tokenizer(resolve_model(flags.model)).tokenizer;
  check_tokens("--tokens", tokens, tokenizer.vocab_size());
  const std::string text = tokenizer.decode(tokens);
  if (flags.general.json) {
    print_json({{"tokens", tokens}, {"text", text}}, -1);
  } else {
    print_text(text);
  }
}

}  // namespace

void add_detokenize(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<DetokenizeFlags>();
  CLI::App& command = *program.add_subcommand("detokenize", "print the text of tokens");
  command.footer(
      "The bytes are printed as they are, without a newline at the end; control tokens have no "
      "text.\nMODEL as in `lamina tokenize`.");
  add_model(command, flags->model);
  command.add_option("--tokens", flags->tokens, "token ids such as 1,2,3")
      ->required()
      ->type_name("IDS");
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { detokenize(*flags); }; });
}

}  // namespace lamina
