// cli/progress.hpp -- a bar on the terminal for a job that takes long.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <string>

namespace echelon::cli {

// Shows nothing unless standard error is a terminal and the job has taken most of a second.
// The bar is wiped when the object goes.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double share);  // from 0 to 1
  void rename(std::string label) { label_ = std::move(label); }
  void wipe();  // takes the bar away until the next update, so that others can print

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;  // the bar is not drawn before
};

}  // namespace echelon::cli
