// Dropping no more than must go: the number of exchanges is found by halving, since each removal
// makes the prompt shorter.
#include "runtime/context_policy.h"

#include "lamina/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;
using Kind = ContextPolicy::Kind;

constexpr std::string_view summary_request =
    "Summarise the conversation so far for yourself, in a few sentences. Keep names, numbers, "
    "facts, decisions, what I asked for, and questions that are still open. Write nothing else.";

/// Tokens that a summary may have.
std::int64_t summary_length(const ContextRoom& room) {
  return std::clamp<std::int64_t>(room.context / 8, 1, 512);
}

std::string_view advice(const ContextPolicy& policy) {
  if (policy.kind == Kind::window) {
    return "choose a smaller window (--context-policy), or raise the context (-c)";
  }
  return "raise the context (-c), say less, begin anew (/reset), or have old messages dropped "
         "(--context-policy drop-oldest, window=N or summary)";
}

class Fitting {
 public:
  Fitting(Conversation& conversation, const ChatFormat& format, PromptEnd end, ContextRoom room,
          const Summarise& summarise)
      : conversation_(conversation),
        format_(format),
        end_(end),
        room_(room),
        summarise_(summarise),
        exchanges_(conversation.exchanges()) {}

  FittedPrompt run(const ContextPolicy& policy);

 private:
  std::vector<Token> tokens(std::size_t dropped, const std::string& summary) const {
    return format_.tokens(conversation_.visible(dropped, summary), end_);
  }
  std::size_t first_that_fits(std::int64_t most, const std::string& summary) const;
  std::string summary_until(std::size_t dropped) const;
  std::vector<Token> summary_prompt(const std::string& summary, std::size_t from,
                                    std::size_t to) const;
  [[noreturn]] void refuse(std::int64_t needed, std::string_view what,
                           std::string_view advice) const;

  Conversation& conversation_;
  const ChatFormat& format_;
  PromptEnd end_;
  ContextRoom room_;
  const Summarise& summarise_;
  std::vector<std::size_t> exchanges_;  // where each begins
};

void Fitting::refuse(std::int64_t needed, std::string_view what, std::string_view advice) const {
  throw Error(fmt::format(
      "{} {} tokens, but the context of {} has room for {} when {} are kept for the answer; {}",
      what, needed, room_.context, room_.prompt(), room_.answer, advice));
}

/// Where the first of the exchanges begins with which the prompt has at most `most` tokens.
std::size_t Fitting::first_that_fits(std::int64_t most, const std::string& summary) const {
  const auto length = [&](std::size_t dropped) {
    return static_cast<std::int64_t>(tokens(dropped, summary).size());
  };
  const auto fits =
      std::partition_point(exchanges_.begin() + 1, exchanges_.end(),
                           [&](std::size_t dropped) { return length(dropped) > most; });
  if (fits == exchanges_.end()) {
    refuse(length(exchanges_.back()) + room_.prompt() - most,
           "the system message and the last question alone need",
           "shorten them, or raise the context (-c)");
  }
  return *fits;
}

/// What the model is asked in order to sum up the messages `from` to `to` and what came before.
std::vector<Token> Fitting::summary_prompt(const std::string& summary, std::size_t from,
                                           std::size_t to) const {
  Json request = conversation_.visible(from, summary);
  const auto later = static_cast<std::ptrdiff_t>(conversation_.droppable() - to);
  request.erase(request.end() - later, request.end());
  request.push_back({{"role", "user"}, {"content", summary_request}});
  return format_.tokens(request, PromptEnd::generation);
}

