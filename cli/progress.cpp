// cli/progress.cpp -- a progress bar on the terminal.
// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace echelon::cli {
namespace {

constexpr auto delay = std::chrono::milliseconds(700);   // shorter jobs show no bar
constexpr auto rhythm = std::chrono::milliseconds(100);  // between two updates of the bar

bool is_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && (kind == nullptr || std::strcmp(kind, "dumb") != 0);
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

Progress::Progress(std::string label)
    : label_(std::move(label)), terminal_(is_terminal()), next_(Clock::now() + delay) {}

Progress::~Progress() { wipe(); }

void Progress::update(double share) {
  if (!terminal_ || Clock::now() < next_) return;
  next_ = Clock::now() + rhythm;
  const int room = terminal_width() - static_cast<int>(label_.size()) - 10;
  const int width = std::clamp(room, 0, 40);
  const double part = std::clamp(share, 0.0, 1.0);
  const auto full = static_cast<int>(part * width);
  const std::string bar = std::string(full, '#') + std::string(width - full, '.');
  std::fprintf(stderr, "\r%s [%s] %3d %%\x1b[K", label_.c_str(), bar.c_str(),
               static_cast<int>(part * 100));
  shown_ = true;
}

void Progress::wipe() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace echelon::cli
