// io/chunks.hpp -- text cut at line ends into chunks, and a loop that gives them to threads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A chunk belongs to the thread that takes it; what a body writes, it writes at
// places that follow from the chunk alone.  So results do not depend on who took what.  Of
// several errors that of the earliest chunk is kept, which is the first of the file: chunks
// are handed out in order, and none before a failed one is left out.
#pragma once

#include <atomic>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "echelon/types.hpp"
#include "io/progress.hpp"

namespace echelon {

struct Chunk {
  const char* begin;
  const char* end;  // behind a line end, or the end of the text
  Offset first;     // lines before this chunk: all of them, or those that count
};

// Small enough to stay in a core's cache and to share the work evenly, large enough that
// handing one out costs nothing.
inline constexpr std::size_t chunk_bytes = std::size_t{1} << 19;

// Cuts text into chunks of about `bytes`; `first` is not set.
std::vector<Chunk> split_at_lines(std::string_view text, std::size_t bytes = chunk_bytes);

// Sets `first` to the lines before each chunk; returns the number of lines.  The last line
// needs no line end.
Offset number_lines(std::vector<Chunk>& chunks);
// The same, counting only lines with an entry: neither blank nor a comment (%).
Offset number_entries(std::vector<Chunk>& chunks);

// Runs body(k) for k below count on all threads, in rising order.
template <class Body>
void parallel_chunks(Offset count, Progress& progress, const Body& body) {
  LowestError error;
  std::atomic<Offset> next{0}, done{0};
  std::atomic<bool> failed{false};
  run_with_help(static_cast<Index>(std::min<Offset>(count, thread_count(0))), [&](Index thread) {
    // All before a failed one have been taken: its error or that of one of them is the first.
    for (Offset k; !failed && (k = next++) < count;) {
      try {
        body(k);
      } catch (...) {
        error.keep(k);
        failed = true;
      }
      const auto share = static_cast<double>(++done) / static_cast<double>(count);
      if (thread != 0) continue;
      try {
        progress.at(share);
      } catch (...) {
        error.keep(-1);  // the caller's own exception comes before any of ours
        failed = true;
      }
    }
  });
  error.rethrow();
  progress.at(1);
}

}  // namespace echelon
