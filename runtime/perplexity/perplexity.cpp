// Cutting and feeding: positions whose logits nobody wants are fed without asking for them.
#include "runtime/perplexity/perplexity.h"

#include "lamina/core/error.h"
#include "runtime/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace lamina {
namespace {

constexpr std::size_t longest_piece = 512;  // rows: larger batches are no faster

/// Rows of logits that take about 64 MiB.
std::size_t rows_at_once(std::int64_t vocab) {
  const std::size_t row = static_cast<std::size_t>(vocab) * sizeof(float);
  return std::clamp<std::size_t>((std::size_t{64} << 20) / row, 16, longest_piece);
}

/// Feeds the tokens [begin, end) of the chunk; logits of all of them where `wanted`, else of none.
Outputs feed(LanguageModel& model, SequenceId sequence, std::span<const Token> chunk,
             std::size_t begin, std::size_t end, bool wanted) {
  std::vector<Position> positions(end - begin);
  std::iota(positions.begin(), positions.end(), static_cast<Position>(begin));
  const std::vector<SequenceId> sequences(end - begin, sequence);
  std::vector<std::int32_t> rows(wanted ? end - begin : 0);
  std::iota(rows.begin(), rows.end(), 0);
  return model.forward({chunk.subspan(begin, end - begin), positions, sequences, rows});
}

}  // namespace

Chunks cut_chunks(std::span<const Token> text, Position context, std::optional<Token> first,
                  std::optional<std::int64_t> most, const std::string& source) {
  const auto size = static_cast<std::size_t>(context);
  if (text.size() < 2 * size) {
    throw Error(
        fmt::format("{}: has {} tokens; chunks of {} (-c) need a text of at least {}: give a "
                    "longer one, or a smaller -c",
                    source, text.size(), context, 2 * size));
  }
  const std::size_t there = text.size() / size;
  const auto count = most ? std::min(there, static_cast<std::size_t>(*most)) : there;
  Chunks chunks{.context = context, .tokens = {}};
  chunks.tokens.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count * size));
  for (std::size_t i = 0; first && i < count; ++i) chunks.tokens[i * size] = *first;
  return chunks;
}

bool feed_chunk(LanguageModel& model, std::span<const Token> chunk,
                const std::function<void(const ScoredSlice&)>& take,
                const std::function<bool()>& interrupted) {
  const auto context = static_cast<Position>(chunk.size());
  const KeptSequence sequence(model, context);
  const std::size_t scored = first_scored(context), last = chunk.size() - 1;
  for (std::size_t at = 0; at < scored;) {
    if (interrupted()) return false;
    const std::size_t end = std::min(scored, at + longest_piece);
    feed(model, sequence.id(), chunk, at, end, false);
    at = end;
  }
  const std::size_t slice = rows_at_once(model.info().vocab);
  for (std::size_t at = scored; at < last;) {  // the last token foretells none that is known
    if (interrupted()) return false;
    const std::size_t end = std::min(last, at + slice);
    const Outputs outputs = feed(model, sequence.id(), chunk, at, end, true);
    take({at - scored, outputs, chunk.subspan(at + 1, end - at)});
    at = end;
  }
  return !interrupted();
}

}  // namespace lamina
