// Fuzz target of chat templates: any JSON as the conversation, for templates that look at all of
// it. What does not parse is the content of a message.
#include "runtime/chat_template/chat_template.h"

#include <array>
#include <cstdint>
#include <string>

using namespace lamina;

namespace {

using Json = nlohmann::ordered_json;

const std::array<ChatTemplate, 4>& templates() {
  static const std::array<ChatTemplate, 4> all = {
      ChatTemplate(R"({% for m in messages %}<|{{ m.role }}|>{% if m.content is string -%}
{{ m.content|trim }}{{ m.content[1:-1]|upper }}{{ m.content.split('\n')|join('|') }}
{%- else %}{% for p in m.content %}{{ p.text }}{{ p }}{% endfor %}{% endif %}
{%- for c in m.tool_calls or [] %}{{ c.function.name }}{{ c.function.arguments|tojson }}
{%- endfor %}{% endfor %}{{ tools|tojson(indent=2) if tools }})"),
      ChatTemplate(R"({% macro walk(v, k='') %}{% if v is mapping %}
{%- for a, b in v|dictsort %}{{ a }}{{- walk(b, a) }}{% endfor %}
{%- elif v is string %}{{ v|e }}{{ '%10.3s' % v }}
{%- elif v is iterable %}{%- for x in v recursive %}{{ loop.index }}
{{- loop(x) if x is sequence and x is not string else x }}{%- endfor %}
{%- else %}{{ v }}{{ '{:>8}'.format(v ~ '') }}{% endif %}{% endmacro %}{{ walk(messages) }})"),
      ChatTemplate(R"({% set ns = namespace(t='', n=0) %}{% for m in messages if m is mapping %}
{%- set ns.t = ns.t ~ m|tojson(ensure_ascii=true, sort_keys=ns.n == 5) %}{% set ns.n = ns.n + 1 %}
{%- if loop.last %}{{ ns.t|wordwrap(20)|indent(2)|title }}{% endif %}
{%- endfor %}{{ ns.t|length }})"),
      ChatTemplate(R"({{ messages|pprint }}{{ messages|string|wordcount }}
{{- messages|unique|list|length }}{{- messages|sort }}{{ messages|max }}
{{- messages|map('string')|map('capitalize')|batch(3, '-')|list }})")};
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Json given = Json::parse(text, nullptr, false);
  if (given.is_discarded()) given = {{{"role", "user"}, {"content", text}}};
  const Json variables = {{"messages", given}, {"tools", given}, {"documents", nullptr}};
  RenderOptions options;
  options.limits = {50'000, 32, 1u << 20, 10'000, 32u << 20};
  for (const ChatTemplate& chat_template : templates()) {
    try {
      chat_template.render(variables, options);
    } catch (const TemplateError&) {  // what a bad conversation is answered with
    }
  }
  return 0;
}
