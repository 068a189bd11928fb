// io/progress.hpp -- reports the progress of reading to the caller.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <utility>

namespace echelon {

// Work has stages; each is a share of the whole.  Only the calling thread may report.
class Progress {
 public:
  Progress() = default;
  explicit Progress(std::function<void(double)> report) : report_(std::move(report)) {}

  void begin_stage(double from, double to) {
    from_ = from;
    to_ = to;
  }
  // Calls back after every half percent: at most 201 calls in total.
  void at(double share_of_stage) {
    if (!report_) return;
    const double share = from_ + (to_ - from_) * share_of_stage;
    if (share < next_) return;
    next_ = share + 0.005;
    report_(share);
  }
  // The last report, made once.
  void finish() {
    if (report_) report_(1.0);
  }

 private:
  std::function<void(double)> report_;
  double from_ = 0;
  double to_ = 1;
  double next_ = 0;
};

}  // namespace echelon
