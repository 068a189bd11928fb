// echelon/analysis.hpp -- dependency graph, level sets, supersteps and packed pattern of a
// triangle.  Structure only: nothing here reads a value.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after matrix.hpp; feeds numeric.hpp and executor.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "echelon/buffer.hpp"
#include "echelon/matrix.hpp"

namespace echelon {

// For each packed entry, the position of its value in the stored array, so that an update of the
// values is one pass. 4 bytes per entry; 5 if more than 2^32 values are stored.
class SourceMap {
 public:
  // Makes space for `count` entries; `wide`: positions can exceed 2^32.
  void resize(Offset count, bool wide) {
    low_.resize(static_cast<std::size_t>(count));
    if (wide) high_.resize(static_cast<std::size_t>(count));
  }
  bool empty() const { return low_.empty(); }
  void set(Offset p, Offset source) {
    low_[p] = static_cast<std::uint32_t>(source);
    if (!high_.empty()) high_[p] = static_cast<std::uint8_t>(source >> 32);
  }
  Offset operator[](Offset p) const {
    return high_.empty() ? Offset{low_[p]} : (Offset{high_[p]} << 32 | low_[p]);
  }
  Offset bytes() const { return static_cast<Offset>(4 * low_.size() + high_.size()); }

 private:
  Buffer<std::uint32_t> low_;
  Buffer<std::uint8_t> high_;
};

// A rising sequence of offsets in 4 bytes each: every block of 1024 offsets has a 64-bit base, and
// each offset is stored relative to it.  A solve reads about 1/15 less per row than with 64-bit
// offsets, and the analysis writes less.
class RisingOffsets {
 public:
  static constexpr Index block = 1024;

  void resize(Index count) {
    low_.resize(static_cast<std::size_t>(count));
    base_.resize((static_cast<std::size_t>(count) + block - 1) / block);
  }
  bool empty() const { return low_.empty(); }
  Index size() const { return static_cast<Index>(low_.size()); }
  // Set each block from its first entry on; different threads may set different blocks.
  // Throws bad_argument if a block spans 2^32 entries or more.
  void set(Index k, Offset value) {
    if (k % block == 0) base_[k / block] = value;
    const Offset rest = value - base_[k / block];
    if (rest >> 32 != 0) refuse_span(k);
    low_[k] = static_cast<std::uint32_t>(rest);
  }
  Offset operator[](Index k) const { return base_[k / block] + Offset{low_[k]}; }
  Offset bytes() const { return static_cast<Offset>(4 * low_.size() + 8 * base_.size()); }
  // The stored arrays, for copying: entry k is base()[k / block] + low()[k].
  const Buffer<std::uint32_t>& low() const { return low_; }
  const Buffer<Offset>& base() const { return base_; }

 private:
  [[noreturn]] static void refuse_span(Index k);

  Buffer<std::uint32_t> low_;
  Buffer<Offset> base_;
};

// A repeated diagonal entry: its value is added to that of the first one.  Sorted by unknown.
struct ExtraDiagonal {
  Index unknown;
  Offset source;
};

// The dependencies of M = op(triangle), without the diagonal.  If the stored lists have the wanted
// order and the triangle's part of each list is contiguous (true for sorted lists), the graph
// points into the caller's arrays and copies nothing.
struct DependencyGraph {
  Index n = 0;
  Order lists = Order::rows;  // rows: list i has the needs of x(i); columns: its dependents
  Uplo shape = Uplo::lower;   // lower: x(0) is solved first; upper: x(n-1)
  bool transposed = false;    // M is the transpose of the stored matrix; used in messages
  Offset nonzeros = 0;
  RisingOffsets first;  // list i is index[first[i] .. first[i]+length[i])
  Buffer<Index> length;
  std::span<const Index> index;  // points to the caller's array or to own_index
  Buffer<Index> own_index;
  SourceMap from;          // stored position of each index; empty: entry p is stored entry p
  RisingOffsets diagonal;  // stored position of each diagonal entry; empty if it is unit
  std::vector<ExtraDiagonal> extra;

  // The k-th unknown of the plain sweep; its own inverse.
  Index unknown(Index k) const { return shape == Uplo::lower ? k : n - 1 - k; }
  std::span<const Index> list(Index i) const {
    return {index.data() + first[i], index.data() + first[i] + length[i]};
  }
};

// Finds the graph, with lists in the wanted order.  O(n + nnz), on `threads` threads (0: all).
// Throws bad_argument (not square, bad pattern), not_triangular (an entry in the other triangle,
// unless ignored), zero_diagonal (no diagonal entry stored); the message names the row.
DependencyGraph find_dependency_graph(const TrianglePattern& t, Order wanted, Index threads = 0);

// The level of an unknown: the length of the longest chain of dependencies that ends at it.
struct Levels {
  Buffer<Index> of;  // by unknown
  Index count = 0;
};

// O(n + nnz) time, O(n) space.  Serial, because the levels of a chain cannot be found in parallel.
Levels find_levels(const DependencyGraph& g);

// Unknowns grouped by level.  Unknowns of one level do not depend on each other and can be solved
// in parallel.
struct LevelSets {
  Buffer<Index> start;  // level l holds order[start[l] .. start[l+1])
  Buffer<Index> order;  // the unknowns, level by level, each level in sweep order

