// Files as NumPy reads them, and no half file under the final name.
#include "runtime/npy.h"

#include "message_of.h"
#include "npy_file.h"
#include "runtime/temporary_folder.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

BOOST_AUTO_TEST_SUITE(npy)

// What numpy 1.24's np.save wrote for np.zeros((3, 5), "<f4").
BOOST_AUTO_TEST_CASE(the_header_is_numpys) {
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }";
  expected.append(127 - expected.size(), ' ').append("\n");
  BOOST_TEST(npy_header(3, 5) == expected);
  for (const std::int64_t rows : {1, 10, 1000, 1'000'000'000}) {
    BOOST_TEST(npy_header(rows, 151936).size() % 64 == 0);
  }
}

BOOST_AUTO_TEST_CASE(rows_come_back) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.npy";
  NpyWriter writer(path, 2, 3);
  writer.write_row(std::vector<float>{1, 2, 3});
  BOOST_TEST(!std::filesystem::exists(path));  // not before it is complete
  writer.write_row(std::vector<float>{4, 5, 6});
  writer.finish();
  const test::NpyMatrix matrix = test::read_npy(path);
  BOOST_TEST(matrix.rows == 2u);
  BOOST_TEST(matrix.cols == 3u);
  BOOST_TEST(matrix.values == (std::vector<float>{1, 2, 3, 4, 5, 6}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nothing_remains_of_an_unfinished_file) {
  const test::TemporaryFolder folder;
  {
    NpyWriter writer(folder.path() / "a.npy", 2, 3);
    writer.write_row(std::vector<float>{1, 2, 3});
    BOOST_CHECK_THROW(writer.finish(), Error);
    BOOST_CHECK_THROW(writer.write_row(std::vector<float>{1}), Error);
  }
  BOOST_TEST(std::filesystem::is_empty(folder.path()));
}

BOOST_AUTO_TEST_CASE(errors_name_the_file) {
  const test::TemporaryFolder folder;
  const auto missing = folder.path() / "no" / "a.npy";
  BOOST_TEST(test::contains(test::message_of([&] { NpyWriter(missing, 1, 1); }), missing.string()));
  const auto of_folder = test::message_of([&] { NpyWriter(folder.path(), 1, 1); });
  BOOST_TEST(test::contains(of_folder, "is a directory"));
}

BOOST_AUTO_TEST_CASE(a_device_is_written_in_place) {
  NpyWriter writer("/dev/null", 1, 2);
  writer.write_row(std::vector<float>{1, 2});
  writer.finish();
  BOOST_TEST(!std::filesystem::is_regular_file("/dev/null"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
