// The kernels built into this program.
#include "runtime/instances/shared/kernels.h"

#include "lamina/backend/cpu/portable_kernels.h"
#include "runtime/instances/isa/vector_kernels.h"
#include "runtime/instances/shared/formats.h"

#include <string>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace lamina {

namespace {

#if defined(__x86_64__)

bool has_avx2() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  __get_cpuid(1, &a, &b, &c, &d);
  const bool f16c = (c >> 29 & 1) != 0;
  return f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool has_avxvnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a >> 4 & 1) != 0;
}

bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni");
}

/// Whether the processor has AMX and the system lets this process use its registers: Linux gives
/// them only to those who ask (Documentation/arch/x86/xstate.rst).
bool has_amx() {
  constexpr long ask_for_state = 0x1023, tile_data = 18;
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool in_processor = has_avx512() && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
                            (d >> 24 & 1) != 0 && (d >> 25 & 1) != 0;
  return in_processor && syscall(SYS_arch_prctl, ask_for_state, tile_data) == 0;
}

#elif defined(__aarch64__)

/// Whether the processor has the dot products of ARMv8.2, as the kernel says on Linux; every
/// machine of Apple's with this instruction set has them.
bool has_neon() {
#if defined(__linux__)
  constexpr unsigned long dot_products = 1 << 20;  // HWCAP_ASIMDDP of <asm/hwcap.h>
  return (getauxval(AT_HWCAP) & dot_products) != 0;
#else
  return true;
#endif
}

#endif

std::vector<CpuKernels> kernels_of_this_machine() {
  std::vector<CpuKernels> kernels = {portable_kernels};
#if defined(__x86_64__)
  if (has_avx2()) kernels.push_back(isa_avx2::kernels());
  if (has_avxvnni()) kernels.push_back(isa_avxvnni::kernels());
  if (has_avx512()) kernels.push_back(isa_avx512::kernels());
  if (has_amx()) kernels.push_back(isa_amx::kernels());
#elif defined(__aarch64__)
  if (has_neon()) kernels.push_back(isa_neon::kernels());
#endif
  return kernels;
}

}  // namespace

std::span<const CpuKernels> usable_kernels() {
  static const std::vector<CpuKernels> kernels = kernels_of_this_machine();
  return kernels;
}

const CpuKernels& cpu_kernels(std::string_view isa) {
  if (isa.empty()) return usable_kernels().back();
  std::string names;
  for (const CpuKernels& candidate : usable_kernels()) {
    if (candidate.isa == isa) return candidate;
    names.append(names.empty() ? "" : ", ").append(candidate.isa);
  }
  throw Error("--cpu-isa " + std::string(isa) +
              ": this program or this machine has no such kernels; expected one of " + names);
}

}  // namespace lamina
