// base/parallel.hpp -- loops over threads, in the two forms the house needs: a range cut
// into one piece a thread, and the piece itself.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <omp.h>

#include <algorithm>
#include <exception>

#include "echelon/types.hpp"

namespace echelon {

// Piece `part` of [0, n) cut into `parts` nearly equal pieces: begin of piece k, end of k-1.
inline Offset piece_begin(Offset n, Index part, Index parts) {
  return n / parts * part + std::min<Offset>(part, n % parts);
}

// The number of threads to use when the caller leaves the choice (0) to us.
inline Index thread_count(Index wanted) { return wanted > 0 ? wanted : omp_get_max_threads(); }

// Runs body(begin, end, part) on pieces of [0, n), one thread a piece; fewer threads when a
// piece would have less than `grain` elements.  An exception of a body is rethrown here: that
// of the lowest part, so the same error is seen whatever the number of threads finds first.
template <class Body>
void parallel_pieces(Offset n, Offset grain, Index threads, const Body& body) {
  const auto parts =
      static_cast<Index>(std::clamp<Offset>(n / std::max<Offset>(grain, 1), 1, threads));
  if (parts == 1) {
    body(Offset{0}, n, Index{0});
    return;
  }
  std::exception_ptr error;
  Index error_part = parts;
#pragma omp parallel for num_threads(parts) schedule(static, 1)
  for (Index part = 0; part < parts; ++part) {
    try {
      body(piece_begin(n, part, parts), piece_begin(n, part + 1, parts), part);
    } catch (...) {
#pragma omp critical(echelon_parallel_pieces)
      if (part < error_part) {
        error_part = part;
        error = std::current_exception();
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

// The same over whole blocks of [0, n): no two threads share a block.
template <class Body>
void parallel_blocks(Offset n, Offset block, Offset grain, Index threads, const Body& body) {
  parallel_pieces((n + block - 1) / block, grain / block, threads,
                  [&](Offset begin, Offset end, Index part) {
                    body(begin * block, std::min(end * block, n), part);
                  });
}

// Runs body(item, thread) for the items [0, count), each taken by the next free thread.  An
// exception of a body is rethrown here: that of the lowest item that threw.
template <class Body>
void parallel_items(Index count, Index threads, const Body& body) {
  std::exception_ptr error;
  Index error_item = count;
#pragma omp parallel for num_threads(std::max(1, std::min(threads, count))) schedule(dynamic, 1)
  for (Index item = 0; item < count; ++item) {
    try {
      body(item, static_cast<Index>(omp_get_thread_num()));
    } catch (...) {
#pragma omp critical(echelon_parallel_items)
      if (item < error_item) {
        error_item = item;
        error = std::current_exception();
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace echelon
