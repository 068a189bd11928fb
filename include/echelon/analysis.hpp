// echelon/analysis.hpp -- what can run when: the dependency graph, level sets, supersteps,
// and the packed pattern the executors read.  Structure only: nothing here reads a value.
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

// For each packed entry, the place of its value among the stored ones: what makes a value
// update one pass.  4 bytes an entry, 5 where more than 2^32 values are stored.
class SourceMap {
 public:
  // Room for `count` entries; wide if they point past 2^32.
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

// A rising sequence of offsets in four bytes each: every block of 1024 has a base, and the
// rest is counted from there.  What a solve reads of a row shrinks by a fifteenth, and so
// does what an analysis has to write.
class RisingOffsets {
 public:
  static constexpr Index block = 1024;

  void resize(Index count) {
    low_.resize(static_cast<std::size_t>(count));
    base_.resize((static_cast<std::size_t>(count) + block - 1) / block);
  }
  bool empty() const { return low_.empty(); }
  Index size() const { return static_cast<Index>(low_.size()); }
  // A block is set from its first entry on; blocks may be set by different threads.
  // Throws bad_argument if a block spans 2^32 entries or more.
  void set(Index k, Offset value) {
    if (k % block == 0) base_[k / block] = value;
    const Offset rest = value - base_[k / block];
    if (rest >> 32 != 0) refuse_span(k);
    low_[k] = static_cast<std::uint32_t>(rest);
  }
  Offset operator[](Index k) const { return base_[k / block] + Offset{low_[k]}; }
  Offset bytes() const { return static_cast<Offset>(4 * low_.size() + 8 * base_.size()); }
  // As they are kept, for a copy elsewhere: entry k is base()[k / block] + low()[k].
  const Buffer<std::uint32_t>& low() const { return low_; }
  const Buffer<Offset>& base() const { return base_; }

 private:
  [[noreturn]] static void refuse_span(Index k);

  Buffer<std::uint32_t> low_;
  Buffer<Offset> base_;
};

// A diagonal entry given more than once: the further ones, to be added to the first.  Kept in
// rising order of unknowns.
struct ExtraDiagonal {
  Index unknown;
  Offset source;
};

// Who needs whom in M = op(triangle), without the diagonal.  Where the stored lists are the
// wanted ones and each has its part of the triangle in one piece, as sorted lists do, the
// graph looks into the caller's arrays and copies nothing.
struct DependencyGraph {
  Index n = 0;
  Order lists = Order::rows;  // rows: list i is what x(i) needs; columns: what needs x(i)
  Uplo shape = Uplo::lower;   // lower: x(0) comes first; upper: x(n-1) does
  bool transposed = false;    // M is the transpose of what is stored: for messages
  Offset nonzeros = 0;
  RisingOffsets first;  // list i is index[first[i] .. first[i]+length[i])
  Buffer<Index> length;
  std::span<const Index> index;  // the caller's, or own_index
  Buffer<Index> own_index;
  SourceMap from;          // of each index; empty: entry p is stored entry p
  RisingOffsets diagonal;  // stored place of each diagonal entry; empty if it is unit
  std::vector<ExtraDiagonal> extra;

  // The k-th unknown of the plain sweep; its own inverse.
  Index unknown(Index k) const { return shape == Uplo::lower ? k : n - 1 - k; }
  std::span<const Index> list(Index i) const {
    return {index.data() + first[i], index.data() + first[i] + length[i]};
  }
};

// Finds the graph, listed as wanted.  O(n + nnz), on `threads` threads (0: all).
// Throws bad_argument (not square, bad pattern), not_triangular (an entry in the other
// triangle that is not to be ignored), zero_diagonal (none stored); the text names the row.
DependencyGraph find_dependency_graph(const TrianglePattern& t, Order wanted, Index threads = 0);

// The length of the longest chain of dependencies that ends at each unknown.
struct Levels {
  Buffer<Index> of;  // each unknown
  Index count = 0;
};

// O(n + nnz) time, O(n) space.  The sweep is serial: a chain has no other way.
Levels find_levels(const DependencyGraph& g);

// Unknowns grouped by level.  Those of one level do not depend on each other and can be solved
// together.
struct LevelSets {
  Buffer<Index> start;  // level l holds order[start[l] .. start[l+1])
  Buffer<Index> order;  // a permutation of the unknowns, levels in turn; a level in sweep order

