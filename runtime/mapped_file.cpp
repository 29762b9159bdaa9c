// MappedFile by mmap.
#include "runtime/mapped_file.h"

#include "lamina/core/error.h"

#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lamina {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw Error(path.string() + ": " + why);
}

std::string reason(int code) { return std::generic_category().message(code); }

/// A descriptor that closes itself; the mapping does not need it.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

std::size_t regular_file_size(const std::filesystem::path& path, int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) fail(path, "cannot be examined: " + reason(errno));
  if (S_ISDIR(status.st_mode)) fail(path, "is a directory, expected a file");
  if (!S_ISREG(status.st_mode)) fail(path, "is a device or a pipe, expected a regular file");
  if (status.st_size == 0) fail(path, "is empty; download or convert it again");
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
  // O_NONBLOCK: opening a pipe must not wait for a writer; regular files ignore it.
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.number < 0 && errno == ENOENT) fail(path, "does not exist; check the path");
  if (file.number < 0 && errno == EACCES) {
    fail(path, "may not be read by this user; check the permissions of the file and its folder");
  }
  if (file.number < 0) fail(path, "cannot be opened: " + reason(errno));
  const std::size_t size = regular_file_size(path, file.number);
  void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (start == MAP_FAILED) fail(path, "cannot be mapped into memory: " + reason(errno));
  bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void MappedFile::release(std::span<const std::byte> part) const {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(part.data());
  const auto mapped = reinterpret_cast<std::uintptr_t>(bytes_.data());
  if (first < mapped || first - mapped > bytes_.size()) return;
  const std::uintptr_t begin = (first + page - 1) / page * page;
  const std::uintptr_t end = (first + part.size()) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace lamina
