// echelon/supernode.hpp -- supernodes of a triangle: found, merged, gathered into tasks, and
// laid out as blocks.  Structure only: nothing here reads a value.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after analysis.hpp; feeds factor.hpp, numeric.hpp and executor.hpp.
//
// One shape serves all.  N is a lower triangle kept by columns; unknowns are counted in the
// order of its plain sweep ("positions").  Solving with N pushes forwards, with its transpose
// pulls backwards, and those two are all there is: a lower M by columns is N itself, an upper M
// by rows is the transpose of such an N, and the other two are these seen from the far end
// (position k is unknown n-1-k).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "echelon/analysis.hpp"
#include "echelon/buffer.hpp"

namespace echelon {

// A partition of the positions into runs, and for each run the rows below it that any of its
// columns reaches.
struct Supernodes {
  Index n = 0;
  Buffer<Index> first = Buffer<Index>(1, 0);        // size count+1: s is [first[s], first[s+1])
  Buffer<Offset> row_start = Buffer<Offset>(1, 0);  // size count+1
  Buffer<Index> row;  // those of s: row[row_start[s] .. row_start[s+1]), rising, all below s

  Index count() const { return static_cast<Index>(first.size()) - 1; }
  Index width(Index s) const { return first[s + 1] - first[s]; }
  Index height(Index s) const { return static_cast<Index>(row_start[s + 1] - row_start[s]); }
  std::span<const Index> rows(Index s) const {
    return {row.data() + row_start[s], row.data() + row_start[s + 1]};
  }
  // Entries of the panel of s: its triangle and all rows below.
  Offset entries(Index s) const {
    const Offset w = width(s);
    return w * (w + 1) / 2 + w * height(s);
  }
  Offset entries() const;
};

// Whether M is kept by columns (push) or by rows (pull).  Automatic: lower triangles by columns,
// upper ones by rows, where the supernodes of a factorization are.
enum class Direction { automatic, push, pull };

// How supernodes are merged and gathered.
struct SupernodeOptions {
  double merge_zeros = 0.5;       // of a merged panel at most this share may be explicit zeros
  double panel_work = 100;        // what a panel costs besides its entries, in entries
  double row_work = 3;            // what each of its rows costs
  bool merge_siblings = false;    // not only a child and its parent, also two children of one
  Index max_panel_columns = 512;  // panels that are inverted are cut to about this width
  double subtree_share =
      0.01;  // a gathered subtree holds at most this share of all entries; 0: none is
  Index chunk_entries = 32768;  // a panel is shared out among threads in pieces of about this
  Direction direction = Direction::automatic;

  // The one list of these options: the CLI and the reports are made from it.
  template <class Visitor>
  void visit(Visitor&& v) {
    v("merge_zeros", merge_zeros, "share of explicit zeros a merged panel may have");
    v("panel_work", panel_work, "cost of a panel besides its entries, in entries");
    v("row_work", row_work, "cost of a row of a panel, in entries");
    v("merge_siblings", merge_siblings, "whether panels with the same parent are merged too");
    v("max_panel_columns", max_panel_columns, "columns a panel that is inverted may have");
    v("subtree_share", subtree_share, "share of all entries a gathered subtree may have");
    v("chunk_entries", chunk_entries, "entries of a large panel one thread takes at a time");
    v("direction", direction, "automatic, push (by columns) or pull (by rows)");
  }
};

// The same for the persistent solve on GPUs, where they have not been set: there a panel costs its
// thread block a microsecond or two, in which it could have read some thousand entries.  So merging
// pays for longer, of siblings too, and gathered subtrees do not: their panels follow each other,
// where others run side by side.  Wide panels are cut into tiles anyway.
SupernodeOptions for_tiles(SupernodeOptions s);

// Fundamental supernodes: neighbouring columns where the first reaches the second and, beyond
// it, the very rows the second does.  The graph's lists are the columns of N.  O(n + nnz).
Supernodes find_supernodes(const DependencyGraph& g, Index threads = 0);

// Supernodes with a given partition (as Supernodes::first, in positions): the union of rows of
// each.  Throws bad_argument if it is no rising sequence from 0 to n.
Supernodes find_supernodes(const DependencyGraph& g, std::span<const Index> first,
                           Index threads = 0);

// Throws bad_argument unless s is a partition with rising rows below each of its members.
void check_supernodes(const Supernodes& s);

// Merges neighbours s, s+1 where s+1 is the first row s reaches (its parent):
// `same`: only those of one structure, as the ICPP 2020 paper does;
// `amalgamate`: those too whose explicit zeros cost less than the panel that is saved.
enum class Merging { same, amalgamate };
Supernodes merge_supernodes(const Supernodes& s, Merging merging, const SupernodeOptions& o = {});

// Cuts supernodes wider than `max_panel_columns` into even parts, whole strips wide.
Supernodes split_supernodes(const Supernodes& s, Index max_panel_columns);

// Levels of the graph of supernodes: a member depends on all whose rows reach it.
LevelSets find_level_sets(const Supernodes& s);

// A panel is the trapezoid of a supernode: w columns, its own w rows and h rows below.  It is
// kept in strips of rows, each strip by columns: what a product with it reads is one stream.
//
// In a strip that cuts the triangle, a column begins at the group of rows its diagonal entry is
// in, so that at most group-1 entries above the diagonal are stored.  Rows are padded to whole
// groups.  For BLAS, a panel is one strip with its triangle stored as a square.
struct PanelShape {
  static constexpr Index group = 8;   // rows padded to this; a vector register or two
  static constexpr Index strip = 32;  // rows of a strip
};
enum class PanelLayout : std::uint8_t {
  strips,  // for our own kernels
  plain,   // one strip, by columns, leading dimension width + height: for BLAS
};

// Strip k of a panel with width w and `rows` = w + height rows in all.
struct Strip {
  Index begin;   // first row
  Index rows;    // rows that are stored, a multiple of the group
  Index full;    // columns 0 .. full-1 have all rows
  Index stair;   // further columns, each beginning at the group of its diagonal entry
  Offset start;  // from the panel's first value

