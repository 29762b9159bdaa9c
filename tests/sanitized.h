// Whether this build runs under the address sanitizer, which takes memory and time of its own.
#pragma once

namespace lamina::test {

#if defined(__SANITIZE_ADDRESS__)  // g++
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace lamina::test
