// `decode` fills exactly one block: an array of another length is refused, not overrun.
// expect: QuantFormat
// expect: Q::decode(block, values)
#include "lamina/quant/format.h"

struct Mine {
  static constexpr lamina::FormatId id = lamina::FormatId::f32;
  static constexpr std::string_view name = "MINE";
  static constexpr int block_size = 4;
  struct Block {
    float values[4];
  };
#ifdef BAD
  static void decode(const Block& block, float (&values)[8]);
#else
  static void decode(const Block& block, float (&values)[4]);
#endif
};

static_assert(lamina::QuantFormat<Mine>);
