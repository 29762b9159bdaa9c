// A list of formats holds weight formats only: one without `decode` is refused where it is listed.
// expect: QuantFormat<Qs>
// expect: with Qs = {Mine}
#include "lamina/quant/format.h"

struct Mine {
  static constexpr lamina::FormatId id = lamina::FormatId::f32;
  static constexpr std::string_view name = "MINE";
  static constexpr int block_size = 4;
  struct Block {
    float values[4];
  };
#ifdef BAD
  static void unpack(const Block& block, float (&values)[4]);
#else
  static void decode(const Block& block, float (&values)[4]);
#endif
};

using MyFormats = lamina::FormatList<Mine>;
static_assert(MyFormats::contains(lamina::FormatId::f32));
