// The commands of a chat: what a line that begins with / does.
#pragma once

#include "runtime/tools/chat_session.h"

#include <string>
#include <string_view>

namespace lamina {

/// Does what `line`, which begins with /, says; false where the chat is to end. Throws Error for an
/// unknown command, listing those there are, and where the command fails.
bool run_chat_command(ChatSession& chat, std::string_view line);

/// The commands, a line each.
std::string chat_command_help();

/// Token counts of each message, of the markers and of the whole, and the speed of the last answer.
std::string chat_statistics(const ChatSession& chat);

/// Saves the conversation and the settings to `path`, in one step. An existing file is replaced
/// only if `replace` says so, or if it is the one that this conversation was saved to before.
void save_chat(ChatSession& chat, const std::filesystem::path& path, bool replace);
/// Puts what was saved in the place of the conversation; where that fails nothing has changed.
void load_chat(ChatSession& chat, const std::filesystem::path& path);

}  // namespace lamina