  Index count() const { return start.empty() ? 0 : static_cast<Index>(start.size()) - 1; }
  std::span<const Index> rows(Index l) const {
    return {order.data() + start[l], order.data() + start[l + 1]};
  }
};

LevelSets find_level_sets(const DependencyGraph& g, const Levels& levels, Index threads = 1);
LevelSets find_level_sets(const DependencyGraph& g, Index threads = 1);  // both in turn

// How supersteps are formed.  Work is counted in entries: an unknown with k dependencies
// is row_work + k.  An entry takes about a nanosecond.
struct ScheduleOptions {
  double hop = 200;        // from one thread's flag to another's next load
  double task_work = 100;  // a task's own cost: polling, its flag, cold caches
  double run_work = 12;    // a run of neighbouring unknowns: two lines of x and b, partly used
  double row_work = 3;     // an unknown's own share: right-hand side, diagonal, store
  double efficiency_share =
      0.95;  // a window grows while its efficiency is above this share of the best

  // The one list of these options: the CLI and the reports are made from it.
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

// A coarse schedule for a fixed number of threads.  Task (s, t) is what thread t does in
// superstep s; it needs nothing but its own earlier work, itself, and the tasks it waits for.
struct Supersteps {
  struct Wait {
    Index part;  // this thread
    Index step;  // must have finished this superstep
  };
  Index parts = 0;
  Index count = 0;           // supersteps
  Buffer<Index> start;       // size count*parts+1: task s*parts+t holds order[start[..] .. )
  Buffer<Index> order;       // a permutation of the unknowns, tasks in turn, each in sweep order
  Buffer<Index> wait_start;  // size count*parts+1
  Buffer<Wait> waits;        // pruned: none that follows from an earlier wait of the same thread
  double total_work = 0;     // entries
  double makespan = 0;       // estimated end of the last task, in entries of work

  double speedup() const { return makespan > 0 ? total_work / makespan : 1; }
};

// Gathers levels into supersteps for `parts` threads.  The graph must be listed by rows.
// O(n + nnz) time up to the factor that windows overlap (below 2 in practice), O(n) space.
Supersteps find_supersteps(const DependencyGraph& g, const LevelSets& levels, Index parts,
                           const ScheduleOptions& o = {}, Index threads = 0);

// Bytes that a thread block has at most on GPUs of compute capability 9.0 and 10.0; others have
// less.
constexpr Offset most_shared_memory = Offset{227} * 1024;

// Bands: the sweep cut into runs of neighbours, for thread blocks of a device.  A band is one
// block's, which goes through it level by level; what it needs of others are lower bands.
struct BandOptions {
  Index bands = 0;                            // 0: as should end first, likewise
  Index levels = 0;                           // solved before a block looks outside again
  Index threads = 0;                          // of a block, for rows: 32, 64, 128 or 256
  Offset shared_memory = most_shared_memory;  // bytes a block may use
};
struct BandLayout {
  Buffer<Index> first;     // size bands+1: band a holds the positions [first[a], first[a+1])
  Buffer<Index> order;     // the unknown at each position: bands in turn, each by levels
  Buffer<Index> position;  // of each unknown
  Buffer<Index> level;     // of each position

  Index count() const { return static_cast<Index>(first.size()) - 1; }
};
// What should end first, as far as it was not asked for, and when.  O(n), on `threads` threads.
struct BandChoice {
  BandOptions options;
  double seconds = 0;
};
BandChoice choose_bands(const DependencyGraph& g, const Levels& levels,
                        const BandOptions& asked = {}, Index threads = 0);
// `bands` at most, cut where the levels fall most.  O(n), on `threads` threads.
BandLayout lay_bands(const DependencyGraph& g, const Levels& levels, Index bands,
                     Index threads = 0);

// What a block keeps of answers: its own last ones, in one ring, and those it has fetched, in
// another.  An entry of the matrix is multiplied with what lies in a slot: [0, own) is the first
// ring, [own, own+fetched) the second, and the one after always holds zero.
struct BandRings {
  static constexpr Index chunks = 4;  // that may be at work at a time, from fetched to stored