  // Values of the first `count` stair columns; steps of 8 columns get shorter by 8 rows each.
  constexpr Offset stair_size(Index count) const {
    constexpr Offset g = PanelShape::group;
    const Offset steps = count / g, rest = count % g;
    return Offset{count} * rows - g * (g * steps * (steps - 1) / 2 + rest * steps);
  }
  constexpr Offset size() const { return Offset{full} * rows + stair_size(stair); }
  // Column j's first stored row, counted from `begin`, and its place from the panel's first value.
  constexpr Index top(Index j) const {
    return j < full ? 0 : (j - full) / PanelShape::group * PanelShape::group;
  }
  constexpr Offset column(Index j) const {
    return start + Offset{std::min(j, full)} * rows + (j < full ? 0 : stair_size(j - full));
  }
};
constexpr Index strip_count(Index w, Index h) {
  return static_cast<Index>((Offset{w} + h + PanelShape::strip - 1) / PanelShape::strip);
}
// Where strip k begins, from the panel's first value.  O(1): strips above row w grow by a strip's
// width each; those below it are all alike.
constexpr Offset strip_start(Index w, Index k) {
  constexpr Offset r = PanelShape::strip;
  const Offset whole = std::min<Offset>(k, w / r);  // strips before k that lie above row w
  const Offset start = r * r * (whole * (whole - 1) / 2) + whole * Strip{0, r, 0, r, 0}.size();
  if (k == whole) return start;
  const auto cut = static_cast<Index>(r * whole);  // the strip that row w cuts
  return start + Strip{cut, r, cut, w - cut, 0}.size() + (k - whole - 1) * r * w;
}
constexpr Strip strip_of(Index w, Index h, Index k) {
  constexpr Index r = PanelShape::strip, g = PanelShape::group;
  const Index begin = r * k, full = std::min(w, begin);
  const auto rows = static_cast<Index>(std::min<Offset>(r, Offset{w} + h - begin));
  return {begin, (rows + g - 1) / g * g, full, std::min(w - full, r),
          k == 0 ? 0 : strip_start(w, k)};  // a small panel has but one
}
// Rows below the diagonal by themselves, where the diagonal block lies elsewhere: strips of all
// columns.
constexpr Strip rectangle_strip(Index w, Index h, Index k) {
  constexpr Index r = PanelShape::strip, g = PanelShape::group;
  return {r * k, (std::min(r, h - r * k) + g - 1) / g * g, w, 0, Offset{r} * k * w};
}
constexpr Offset rectangle_size(Index w, Index h) {
  constexpr Offset g = PanelShape::group;
  return w * ((h + g - 1) / g * g);
}
// Values stored.
constexpr Offset panel_size(PanelLayout layout, Index w, Index h) {
  if (layout == PanelLayout::plain) return Offset{w} * (Offset{w} + h);
  const Index count = strip_count(w, h);
  if (count == 0) return 0;
  const Strip last = strip_of(w, h, count - 1);
  return last.start + last.size();
}

// Pieces of the panels that are shared out among threads.
struct Chunks {
  Buffer<Index> start;  // size tasks+1: pieces of task t; none if one thread runs it whole
  Buffer<Index> begin;  // size pieces: first strip or column of each
  bool shared(Index t) const { return start[t] < start[t + 1]; }
};

// A task is one supernode, or a whole subtree of them run by one thread.  It works in a vector
// of its own: first the unknowns of its supernodes in turn, then all rows outside that they
// reach, rising.  Forwards the outside part is what the task has to say to later ones, and is
// fetched by those; nobody adds to another's memory, so no atomics, and the same sums in the
// same order for every number of threads.
struct BlockPlan {
  Index n = 0;
  bool reversed = false;  // position k is unknown n-1-k
  bool pull = false;      // M is the transpose of N
  PanelLayout layout = PanelLayout::strips;
  Supernodes supernodes;
  Buffer<Offset> value_start;  // size count+1, in order of execution: panel of order[k]
  Buffer<Index> order;         // supernodes, tasks in turn, inside a task by rising position

