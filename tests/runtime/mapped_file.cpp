// Mapped files: their bytes, what cannot be mapped and why, and giving pages back.
#include "runtime/mapped_file.h"

#include "lamina/core/error.h"
#include "runtime/temporary_folder.h"
#include "skip.h"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace lamina;
using lamina::test::TemporaryFolder;

namespace {

void check_refused(const std::filesystem::path& path, const std::string& why) {
  BOOST_CHECK_EXCEPTION(MappedFile{path}, Error, [&](const Error& error) {
    return std::string(error.what()).starts_with(path.string() + ": " + why);
  });
}

/// The superuser may read everything: becomes "nobody" for a while, where that is allowed.
struct OrdinaryUser {
  uid_t before = geteuid();
  OrdinaryUser() {
    if (before == 0 && seteuid(65534) != 0) BOOST_TEST_MESSAGE("cannot stop being the superuser");
  }
  ~OrdinaryUser() { BOOST_TEST(seteuid(before) == 0); }
};

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mapped_file)

BOOST_AUTO_TEST_CASE(the_bytes_are_the_files) {
  const TemporaryFolder folder;
  const std::string content("a\0b\n\xFF", 5);
  const MappedFile file(folder.write("file", content));
  BOOST_TEST(text_of(file.bytes()) == content);
  BOOST_TEST(file.path() == folder.path() / "file");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_mapped_is_named) {
  const TemporaryFolder folder;
  check_refused(folder.path() / "missing", "does not exist");
  check_refused(folder.path(), "is a directory");
  check_refused(folder.write("empty", ""), "is empty");
  check_refused(folder.write("file", "x") / "below", "cannot be opened");
  check_refused("/dev/zero", "is a device or a pipe");
  const auto pipe = folder.path() / "pipe";
  BOOST_TEST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  check_refused(pipe, "is a device or a pipe");  // without waiting for someone to write
}

BOOST_AUTO_TEST_CASE(unreadable_files_are_named) {
  const TemporaryFolder folder;
  const auto path = folder.write("secret", "x");
  BOOST_TEST_REQUIRE(chmod(path.c_str(), 0) == 0);
  const OrdinaryUser user;
  if (geteuid() == 0) return test::skip("the superuser may read every file");
  check_refused(path, "may not be read");
}

BOOST_AUTO_TEST_CASE(moving_keeps_the_bytes_in_place) {
  const TemporaryFolder folder;
  MappedFile a(folder.write("a", "first"));
  const std::byte* place = a.bytes().data();
  MappedFile b(std::move(a));
  BOOST_TEST(b.bytes().data() == place);
  MappedFile c(folder.write("c", "third"));
  c = std::move(b);
  BOOST_TEST(c.bytes().data() == place);
  BOOST_TEST(text_of(c.bytes()) == "first");
}

BOOST_AUTO_TEST_CASE(the_mapping_ends_with_the_object) {
  const TemporaryFolder folder;
  const auto path = folder.write("file", "content");
  unsigned char resident = 0;
  void* start = nullptr;
  {
    const MappedFile file(path);
    start = const_cast<std::byte*>(file.bytes().data());
    BOOST_TEST(mincore(start, 1, &resident) == 0);
  }
  BOOST_TEST(mincore(start, 1, &resident) == -1);  // no longer mapped
}

BOOST_AUTO_TEST_CASE(released_pages_are_read_again) {
  const TemporaryFolder folder;
  const std::string content(1 << 20, 'x');
  const MappedFile file(folder.write("large", content));
  BOOST_TEST((text_of(file.bytes()) == content));
  file.release(file.bytes());
  BOOST_TEST((text_of(file.bytes()) == content));
  file.release(file.bytes().subspan(1, 10));  // no whole page
  file.release({});
  std::string other(1 << 20, 'y');  // memory of someone else, which must survive
  file.release(std::as_bytes(std::span(other)));
  BOOST_TEST((other == std::string(1 << 20, 'y')));
}

BOOST_AUTO_TEST_SUITE_END()
