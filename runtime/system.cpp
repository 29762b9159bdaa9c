// Reading the limits of the process from the kernel's files; what is missing limits nothing.
#include "runtime/system.h"

#include <fmt/format.h>

#include <malloc.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

namespace lamina {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_text(const fs::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

/// The number that `text` begins with, after blanks; nothing for "max" and the like.
std::optional<std::int64_t> leading_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> read_number(const fs::path& path) {
  const auto text = read_text(path);
  return text ? leading_number(*text) : std::nullopt;
}

/// The number after `key` at the start of a line, as in "MemAvailable:   23 kB".
std::optional<std::int64_t> read_entry(const fs::path& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return leading_number(std::string_view(line).substr(key.size()));
  }
  return std::nullopt;
}

/// The folders of the control groups that bind this process for `controller`, innermost first.
struct ControlGroups {
  std::vector<fs::path> unified;  // version 2
  std::vector<fs::path> legacy;   // version 1
};

std::vector<fs::path> with_parents(const fs::path& mount, std::string_view group) {
  std::vector<fs::path> folders;
  for (fs::path at = fs::path(group).relative_path(); !at.empty(); at = at.parent_path()) {
    folders.push_back(mount / at);
  }
  folders.push_back(mount);  // in a container the mount itself is the group
  return folders;
}

bool lists(std::string_view names, std::string_view wanted) {
  while (!names.empty()) {
    const auto comma = std::min(names.find(','), names.size());
    if (names.substr(0, comma) == wanted) return true;
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return false;
}

ControlGroups control_groups(const fs::path& root, std::string_view controller) {
  ControlGroups groups;
  std::ifstream file(root / "proc/self/cgroup");  // lines "hierarchy:controllers:path"
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string_view whole = line;
    const auto names = whole.substr(first + 1, second - first - 1);
    const auto path = whole.substr(second + 1);
    const fs::path mounts = root / "sys/fs/cgroup";
    if (names.empty()) groups.unified = with_parents(mounts, path);
    if (lists(names, controller)) groups.legacy = with_parents(mounts / controller, path);
  }
  return groups;
}

std::size_t threads_in_mask() {
  for (std::size_t cpus = 1024; cpus <= (std::size_t{1} << 20); cpus *= 2) {
    cpu_set_t* mask = CPU_ALLOC(cpus);
    if (mask == nullptr) break;
    const std::size_t size = CPU_ALLOC_SIZE(cpus);
    const bool fits = sched_getaffinity(0, size, mask) == 0;  // fails where the mask is too small
    const int count = fits ? CPU_COUNT_S(size, mask) : 0;
    CPU_FREE(mask);
    if (fits) return static_cast<std::size_t>(std::max(count, 1));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

/// Whole processors that `quota` microseconds in every `period` keep busy, at least one.
std::int64_t processors(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || *quota <= 0 || !period || *period <= 0) {
    return std::numeric_limits<std::int64_t>::max();
  }
  return std::max<std::int64_t>(1, *quota / *period);
}

std::int64_t threads_in_quota(const fs::path& root) {
  const ControlGroups groups = control_groups(root, "cpu");
  std::int64_t threads = std::numeric_limits<std::int64_t>::max();
  for (const fs::path& group : groups.unified) {
    const auto text = read_text(group / "cpu.max");  // "quota period" or "max period"
    if (!text || text->find(' ') == std::string::npos) continue;
    const auto period = leading_number(std::string_view(*text).substr(text->find(' ')));
    threads = std::min(threads, processors(leading_number(*text), period));
  }
  for (const fs::path& group : groups.legacy) {
    const auto quota = read_number(group / "cpu.cfs_quota_us");
    threads = std::min(threads, processors(quota, read_number(group / "cpu.cfs_period_us")));
  }
  return threads;
}

/// What a memory group still admits; `cached` is what the kernel gives back when it must.
std::uint64_t left_of(std::int64_t limit, std::int64_t used, std::int64_t cached) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, limit - std::max<std::int64_t>(0, used - cached)));
}

std::uint64_t memory_in_groups(const fs::path& root) {
  const ControlGroups groups = control_groups(root, "memory");
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
  for (const fs::path& group : groups.unified) {
    const auto limit = read_number(group / "memory.max");
    if (!limit) continue;
    const auto used = read_number(group / "memory.current").value_or(0);
    left = std::min(left,
                    left_of(*limit, used, read_entry(group / "memory.stat", "file ").value_or(0)));
  }
  for (const fs::path& group : groups.legacy) {
    const auto limit = read_number(group / "memory.limit_in_bytes");
    if (!limit) continue;
    const auto used = read_number(group / "memory.usage_in_bytes").value_or(0);
    const auto cached = read_entry(group / "memory.stat", "total_cache ").value_or(0);
    left = std::min(left, left_of(*limit, used, cached));
  }
  return left;
}

}  // namespace

int allowed_threads(const fs::path& root) {
  const auto mask = static_cast<std::int64_t>(threads_in_mask());
  return static_cast<int>(std::min(mask, threads_in_quota(root)));
}

std::uint64_t available_memory(const fs::path& root) {
  constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max() / 1024;
  const auto free = read_entry(root / "proc/meminfo", "MemAvailable:").value_or(unknown);
  return std::min(static_cast<std::uint64_t>(free) * 1024, memory_in_groups(root));
}

std::uint64_t peak_memory(const fs::path& root) {
  // VmHWM is of this program; getrusage's number survives exec and may be of the one before it.
  if (const auto peak = read_entry(root / "proc/self/status", "VmHWM:")) {
    return static_cast<std::uint64_t>(*peak) * 1024;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

bool reset_peak_memory(const fs::path& root) {
#if defined(__GLIBC__)
  malloc_trim(0);  // what was freed need not be resident
#endif
  std::ofstream file(root / "proc/self/clear_refs");
  file << '5' << std::flush;  // proc(5): resets the peak resident set size
  return file.good();
}

std::uint64_t last_level_cache(const fs::path& root) {
  std::int64_t last = 0;
  std::map<std::string, std::int64_t> caches;  // of that level: bytes by who shares them
  std::error_code none;
  for (const auto& cpu : fs::directory_iterator(root / "sys/devices/system/cpu", none)) {
    for (const auto& cache : fs::directory_iterator(cpu.path() / "cache", none)) {
      const std::int64_t level = read_number(cache.path() / "level").value_or(0);
      const auto kib = read_number(cache.path() / "size");  // as in "491520K"
      const auto sharers = read_text(cache.path() / "shared_cpu_list");
      if (level < last || !kib || !sharers) continue;
      if (level > last) caches.clear();
      last = level;
      caches[*sharers] = *kib * 1024;
    }
  }
  std::int64_t sum = 0;
  for (const auto& [sharers, bytes] : caches) sum += bytes;
  return static_cast<std::uint64_t>(sum);
}

std::string cpu_name(const fs::path& root) {
  std::ifstream file(root / "proc/cpuinfo");  // lines "model name\t: ..."
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname system{};
  uname(&system);
  return system.machine;
}

std::string readable_size(std::uint64_t bytes) {
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(units); ++unit) size /= 1024;
  return fmt::format("{:.1f} {}", size, units[unit]);
}

}  // namespace lamina