  Buffer<Index> task_start;      // size tasks+1: task t is order[task_start[t] .. task_start[t+1])
  Buffer<Offset> space_start;    // size tasks+1: the task's vector
  Buffer<Index> own;             // size tasks: unknowns of the task, the first part of its vector
  Buffer<Offset> outside_start;  // size tasks+1
  Buffer<Index> outside;         // positions of the second part
  Buffer<Offset> local_start;    // size count+1, by k: rows of panel k in its task's vector;
  Buffer<Index> local;           // none for tasks of one supernode, where row i is own + i
  Buffer<Offset> fetch_start;    // size n+1, by position: what other tasks say to it
  Buffer<Index> fetch;           // places in the space of all tasks

  Buffer<Index> level_start;  // size levels+1: level l is tasks [level_start[l], level_start[l+1])
  Buffer<Index> need_start;   // size tasks+1: tasks that wait for t
  Buffer<Index> need;
  Chunks by_rows;                // pieces of large panels: some strips each
  Buffer<Offset> partial_start;  // size pieces+1: room for their sums over rows, when pulling
  Chunks by_columns;             // pieces of their diagonal blocks, when these pull apart

  Index tasks() const { return static_cast<Index>(own.size()); }
  Index levels() const {
    return level_start.empty() ? 0 : static_cast<Index>(level_start.size()) - 1;
  }
  Offset space() const { return space_start.empty() ? 0 : space_start.back(); }
  Offset values() const { return value_start.empty() ? 0 : value_start.back(); }
  Index unknown(Index k) const { return reversed ? n - 1 - k : k; }
  Offset bytes() const;
};

// How tasks are formed.
enum class Tasks {
  single,    // one supernode each
  subtrees,  // small subtrees as a whole
};

// What a panel [D; P] of a supernode holds.
enum class BlockForm : std::uint8_t {
  triangle,          // D and P as they are: the diagonal block is solved with
  inverse_diagonal,  // D^-1 and P
  inverse,           // D^-1 and P D^-1: one product does both
};

// What a supernodal method asks for.
struct BlockRecipe {
  bool merges = false;
  Merging merging = Merging::same;
  Tasks tasks = Tasks::single;
  PanelLayout layout = PanelLayout::strips;
  BlockForm form = BlockForm::triangle;
};
BlockRecipe recipe_of(Method method);

// What was found, for the report.
struct SupernodeReport {
  Index found = 0;         // supernodes before merging
  Index count = 0;         // and after
  Index levels_found = 0;  // levels of the supernodes before merging
  Index levels = 0;        // and after
  Index tasks = 0;
  Index task_levels = 0;
  Index max_panel_columns = 0;
  Offset nonzeros = 0;        // exact, diagonal included
  Offset explicit_zeros = 0;  // inside the panels, by merging and as the factor came
  Offset stored = 0;          // values kept, padding included
};

// Merges and gathers as the recipe says, and lays the plan out.  The report's `nonzeros` is
// filled in already.  O(n + rows of all supernodes) time and space.
BlockPlan plan_blocks(Supernodes&& s, const BlockRecipe& recipe, const SupernodeOptions& o,
                      SupernodeReport& report);

// What runs on a GPU.
struct CudaOptions {
  Index device = -1;          // by CUDA's number; -1: the one that is current at the analysis
  double watchdog_ms = 2000;  // a kernel that waits for itself longer than any solve takes is wrong
  Index blocks = 0;           // thread blocks of a kernel that runs from first to last panel
  Index bands = 0;            // of method superstep; 0: chosen, likewise
  Index band_threads = 0;     // of a block
  Index band_levels = 0;      // of a chunk
  Index shared_memory = 0;    // KiB of a block at most: a large GPU stands in for a smaller one
  Index right_sides = 1;      // at once, that setup makes room for; for more, the first solve does

  template <class Visitor>
  void visit(Visitor&& v) {
    v("device", device, "which GPU, by its number, -1 for the current one");
    v("watchdog_ms", watchdog_ms, "give a solve up after so many milliseconds, 0 for never");
    v("blocks", blocks, "thread blocks of a persistent solve, 0 for as many as fit");
    v("bands", bands, "bands of method superstep, 0 to choose");
    v("band_threads", band_threads, "threads of a block that runs bands, 0 to choose");
    v("band_levels", band_levels, "levels a block solves between two looks outside, 0 to choose");
    v("shared_memory", shared_memory,
      "KiB of shared memory a thread block may use, 0 for all the device has");
    v("right_sides", right_sides, "right-hand sides at once that setup prepares for");
  }
};

// All that a solve needs to know of a pattern: what to read in which order, and who waits.
struct Plan {
  Method method = Method::serial;
  Index threads = 1;
  Index rhs_per_pass = 16;                         // right-hand sides of one pass over panels
  VectorUnit vector_unit = VectorUnit::automatic;  // of CPU kernels; automatic: the widest
  CudaOptions cuda;                                // of a plan for a GPU
  PackedPattern pattern;
  Buffer<Index> level_start;  // level methods: level l is positions [level_start[l], ..[l+1])
  Supersteps steps;           // superstep on CPU threads
  Bands bands;                // superstep on a device
  BlockPlan blocks;           // supernodal methods
};

}  // namespace echelon
