// echelon/dist.hpp -- a supernodal triangle distributed over ranks: the owner of each block, the
// plan of each rank, and the communication trees.  Contains no MPI.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after numeric.hpp; feeds rank_pass.hpp.
//
// Blocks.  Block (I, K) of N is the rows of supernode I in the columns of supernode K.  In a solve
// with N, the answers of K go down column K, and partial sums of row I go to its diagonal block.
// In a solve with the transpose, answers go along row I and sums go up column K.  So each
// supernode has two trees, one over the ranks of its column and one over those of its row.  The
// root of both is the owner of the diagonal block, and each tree serves both directions.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "echelon/numeric.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// The blocks below the diagonal: by columns, and an index by rows.
struct BlockList {
  struct Block {
    Index row, col;     // supernodes
    Offset begin, end;  // in Supernodes::row
    Index rows() const { return static_cast<Index>(end - begin); }
  };
  Buffer<Index> start;  // size supernodes+1
  Buffer<Block> block;
  Buffer<Index> in_row_start;  // size supernodes+1
  Buffer<Index> in_row;        // indices into `block`

  std::span<const Block> column(Index k) const {
    return {block.data() + start[k], block.data() + start[k + 1]};
  }
  std::span<const Index> row(Index i) const {
    return {in_row.data() + in_row_start[i], in_row.data() + in_row_start[i + 1]};
  }
};
// O(all rows of s).
BlockList find_blocks(const Supernodes& s);
// The level of each supernode: one more than the highest level it waits for.
std::vector<Index> supernode_levels(const BlockList& blocks, Sweep sweep);

// Ranks as a rectangular grid.
struct ProcessGrid {
  Index rows = 1, cols = 1;
  bool by_columns = false;  // neighbouring ranks are in one grid column, not in one grid row

  Index size() const { return rows * cols; }
  Index rank(Index row, Index col) const {
    return by_columns ? col * rows + row : row * cols + col;
  }
  Index row_of(Index rank) const { return by_columns ? rank % rows : rank / cols; }
  Index col_of(Index rank) const { return by_columns ? rank / rows : rank % cols; }
  ProcessGrid transposed() const { return {cols, rows, !by_columns}; }
};

// The most nearly square grid of `ranks` ranks, with at least as many rows as columns.
ProcessGrid square_grid(Index ranks);

// The owner of each block: a rank of the grid.  `row` and `col` may hold any grid coordinates.
struct BlockMap {
  ProcessGrid grid;
  Buffer<Index> row;  // size supernodes: grid row of the rows of supernode I
  Buffer<Index> col;  // size supernodes: grid column of the columns of supernode K

  Index owner(Index i, Index k) const { return grid.rank(row[i], col[k]); }
  Index root(Index k) const { return owner(k, k); }
  // For a matrix stored as its transpose: block (I, K) is where (K, I) was.
  BlockMap transposed() const { return {grid.transposed(), col, row}; }
};

// How blocks are assigned to ranks.
enum class Mapping {
  cyclic,    // supernode k to row k mod rows and column k mod cols, as SuperLU_DIST does
  subtree,   // whole subtrees to one rank each, as far as possible; the supernodes above them
             // cyclically
  balanced,  // as subtree, but the supernodes above balanced on each level: for GPUs, which work by
             // levels
};
constexpr auto names(Mapping) {
  return name_table<Mapping>({{Mapping::subtree, "subtree"},
                              {Mapping::balanced, "balanced"},
                              {Mapping::cyclic, "cyclic"}});
}
BlockMap map_blocks(const Supernodes& s, const ProcessGrid& grid, Mapping mapping);

enum class TreeShape {
  binary,  // at most two children
  flat,    // all are children of the root
};
constexpr auto names(TreeShape) {
  return name_table<TreeShape>({{TreeShape::binary, "binary"}, {TreeShape::flat, "flat"}});
}

// This rank's parent and children in the trees over rows or over columns, by node.
struct RankTrees {
  Buffer<Index> parent;  // rank of the parent; -1: this rank is the root or not in the tree
  Buffer<Index> child_start = Buffer<Index>(1, 0);  // size nodes+1
  Buffer<Index> child;                              // ranks

  std::span<const Index> children(Index node) const {
    return {child.data() + child_start[node], child.data() + child_start[node + 1]};
  }
  Offset bytes() const { return bytes_of(parent, child_start, child); }
};

// The part of a triangle that one rank works on.  A node is a supernode of which this rank has the
// diagonal block or a block of its row or column.  Vectors of the rank hold the entries of its
// nodes, one node after the other.
struct LocalPlan {
  Index n = 0;  // of the whole triangle
  Index rank = 0;
  Index ranks = 1;
  Buffer<Index> first;     // size supernodes+1, of the whole triangle
  Buffer<Index> root;      // size supernodes: owner of the diagonal block
  Buffer<Index> node;      // rising: the supernode of each node
  Buffer<Index> local_of;  // size supernodes: the node, or -1
  Buffer<Index> start;     // size nodes+1: the node's entries in a vector

  // The diagonal blocks of this rank, as panels without rows below: order[d] is a supernode.
  BlockPlan diagonals;
  Buffer<Index> diagonal;  // size nodes: d, or -1

