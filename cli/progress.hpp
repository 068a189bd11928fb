// cli/progress.hpp -- the phase that runs now, with its time, on the last line of the terminal.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <string>

namespace echelon::cli {

// Names a phase of a command for the lifetime of the object.  A phase that lasts most of a second
// is shown with its elapsed time, which a thread of its own counts on, so that a long call into the
// library is seen to run; with a share of the work also as a bar with the time that is left.  Of
// phases within each other the innermost is shown.  Everything is erased when the phase ends, and
// nothing is shown unless has_status_line().
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double share);  // from 0 to 1
  void rename(std::string label);

 private:
  friend class StatusLine;
  using Clock = std::chrono::steady_clock;
  std::string label_;
  double share_ = -1;  // negative: unknown
  Clock::time_point begin_;
};

// Runs the body as a phase and returns its result.
template <class Body>
decltype(auto) as_phase(const std::string& label, const Body& body) {
  const Progress progress(label);
  return body();
}

// For a program that is about to end on a signal: erases the line, which then stays empty.
void end_status_line() noexcept;

}  // namespace echelon::cli
