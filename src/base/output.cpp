// base/output.cpp -- writes files beside their place, and moves whole ones into it.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "echelon/error.hpp"
#include "echelon/tools/whole_files.hpp"

namespace echelon {
namespace {

// The parts that are being written.  Never destroyed: a signal may end the program late.
struct Parts {
  std::mutex lock;
  std::set<std::string> names;
};
Parts& parts() {
  static Parts* const all = new Parts;
  return *all;
}

std::string behind_links(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  return (error ? path : real).string();
}

std::string part_of(const std::string& target) {
  static std::atomic<unsigned> count{0};
  return target + "." + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".part";
}

}  // namespace

Output::Output(const std::filesystem::path& path)
    : name_(path.string()), target_(behind_links(path)) {
  if (!open_part()) open_directly();
}

// False if the target is to be written itself.
bool Output::open_part() {
  struct stat old {};
  const bool is_there = ::stat(target_.c_str(), &old) == 0;
  if (is_there && !S_ISREG(old.st_mode)) return false;
  if (is_there && ::access(target_.c_str(), W_OK) != 0) fail("cannot be opened for writing");
  const std::string part = part_of(target_);
  {
    const std::lock_guard guard(parts().lock);
    descriptor_ = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) parts().names.insert(part);
  }
  if (descriptor_ < 0 && !is_there) fail("cannot be opened for writing");
  if (descriptor_ < 0) return false;
  part_ = part;
  // A file that is replaced keeps its permissions; where that is not allowed, it has the usual
  // ones.
  if (is_there && ::fchmod(descriptor_, old.st_mode & 07777) != 0) errno = 0;
  return true;
}

void Output::open_directly() {
  descriptor_ = ::open(target_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot be opened for writing");
}

Output::~Output() {
  if (descriptor_ >= 0) ::close(descriptor_);
  drop_part();
}

void Output::drop_part() {
  if (part_.empty()) return;
  const std::lock_guard guard(parts().lock);
  ::unlink(part_.c_str());
  parts().names.erase(part_);
  part_.clear();
}

void Output::write(std::string_view text) {
  constexpr std::size_t most = std::size_t{1} << 30;  // limit of bytes per system call
  while (!text.empty()) {
    const ssize_t done = ::write(descriptor_, text.data(), std::min(text.size(), most));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("cannot be written");
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

void Output::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot be written");
  if (part_.empty()) return;
  const std::lock_guard guard(parts().lock);
  if (std::rename(part_.c_str(), target_.c_str()) != 0) fail("cannot be written");
  parts().names.erase(part_);
  part_.clear();
}

void Output::fail(const char* what) const {
  const int error = errno;
  throw Error(ErrorCode::bad_file,
              name_ + ": " + what + ": " + std::generic_category().message(error));
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  Output out(path);
  out.write(text);
  out.close();
}

void remove_unfinished_files() noexcept {
  const std::lock_guard guard(parts().lock);
  for (const std::string& part : parts().names) ::unlink(part.c_str());
}

}  // namespace echelon
