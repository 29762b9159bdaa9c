// The formats the library computes with. A new format is its header and one word here.
#pragma once

#include "lamina/quant/f32.h"

namespace lamina {

using Formats = FormatList<F32>;

}  // namespace lamina