/// Sums up the first `dropped` messages: in several steps where they are too long for one.
std::string Fitting::summary_until(std::size_t dropped) const {
  const std::int64_t length = summary_length(room_);
  std::string summary = conversation_.summary();
  std::vector<std::size_t> ends(
      std::upper_bound(exchanges_.begin(), exchanges_.end(), conversation_.dropped()),
      std::upper_bound(exchanges_.begin(), exchanges_.end(), dropped));
  for (std::size_t from = conversation_.dropped(); from < dropped;) {
    const auto next = std::upper_bound(ends.begin(), ends.end(), from);
    const auto end = std::partition_point(next, ends.end(), [&](std::size_t to) {
      return static_cast<std::int64_t>(summary_prompt(summary, from, to).size()) <=
             room_.context - length;
    });
    if (end == next) {
      refuse(static_cast<std::int64_t>(summary_prompt(summary, from, *next).size()),
             "summing up the oldest exchange needs",
             "raise the context (-c), or choose --context-policy drop-oldest");
    }
    const std::size_t to = *std::prev(end);
    summary = summarise_(summary_prompt(summary, from, to), length);
    from = to;
  }
  return summary;
}

FittedPrompt Fitting::run(const ContextPolicy& policy) {
  const std::size_t before = conversation_.dropped();
  std::string summary = conversation_.summary();
  FittedPrompt fitted{.tokens = tokens(before, summary), .end = end_};
  const auto length = static_cast<std::int64_t>(fitted.tokens.size());
  const bool narrow = policy.kind == Kind::window && exchanges_.size() > policy.exchanges;
  if (!narrow && length <= room_.prompt()) return fitted;

  std::size_t first = before;
  if (narrow) {
    first = exchanges_[exchanges_.size() - policy.exchanges];
  } else if (policy.kind == Kind::error || policy.kind == Kind::window || exchanges_.empty()) {
    refuse(length, "the conversation needs", advice(policy));
  } else if (policy.kind == Kind::drop_oldest) {
    first = first_that_fits(room_.prompt(), summary);
  } else {
    constexpr std::int64_t heading = 32;  // tokens at most, of what stands before a summary
    first = first_that_fits(room_.prompt() - summary_length(room_) - heading, {});
    summary = summary_until(first);
    fitted.summarised = !summary.empty();
  }
  fitted.dropped_messages = first - before;
  fitted.dropped_tokens =
      length - static_cast<std::int64_t>(tokens(first, conversation_.summary()).size());
  fitted.tokens = tokens(first, summary);
  const auto now = static_cast<std::int64_t>(fitted.tokens.size());
  if (now > room_.prompt()) refuse(now, "what is left needs", advice(policy));
  conversation_.drop(first, std::move(summary));
  return fitted;
}

}  // namespace

ContextPolicy parse_context_policy(std::string_view text) {
  if (text == "error") return {};
  if (text == "drop-oldest") return {.kind = Kind::drop_oldest};
  if (text == "summary") return {.kind = Kind::summary};
  constexpr std::string_view window = "window";
  if (text.starts_with("window ") || text.starts_with("window=")) {
    const std::string_view number = text.substr(window.size() + 1);
    std::size_t count = 0;
    const char* end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, count);
    if (error == std::errc{} && stop == end && count > 0) {
      return {.kind = Kind::window, .exchanges = count};
    }
  }
  throw Error(fmt::format(
      "'{}' is no context policy; expected error, drop-oldest, window=N (N exchanges, 1 or more) "
      "or summary",
      text));
}

std::string describe(const ContextPolicy& policy) {
  switch (policy.kind) {
    case Kind::error:
      return "error";
    case Kind::drop_oldest:
      return "drop-oldest";
    case Kind::window:
      return fmt::format("window={}", policy.exchanges);
    case Kind::summary:
      return "summary";
  }
  return "unknown";
}

ContextRoom context_room(std::int64_t context, std::optional<std::int64_t> max_tokens) {
  return {context, std::min(max_tokens.value_or(context), context / 4)};
}

FittedPrompt fit_prompt(Conversation& conversation, const ChatFormat& format, PromptEnd end,
                        ContextRoom room, const ContextPolicy& policy, const Summarise& summarise) {
  return Fitting(conversation, format, end, room, summarise).run(policy);
}

}  // namespace lamina
