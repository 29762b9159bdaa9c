// Each family's format on one conversation, letter by letter as its model card shows it.
#include "runtime/chat_template/families.h"

#include "runtime/chat_template/chat_template.h"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

// B and E stand for the texts of BOS and EOS.
const std::map<std::string_view, std::string> expected = {
    {"chatml",
     "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n"
     "<|im_start|>assistant\nA<|im_end|>\n<|im_start|>user\nV<|im_end|>\n<|im_start|>assistant\n"},
    {"llama2", "B[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST] A EB[INST] V [/INST]"},
    {"llama3",
     "B<|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|>"
     "<|start_header_id|>user<|end_header_id|>\n\nU<|eot_id|>"
     "<|start_header_id|>assistant<|end_header_id|>\n\nA<|eot_id|>"
     "<|start_header_id|>user<|end_header_id|>\n\nV<|eot_id|>"
     "<|start_header_id|>assistant<|end_header_id|>\n\n"},
    {"mistral", "B[INST] S\n\nU[/INST] AE[INST] V[/INST]"},
    {"gemma",
     "B<start_of_turn>user\nS\n\nU<end_of_turn>\n<start_of_turn>model\nA<end_of_turn>\n"
     "<start_of_turn>user\nV<end_of_turn>\n<start_of_turn>model\n"},
    {"phi3",
     "<|system|>\nS<|end|>\n<|user|>\nU<|end|>\n<|assistant|>\nA<|end|>\n<|user|>\nV<|end|>\n"
     "<|assistant|>\n"},
    {"zephyr", "<|system|>\nSE\n<|user|>\nUE\n<|assistant|>\nAE\n<|user|>\nVE\n<|assistant|>\n"},
    {"vicuna", "BS USER: U ASSISTANT: AEUSER: V ASSISTANT:"},
    {"deepseek", "BS<｜User｜>U<｜Assistant｜>AE<｜User｜>V<｜Assistant｜>"},
    {"granite",
     "<|start_of_role|>system<|end_of_role|>S<|end_of_text|>\n"
     "<|start_of_role|>user<|end_of_role|>U<|end_of_text|>\n"
     "<|start_of_role|>assistant<|end_of_role|>A<|end_of_text|>\n"
     "<|start_of_role|>user<|end_of_role|>V<|end_of_text|>\n"
     "<|start_of_role|>assistant<|end_of_role|>"},
    {"command-r",
     "B<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>S<|END_OF_TURN_TOKEN|>"
     "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>U<|END_OF_TURN_TOKEN|>"
     "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>A<|END_OF_TURN_TOKEN|>"
     "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>V<|END_OF_TURN_TOKEN|>"
     "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"},
};

BOOST_AUTO_TEST_SUITE(template_families)

BOOST_AUTO_TEST_CASE(every_family_on_one_conversation) {
  BOOST_TEST(family_templates().size() == expected.size());
  const auto message = [](const char* role, const char* text) {
    return Json{{"role", role}, {"content", text}};
  };
  Json variables = {{"messages",
                     {message("system", "S"), message("user", "U"), message("assistant", "A"),
                      message("user", "V")}},
                    {"add_generation_prompt", true},
                    {"bos_token", "B"},
                    {"eos_token", "E"}};
  for (const FamilyTemplate& family : family_templates()) {
    const ChatTemplate made(family.text, std::string(family.name));
    const auto parts = made.render(variables);
    BOOST_TEST(whole_text(parts) == expected.at(family.name));
    for (const TemplatePart& part : parts) {  // what the user wrote is known as such
      if (part.text == "U" || part.text == "V") BOOST_TEST(part.from_user);
    }
    variables["add_generation_prompt"] = false;
    BOOST_TEST(expected.at(family.name).starts_with(whole_text(made.render(variables))));
    variables["add_generation_prompt"] = true;
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
