// The picture is well-formed, and its parts lie where the formula puts them.
#include "runtime/bench/roofline_plot.h"

#include "message_of.h"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {
namespace {

/// Whether elements are closed in order, attributes quoted, and `&` begins a known entity.
bool well_formed(std::string_view text) {
  std::vector<std::string> open;
  while (!text.empty()) {
    if (text.front() == '&') {
      bool known = false;
      for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;"})
        known |= text.starts_with(entity);
      if (!known) return false;
    }
    if (text.front() == '>') return false;
    if (text.front() != '<') {
      text.remove_prefix(1);
      continue;
    }
    const auto end = text.find('>');
    if (end == std::string_view::npos) return false;
    const std::string_view tag = text.substr(1, end - 1);
    if (tag.find('<') != std::string_view::npos || std::ranges::count(tag, '"') % 2 != 0)
      return false;
    const std::string name(tag.substr(0, tag.find(' ')));
    if (tag.starts_with('/')) {
      if (open.empty() || "/" + open.back() != name) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
    text.remove_prefix(end + 1);
  }
  return open.empty();
}

const std::vector<MachineLimits> machine = {{2, "avx2", 10, 1000, 100}};

BOOST_AUTO_TEST_SUITE(roofline_plot)

BOOST_AUTO_TEST_CASE(labels_cannot_break_the_picture) {
  BOOST_TEST(well_formed("<a b=\"1\"><c/>&lt;</a>"));
  for (const char* broken : {"<a>", "<a></b>", "a & b", "<a", "1 > 2", "<a b=\"></a>"}) {
    BOOST_TEST(!well_formed(broken), broken);
  }
  const std::vector<RooflinePoint> points = {{"</svg><script>\"&'\x01 ü", 3, 20, 0},
                                             {"tg128", 4, 30, 0}};
  const std::string svg = roofline_svg(machine, points);
  BOOST_TEST(well_formed(svg), svg);
  BOOST_TEST(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  BOOST_TEST(svg.find(">&lt;/svg&gt;&lt;script&gt;&quot;&amp;'  ü</text>") != std::string::npos,
             svg);
  BOOST_TEST(svg.find(">tg128</text>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(places) {
  // Decades across: 10 (of the float ridge) to 1000; up: 10 to 1000. 760 by 480 from (80, 40).
  const std::vector<RooflinePoint> points = {{"p", 1000, 10, 0}, {"q", 100, 100, 0}};
  const std::string svg = roofline_svg(machine, points);
  const auto has = [&](const char* part) { return svg.find(part) != std::string::npos; };
  BOOST_TEST(has("<circle cx=\"840.0\" cy=\"520.0\""), svg);
  BOOST_TEST(has("<circle cx=\"460.0\" cy=\"280.0\""), svg);
  // The roof: from (10, 100) up to (100, 1000), level from there; floats from (10, 100) on.
  BOOST_TEST(has("<line x1=\"80.0\" y1=\"280.0\" x2=\"460.0\" y2=\"40.0\" stroke=\"#1f77b4\""),
             svg);
  BOOST_TEST(has("<line x1=\"460.0\" y1=\"40.0\" x2=\"840.0\" y2=\"40.0\" stroke=\"#1f77b4\""),
             svg);
  BOOST_TEST(has("<line x1=\"80.0\" y1=\"280.0\" x2=\"840.0\" y2=\"280.0\" stroke=\"#1f77b4\""),
             svg);
}

BOOST_AUTO_TEST_CASE(a_roof_for_each_number_of_threads) {
  auto machines = machine;
  machines.push_back({4, "avx2", 15, 2000, 200});
  const std::vector<RooflinePoint> points = {{"p", 100, 100, 1}};
  const std::string svg = roofline_svg(machines, points);
  BOOST_TEST(well_formed(svg));
  BOOST_TEST(svg.find("10.0 GB/s, 2 threads") != std::string::npos);
  BOOST_TEST(svg.find("15.0 GB/s, 4 threads") != std::string::npos);
  BOOST_TEST(svg.find("r=\"4\" fill=\"#d62728\"") != std::string::npos, svg);  // as that roof
}

BOOST_AUTO_TEST_CASE(what_has_no_logarithm) {
  const auto said = [](double intensity, double gops) {
    return test::message_of([&] {
      roofline_svg(machine, std::vector<RooflinePoint>{{"x", intensity, gops, 0}});
    });
  };
  const double infinite = std::numeric_limits<double>::infinity();
  BOOST_TEST(test::contains(said(0, 1), "cannot show 0"));
  BOOST_TEST(test::contains(said(1, -2), "cannot show -2"));
  BOOST_TEST(test::contains(said(infinite, 1), "expected a number above 0"));
  BOOST_TEST(test::contains(said(1, std::numeric_limits<double>::quiet_NaN()), "cannot show nan"));
  BOOST_TEST(test::contains(test::message_of([] { roofline_svg({}, {}); }), "needs the limits"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
