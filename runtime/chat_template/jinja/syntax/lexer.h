// A template's text cut into tokens.
//
// The rules of jinja2's lexer with trim_blocks (the line end after a block is dropped),
// lstrip_blocks (so are the blanks before a block that starts a line) and the signs - and + that
// overrule both. A last line end of the template is dropped.
#pragma once

#include "runtime/chat_template/jinja/values/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace lamina::jinja {

struct TemplateToken {
  enum class Kind {
    data,
    block_begin,
    block_end,
    print_begin,
    print_end,
    name,
    string,
    number,
    sign,
    end
  };
  Kind kind = Kind::end;
  int line = 1;
  std::string text;  // of data, names, strings and operators
  Value number;
};

/// A fault of the template's text, with its line.
struct SyntaxFault {
  int line;
  std::string message;
};

/// Throws SyntaxFault.
std::vector<TemplateToken> tokenize(std::string_view text);

}  // namespace lamina::jinja
