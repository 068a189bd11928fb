// base/output.cpp -- writes files, and removes incomplete ones.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "echelon/error.hpp"

namespace echelon {

Output::Output(const std::filesystem::path& path) : name_(path.string()) {
  descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(name_, "cannot be opened for writing");
  struct stat status {};
  regular_ = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

Output::~Output() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (regular_) ::unlink(name_.c_str());
}

void Output::write(std::string_view text) {
  constexpr std::size_t most = std::size_t{1} << 30;  // limit of bytes per system call
  while (!text.empty()) {
    const ssize_t done = ::write(descriptor_, text.data(), std::min(text.size(), most));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(name_, "cannot be written");
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

void Output::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(name_, "cannot be written");
}

void Output::close_as(const std::filesystem::path& path) {
  close();
  if (std::rename(name_.c_str(), path.c_str()) != 0) fail(path.string(), "cannot be written");
}

void Output::fail(const std::string& name, const char* what) const {
  const int error = errno;
  // The destructor removes a file that is still open.
  if (descriptor_ < 0 && regular_) ::unlink(name_.c_str());
  throw Error(ErrorCode::bad_file,
              name + ": " + what + ": " + std::generic_category().message(error));
}

}  // namespace echelon
