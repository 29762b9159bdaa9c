// Validation of sampling settings, and the chain whose order is known only at run time.
#include "runtime/sampling.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>
#include <string_view>

namespace lamina {

namespace {

using AnySampler = std::variant<Penalties, TopK, TopP, MinP, Temperature>;

/// A sampler as users name it, and how it is made of the settings.
struct NamedSampler {
  std::string_view name;
  AnySampler (*make)(const SamplingSettings&);
};

constexpr std::array<NamedSampler, 5> known_samplers = {{
    {"penalties",
     [](const SamplingSettings& s) -> AnySampler {
       return Penalties({.repeat = s.repeat_penalty,
                         .frequency = s.frequency_penalty,
                         .presence = s.presence_penalty,
                         .window = s.repeat_last_n});
     }},
    {"top_k", [](const SamplingSettings& s) -> AnySampler { return TopK{s.top_k}; }},
    {"top_p", [](const SamplingSettings& s) -> AnySampler { return TopP{s.top_p}; }},
    {"min_p", [](const SamplingSettings& s) -> AnySampler { return MinP{s.min_p}; }},
    {"temperature",
     [](const SamplingSettings& s) -> AnySampler { return Temperature{s.temperature}; }},
}};

const NamedSampler& find_sampler(std::string_view name) {
  std::string known;
  for (const NamedSampler& sampler : known_samplers) {
    if (sampler.name == name) return sampler;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", sampler.name);
  }
  throw Error(fmt::format("--samplers: '{}' is no sampler; expected names separated by ';' of: {}",
                          name, known));
}

std::vector<const NamedSampler*> parse_order(std::string_view text) {
  std::vector<const NamedSampler*> order;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const NamedSampler& sampler = find_sampler(text.substr(0, end));
    if (std::find(order.begin(), order.end(), &sampler) != order.end()) {
      throw Error(fmt::format("--samplers: '{}' stands there twice; expected each name once",
                              sampler.name));
    }
    order.push_back(&sampler);
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
    if (text.empty()) find_sampler("");  // a separator at the end
  }
  return order;
}

void require(bool good, std::string_view flag, double found, std::string_view expected) {
  if (!good) throw Error(fmt::format("{} {}: expected {}", flag, found, expected));
}

void require(bool good, std::string_view flag, std::int64_t found, std::string_view expected) {
  if (!good) throw Error(fmt::format("{} {}: expected {}", flag, found, expected));
}

/// 63 bits, so that --seed can be given what a log shows.
std::uint64_t drawn_seed() {
  std::random_device device;
  return ((std::uint64_t{device()} << 32) | device()) >> 1;
}

}  // namespace

void validate(const SamplingSettings& s) {
  // Each comparison is false for NaN.
  require(s.temperature >= 0 && std::isfinite(s.temperature), "--temperature", s.temperature,
          "a number >= 0 (0: greedy)");
  require(s.top_k >= 0, "--top-k", s.top_k, "a number of tokens, or 0 for all");
  require(s.top_p > 0 && s.top_p <= 1, "--top-p", s.top_p, "a number in (0, 1] (1: off)");
  require(s.min_p >= 0 && s.min_p <= 1, "--min-p", s.min_p, "a number in [0, 1] (0: off)");
  require(s.repeat_penalty > 0 && std::isfinite(s.repeat_penalty), "--repeat-penalty",
          s.repeat_penalty, "a number above 0 (1: off)");
  require(s.repeat_last_n >= -1, "--repeat-last-n", s.repeat_last_n,
          "a number of tokens, 0 (off) or -1 (all)");
  require(std::isfinite(s.frequency_penalty), "--frequency-penalty", s.frequency_penalty,
          "a finite number (0: off)");
  require(std::isfinite(s.presence_penalty), "--presence-penalty", s.presence_penalty,
          "a finite number (0: off)");
  parse_order(s.samplers);
}

std::string describe(const SamplingSettings& s) {
  return fmt::format(
      "temperature {}\ntop_k {}\ntop_p {}\nmin_p {}\nrepeat_penalty {}\nrepeat_last_n {}\n"
      "frequency_penalty {}\npresence_penalty {}\nseed {}\ngreedy {}\nsamplers {}\n",
      s.temperature, s.top_k, s.top_p, s.min_p, s.repeat_penalty, s.repeat_last_n,
      s.frequency_penalty, s.presence_penalty, s.seed ? std::to_string(*s.seed) : "drawn", s.greedy,
      s.samplers);
}

TokenPicker::TokenPicker(const SamplingSettings& settings)
    : seed_(settings.seed ? *settings.seed : drawn_seed()) {
  validate(settings);
  for (const NamedSampler* sampler : parse_order(settings.samplers)) {
    samplers_.push_back(sampler->make(settings));
  }
  if (settings.greedy || settings.temperature == 0) {
    picker_ = Greedy{};
  } else {
    picker_ = Categorical{seed_};
  }
}

Token TokenPicker::pick(std::span<const float> logits, Position position) {
  candidates_.assign(logits);
  for (AnySampler& any : samplers_) {
    std::visit([&](auto& sampler) { sampler.apply(candidates_); }, any);
  }
  return std::visit([&](const auto& picker) { return picker.pick(candidates_, position); },
                    picker_);
}

void TokenPicker::accept(Token token) {
  for (AnySampler& any : samplers_) {
    std::visit([&](auto& sampler) { sampler.accept(token); }, any);
  }
}

}  // namespace lamina