  Index count() const { return start.empty() ? 0 : static_cast<Index>(start.size()) - 1; }
  std::span<const Index> rows(Index l) const {
    return {order.data() + start[l], order.data() + start[l + 1]};
  }
};

LevelSets find_level_sets(const DependencyGraph& g, const Levels& levels, Index threads = 1);
LevelSets find_level_sets(const DependencyGraph& g, Index threads = 1);  // finds the levels first

// Costs used to form supersteps, in entries of work: an unknown with k dependencies costs row_work
// + k.  One entry takes about a nanosecond.
struct ScheduleOptions {
  double hop = 200;        // from one thread's release of a flag to another thread's acquire
  double task_work = 100;  // fixed cost of a task: polling, its flag, cold caches
  double run_work = 12;    // a run of neighbouring unknowns: two partly used cache lines of x and b
  double row_work = 3;     // fixed cost of an unknown: right-hand side, diagonal, store
  double efficiency_share = 0.95;  // a window grows while above this share of the best efficiency

  // The one list of these options; the command line and the reports use it.
  template <class Visitor>
  void visit(Visitor&& v) {
    v("hop", hop, "cost of one hand-over between threads, in entries of work");
    v("task_work", task_work, "cost of starting a task, in entries of work");
    v("run_work", run_work, "cost of each run of neighbouring unknowns in a task");
    v("row_work", row_work, "work of an unknown besides its entries");
    v("efficiency_share", efficiency_share,
      "share of the best efficiency at which a window stops growing");
  }
};

// A coarse schedule for a fixed number of threads.  Task (s, t) is the work of thread t in
// superstep s.  It depends only on earlier tasks of its thread, on itself, and on the tasks it
// waits for.
struct Supersteps {
  struct Wait {
    Index part;  // wait until this thread
    Index step;  // has finished this superstep
  };
  Index parts = 0;
  Index count = 0;           // supersteps
  Buffer<Index> start;       // size count*parts+1: task s*parts+t is order[start[..] .. )
  Buffer<Index> order;       // the unknowns, task by task, each task in sweep order
  Buffer<Index> wait_start;  // size count*parts+1
  Buffer<Wait> waits;  // pruned: a wait implied by an earlier wait of the same thread is left out
  double total_work = 0;  // entries
  double makespan = 0;    // estimated end of the last task, in entries of work

  double speedup() const { return makespan > 0 ? total_work / makespan : 1; }
};

// Groups levels into supersteps for `parts` threads.  The graph must be listed by rows.  O(n)
// space; O(n + nnz) time times the overlap of windows (below 2 in practice).
Supersteps find_supersteps(const DependencyGraph& g, const LevelSets& levels, Index parts,
                           const ScheduleOptions& o = {}, Index threads = 0);

// The most shared memory of a thread block, in bytes, on GPUs of compute capability 9.0 and 10.0;
// other GPUs have less.
constexpr Offset most_shared_memory = 227 * 1024;

// A band is a run of neighbouring unknowns in sweep order.  One thread block solves it, level by
// level; it depends only on itself and on lower bands.
struct BandOptions {
  Index bands = 0;    // 0: chosen for the shortest estimated time; the same for the next two
  Index levels = 0;   // levels per chunk: solved between two fetches of outside answers
  Index threads = 0;  // per block, for rows: 32, 64, 128 or 256
  Offset shared_memory = most_shared_memory;  // bytes per block
};
struct BandLayout {
  Buffer<Index> first;     // size bands+1: band a is the positions [first[a], first[a+1])
  Buffer<Index> order;     // the unknown at each position: band by band, each by levels
  Buffer<Index> position;  // by unknown
  Buffer<Index> level;     // by position

  Index count() const { return static_cast<Index>(first.size()) - 1; }
};
// Fills in the options that are 0 for the shortest estimated time.  O(n), on `threads` threads.
struct BandChoice {
  BandOptions options;
  double seconds = 0;
};
BandChoice choose_bands(const DependencyGraph& g, const Levels& levels,
                        const BandOptions& asked = {}, Index threads = 0);
// At most `bands` bands, cut where the level drops most.  O(n), on `threads` threads.
BandLayout lay_bands(const DependencyGraph& g, const Levels& levels, Index bands,
                     Index threads = 0);

// A thread block keeps two ring buffers of answers: its own latest ones, and those it fetched from
// other blocks.  Each matrix entry is multiplied by one slot: [0, own) is the first ring, [own,
// own+fetched) the second, and the slot after them always holds zero.
struct BandRings {
  static constexpr Index chunks = 4;  // in flight at a time, from fetch to store

