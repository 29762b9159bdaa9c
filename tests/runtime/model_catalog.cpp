// The catalog's entries hold together, and a MODEL argument means what the user sees.
#include "runtime/model_catalog.h"

#include "message_of.h"
#include "runtime/environment.h"
#include "runtime/temporary_folder.h"

#include <boost/test/unit_test.hpp>

#include <set>

namespace lamina {
namespace {

BOOST_AUTO_TEST_SUITE(model_catalog_entries)

BOOST_AUTO_TEST_CASE(entries_hold_together) {
  std::set<std::string> names;
  for (const CatalogModel& model : model_catalog()) {
    BOOST_TEST(names.insert(model.name).second);
    BOOST_TEST(find_model(model.name) == &model);
    BOOST_TEST(model.sha256.size() == 64u);
    BOOST_TEST(model.sha256.find_first_not_of("0123456789abcdef") == std::string::npos);
    BOOST_TEST(!model.license.empty());
    std::uint64_t sum = 0;
    for (const CatalogPart& part : model.parts) sum += part.bytes;
    BOOST_TEST(sum == model.bytes);
  }
  BOOST_TEST(names.contains("smollm2-135m"));
  BOOST_TEST(names.contains("gemma3-270m"));
  BOOST_TEST(test::contains(find_model("gemma3-270m")->notice, "Gemma Terms of Use"));
}

BOOST_AUTO_TEST_CASE(the_cache_follows_the_environment) {
  {
    const test::Environment cache("XDG_CACHE_HOME", "/c");
    BOOST_TEST(cache_folder() == "/c/lamina");
  }
  const test::Environment home("HOME", "/h");
  const test::Environment relative("XDG_CACHE_HOME", "c");  // invalid by the specification
  BOOST_TEST(cache_folder() == "/h/.cache/lamina");
  const test::Environment none("XDG_CACHE_HOME", std::nullopt);
  BOOST_TEST(cache_folder() == "/h/.cache/lamina");
}

BOOST_AUTO_TEST_CASE(a_path_stays_a_path) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("model.gguf", "x");
  BOOST_TEST(resolve_model(path.string()) == path);
}

BOOST_AUTO_TEST_CASE(anything_else_lists_the_known_names) {
  const std::string message = test::message_of([] { resolve_model("smolm2-135m"); });
  BOOST_TEST(test::contains(message, "'smolm2-135m'"));
  BOOST_TEST(test::contains(message, "smollm2-135m, gemma3-270m"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
