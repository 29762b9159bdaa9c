// Limits read from files as the kernel writes them.
#include "runtime/system.h"

#include "runtime/temporary_folder.h"
#include "skip.h"

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <limits>
#include <thread>
#include <fstream>
#include <vector>

namespace lamina {
namespace {

/// A tree with the given files, for functions that take a root.
class Root {
 public:
  void file(const std::string& name, const std::string& content) {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    folder_.write(name, content);
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  test::TemporaryFolder folder_;
};

BOOST_AUTO_TEST_SUITE(system_limits)

BOOST_AUTO_TEST_CASE(this_machine) {
  BOOST_TEST(allowed_threads() >= 1);
  BOOST_TEST(allowed_threads() <= sysconf(_SC_NPROCESSORS_CONF));
  BOOST_TEST(available_memory() > 0u);
  BOOST_TEST(available_memory() < (std::uint64_t{1} << 50));
}

BOOST_AUTO_TEST_CASE(quota_of_the_group_and_of_those_above) {
  Root root;
  const int free = allowed_threads(root.path());  // no files: the affinity mask alone
  root.file("proc/self/cgroup", "0::/a/b\n");
  root.file("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  BOOST_TEST(allowed_threads(root.path()) == free);
  root.file("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  BOOST_TEST(allowed_threads(root.path()) == 1);  // one and a half keeps one busy
  root.file("sys/fs/cgroup/a/cpu.max", "40000 100000\n");
  BOOST_TEST(allowed_threads(root.path()) == 1);  // never none
  root.file("sys/fs/cgroup/a/cpu.max", "99900000 100000\n");
  BOOST_TEST(allowed_threads(root.path()) == free);
}

BOOST_AUTO_TEST_CASE(quota_of_the_old_hierarchy) {
  Root root;
  const int free = allowed_threads(root.path());
  root.file("proc/self/cgroup", "4:memory:/x\n3:cpu,cpuacct:/x\n");
  root.file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  root.file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  BOOST_TEST(allowed_threads(root.path()) == free);
  root.file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
  BOOST_TEST(allowed_threads(root.path()) == 1);
}

BOOST_AUTO_TEST_CASE(memory_is_the_least_of_all_limits) {
  Root root;
  BOOST_TEST(available_memory(root.path()) > (std::uint64_t{1} << 60));  // nothing known
  root.file("proc/meminfo", "MemTotal: 9000 kB\nMemFree: 100 kB\nMemAvailable:    4000 kB\n");
  BOOST_TEST(available_memory(root.path()) == 4000u * 1024);
  root.file("proc/self/cgroup", "0::/a\n");
  root.file("sys/fs/cgroup/a/memory.max", "3000000\n");
  root.file("sys/fs/cgroup/a/memory.current", "2500000\n");
  root.file("sys/fs/cgroup/a/memory.stat", "anon 1000000\nfile 1500000\nfile_mapped 1\n");
  BOOST_TEST(available_memory(root.path()) == 2000000u);  // what files occupy can be given back
  root.file("sys/fs/cgroup/a/memory.current", "9500000\n");
  BOOST_TEST(available_memory(root.path()) == 0u);
  root.file("sys/fs/cgroup/a/memory.max", "max\n");
  BOOST_TEST(available_memory(root.path()) == 4000u * 1024);
}

BOOST_AUTO_TEST_CASE(peak_memory_grows_with_what_is_touched) {
  // A block larger than the peak of all earlier tests raises it, whatever they have given back.
  const std::uint64_t before = peak_memory();
  std::vector<char> block(before + (std::size_t{64} << 20), 1);
  const auto* touched = static_cast<volatile char*>(block.data());
  BOOST_TEST(touched[block.size() / 2] == 1);
  BOOST_TEST(peak_memory() >= before + (std::uint64_t{32} << 20));
  Root root;
  root.file("proc/self/status", "Name: x\nVmHWM:\t   12 kB\n");
  BOOST_TEST(peak_memory(root.path()) == 12u * 1024);
}

BOOST_AUTO_TEST_CASE(a_peak_that_starts_again) {
  {
    const std::vector<char> block(std::size_t{64} << 20, 1);
    const auto* touched = static_cast<const volatile char*>(block.data());
    BOOST_TEST(touched[block.size() / 2] == 1);
  }
  const std::uint64_t before = peak_memory();
  if (!reset_peak_memory()) return test::skip("this kernel does not reset the peak of memory");
  BOOST_TEST(peak_memory() < before);
  BOOST_TEST(peak_memory() > 0u);
  BOOST_TEST(!reset_peak_memory("/no/such/folder"));
  Root root;
  root.file("proc/self/clear_refs", "");
  BOOST_TEST(reset_peak_memory(root.path()));
}

BOOST_AUTO_TEST_CASE(caches_of_the_last_level_are_counted_once) {
  Root root;
  BOOST_TEST(last_level_cache(root.path()) == 0u);
  const auto cache = [&](int cpu, int index, int level, const char* size, const char* sharers) {
    const std::string folder =
        "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
    root.file(folder + "/level", std::to_string(level) + "\n");
    root.file(folder + "/size", std::string(size) + "\n");
    root.file(folder + "/shared_cpu_list", std::string(sharers) + "\n");
  };
  for (int cpu = 0; cpu < 4; ++cpu) {
    cache(cpu, 0, 1, "32K", std::to_string(cpu).c_str());
    cache(cpu, 2, 2, "1024K", std::to_string(cpu).c_str());
  }
  BOOST_TEST(last_level_cache(root.path()) == 4u * 1024 * 1024);
  for (int cpu = 0; cpu < 4; ++cpu) cache(cpu, 3, 3, "8192K", cpu < 2 ? "0-1" : "2-3");
  BOOST_TEST(last_level_cache(root.path()) == 16u * 1024 * 1024);
}

BOOST_AUTO_TEST_CASE(the_name_of_the_processor) {
  Root root;
  BOOST_TEST(!cpu_name(root.path()).empty());
  root.file("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast (R) CPU: 3\nflags\t: fpu\n");
  BOOST_TEST(cpu_name(root.path()) == "Fast (R) CPU: 3");
}

BOOST_AUTO_TEST_CASE(sizes_for_people) {
  BOOST_TEST(readable_size(0) == "0 bytes");
  BOOST_TEST(readable_size(1023) == "1023 bytes");
  BOOST_TEST(readable_size(1024) == "1.0 KiB");
  BOOST_TEST(readable_size(98362432) == "93.8 MiB");
  BOOST_TEST(readable_size(std::numeric_limits<std::uint64_t>::max()) == "16.0 EiB");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
