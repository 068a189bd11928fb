// cli/signals.hpp -- ends the program cleanly on Ctrl-C and its like.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace echelon::cli {

// Call once, at the start.  On SIGINT, SIGTERM and SIGHUP, from then on: the line of progress is
// erased, files that are not whole are removed, and the program ends by that signal, which a shell
// shows as status 130, 143 and 129.  A second signal ends it at once.  Signals that were ignored
// stay so.
void end_cleanly_on_signals();

}  // namespace echelon::cli
