// echelon/supernode.hpp -- supernodes of a triangle: found, merged, grouped into tasks and laid out
// as panels.  Structure only: nothing here reads a value.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after analysis.hpp; feeds factor.hpp, numeric.hpp and executor.hpp.
//
// One form for all cases.  N is a lower triangle stored by columns; unknowns are numbered in the
// order of its plain sweep ("positions").  A solve with N pushes forwards; a solve with its
// transpose pulls backwards.  A lower M by columns is N itself, and an upper M by rows is the
// transpose of such an N.  The other two cases become these when counted from the end (position k
// is unknown n-1-k).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "echelon/analysis.hpp"
#include "echelon/buffer.hpp"
#include "echelon/options.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// A partition of the positions into runs, and for each run the union of the rows below it that its
// columns reach.
struct Supernodes {
  Index n = 0;
  Buffer<Index> first = Buffer<Index>(1, 0);        // size count+1: s is [first[s], first[s+1])
  Buffer<Offset> row_start = Buffer<Offset>(1, 0);  // size count+1
  Buffer<Index> row;  // rows of s: row[row_start[s] .. row_start[s+1]), rising, all below s

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
  Offset bytes() const { return bytes_of(first, row_start, row); }
};

// Fundamental supernodes: neighbouring columns where the first reaches the second and, below it,
// exactly the rows that the second reaches.  The graph's lists are the columns of N.  O(n + nnz).
Supernodes find_supernodes(const DependencyGraph& g, Index threads = 0);

// Supernodes with a given partition (as Supernodes::first, in positions); each has the union of its
// columns' rows.  Throws bad_argument unless the partition rises from 0 to n.
Supernodes find_supernodes(const DependencyGraph& g, std::span<const Index> first,
                           Index threads = 0);

// Throws bad_argument unless s is a partition with rising rows below each supernode.
void check_supernodes(const Supernodes& s);

// Merges neighbours s, s+1 where s+1 is the first row s reaches (its parent):
// `same`: only with equal structure, as in the ICPP 2020 paper;
// `amalgamate`: also where explicit zeros cost less than the saved panel.
enum class Merging { same, amalgamate };
Supernodes merge_supernodes(const Supernodes& s, Merging merging, const SupernodeOptions& o = {});

// Cuts supernodes wider than `max_panel_columns` into equal parts of whole strips.
Supernodes split_supernodes(const Supernodes& s, Index max_panel_columns);
// Cuts supernodes where parts begin: `first` is a partition that contains theirs.
Supernodes split_supernodes(const Supernodes& s, std::span<const Index> first);

// Levels of the graph of supernodes: a supernode depends on all whose rows reach it.
LevelSets find_level_sets(const Supernodes& s);

// The columns on the longest path through the graph: levels that a solve column by column has.
Index find_path_columns(const Supernodes& s);

// A panel is the trapezoid of a supernode: w columns, its own w rows and h rows below.  It is
// stored in strips of rows, each strip by columns, so that a product reads it as one stream.
//
// In a strip that crosses the triangle, a column begins at the group of rows with its diagonal
// entry, so that at most group-1 entries above the diagonal are stored.  Rows are padded to whole
// groups.  For BLAS, a panel is one strip with its triangle stored as a square.
struct PanelShape {
  static constexpr Index group = 8;   // padding of rows: one or two vector registers
  static constexpr Index strip = 32;  // rows per strip
};
enum class PanelLayout : std::uint8_t {
  strips,  // for our own kernels
  plain,   // one strip, by columns, leading dimension width + height: for BLAS
};

// Strip k of a panel of width w with `rows` = w + height rows in total.
struct Strip {
  Index begin;   // first row
  Index rows;    // stored rows, a multiple of the group
  Index full;    // columns 0 .. full-1 have all rows
  Index stair;   // further columns, each beginning at the group of its diagonal entry
  Offset start;  // from the panel's first value

