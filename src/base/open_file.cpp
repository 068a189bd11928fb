// base/open_file.cpp -- opens files and reads them in pieces.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/open_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "echelon/error.hpp"

namespace echelon {
namespace {

std::string reason() { return std::generic_category().message(errno); }

}  // namespace

OpenFile::OpenFile(std::string path) : name_(std::move(path)) {
  // O_NONBLOCK: open() does not block on a pipe without a writer; size() refuses such files.
  descriptor_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) refuse("cannot be opened: " + reason());
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t OpenFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) refuse("has no size: " + reason());
  if (S_ISDIR(status.st_mode)) refuse("is a directory");
  if (!S_ISREG(status.st_mode)) refuse("is not a regular file");
  return static_cast<std::size_t>(status.st_size);
}

void OpenFile::read(void* out, std::size_t begin, std::size_t count) const {
  auto* at = static_cast<char*>(out);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, at, count, static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse("cannot be read: " + reason());
    if (got == 0) refuse("became shorter while it was read");
    at += got;
    begin += static_cast<std::size_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

void OpenFile::refuse(const std::string& what) const {
  throw Error(ErrorCode::bad_file, name_ + ": " + what);
}

}  // namespace echelon
