// POSIX calls: a stream would hide how far a write came.
#include "runtime/perplexity/append_file.h"

#include "lamina/core/error.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lamina {

AppendFile::AppendFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot be opened for writing", "choose another place");
  struct stat found = {};
  const bool regular = fstat(descriptor_, &found) == 0 && S_ISREG(found.st_mode);
  if (regular && flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int cause = errno;
  close(descriptor_);
  if (!regular) throw Error(path_.string() + ": is no regular file; choose another name");
  if (cause == EWOULDBLOCK) {
    throw Error(path_.string() + ": another process is writing it; wait for its end");
  }
  errno = cause;
  fail("cannot be locked", "choose a place in a local folder");
}

AppendFile::~AppendFile() { close(descriptor_); }

std::uint64_t AppendFile::size() const {
  struct stat found = {};
  if (fstat(descriptor_, &found) != 0) fail("cannot be read", "choose another place");
  return static_cast<std::uint64_t>(found.st_size);
}

void AppendFile::cut(std::uint64_t size) {
  if (ftruncate(descriptor_, static_cast<off_t>(size)) != 0) {
    fail("cannot be shortened", "choose another place");
  }
}

void AppendFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written", "free some space, then the same command goes on");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AppendFile::move(const std::filesystem::path& to) {
  std::error_code error;
  std::filesystem::rename(path_, to, error);
  if (error) {
    throw Error(fmt::format("{}: cannot be renamed to {}: {}", path_.string(), to.string(),
                            error.message()));
  }
  path_ = to;
}

void AppendFile::fail(std::string_view what, std::string_view advice) const {
  throw Error(fmt::format("{}: {}: {}; {}", path_.string(), what, std::strerror(errno), advice));
}

}  // namespace lamina
