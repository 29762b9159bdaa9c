// The library's only macros: what differs between compilers and build modes.
#pragma once

#define LAMINA_VERSION_MAJOR 0
#define LAMINA_VERSION_MINOR 1
#define LAMINA_VERSION_PATCH 0

// -ffast-math lets the compiler assume that NaN and infinity do not exist and reorder sums;
// masking, log-sum-exp and the numerics contract (docs/numerics.md) depend on both.
#if defined(__FAST_MATH__)
#error "lamina must not be compiled with -ffast-math: it needs NaN and a fixed order of sums"
#endif

// Marks a function that is also compiled for the device when nvcc reads it.
#if defined(__CUDACC__)
#define LAMINA_HD __host__ __device__
#else
#define LAMINA_HD
#endif

// A precondition that types cannot state; checked in debug builds, free otherwise.
#if defined(NDEBUG) || defined(__CUDA_ARCH__)
#define LAMINA_ASSERT(condition) static_cast<void>(0)
#else
#include <cassert>
#define LAMINA_ASSERT(condition) assert(condition)
#endif
