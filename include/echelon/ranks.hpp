// echelon/ranks.hpp -- options, reports and vector layouts that all solvers of many ranks share.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it, through mpi.hpp or nvshmem.hpp.
#pragma once

#include <optional>
#include <string>

#include "echelon/dist.hpp"
#include "echelon/solve_options.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Where right-hand sides and answers lie.
enum class Placement {
  root,    // all on rank 0
  ranges,  // rank r has rows [n r / ranks, n (r+1) / ranks), as row_range says
};
constexpr auto names(Placement) {
  return name_table<Placement>({{Placement::root, "root"}, {Placement::ranges, "ranges"}});
}

// The rows of rank r.
struct RowRange {
  Index begin, end;
};
RowRange row_range(Index n, Index rank, Index ranks, Placement placement);

struct RankOptions {
  Index rows = 0, cols = 0;  // of the grid; both 0: one row, or a square for the cyclic mapping
  std::optional<TreeShape> tree = {};   // none: binary on CPUs, flat on GPUs
  std::optional<Mapping> mapping = {};  // none: subtree on CPUs, balanced on GPUs
  Placement vectors = Placement::root;
  Index max_panel_columns = 0;  // columns of a block, so that several ranks share a wide supernode;
                                // 0: 128 on CPUs (512 on one rank), 1024 on GPUs (4096 on one; 128
                                // with design coupled)
  Index rhs_per_pass = 16;      // right-hand sides per pass, at most 16
  double timeout_s = 60;        // a call fails after so long without a message; 0: never

  template <class Visitor>
  void visit(Visitor&& v) {
    v("rows", rows, "rows of the grid of ranks, 0 to choose");
    v("cols", cols, "columns of the grid of ranks, 0 to choose");
    v("tree", tree, "shape of the trees of broadcasts and sums");
    v("mapping", mapping, "how blocks are given to ranks");
    v("vectors", vectors, "where right-hand sides and answers lie");
    v("max_panel_columns", max_panel_columns, "columns of a block at most, 0 to choose");
    v("rhs_per_pass", rhs_per_pass, "right-hand sides per pass");
    v("timeout_s", timeout_s, "give up after so long without a message, 0 for never");
  }
};

// The smallest, the mean and the largest value over all ranks.
struct Spread {
  double least = 0, mean = 0, most = 0;
};

// What the reports of all solvers of many ranks have.
struct RankReport {
  Index n = 0;
  Offset nnz = 0;      // of L and U together; 0: not known, as of factors in a file
  std::string method;  // what runs: the engine of MpiSolver, the design of NvshmemSolver
  std::string reason;  // why
  Index ranks = 1;
  ProcessGrid grid;
  TreeShape tree = TreeShape::binary;
  Mapping mapping = Mapping::subtree;
  std::string package, kind, ordering;
  Index supernodes = 0;  // blocks of columns
  Index levels = 0;      // of them, in the lower triangle
  Offset entries = 0;    // of all panels, with the zeros stored in them
  Index uninverted_blocks = 0;
  double analysis_s = 0;  // until every rank had its plan, the slowest rank's
  double setup_s = 0;     // values sent and laid out, in the last setup or update
  Offset bytes = 0;       // values that one solve reads, on all ranks together
  Spread stored_bytes;    // values, per rank
  Spread window_bytes;    // memory that other ranks write to
  Offset solves = 0;      // since the previous report, as all below
  Spread solve_s;         // passes alone, the sum of all solves
  Spread messages;        // sent
  Spread message_bytes;   // values in them
};

}  // namespace echelon
#pragma GCC visibility pop
