// Reading and writing rows of every format.
#include "runtime/instances/shared/formats.h"

namespace lamina {

template void detail::decode_row_of<Formats>(FormatId, const std::byte*, std::int64_t, float*);
template void detail::encode_row_of<Formats>(FormatId, const float*, std::int64_t, std::byte*);

}  // namespace lamina
