// JSON as values of a template.
#include "runtime/chat_template/jinja/values/json_values.h"

#include "lamina/gguf/quoted.h"

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

Value from_json(Heap& heap, const Json& json, bool from_user) {
  return Converter(heap).convert(json, from_user);
}

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

Value parse_json(Heap& heap, const Text& text) {
  const Json json = Json::parse(text.view(), nullptr, false);
  if (json.is_discarded()) fail("from_json: the text is no JSON");
  return from_json(heap, json, text.any_from_user());
}

}  // namespace lamina::jinja
