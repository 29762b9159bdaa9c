// Format dispatch, compiled once for the whole program in formats.cpp.
#pragma once

#include "lamina/quant/formats.h"

namespace lamina {

extern template void detail::decode_row_of<Formats>(FormatId, const std::byte*, std::int64_t,
                                                    float*);
extern template void detail::encode_row_of<Formats>(FormatId, const float*, std::int64_t,
                                                    std::byte*);

}  // namespace lamina
