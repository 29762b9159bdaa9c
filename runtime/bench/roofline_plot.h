// A roofline (Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for
// multicore architectures", 2009) as an SVG picture that needs nothing else.
//
// Both axes are logarithmic: across, operations for each byte read; up, GOPS. A machine's roof is
// min(bytes a second x operations a byte, int8 operations a second); the part that floats reach is
// dashed. A point is a test: how far it lies below the roof is what could still be gained.
#pragma once

#include "runtime/bench/machine_limits.h"

#include <cstddef>
#include <span>
#include <string>

namespace lamina {

struct RooflinePoint {
  std::string label;     // UTF-8
  double intensity = 0;  // operations a byte
  double gops = 0;
  std::size_t machine = 0;  // whose roof it is under: it has that roof's colour
};

/// Throws Error where there is nothing to draw, or a number that has no logarithm.
std::string roofline_svg(std::span<const MachineLimits> machines,
                         std::span<const RooflinePoint> points);

}  // namespace lamina
