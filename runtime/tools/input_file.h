// Files that the command line or a command of a chat names; one way to read them, whatever for.
//
// Every error begins with what named the file (a flag, or nothing for what stands on its own) and
// the file. What cannot be read, or is larger than 256 MiB, is an Error.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

namespace lamina {

/// How errors call a file: "--messages chat.json", or "chat.json" where `flag` is empty.
std::string file_source(std::string_view flag, const std::filesystem::path& path);

/// All bytes of the file.
std::string read_file(std::string_view flag, const std::filesystem::path& path);
/// All bytes that are left in `stream`, which errors call `source`.
std::string read_stream(std::istream& stream, const std::string& source);

/// The JSON in the file: of any kind, nested no deeper than 100 levels.
nlohmann::ordered_json read_json_file(std::string_view flag, const std::filesystem::path& path);

}  // namespace lamina
