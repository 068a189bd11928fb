// cli/turn.hpp -- processes that take turns: a lock on a file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "echelon/error.hpp"

namespace echelon::cli {

// Waits until no other process has a turn with this file, and keeps the turn until destroyed.  An
// empty name takes no turn.
class Turn {
 public:
  explicit Turn(const std::string& file) {
    if (file.empty()) return;
    file_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0) throw Error(ErrorCode::bad_file, "cannot open " + file);
    while (flock(file_, LOCK_EX) != 0)
      if (errno != EINTR) throw Error(ErrorCode::bad_file, "cannot lock " + file);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (file_ >= 0) close(file_);
  }

 private:
  int file_ = -1;
};

}  // namespace echelon::cli
