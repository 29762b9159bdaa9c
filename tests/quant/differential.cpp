// Fresh random blocks, decoded and encoded by the Python package `gguf` at this moment.
//
// Runs where $LAMINA_PYTHON (default: python3) can import gguf; the seed is printed, and
// $LAMINA_TEST_SEED repeats a run.
#include "lamina/quant/formats.h"

#include "quant/golden.h"
#include "skip.h"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>

using namespace lamina;

namespace {

std::string python() {
  const char* chosen = std::getenv("LAMINA_PYTHON");
  return chosen != nullptr ? chosen : "python3";
}

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

bool succeeds(const std::string& command) { return std::system(command.c_str()) == 0; }

std::string fresh_seed() {
  const char* chosen = std::getenv("LAMINA_TEST_SEED");
  return chosen != nullptr ? chosen : std::to_string(std::random_device()() % 1'000'000'000u);
}

/// A folder of its own that goes with the object.
struct TemporaryFolder {
  std::filesystem::path path;
  explicit TemporaryFolder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / name) {
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(differential)

BOOST_AUTO_TEST_CASE(fresh_blocks_equal_gguf) {
  if (!succeeds(quoted(python()) + " -c 'import numpy, gguf.quants' >/dev/null 2>&1")) {
    return test::skip(python() +
                      " cannot import numpy and gguf: set LAMINA_PYTHON to one that can "
                      "(tests/requirements.txt)");
  }
  const std::string seed = fresh_seed();
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const TemporaryFolder folder("lamina_blocks_" + seed + "_" + std::to_string(now));
  const std::string script = (test::goldens() / "quant" / "make_blocks.py").string();
  BOOST_TEST_MESSAGE("seed " << seed);
  BOOST_TEST_CONTEXT("LAMINA_TEST_SEED=" << seed) {
    BOOST_TEST_REQUIRE(succeeds(quoted(python()) + " " + quoted(script) + " " +
                                quoted(folder.path.string()) + " --blocks 1000 --seed " + seed));
    Formats::for_each([&]<class Q>() {
      if constexpr (Q::id != FormatId::f32) test::check_decode<Q>(folder.path);
      if constexpr (Q::id != FormatId::f32 && EncodableFormat<Q>)
        test::check_encode<Q>(folder.path);
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
