// The lexer: text outside of tags, and the tokens within them.
#include "runtime/chat_template/jinja/syntax/lexer.h"

#include "runtime/chat_template/jinja/syntax/literals.h"
#include "runtime/chat_template/jinja/values/python_characters.h"
#include "runtime/unicode/utf8.h"

#include <algorithm>
#include <cctype>

namespace lamina::jinja {
namespace {

using Token = TemplateToken;

/// \r\n and \r become \n; a last line end goes.
std::string normalized(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += text[i] == '\r' ? '\n' : text[i];
  }
  if (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : all_(normalized(text)) {}

  std::vector<Token> run() {
    while (at_ < all_.size()) outside();
    add(Token::Kind::end);
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return std::string_view(all_).substr(at_); }
  bool here(std::string_view text) const { return rest().starts_with(text); }

  /// Where the character after the spaces at `from` begins.
  std::size_t past_spaces(std::size_t from) const {
    while (from < all_.size()) {
      const std::string_view left = std::string_view(all_).substr(from);
      if (!is_space(decode_character(left))) break;
      from += character_length(left);
    }
    return from;
  }

  [[noreturn]] void fault(std::string message) const {
    throw SyntaxFault{line_, std::move(message)};
  }

  /// Goes to `end` and counts the lines on the way.
  void advance(std::size_t end) {
    line_ += static_cast<int>(std::count(all_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         all_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    if (end > at_) starts_line_ = all_[end - 1] == '\n';
    at_ = end;
  }

  Token& add(Token::Kind kind, std::string text = {}) {
    tokens_.push_back({kind, line_, std::move(text), {}});
    return tokens_.back();
  }

  /// The data before a tag whose sign is at `sign`; blanks that the tag takes away are left out.
  void add_data(std::string_view data, std::size_t sign, bool print) {
    const char mark = sign < all_.size() ? all_[sign] : ' ';
    if (mark == '-') {
      while (!data.empty()) {
        std::size_t last = data.size() - 1;
        while (last > 0 && (static_cast<unsigned char>(data[last]) & 0xC0u) == 0x80) --last;
        if (!is_space(decode_character(data.substr(last)))) break;
        data = data.substr(0, last);
      }
    } else if (mark != '+' && !print) {
      const std::size_t line = data.rfind('\n') + 1;  // npos + 1 = 0
      if ((line > 0 || starts_line_) && past_spaces(at_ + line) >= at_ + data.size()) {
        data = data.substr(0, line);
      }
    }
    if (!data.empty()) add(Token::Kind::data, std::string(data));
  }

  /// Where the tag ends that a sign and `close` end at `from`; npos where none is there.
  std::size_t tag_end(std::size_t from, std::string_view close, bool trims) const {
    const std::string_view left = std::string_view(all_).substr(from);
    if (left.starts_with("-" + std::string(close))) return past_spaces(from + 1 + close.size());
    if (trims && left.starts_with("+" + std::string(close))) return from + 1 + close.size();
    if (!left.starts_with(close)) return std::string::npos;
    const std::size_t end = from + close.size();
    return trims && end < all_.size() && all_[end] == '\n' ? end + 1 : end;
  }

  static bool is_sign(char byte) { return byte == '-' || byte == '+'; }
  /// Past the sign, if there is one.
  std::size_t past_sign(std::size_t from) const {
    return from < all_.size() && is_sign(all_[from]) ? from + 1 : from;
  }

  /// Where `{% name %}` at `from` ends; npos where it is not there.
  std::size_t word_tag(std::size_t from, std::string_view name, bool trims) const {
    std::size_t next = past_spaces(past_sign(from + 2));
    if (!std::string_view(all_).substr(next).starts_with(name)) return std::string::npos;
    next = past_spaces(next + name.size());
    if (trims) return tag_end(next, "%}", true);
    const std::size_t end = tag_end(next, "%}", false);
    return end;
  }

  void outside() {
    std::size_t tag = at_;
    for (;; ++tag) {
      tag = all_.find('{', tag);
      if (tag == std::string::npos) {
        add(Token::Kind::data, std::string(rest()));
        return advance(all_.size());
      }
      const char next = tag + 1 < all_.size() ? all_[tag + 1] : ' ';
      if (next == '{' || next == '%' || next == '#') break;
    }
    const bool print = all_[tag + 1] == '{';
    add_data(rest().substr(0, tag - at_), tag + 2, print);
    advance(tag);
    if (all_[tag + 1] == '#') return comment();
    if (const std::size_t end = print ? std::string::npos : word_tag(tag, "raw", false);
        end != std::string::npos) {
      advance(end);
      return raw();
    }
    add(print ? Token::Kind::print_begin : Token::Kind::block_begin);
    advance(past_sign(tag + 2));
    inside(print);
  }

  void comment() {
    for (std::size_t from = past_sign(at_ + 2); from < all_.size(); ++from) {
      const std::size_t end = tag_end(from, "#}", true);
      if (end != std::string::npos) return advance(end);
    }
    // As in jinja2, one that opens at the very end of the template is none.
    if (past_sign(at_ + 2) < all_.size()) fault("Missing end of comment tag");
    advance(all_.size());
  }

  void raw() {
    for (std::size_t tag = at_; (tag = all_.find("{%", tag)) != std::string::npos; ++tag) {
      const std::size_t end = word_tag(tag, "endraw", true);
      if (end == std::string::npos) continue;
      add_data(rest().substr(0, tag - at_), tag + 2, false);
      return advance(end);
    }
    if (at_ < all_.size()) fault("Missing end of raw directive");
  }

  void inside(bool print) {
    const std::string_view close = print ? "}}" : "%}";
    brackets_.clear();
    while (at_ < all_.size()) {
      const std::size_t end = brackets_.empty() ? tag_end(at_, close, !print) : std::string::npos;
      if (end != std::string::npos) {
        add(print ? Token::Kind::print_end : Token::Kind::block_end);
        return advance(end);
      }
      const std::size_t next = past_spaces(at_);
      if (next > at_) {
        advance(next);
      } else {
        token();
      }
    }
  }

  void token() {
    const char32_t code = decode_character(rest());
    if (const std::size_t size = number_length(all_, at_); size > 0) {
      Token& token = add(Token::Kind::number, std::string(rest().substr(0, size)));
      token.number = number_value(token.text, line_);
      advance(at_ + size);
    } else if (is_name_part(code)) {
      name();
    } else if (const std::size_t quoted = string_length(rest()); quoted > 0) {
      add(Token::Kind::string, unescaped(rest().substr(1, quoted - 2), line_));
      advance(at_ + quoted);
    } else {
      sign();
    }
  }

  void name() {
    std::size_t end = at_;
    while (end < all_.size() &&
           is_name_part(decode_character(std::string_view(all_).substr(end)))) {
      end += character_length(std::string_view(all_).substr(end));
    }
    if (!is_name_start(decode_character(rest()))) fault("Invalid character in identifier");
    add(Token::Kind::name, all_.substr(at_, end - at_));
    advance(end);
  }

  void sign() {
    static constexpr std::string_view two[] = {"//", "**", "==", "!=", ">=", "<="};
    const std::string_view pair = rest().substr(0, 2);
    const bool known = std::find(std::begin(two), std::end(two), pair) != std::end(two);
    const std::string_view text = known ? pair : rest().substr(0, 1);
    if (!known && std::string_view("+-/*%~[](){}><=.:|,;").find(text[0]) == std::string::npos) {
      fault("unexpected char '" + std::string(rest().substr(0, character_length(rest()))) + "'");
    }
    balance(text[0]);
    add(Token::Kind::sign, std::string(text));
    advance(at_ + text.size());
  }

  void balance(char byte) {
    if (byte == '(' || byte == '[' || byte == '{') {
      brackets_ += byte == '(' ? ')' : static_cast<char>(byte + 2);
    } else if (byte == ')' || byte == ']' || byte == '}') {
      const std::string found = "unexpected '" + std::string(1, byte) + "'";
      if (brackets_.empty()) fault(found);
      const char expected = brackets_.back();
      brackets_.pop_back();
      if (expected != byte) fault(found + ", expected '" + expected + "'");
    }
  }

  const std::string all_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool starts_line_ = true;
  std::string brackets_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<TemplateToken> tokenize(std::string_view text) { return Lexer(text).run(); }

}  // namespace lamina::jinja