  Index own = 0, fetched = 0;  // powers of two
  constexpr Index zero() const { return own + fetched; }
  constexpr Index slots() const { return zero() + 1; }
  // Chunks that are: as many as there is room for beside rings of such numbers.
  static constexpr Index stages(std::size_t number_bytes) {
    return number_bytes > 8 ? chunks / 2 : chunks;
  }
};

// A band's levels, some at a time: what a block has in shared memory.
struct BandChunk {
  Offset begin, end;      // packed entries
  Index first, rows;      // positions.  A long list comes in several chunks of one row each
  Offset step, fetch;     // the first in Bands::step_end and Bands::fetch
  Index steps, fetches;   // and how many
  Index fetch_slot;       // of the first, counted from the beginning of the second ring
  std::int16_t lanes;     // threads of a row
  std::int16_t per_lane;  // entries of each, with those that are none: 2 or 4
  std::int8_t continues;  // begins with what the chunk before has left
  std::int8_t ends;       // the row is complete
};

struct Bands {
  Index threads = 0;  // of a block, for rows
  Index most_rows = 0;
  BandRings rings;
  Buffer<Index> first;        // as in BandLayout
  Buffer<Index> chunk_start;  // size bands+1
  Buffer<BandChunk> chunks;
  Buffer<std::uint16_t> step_end;  // rows of a chunk up to the end of each of its steps, which are
                                   // levels, or parts of them that the threads have at once
  Buffer<Index> fetch;             // numbers of answers handed on
  Buffer<std::uint16_t> slot;      // of each packed entry
  Buffer<Index> number;            // of each position: those handed on, in turn; -1: kept
  Index published = 0;

  Index count() const { return static_cast<Index>(first.size()) - 1; }
  Offset bytes() const;
};

// The pattern in execution order: what an executor walks from front to back; and where the
// values of it are stored, which only a setup reads.
struct PackedPattern {
  Index n = 0;
  Order lists = Order::rows;
  bool transposed = false;  // M is the transpose of what is stored: for messages
  Buffer<Index> order;      // the k-th unknown
  RisingOffsets start;      // size n+1: list k holds index[start[k] .. start[k+1])
  Buffer<Index> index;      // unknowns, not positions

  RisingOffsets source;    // by unknown: its list's first entry in `from`, or as stored
  SourceMap from;          // empty: lists are stored in one piece
  RisingOffsets diagonal;  // by unknown: stored place; empty if it is unit
  std::vector<ExtraDiagonal> extra;

  Offset nonzeros() const { return static_cast<Offset>(index.size()); }
  Offset bytes() const {
    return static_cast<Offset>(sizeof(Index) * (order.size() + index.size()) +
                               sizeof(ExtraDiagonal) * extra.size()) +
           start.bytes() + source.bytes() + from.bytes() + diagonal.bytes();
  }
};

// Lays the lists of a graph out in the given order.  Consumes the graph.  O(n + nnz), on
// `threads` threads (0: all).
PackedPattern pack_pattern(DependencyGraph&& g, Buffer<Index>&& order, Index threads = 0);

// The chunks of bands.  The pattern is by rows, in the order of the layout; no option is left to be
// chosen.  O(n + nnz).  Throws bad_argument for options that no block can have.
Bands find_bands(const PackedPattern& pattern, const BandLayout& layout, const BandOptions& o,
                 Index threads = 0);

// How the unknowns are scheduled.  The four in the middle are the kernels of Li and Zhang
// (2020): LEVR, LEVC, ELMR, ELMC.
enum class Method {
  automatic,       // asks the model
  serial,          // one thread, the plain sweep
  level_row,       // a barrier after each level; each unknown pulls what it needs
  level_column,    // a barrier after each level; each unknown pushes to what needs it
  element_row,     // each unknown waits for the flags of what it needs
  element_column,  // each unknown waits for its counter to reach zero
  superstep,       // coarse tasks that wait for each other
  // On supernodes.  The first nine are the options of the ICPP 2020 paper.
  plain,        // "default": one BLAS call a block, one block after the other
  stream,       // BLAS calls for the blocks of a level side by side
  team,         // our own kernels for the blocks of a level
  merge,        // the same on merged supernodes
  invert_diag,  // and with inverted diagonal blocks
  invert_off,   // and these applied to the panels below: the partitioned inverse
  spmv,         // the partitioned inverse as one sparse matrix a level
  dynamic,      // invert_off, each task as soon as its own needs are met
  invert_full,  // the whole inverse as one sparse matrix: for reference, small systems only
  tree,         // invert_off on amalgamated supernodes: subtrees to threads, then the top shared
};
constexpr bool is_supernodal(Method m) { return m >= Method::plain; }

// Row methods add up each unknown in one fixed order, so their answer does not depend on
// the number of threads or on who came first.
constexpr Order lists_of(Method m) {
  return m == Method::level_column || m == Method::element_column ? Order::columns : Order::rows;
}
constexpr bool is_deterministic(Method m) { return lists_of(m) == Order::rows; }

}  // namespace echelon
