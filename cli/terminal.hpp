// cli/terminal.hpp -- what the terminal takes: a line of progress, and colours.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/names.hpp"

namespace echelon::cli {

enum class Color { automatic, always, never };
constexpr auto names(Color) {
  return name_table<Color>(
      {{Color::automatic, "auto"}, {Color::always, "always"}, {Color::never, "never"}});
}
// Of --color.  Automatic: colours go to a terminal that is not dumb, unless NO_COLOR is set.
void set_color(Color choice);

enum class Stream { output, errors };
enum class Style { bold, red };
// The text, in this style where the stream takes colours.
std::string styled(Stream stream, Style style, const std::string& text);

// Whether standard error is a terminal that can erase a line.  Of a rank started by mpirun, whose
// standard error is a pipe to it: whether mpirun's is.
bool has_status_line();
int terminal_width();

}  // namespace echelon::cli