  // Values of the first `count` stair columns; every 8 columns, columns get 8 rows shorter.
  constexpr Offset stair_size(Index count) const {
    constexpr Offset g = PanelShape::group;
    const Offset steps = count / g, rest = count % g;
    return Offset{count} * rows - g * (g * steps * (steps - 1) / 2 + rest * steps);
  }
  constexpr Offset size() const { return Offset{full} * rows + stair_size(stair); }
  // The first stored row of column j, from `begin`, and its offset from the panel's first value.
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
// Offset of strip k from the panel's first value.  O(1): strips above row w grow by the width of a
// strip each; those below are all equal.
constexpr Offset strip_start(Index w, Index k) {
  constexpr Offset r = PanelShape::strip;
  const Offset whole = std::min<Offset>(k, w / r);  // strips before k that are above row w
  const Offset start = r * r * (whole * (whole - 1) / 2) + whole * Strip{0, r, 0, r, 0}.size();
  if (k == whole) return start;
  const auto cut = static_cast<Index>(r * whole);  // the strip that row w crosses
  return start + Strip{cut, r, cut, w - cut, 0}.size() + (k - whole - 1) * r * w;
}
constexpr Strip strip_of(Index w, Index h, Index k) {
  constexpr Index r = PanelShape::strip, g = PanelShape::group;
  const Index begin = r * k, full = std::min(w, begin);
  const auto rows = static_cast<Index>(std::min<Offset>(r, Offset{w} + h - begin));
  return {begin, (rows + g - 1) / g * g, full, std::min(w - full, r),
          k == 0 ? 0 : strip_start(w, k)};  // small panels have only one strip
}
// The rows below the diagonal alone, where the diagonal block is stored elsewhere: strips of all
// columns.
constexpr Strip rectangle_strip(Index w, Index h, Index k) {
  constexpr Index r = PanelShape::strip, g = PanelShape::group;
  return {r * k, (std::min(r, h - r * k) + g - 1) / g * g, w, 0, Offset{r} * k * w};
}
constexpr Offset rectangle_size(Index w, Index h) {
  constexpr Offset g = PanelShape::group;
  return w * ((h + g - 1) / g * g);
}
// The number of stored values.
constexpr Offset panel_size(PanelLayout layout, Index w, Index h) {
  if (layout == PanelLayout::plain) return Offset{w} * (Offset{w} + h);
  const Index count = strip_count(w, h);
  if (count == 0) return 0;
  const Strip last = strip_of(w, h, count - 1);
  return last.start + last.size();
}

// Chunks of the panels that are divided among threads.
struct Chunks {
  Buffer<Index> start;  // size tasks+1: chunks of task t; none if one thread runs the whole task
  Buffer<Index> begin;  // size chunks: first strip or column of each
  bool shared(Index t) const { return start[t] < start[t + 1]; }
  Offset bytes() const { return bytes_of(start, begin); }
};

// A task is one supernode, or a whole subtree run by one thread.  Each task has its own vector: the
// unknowns of its supernodes, then all outside rows that they reach, rising.  Forwards, the outside
// part holds the updates for later tasks, which fetch them.  No task adds to another's memory: no
// atomics, and the same sums in the same order for any number of threads.
struct BlockPlan {
  Index n = 0;
  bool reversed = false;  // position k is unknown n-1-k
  bool pull = false;      // M is the transpose of N
  PanelLayout layout = PanelLayout::strips;
  Supernodes supernodes;
  Buffer<Offset> value_start;  // size count+1, in order of execution: panel of order[k]
  Buffer<Index> order;         // supernodes, task by task, each task by rising position

  Buffer<Index> task_start;      // size tasks+1: task t is order[task_start[t] .. task_start[t+1])
  Buffer<Offset> space_start;    // size tasks+1: the vector of each task
  Buffer<Index> own;             // size tasks: unknowns of the task, the first part of its vector
  Buffer<Offset> outside_start;  // size tasks+1
  Buffer<Index> outside;         // positions of the second part
  Buffer<Offset> local_start;    // size count+1, by k: rows of panel k in the vector of its task;
  Buffer<Index> local;           // none for tasks of one supernode, where row i is own + i
  Buffer<Offset> fetch_start;    // size n+1, by position: updates from other tasks
  Buffer<Index> fetch;           // offsets in the space of all tasks

  Buffer<Index> level_start;  // size levels+1: level l is tasks [level_start[l], level_start[l+1])
  Buffer<Index> need_start;   // size tasks+1: tasks that wait for t
  Buffer<Index> need;
  Chunks by_rows;                // chunks of large panels: some strips each
  Buffer<Offset> partial_start;  // size chunks+1: space for partial sums over rows, when pulling
  Chunks by_columns;  // chunks of their diagonal blocks, when these are pulled separately

  Index tasks() const { return static_cast<Index>(own.size()); }
  Index levels() const {
    return level_start.empty() ? 0 : static_cast<Index>(level_start.size()) - 1;
  }
  Offset space() const { return space_start.empty() ? 0 : space_start.back(); }
  Offset values() const { return value_start.empty() ? 0 : value_start.back(); }
  Index unknown(Index k) const { return reversed ? n - 1 - k : k; }
  Offset bytes() const {
    return bytes_of(supernodes, value_start, order, task_start, space_start, own, outside_start,
                    outside, local_start, local, fetch_start, fetch, level_start, need_start, need,
                    by_rows, partial_start, by_columns);
  }
};

// How supernodes are grouped into tasks.
enum class Tasks {
  single,    // one supernode each
  subtrees,  // small subtrees as one task
};

// The content of a panel [D; P] of a supernode.
enum class BlockForm : std::uint8_t {
  triangle,          // D and P: solve with the diagonal block
  inverse_diagonal,  // D^-1 and P
  inverse,           // D^-1 and P D^-1: one product applies both
};

// What a supernodal method needs.
struct BlockRecipe {
  bool merges = false;
  Merging merging = Merging::same;
  Tasks tasks = Tasks::single;
  PanelLayout layout = PanelLayout::strips;
  BlockForm form = BlockForm::triangle;
};
BlockRecipe recipe_of(Method method);

// Statistics for the report.
struct SupernodeReport {
  Index found = 0;         // supernodes before merging
  Index count = 0;         // and after
  Index levels_found = 0;  // levels of the supernodes before merging
  Index levels = 0;        // and after
  Index tasks = 0;
  Index task_levels = 0;
  Index max_panel_columns = 0;
  Index cut = 0;              // supernodes cut into parts that can be inverted
  Offset nonzeros = 0;        // exact, diagonal included
  Offset explicit_zeros = 0;  // inside the panels, from merging and from the package
  Offset stored = 0;          // stored values, padding included
};

// Merges and groups as the recipe says, and lays out the plan.  Expects report.nonzeros to be set.
// O(n + rows of all supernodes) time and space.
BlockPlan plan_blocks(Supernodes&& s, const BlockRecipe& recipe, const SupernodeOptions& o,
                      SupernodeReport& report);
// The same plan with its supernodes cut where the parts of `first` begin.  Updates the report.
BlockPlan cut_blocks(const BlockPlan& plan, std::span<const Index> first, const BlockRecipe& recipe,
                     const SupernodeOptions& o, SupernodeReport& report);

}  // namespace echelon
#pragma GCC visibility pop
