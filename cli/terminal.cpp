// cli/terminal.cpp -- what the terminal takes: a line of progress, and colours.
// SPDX-License-Identifier: BSD-3-Clause
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace echelon::cli {
namespace {

Color chosen = Color::automatic;

bool is_dumb() {
  const char* kind = std::getenv("TERM");
  return kind != nullptr && std::string_view(kind) == "dumb";
}

bool takes_color(Stream stream) {
  if (chosen != Color::automatic) return chosen == Color::always;
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  return isatty(stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO) == 1 && !is_dumb();
}

struct Process {
  std::string name;
  long parent = 0;
};

// From "pid (name) state parent ...".
Process read_process(long id) {
  std::ifstream in("/proc/" + std::to_string(id) + "/stat");
  std::string line;
  std::getline(in, line);
  const std::size_t open = line.find('('), close = line.rfind(") ");
  if (open == std::string::npos || close == std::string::npos) return {};
  return {line.substr(open + 1, close - open - 1), std::atol(line.c_str() + close + 4)};
}

bool is_launcher(const std::string& name) {
  constexpr std::array<std::string_view, 5> names{"mpirun", "mpiexec", "orterun", "prterun",
                                                  "srun"};
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view known) { return name.starts_with(known); });
}

// Character devices of terminals: /dev/pts/N and /dev/ttyN.
bool has_terminal(long process) {
  struct stat status {};
  const std::string path = "/proc/" + std::to_string(process) + "/fd/2";
  if (stat(path.c_str(), &status) != 0 || !S_ISCHR(status.st_mode)) return false;
  const unsigned major_number = major(status.st_rdev);
  return (major_number >= 136 && major_number <= 143) || major_number == 4;
}

// mpirun copies what its ranks write to their standard error to its own.
bool launcher_has_terminal() {
  constexpr int most_steps = 4;  // helpers between mpirun and a rank
  long id = getppid();
  for (int step = 0; step < most_steps && id > 1; ++step) {
    const Process process = read_process(id);
    if (is_launcher(process.name)) return has_terminal(id);
    id = process.parent;
  }
  return false;
}

}  // namespace

void set_color(Color choice) { chosen = choice; }

std::string styled(Stream stream, Style style, const std::string& text) {
  if (!takes_color(stream)) return text;
  return (style == Style::bold ? "\x1b[1m" : "\x1b[1;31m") + text + "\x1b[0m";
}

bool has_status_line() {
  return !is_dumb() && (isatty(STDERR_FILENO) == 1 || launcher_has_terminal());
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace echelon::cli
