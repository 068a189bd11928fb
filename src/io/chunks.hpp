// io/chunks.hpp -- text cut at newlines into chunks, and a loop that distributes them to threads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A chunk is processed by the thread that claims it.  The positions that a body writes
// depend on the chunk alone, so results do not depend on the assignment to threads.  If several
// chunks fail, the error of the earliest one is kept, which is the first in the file: chunks are
// claimed in order, and no chunk before a failed one is skipped.
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
  const char* end;  // behind a newline, or the end of the text
  Offset first;     // lines before this chunk: all lines, or those with an entry
};

// Small enough for a core's cache and for an even distribution, large enough that the cost of
// claiming a chunk is negligible.
inline constexpr std::size_t chunk_bytes = std::size_t{1} << 19;

// Cuts text into chunks of about `bytes`; `first` is not set.
std::vector<Chunk> split_at_lines(std::string_view text, std::size_t bytes = chunk_bytes);

// Sets `first` to the number of lines before each chunk; returns the number of lines.  The last
// line may end without a newline.
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
    // All chunks before a failed one have been claimed, so the first error is among them.
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
        error.keep(-1);  // an exception of the caller precedes any error in the file
        failed = true;
      }
    }
  });
  error.rethrow();
  progress.at(1);
}

}  // namespace echelon
