// SHA-256 of bytes that arrive in pieces (FIPS 180-4).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace lamina {

class Sha256 {
 public:
  void update(std::span<const std::byte> bytes);
  /// The digest in lower-case hexadecimal; the object is used up.
  std::string hex();

 private:
  void compress(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> buffer_{};
  std::size_t buffered_ = 0;
  std::uint64_t length_ = 0;  // bytes
};

/// The digest of a whole file; throws Error where it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace lamina
