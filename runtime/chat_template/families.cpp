// One Jinja text a family. Lines inside the raw strings are part of the prompt.
#include "runtime/chat_template/families.h"

#include <array>

namespace lamina {
namespace {

constexpr std::string_view chatml = R"({%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\n' -}}{%- endif -%})";

// The system text stands in the first user turn; every user turn begins with a BOS.
constexpr std::string_view llama2 = R"({%- set ns = namespace(system='') -%}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{%- set ns.system = '<<SYS>>\n' + message.content + '\n<</SYS>>\n\n' -%}
{%- elif message.role == 'user' -%}
{{- bos_token + '[INST] ' + ns.system + message.content | trim + ' [/INST]' -}}
{%- set ns.system = '' -%}
{%- else -%}
{{- ' ' + message.content | trim + ' ' + eos_token -}}
{%- endif -%}
{%- endfor -%})";

constexpr std::string_view llama3 = R"({{- bos_token -}}
{%- for message in messages -%}
{{- '<|start_header_id|>' + message.role + '<|end_header_id|>\n\n' -}}
{{- message.content | trim + '<|eot_id|>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|start_header_id|>assistant<|end_header_id|>\n\n' -}}
{%- endif -%})";

constexpr std::string_view mistral = R"({{- bos_token -}}
{%- set ns = namespace(system='') -%}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{%- set ns.system = message.content + '\n\n' -%}
{%- elif message.role == 'user' -%}
{{- '[INST] ' + ns.system + message.content + '[/INST]' -}}
{%- set ns.system = '' -%}
{%- else -%}
{{- ' ' + message.content + eos_token -}}
{%- endif -%}
{%- endfor -%})";

constexpr std::string_view gemma = R"({{- bos_token -}}
{%- set ns = namespace(system='') -%}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{%- set ns.system = message.content + '\n\n' -%}
{%- else -%}
{{- '<start_of_turn>' + ('model' if message.role == 'assistant' else message.role) + '\n' -}}
{{- ns.system + message.content | trim + '<end_of_turn>\n' -}}
{%- set ns.system = '' -%}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<start_of_turn>model\n' -}}{%- endif -%})";

constexpr std::string_view phi3 = R"({%- for message in messages -%}
{{- '<|' + message.role + '|>\n' + message.content + '<|end|>\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>\n' -}}{%- endif -%})";

constexpr std::string_view zephyr = R"({%- for message in messages -%}
{{- '<|' + message.role + '|>\n' + message.content + eos_token + '\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>\n' -}}{%- endif -%})";

constexpr std::string_view vicuna = R"({{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}{{- message.content + ' ' -}}
{%- elif message.role == 'user' -%}{{- 'USER: ' + message.content + ' ' -}}
{%- else -%}{{- 'ASSISTANT: ' + message.content + eos_token -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- 'ASSISTANT:' -}}{%- endif -%})";

constexpr std::string_view deepseek = R"({{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}{{- message.content -}}
{%- elif message.role == 'user' -%}{{- '<｜User｜>' + message.content -}}
{%- else -%}{{- '<｜Assistant｜>' + message.content + eos_token -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<｜Assistant｜>' -}}{%- endif -%})";

constexpr std::string_view granite = R"({%- for message in messages -%}
{{- '<|start_of_role|>' + message.role + '<|end_of_role|>' + message.content -}}
{{- '<|end_of_text|>\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|start_of_role|>assistant<|end_of_role|>' -}}
{%- endif -%})";

constexpr std::string_view command_r = R"({{- bos_token -}}
{%- for message in messages -%}
{%- set role = {'user': 'USER', 'system': 'SYSTEM', 'assistant': 'CHATBOT'}[message.role] -%}
{{- '<|START_OF_TURN_TOKEN|><|' + role + '_TOKEN|>' + message.content | trim -}}
{{- '<|END_OF_TURN_TOKEN|>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' -}}
{%- endif -%})";

constexpr std::array<FamilyTemplate, 11> families = {{
    {"chatml", "Qwen, SmolLM, Yi, many fine-tuned models", chatml},
    {"llama2", "Llama 2", llama2},
    {"llama3", "Llama 3 to 3.3", llama3},
    {"mistral", "Mistral 7B v0.3, Mixtral", mistral},
    {"gemma", "Gemma 1 to 3", gemma},
    {"phi3", "Phi 3 and 3.5", phi3},
    {"zephyr", "Zephyr, TinyLlama, StableLM 2", zephyr},
    {"vicuna", "Vicuna 1.1 and later", vicuna},
    {"deepseek", "DeepSeek V2.5 and V3", deepseek},
    {"granite", "Granite 3", granite},
    {"command-r", "Command R", command_r},
}};

}  // namespace

std::span<const FamilyTemplate> family_templates() { return families; }

}  // namespace lamina
