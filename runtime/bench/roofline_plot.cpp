// Decades to pixels, and lines, circles and texts to SVG elements.
#include "runtime/bench/roofline_plot.h"

#include "lamina/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

namespace lamina {
namespace {

constexpr double left = 80, top = 40, width = 760, height = 480;  // of the area, in pixels
constexpr std::array<std::string_view, 6> colours = {"#1f77b4", "#d62728", "#2ca02c",
                                                     "#9467bd", "#8c564b", "#e377c2"};

/// Whole decades that hold everything drawn.
struct Decades {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();

  void include(double value) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw Error(fmt::format("a roofline cannot show {}; expected a number above 0", value));
    }
    first = std::min(first, std::floor(std::log10(value)));
    last = std::max(last, std::ceil(std::log10(value)));
  }
  /// 0 at the first decade, 1 at the last.
  double part(double value) const { return (std::log10(value) - first) / (last - first); }
};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // XML knows few controls
    }
  }
  return result;
}

class Drawing {
 public:
  Drawing(Decades across, Decades up) : across_(across), up_(up) {}

  void line(double x1, double y1, double x2, double y2, std::string_view style) {
    fmt::format_to(out(), R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" {}/>)", x(x1),
                   y(y1), x(x2), y(y2), style);
    body_ += '\n';
  }
  void dot(double at, double value, std::string_view colour) {
    fmt::format_to(out(), R"(<circle cx="{:.1f}" cy="{:.1f}" r="4" fill="{}"/>)", x(at), y(value),
                   colour);
    body_ += '\n';
  }
  /// A text beside a place, moved by so many pixels.
  void text(double at, double value, double right, double down, std::string_view anchor,
            std::string_view words) {
    fmt::format_to(out(), R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)",
                   x(at) + right, y(value) + down, anchor, escaped(words));
    body_ += '\n';
  }
  void title(double px, double py, std::string_view more, std::string_view words) {
    fmt::format_to(out(), R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" {}>{}</text>)", px,
                   py, more, escaped(words));
    body_ += '\n';
  }

  std::string svg() const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{2}</svg>\n",
        left + width + 160, top + height + 70, body_);
  }

 private:
  double x(double value) const { return left + width * across_.part(value); }
  double y(double value) const { return top + height * (1 - up_.part(value)); }
  std::back_insert_iterator<std::string> out() { return std::back_inserter(body_); }

  Decades across_;
  Decades up_;
  std::string body_;
};

double power(double decade) { return std::pow(10.0, decade); }

void draw_axes(Drawing& drawing, const Decades& across, const Decades& up) {
  constexpr std::string_view grid = R"(stroke="#dddddd")";
  for (double d = across.first; d <= across.last; ++d) {
    drawing.line(power(d), power(up.first), power(d), power(up.last), grid);
    drawing.text(power(d), power(up.first), 0, 18, "middle", fmt::format("{:g}", power(d)));
  }
  for (double d = up.first; d <= up.last; ++d) {
    drawing.line(power(across.first), power(d), power(across.last), power(d), grid);
    drawing.text(power(across.first), power(d), -6, 4, "end", fmt::format("{:g}", power(d)));
  }
  drawing.title(left + width / 2, top + height + 45, "", "operations for each byte read");
  drawing.title(24, top + height / 2,
                fmt::format("transform=\"rotate(-90 24 {})\"", top + height / 2), "GOPS");
}

void draw_roof(Drawing& drawing, const MachineLimits& m, const Decades& across, const Decades& up,
               std::string_view colour) {
  const double ridge = m.int8_gops / m.read_gbps;
  const double start = std::max(power(across.first), power(up.first) / m.read_gbps);
  const std::string style = fmt::format(R"(stroke="{}" stroke-width="2")", colour);
  drawing.line(start, start * m.read_gbps, ridge, m.int8_gops, style);
  drawing.line(ridge, m.int8_gops, power(across.last), m.int8_gops, style);
  drawing.line(m.float_gflops / m.read_gbps, m.float_gflops, power(across.last), m.float_gflops,
               style + R"( stroke-dasharray="5 4")");
  const std::string threads = fmt::format("{} thread{}", m.threads, m.threads == 1 ? "" : "s");
  drawing.text(power(across.last), m.int8_gops, 6, 4, "start",
               fmt::format("int8 {:.0f}, {}", m.int8_gops, threads));
  drawing.text(power(across.last), m.float_gflops, 6, 4, "start",
               fmt::format("float {:.0f}, {}", m.float_gflops, threads));
  drawing.text(ridge, m.int8_gops, -8, -6, "end",
               fmt::format("{:.1f} GB/s, {}", m.read_gbps, threads));
}

}  // namespace

std::string roofline_svg(std::span<const MachineLimits> machines,
                         std::span<const RooflinePoint> points) {
  if (machines.empty()) throw Error("a roofline needs the limits of a machine");
  Decades across, up;
  for (const MachineLimits& m : machines) {
    for (const double rate : {m.int8_gops, m.float_gflops}) {
      up.include(rate);
      across.include(rate / m.read_gbps);
    }
  }
  for (const RooflinePoint& point : points) {
    across.include(point.intensity);
    up.include(point.gops);
  }
  for (Decades* axis : {&across, &up}) axis->last = std::max(axis->last, axis->first + 1);
  Drawing drawing(across, up);
  draw_axes(drawing, across, up);
  for (std::size_t i = 0; i < machines.size(); ++i) {
    draw_roof(drawing, machines[i], across, up, colours[i % colours.size()]);
  }
  for (const RooflinePoint& point : points) {
    drawing.dot(point.intensity, point.gops, colours[point.machine % colours.size()]);
    drawing.text(point.intensity, point.gops, 7, 4, "start", point.label);
  }
  return drawing.svg();
}

}  // namespace lamina
