// io/output.cpp -- writes files.
// SPDX-License-Identifier: BSD-3-Clause
#include "io/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "echelon/error.hpp"

namespace echelon {

Output::Output(const std::filesystem::path& path) : name_(path.string()) {
  descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot be opened for writing");
}

Output::~Output() {
  if (descriptor_ < 0) return;
  // A device, such as /dev/full, is not ours to remove.
  struct stat status {};
  const bool regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  ::close(descriptor_);
  if (regular) ::unlink(name_.c_str());
}

void Output::write(std::string_view text) {
  constexpr std::size_t most = std::size_t{1} << 30;  // what one call of the system may take
  while (!text.empty()) {
    const ssize_t done = ::write(descriptor_, text.data(), std::min(text.size(), most));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("cannot be written");
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

void Output::close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail("cannot be written");
}

void Output::fail(const char* what) const {
  throw Error(ErrorCode::bad_file,
              name_ + ": " + what + ": " + std::generic_category().message(errno));
}

}  // namespace echelon
