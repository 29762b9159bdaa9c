// Files that can and cannot be read, and what is said of them.
#include "runtime/tools/input_file.h"

#include "message_of.h"
#include "tests/runtime/temporary_folder.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace lamina {
namespace {

BOOST_AUTO_TEST_SUITE(input_file)

BOOST_AUTO_TEST_CASE(all_bytes_are_read) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "f";
  const std::string bytes = std::string(200'000, 'x') + std::string("\0\xFF\r\n", 4);
  folder.write("f", bytes);
  BOOST_TEST((read_file("-f", path) == bytes));
  std::istringstream stream(bytes);
  BOOST_TEST((read_stream(stream, "stdin") == bytes));
  folder.write("f", "");
  BOOST_TEST(read_file("-f", path) == "");
  folder.write("f", "[1]");
  BOOST_TEST(read_json_file("--tools", path).dump() == "[1]");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read) {
  const test::TemporaryFolder folder;
  const auto said = [&](const char* flag, const std::string& name) {
    const std::string text = test::message_of([&] { read_json_file(flag, folder.path() / name); });
    const std::string where = file_source(flag, folder.path() / name) + ": ";
    BOOST_TEST(text.starts_with(where), text);
    return text.substr(std::min(where.size(), text.size()));
  };
  BOOST_TEST(said("--tools", "none") == "cannot be opened: No such file or directory");
  BOOST_TEST(said("--tools", "") == "is a directory; expected a file");
  folder.write("f", "[1,");
  BOOST_TEST(said("", "f").starts_with("this is no JSON: it ends too early"));
  BOOST_TEST(file_source("", "f") == "f");
  BOOST_TEST(file_source("-f", "f") == "-f f");
}

BOOST_AUTO_TEST_CASE(a_file_without_an_end) {
  BOOST_TEST(test::message_of([] { read_file("-f", "/dev/zero"); }) ==
             "-f /dev/zero: is larger than 256 MiB");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
