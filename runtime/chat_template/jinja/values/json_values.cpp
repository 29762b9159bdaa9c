// JSON as values of a template.
#include "runtime/chat_template/jinja/values/json_values.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/chat_template/jinja/values/numbers.h"
#include "runtime/chat_template/json_reader.h"

#include <string>

namespace lamina::jinja {
namespace {

using Json = nlohmann::ordered_json;

class Converter {
 public:
  explicit Converter(Heap& heap) : heap_(heap) {}

  Value convert(const Json& json, bool from_user) {
    const Deeper deeper(depth_, most_nested_values, "the variables of the template are");
    switch (json.type()) {
      case Json::value_t::null:
        return None{};
      case Json::value_t::boolean:
        return json.get<bool>();
      case Json::value_t::number_integer:
        return Integer{json.get<std::int64_t>()};
      case Json::value_t::number_unsigned:
        return Integer{json.get<std::uint64_t>()};
      case Json::value_t::number_float:
        return json.get<double>();
      case Json::value_t::string:
        return text(json.get_ref<const std::string&>(), from_user);
      case Json::value_t::array: {
        Values items;
        items.reserve(json.size());
        for (const Json& item : json) items.push_back(convert(item, from_user));
        return heap_.list(std::move(items));
      }
      case Json::value_t::object: {
        const auto dict = heap_.dict();
        for (const auto& [key, value] : json.items()) {
          dict->set(text(key, from_user), convert(value, from_user));
        }
        return dict;
      }
      case Json::value_t::binary:
        if (json.get_binary().has_subtype() && json.get_binary().subtype() == json_integer_digits) {
          return integer({json.get_binary().begin(), json.get_binary().end()});
        }
        [[fallthrough]];
      default:
        fail("a variable of the template is binary data, which it cannot be");
    }
  }

  /// A list whose objects are the user's but for the value of `role`.
  Value messages(const Json& list) {
    if (!list.is_array()) return convert(list, true);
    Values items;
    for (const Json& message : list) {
      if (!message.is_object()) {
        items.push_back(convert(message, true));
        continue;
      }
      const auto dict = heap_.dict();
      for (const auto& [key, value] : message.items()) {
        dict->set(text(key, false), convert(value, key != "role"));
      }
      items.push_back(dict);
    }
    return heap_.list(std::move(items));
  }

  Value integer(const std::string& digits) {
    try {
      return *parse_integer(heap_, Text(digits), 10);
    } catch (const TemplateFault& fault) {
      if (fault.kind != TemplateFault::Kind::ordinary) throw;
      fail("a variable of the template is the integer " + lamina::quoted(digits) +
           "; more than 128 bits are not supported");
    }
  }

  Value text(const std::string& bytes, bool from_user) {
    if (first_malformed(bytes) != std::string::npos) {
      fail("a variable of the template is no UTF-8: " + lamina::quoted(bytes));
    }
    return heap_.string(Text(bytes, from_user));
  }

 private:
  Heap& heap_;
  std::size_t depth_ = 0;
};

}  // namespace

std::shared_ptr<Dict> variables_from_json(Heap& heap, const Json& variables) {
  if (!variables.is_object()) fail("the variables of a template must be an object");
  Converter converter(heap);
  const auto dict = heap.dict();
  for (const auto& [name, value] : variables.items()) {
    const bool said = name == "messages" || name == "documents";
    dict->set(converter.text(name, false),
              said ? converter.messages(value) : converter.convert(value, false));
  }
  return dict;
}

namespace {

/// Builds values from JSON as it is read, within the limits of the heap.
class ValueBuilder : public JsonReceiver {
 public:
  ValueBuilder(Heap& heap, bool from_user) : converter_(heap), heap_(heap), from_user_(from_user) {}

  Value take() { return root_; }

  void scalar(Json value) override { put(converter_.convert(value, from_user_)); }
  void integer(const std::string& digits) override { put(converter_.integer(digits)); }
  void begin_list() override { open_.push_back({nullptr, {}, {}}); }
  void begin_object() override { open_.push_back({heap_.dict(), {}, {}}); }
  void key(std::string name) override { open_.back().key = converter_.text(name, from_user_); }
  void end() override {
    Open done = std::move(open_.back());
    open_.pop_back();
    put(done.dict != nullptr ? Value(std::move(done.dict)) : heap_.list(std::move(done.items)));
  }

 private:
  struct Open {
    std::shared_ptr<Dict> dict;  // null: a list
    Values items;
    Value key;
  };

  void put(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().dict != nullptr) {
      open_.back().dict->set(open_.back().key, std::move(value));
    } else {
      heap_.check_items(open_.back().items.size() + 1);
      open_.back().items.push_back(std::move(value));
    }
  }

  Converter converter_;
  Heap& heap_;
  const bool from_user_;
  std::vector<Open> open_;
  Value root_;
};

}  // namespace

Value parse_json(Heap& heap, const Text& text) {
  ValueBuilder builder(heap, text.any_from_user());
  try {
    read_json(text.view(), "from_json", builder);
  } catch (const Error& error) {
    fail(error.what());
  }
  return builder.take();
}

}  // namespace lamina::jinja