  Index own = 0, fetched = 0;  // powers of two
  constexpr Index zero() const { return own + fetched; }
  constexpr Index slots() const { return zero() + 1; }
  // Chunks in flight that fit into shared memory beside the rings, for numbers of this size.
  static constexpr Index stages(std::size_t number_bytes) {
    return number_bytes > 8 ? chunks / 2 : chunks;
  }
};

// Some levels of a band: the part that a block holds in shared memory at a time.
struct BandChunk {
  Offset begin, end;      // packed entries
  Index first, rows;      // positions.  A long row is split into several chunks of one row each
  Offset step, fetch;     // first entries in Bands::step_end and Bands::fetch
  Index steps, fetches;   // and their counts
  Index fetch_slot;       // slot of the first fetch, from the beginning of the second ring
  std::int16_t lanes;     // threads per row
  std::int16_t per_lane;  // entries per thread, padding included: 2 or 4
  std::int8_t continues;  // continues the row of the chunk before
  std::int8_t ends;       // completes its row
};

struct Bands {
  Index threads = 0;  // per block, for rows
  Index most_rows = 0;
  BandRings rings;
  Buffer<Index> first;        // as in BandLayout
  Buffer<Index> chunk_start;  // size bands+1
  Buffer<BandChunk> chunks;
  Buffer<std::uint16_t> step_end;  // rows of the chunk up to the end of each step.  A step is a
                                   // level, or as much of a level as the threads solve at once
  Buffer<Index> fetch;             // numbers of the published answers to fetch
  Buffer<std::uint16_t> slot;      // slot of each packed entry
  Buffer<Index> number;  // by position: published answers are numbered in order; -1: not published
  Index published = 0;

  Index count() const { return static_cast<Index>(first.size()) - 1; }
  Offset bytes() const;
};

// The pattern in execution order, which an executor reads from front to back, and the stored
// positions of its values, which only setup reads.
struct PackedPattern {
  Index n = 0;
  Order lists = Order::rows;
  bool transposed = false;  // M is the transpose of the stored matrix; used in messages
  Buffer<Index> order;      // the unknown at each position
  RisingOffsets start;      // size n+1: list k holds index[start[k] .. start[k+1])
  Buffer<Index> index;      // unknowns, not positions

  RisingOffsets source;    // by unknown: first entry of its list in `from`, or in the stored array
  SourceMap from;          // empty: each list is contiguous in the stored array
  RisingOffsets diagonal;  // by unknown: stored position; empty if it is unit
  std::vector<ExtraDiagonal> extra;

  Offset nonzeros() const { return static_cast<Offset>(index.size()); }
  Offset bytes() const {
    return static_cast<Offset>(sizeof(Index) * (order.size() + index.size()) +
                               sizeof(ExtraDiagonal) * extra.size()) +
           start.bytes() + source.bytes() + from.bytes() + diagonal.bytes();
  }
};

// Copies the lists of a graph into the given order.  Consumes the graph.  O(n + nnz), on `threads`
// threads (0: all).
PackedPattern pack_pattern(DependencyGraph&& g, Buffer<Index>&& order, Index threads = 0);

// Divides bands into chunks.  The pattern is by rows, in the order of the layout; all options are
// set.  O(n + nnz).  Throws bad_argument for options that no thread block supports.
Bands find_bands(const PackedPattern& pattern, const BandLayout& layout, const BandOptions& o,
                 Index threads = 0);

// How the unknowns are scheduled. level_row to element_column are the kernels LEVR, LEVC, ELMR and
// ELMC of Li and Zhang (2020).
enum class Method {
  automatic,       // chosen by the model
  serial,          // one thread, the plain sweep
  level_row,       // a barrier after each level; each unknown gathers its row
  level_column,    // a barrier after each level; each unknown scatters its column
  element_row,     // each unknown waits for the flags of the unknowns it needs
  element_column,  // each unknown waits for its counter to reach zero
  superstep,       // coarse tasks that wait for each other
  // On supernodes.  The first nine are the options of the ICPP 2020 paper.
  plain,        // "default" in the paper: one BLAS call per block, one after the other
  stream,       // BLAS calls for the blocks of a level in parallel
  team,         // our own kernels for the blocks of a level
  merge,        // as team, on merged supernodes
  invert_diag,  // as merge, with inverted diagonal blocks
  invert_off,  // as invert_diag, with the inverses applied to the panels below: partitioned inverse
  spmv,        // the partitioned inverse as one sparse matrix per level
  dynamic,     // as invert_off, each task starts as soon as its dependencies are met
  invert_full,  // the whole inverse as one sparse matrix: for reference, small systems only
  tree,  // as invert_off, on amalgamated supernodes: subtrees to threads, then the top shared
};
constexpr bool is_supernodal(Method m) { return m >= Method::plain; }

// Row methods sum each unknown in a fixed order, so the result does not depend on the number of
// threads or on timing.
constexpr Order lists_of(Method m) {
  return m == Method::level_column || m == Method::element_column ? Order::columns : Order::rows;
}
constexpr bool is_deterministic(Method m) { return lists_of(m) == Order::rows; }

}  // namespace echelon
