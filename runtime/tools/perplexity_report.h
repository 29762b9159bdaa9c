// What `lamina perplexity` prints: a line a chunk while it goes, the final figures as text by
// llama-perplexity's names and in its units, and as an object of JSON.
#pragma once

#include "runtime/perplexity/statistics.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace lamina {

/// "PPL = 12.3456 +/- 0.12345".
std::string perplexity_line(std::span<const Measured> measured);
/// The main figures of a comparison so far, on one line.
std::string comparison_line(std::span<const Measured> measured);

/// The tables of a comparison.
std::string comparison_text(const Comparison& comparison);

nlohmann::ordered_json perplexity_json(std::span<const Measured> measured);
/// With the same figures as the tables; probabilities in percent, as there.
nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace lamina
