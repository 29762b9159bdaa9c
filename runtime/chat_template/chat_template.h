// Chat templates: the Jinja text that comes with a model, and how a conversation is put through it.
//
// The language is that of the Python package jinja2 3.1 as transformers' `apply_chat_template` sets
// it up: trim_blocks, lstrip_blocks, break and continue, `tojson` without HTML escapes,
// `raise_exception`, `strftime_now`, {% generation %}. A template is as little trusted as the file
// it comes from: it sees the variables it is given and nothing else, and what it may take is
// limited.
#pragma once

#include "lamina/core/error.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

/// Thrown where a template is wrong, asks for too much, or refuses what it was given.
class TemplateError : public Error {
 public:
  explicit TemplateError(const std::string& message, bool raised = false)
      : Error(message), raised_(raised) {}
  /// The template called raise_exception: the message is its text, and nothing else.
  bool raised_by_template() const { return raised_; }

 private:
  bool raised_;
};

/// Text of a rendered prompt. What comes from the content of a message (its text, reasoning, tool
/// calls and tool results) is `from_user`, and may be kept from being read as special tokens.
struct TemplatePart {
  std::string text;
  bool from_user = false;

  bool operator==(const TemplatePart&) const = default;
};

/// The parts one after the other.
std::string whole_text(std::span<const TemplatePart> parts);

/// What one rendering may take; more is a TemplateError.
struct TemplateLimits {
  std::size_t steps = 1'000'000;          // statements, expressions, items passed over
  std::size_t depth = 64;                 // calls of macros within each other
  std::size_t output_bytes = 16u << 20;   // the prompt, and any single string
  std::size_t list_items = 100'000;       // any single list, dict or range
  std::size_t memory_bytes = 256u << 20;  // every value made while rendering
};

/// A time of day without a zone, as a template's `strftime_now` sees it.
struct LocalTime {
  int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0, microsecond = 0;
};

/// What the clock of this machine shows.
LocalTime local_time_now();

struct RenderOptions {
  std::function<LocalTime()> clock = local_time_now;
  TemplateLimits limits;
};

namespace jinja {
struct TemplateTree;  // runtime/chat_template/jinja/syntax/syntax.h
}

/// A compiled template. It does not change after its construction, and may be rendered by several
/// threads at once.
class ChatTemplate {
 public:
  /// Throws TemplateError where jinja2 would not compile `text`. `source` names it in messages.
  explicit ChatTemplate(std::string_view text, std::string source = "chat template");
  ~ChatTemplate();
  ChatTemplate(ChatTemplate&&) noexcept;
  ChatTemplate& operator=(ChatTemplate&&) noexcept;

  /// `variables` is the object of all that the template sees: messages, tools, documents,
  /// add_generation_prompt, bos_token, eos_token and what `add_template_arguments` added.
  std::vector<TemplatePart> render(const nlohmann::ordered_json& variables,
                                   const RenderOptions& options = {}) const;

  /// Whether the template reads the variable `name` anywhere, say "enable_thinking" or "tools".
  bool mentions(std::string_view name) const;

 private:
  std::unique_ptr<const jinja::TemplateTree> tree_;
};

/// Adds `arguments` (an object; enable_thinking and the like) to `variables`. Throws TemplateError
/// where one would take the place of what the program itself passes: messages, tools and so on.
void add_template_arguments(nlohmann::ordered_json& variables,
                            const nlohmann::ordered_json& arguments);

}  // namespace lamina