  // The blocks below the diagonal, by columns.  The rows of all blocks of a column are stored in
  // strips.
  Buffer<Offset> row_start;    // size nodes+1
  Buffer<Index> row;           // positions in a vector, rising
  Buffer<Offset> value_start;  // size nodes+1
  Buffer<Index> block_start;   // size nodes+1: blocks of the column
  struct Block {
    Index column, row;  // nodes
    Offset begin, end;  // in `row` and in the result of a product
  };
  Buffer<Block> block;         // by columns, and in a column by rows
  Buffer<Index> in_row_start;  // size nodes+1
  Buffer<Index> in_row;        // the blocks of each row, by columns

  RankTrees column, across;  // trees over the ranks of a column and over the ranks of a row

  Index nodes() const { return static_cast<Index>(node.size()); }
  Index width(Index c) const { return start[c + 1] - start[c]; }
  Index height(Index c) const { return static_cast<Index>(row_start[c + 1] - row_start[c]); }
  Offset values() const { return value_start.back(); }  // besides those of the diagonal blocks
  Index size() const { return start.back(); }           // of a vector
  Offset bytes() const {
    return bytes_of(first, root, node, local_of, start, diagonals, diagonal, row_start, row,
                    value_start, block_start, block, in_row_start, in_row, column, across);
  }
};

// O(all rows of s).
LocalPlan make_local_plan(const Supernodes& s, const BlockMap& map, Index rank, TreeShape shape);
// For all ranks.
std::vector<LocalPlan> make_local_plans(const Supernodes& s, const BlockMap& map, TreeShape shape,
                                        Index threads = 0);

// The rows (positions) of a node's column that this rank has: those of the diagonal block if the
// rank owns it, then those below.  `with_diagonals`: also the rows of diagonal blocks owned by
// other ranks, for all columns that have rows here.
void list_positions(const LocalPlan& plan, Index c, std::vector<Index>& rows,
                    bool with_diagonals = false);

// The messages of a pass, by peer rank.  A message holds the entries of one supernode for all
// right-hand sides.
struct Traffic {
  Buffer<Index> messages;  // size ranks
  Buffer<Offset> numbers;  // size ranks, per right-hand side
};
struct PassTraffic {
  Traffic sent, received;
};
PassTraffic count_traffic(const LocalPlan& plan, Sweep sweep);

// The longest chain of messages in a pass in which each message waits for the one before.  `all`:
// the plans of all ranks.
Index count_hops(std::span<const LocalPlan> all, Sweep sweep);

// The supernodes of another partition (as Supernodes::first) that cover all entries of s.
Supernodes regroup(const Supernodes& s, std::span<const Index> first);

// Writes some rows (positions) of the columns of supernode k, by columns.
template <Scalar T>
using FillRows = std::function<void(Index k, std::span<const Index> rows, T* columns, Offset ld)>;

// Distributed factors: every rank knows the structure, and has or can read the values of its own
// blocks.  (R A C)(row_order[i], col_order[j]) = (L D U)(i, j), as in Factors.
template <Scalar T>
struct RankFactors {
  Index n = 0;
  std::string package, kind, ordering;
  bool symmetric = false;  // U is the conjugate transpose of L and not stored
  Offset nnz = 0;          // of L and U together, as in DirectReport; 0: not known
  Supernodes lower;        // of L
  Supernodes upper;        // of the transpose of U, with the same partition; empty if symmetric
  FillRows<T> lower_rows, upper_rows;
  std::vector<T> diagonal;                    // D; empty: all 1
  std::vector<Index> row_order, col_order;    // size n; empty: identity
  std::vector<Real<T>> row_scale, col_scale;  // size n; empty: 1
  std::shared_ptr<void> owner;                // owns the memory the rows are read from
};

// Throws bad_argument, naming the place, if triangles, permutations or lengths do not fit together;
// not_finite or zero_diagonal for a bad entry of the diagonal or the scalings.
template <Scalar T>
ECHELON_EXPORT void check_rank_factors(const RankFactors<T>& f);
// Checks only the values of diagonal and scalings.
template <Scalar T>
ECHELON_EXPORT void check_scalings(Index n, const std::vector<T>& diagonal,
                                   const std::vector<Real<T>>& row_scale,
                                   const std::vector<Real<T>>& col_scale);
// Throws bad_argument unless `map` places this many supernodes on this many ranks.
void check_block_map(const BlockMap& map, Index supernodes, Index ranks);

// RankFactors from factors that are complete in this process, in blocks of at most
// `max_panel_columns` columns.  Supernodes are exact, then merged where explicit zeros cost less
// than they save.  `f` must outlive the result; one thread at a time may read the rows.
template <Scalar T>
ECHELON_EXPORT RankFactors<T> distribute_factors(const Factors<T>& f, Index max_panel_columns,
                                                 const SupernodeOptions& o = {});
// New values for the same rows.
template <Scalar T>
ECHELON_EXPORT FillRows<T> rows_of_factor(const Supernodes& s, const FactorTriangle<T>& factor);

// The values of one rank.
template <Scalar T>
struct LocalValues {
  BlockValues<T> diagonals;
  Buffer<T> value;  // size plan.values()
};

// Reads the rank's rows node by node, as list_positions lists them; inverts its diagonal blocks
// where that is accurate enough; checks all values.  Throws as pack_blocks does.
template <Scalar T>
ECHELON_EXPORT void pack_local(const LocalPlan& plan, const FillRows<T>& fill,
                               const NumericOptions& o, LocalValues<T>& out, Index threads = 0);

}  // namespace echelon
#pragma GCC visibility pop
