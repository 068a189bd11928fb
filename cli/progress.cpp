// cli/progress.cpp -- the phase that runs now, with its time, on the last line of the terminal.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The phases are a stack; all of it is read and written under one lock.  A thread,
// started with the first phase of a process that has a terminal, sleeps while the stack is empty
// and otherwise draws the innermost phase at every full second of it; update() draws at once.  The
// lock is timed, since a program that ends on a signal must not wait for a terminal that is
// stopped.
#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "echelon/tools/units.hpp"
#include "terminal.hpp"

namespace echelon::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto delay = 700ms;                            // shorter phases are not shown
constexpr auto rhythm = 100ms;                           // between two drawings by update()
constexpr auto tick = 1000ms;                            // between two drawings by the thread
constexpr double least_share = 0.02, least_seconds = 1;  // before which no end is foretold

std::string whole_seconds(double seconds) {
  return seconds < 99.5 ? std::to_string(std::lround(seconds)) + " s" : time_text(seconds);
}

std::string bar_of(double share, int width) {
  const auto full = static_cast<int>(share * width);
  return " [" + std::string(full, '#') + std::string(width - full, '.') + "] " +
         std::to_string(static_cast<int>(share * 100)) + " %";
}

}  // namespace

class StatusLine {
 public:
  using Clock = Progress::Clock;
  using Lock = std::unique_lock<std::timed_mutex>;

  static StatusLine& of_process() {
    static StatusLine line;
    return line;
  }
  ~StatusLine() {
    {
      const Lock lock(mutex_);
      stops_ = true;
    }
    changed_.notify_all();
    if (ticker_.joinable()) ticker_.join();
  }

  void push(Progress& p) {
    const Lock lock(mutex_);
    if (!is_there_) return;
    phases_.push_back(&p);
    if (!ticker_.joinable()) ticker_ = std::thread([this] { count_on(); });
    changed_.notify_all();
  }
  void pop(const Progress& p) {
    const Lock lock(mutex_);
    std::erase(phases_, &p);
    wipe();
  }
  void update(Progress& p, double share) {
    const Lock lock(mutex_);
    p.share_ = std::clamp(share, 0.0, 1.0);
    if (Clock::now() >= drawn_ + rhythm) draw();
  }
  void rename(Progress& p, std::string label) {
    const Lock lock(mutex_);
    p.label_ = std::move(label);
    draw();
  }
  void end() noexcept {
    Lock lock(mutex_, 200ms);
    if (!lock.owns_lock()) return;
    wipe();
    lock.release();  // for ever: nothing is drawn any more
  }

 private:
  void count_on() {
    Lock lock(mutex_);
    while (!stops_) {
      if (phases_.empty()) {
        changed_.wait(lock);
        continue;
      }
      draw();
      const auto age = Clock::now() - phases_.back()->begin_;
      changed_.wait_for(lock, age < delay ? delay - age : tick - age % tick);
    }
  }

  void draw() {
    if (phases_.empty()) return;
    const Progress& p = *phases_.back();
    const auto now = Clock::now();
    if (now - p.begin_ < delay) return;
    drawn_ = now;
    const std::string text = text_of(p, std::chrono::duration<double>(now - p.begin_).count());
    std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
    std::fflush(stderr);
    shown_ = true;
  }
  void wipe() noexcept {
    if (!shown_) return;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    shown_ = false;
  }
  static std::string text_of(const Progress& p, double seconds) {
    std::string text = p.label_, times = ", " + whole_seconds(seconds);
    const auto width = static_cast<std::size_t>(terminal_width() - 1);
    if (p.share_ >= 0) {
      if (p.share_ >= least_share && seconds >= least_seconds)
        times += ", " + whole_seconds(seconds * (1 - p.share_) / p.share_) + " left";
      constexpr std::size_t frame = 9;  // of a bar: brackets and the per cent
      const std::size_t taken = text.size() + times.size() + frame;
      const std::size_t room = width > taken ? width - taken : 0;
      text += bar_of(p.share_, static_cast<int>(std::min<std::size_t>(room, 40)));
    }
    return (text + times).substr(0, width);
  }

  const bool is_there_ = has_status_line();
  std::timed_mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Progress*> phases_;
  Clock::time_point drawn_;
  bool shown_ = false, stops_ = false;
  std::thread ticker_;
};

Progress::Progress(std::string label) : label_(std::move(label)), begin_(Clock::now()) {
  StatusLine::of_process().push(*this);
}
Progress::~Progress() { StatusLine::of_process().pop(*this); }
void Progress::update(double share) { StatusLine::of_process().update(*this, share); }
void Progress::rename(std::string label) {
  StatusLine::of_process().rename(*this, std::move(label));
}

void end_status_line() noexcept { StatusLine::of_process().end(); }

}  // namespace echelon::cli
