// cli/progress.hpp -- a progress bar on the terminal.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <string>

namespace echelon::cli {

// Shows nothing unless standard error is a terminal and the job takes most of a second.  The
// destructor erases the bar.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double share);  // from 0 to 1
  void rename(std::string label) { label_ = std::move(label); }
  void wipe();  // erases the bar until the next update, so that other output can be printed

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;  // time of the next drawing
};

}  // namespace echelon::cli
