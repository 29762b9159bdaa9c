// `lamina detokenize`: the text that tokens stand for.
#include "runtime/model_catalog.h"
#include "runtime/tokenizer/files/tokenizer_files.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {
namespace {

struct DetokenizeFlags {
  std::string model;
  GeneralFlags general;
  std::string tokens;
};

/// The text; where it is no UTF-8, which JSON has to be, its bytes as well.
nlohmann::ordered_json as_json(const std::vector<Token>& tokens, const std::string& text) {
  nlohmann::ordered_json object = {{"tokens", tokens}, {"text", text}};
  if (!is_utf8(text)) object["bytes"] = std::vector<unsigned char>(text.begin(), text.end());
  return object;
}

void detokenize(const DetokenizeFlags& flags) {
  const std::vector<Token> tokens = parse_tokens("--tokens", flags.tokens);
  const Tokenizer tokenizer = open_tokenizer(resolve_model(flags.model)).tokenizer;
  check_tokens("--tokens", tokens, tokenizer.vocab_size());
  const std::string text = tokenizer.decode(tokens);
  if (flags.general.json) {
    print_json(as_json(tokens, text), -1);
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
      "text.\nWith --output json, bytes that are no UTF-8 are U+FFFD in \"text\"; then \"bytes\" "
      "has all bytes as numbers.");
  add_model(command, flags->model);
  command.get_option("MODEL")->description("as in `lamina tokenize`");
  command.add_option("--tokens", flags->tokens, "token ids such as 1,2,3")
      ->required()
      ->type_name("IDS");
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { detokenize(*flags); }; });
}

}  // namespace lamina
