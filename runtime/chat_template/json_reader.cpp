// Reading JSON event by event: the text of a number is seen before it becomes a double.
#include "runtime/chat_template/json_reader.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/json_text.h"

#include <optional>
#include <utility>
#include <vector>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t deepest = 100;  // levels of lists and objects, as in runtime/json_text.h

class Events : public nlohmann::json_sax<Json> {
 public:
  Events(std::string_view text, const std::string& source, JsonReceiver& receiver)
      : text_(text), source_(source), receiver_(receiver) {}

  bool null() override { return scalar(nullptr); }
  bool boolean(bool value) override { return scalar(value); }
  bool number_integer(std::int64_t value) override { return scalar(value); }
  bool number_unsigned(std::uint64_t value) override { return scalar(value); }
  bool number_float(double value, const std::string& text) override {
    if (text.find_first_of(".eE") != text.npos) return scalar(value);
    receiver_.integer(text);
    return true;
  }
  bool string(std::string& value) override { return scalar(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }  // JSON texts have none
  bool start_object(std::size_t) override {
    go_deeper();
    receiver_.begin_object();
    return true;
  }
  bool start_array(std::size_t) override {
    go_deeper();
    receiver_.begin_list();
    return true;
  }
  bool key(std::string& name) override {
    receiver_.key(std::move(name));
    return true;
  }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }

  bool parse_error(std::size_t, const std::string& last_token,
                   const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr) {
      throw Error(source_ + ": the number " + lamina::quoted(last_token) +
                  " is too large: one with a point or an exponent is at most about 1.8e308");
    }
    if (const auto escape = half_of_a_pair(last_token)) {
      throw Error(source_ + ": the text " + lamina::quoted(last_token) + " has the escape " +
                  *escape +
                  ", half of a pair that stands for no character; write the character itself or " +
                  "both halves");
    }
    throw Error(source_ + ": this is no JSON: " + json_mistake(text_, error));
  }

 private:
  bool scalar(Json value) {
    receiver_.scalar(std::move(value));
    return true;
  }
  void go_deeper() {
    if (++depth_ > deepest) {
      throw Error(source_ + ": lists and objects lie more than " + std::to_string(deepest) +
                  " deep in each other");
    }
  }
  bool end() {
    --depth_;
    receiver_.end();
    return true;
  }

  /// The surrogate without its other half at which the reading of the token ended.
  static std::optional<std::string> half_of_a_pair(const std::string& token) {
    const std::size_t at = token.rfind("\\u");
    if (at == token.npos || at + 6 > token.size() || token[at - 1] == '\\') return std::nullopt;
    const std::string last = token.substr(at, 6), before = token.substr(at < 6 ? at : at - 6, 6);
    if (is_surrogate(before, "89ab")) {
      return is_surrogate(last, "cdef") ? std::nullopt : std::optional(before);
    }
    return is_surrogate(last, "89abcdef") ? std::optional(last) : std::nullopt;
  }
  static bool is_surrogate(std::string_view escape, std::string_view third) {
    return escape.starts_with("\\u") && (escape[2] | 0x20) == 'd' &&
           third.find(static_cast<char>(escape[3] | 0x20)) != third.npos;
  }

  const std::string_view text_;
  const std::string& source_;
  JsonReceiver& receiver_;
  std::size_t depth_ = 0;
};

/// Builds one value.
class Builder : public JsonReceiver {
 public:
  Json take() { return std::move(root_); }

  void scalar(Json value) override { put(std::move(value)); }
  void integer(const std::string& digits) override {
    put(Json::binary({digits.begin(), digits.end()}, json_integer_digits));
  }
  void begin_list() override { open_.push_back(put(Json::array())); }
  void begin_object() override { open_.push_back(put(Json::object())); }
  void key(std::string name) override { key_ = std::move(name); }
  void end() override { open_.pop_back(); }

 private:
  Json* put(Json value) {
    if (open_.empty()) return &(root_ = std::move(value));
    Json& around = *open_.back();
    if (around.is_object()) return &(around[key_] = std::move(value));
    around.push_back(std::move(value));
    return &around.back();
  }

  Json root_;
  std::vector<Json*> open_;  // nothing is added around what is open, so they stay where they are
  std::string key_;
};

}  // namespace

void read_json(std::string_view text, const std::string& source, JsonReceiver& receiver) {
  Events events(text, source, receiver);
  Json::sax_parse(text, &events);
}

Json read_template_json(std::string_view text, const std::string& source) {
  Builder builder;
  read_json(text, source, builder);
  return builder.take();
}

}  // namespace lamina
