// What this process may use of the machine: threads, memory, and how much memory it took at most;
// and what the machine is.
//
// Linux: the affinity mask (sched_getaffinity), the quotas of the control groups (cpu.max,
// memory.max; cpu.cfs_quota_us and memory.limit_in_bytes in version 1) of the process and all
// groups above it, /proc and /sys/devices/system/cpu. Sources: the kernel's
// Documentation/admin-guide/cgroup-v2.rst, Documentation/ABI and proc(5).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace lamina {

/// Threads that can run at once: the affinity mask and every CPU quota, at least 1.
/// `root` is the folder that holds proc/ and sys/.
int allowed_threads(const std::filesystem::path& root = "/");

/// Bytes that can be taken without pushing others out: free memory within every memory limit.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

/// The most bytes this process has had resident at once.
std::uint64_t peak_memory(const std::filesystem::path& root = "/");

/// Gives back what was freed, and starts peak_memory again from what is resident then; false where
/// the kernel does not do so.
bool reset_peak_memory(const std::filesystem::path& root = "/");

/// Bytes of all caches of the last level together; 0 where that is unknown.
std::uint64_t last_level_cache(const std::filesystem::path& root = "/");

/// What the processor calls itself; where it has no name, the architecture.
std::string cpu_name(const std::filesystem::path& root = "/");

/// A size for people: "93.8 MiB".
std::string readable_size(std::uint64_t bytes);

}  // namespace lamina
