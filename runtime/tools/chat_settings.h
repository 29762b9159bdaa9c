// What can be changed while a chat runs, by name: `/set NAME VALUE`, and "settings" in saved files.
#pragma once

#include "runtime/tools/chat_session.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace lamina {

/// Gives the setting its value; throws Error naming the setting and what was expected.
void set_chat_setting(ChatSession& chat, std::string_view name, const std::string& value);

/// A line a setting, "name value", for people.
std::string describe_settings(const ChatSession& chat);

/// All settings, as they are saved.
nlohmann::ordered_json settings_json(const ChatSession& chat);
/// Takes over what was saved; throws Error, having changed nothing, for what is no setting.
void apply_settings(ChatSession& chat, const nlohmann::ordered_json& settings);

/// Switches the model's reasoning on or off by the argument its template reads for it. Throws Error
/// where the template reads none.
void set_reasoning(ChatFormat& format, bool on);

/// Sets the template's argument `name` to `value`, as JSON where it is JSON, else as text.
void set_template_argument(ChatFormat& format, const std::string& name, const std::string& value);

}  // namespace lamina
