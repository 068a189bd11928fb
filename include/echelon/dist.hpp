// echelon/dist.hpp -- a supernodal triangle shared out among ranks: who has which block, what each
// rank works on, and along which trees ranks talk.  No MPI in here.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after numeric.hpp; feeds rank_pass.hpp.
//
// Blocks.  Block (I, K) of N is the rows of supernode I in the columns of supernode K.  Solving
// with N, the answers of K go down column K and sums of row I go to its diagonal block; solving
// with its transpose, answers go along row I and sums go up column K.  So there are two trees a
// supernode, one over the ranks of its column and one over those of its row, both with the
// diagonal block's rank as root, and each serves one way as well as the other.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "echelon/numeric.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// One way of a solve: with N, or with its transpose.
enum class Way { forwards, backwards };

// The blocks below the diagonal: those of a column by rows, and those of a row by columns.
struct BlockList {
  struct Block {
    Index row, col;     // supernodes
    Offset begin, end;  // of Supernodes::row
    Index rows() const { return static_cast<Index>(end - begin); }
  };
  Buffer<Index> start;  // size supernodes+1
  Buffer<Block> block;
  Buffer<Index> in_row_start;  // size supernodes+1
  Buffer<Index> in_row;        // which of `block`

  std::span<const Block> column(Index k) const {
    return {block.data() + start[k], block.data() + start[k + 1]};
  }
  std::span<const Index> row(Index i) const {
    return {in_row.data() + in_row_start[i], in_row.data() + in_row_start[i + 1]};
  }
};
// O(all rows of s).
BlockList find_blocks(const Supernodes& s);
// Of supernodes: one more than the highest of those it waits for.
std::vector<Index> supernode_levels(const BlockList& blocks, Way way);

// Ranks as a rectangle.
struct ProcessGrid {
  Index rows = 1, cols = 1;
  bool by_columns = false;  // neighbouring ranks lie in one column, not in one row

  Index size() const { return rows * cols; }
  Index rank(Index row, Index col) const {
    return by_columns ? col * rows + row : row * cols + col;
  }
  Index row_of(Index rank) const { return by_columns ? rank % rows : rank / cols; }
  Index col_of(Index rank) const { return by_columns ? rank / rows : rank % cols; }
  ProcessGrid transposed() const { return {cols, rows, !by_columns}; }
};

// The grid of so many ranks that is nearest to a square, with no fewer rows than columns.
ProcessGrid square_grid(Index ranks);

// Which rank has which block.  Any two lists of coordinates will do.
struct BlockMap {
  ProcessGrid grid;
  Buffer<Index> row;  // size supernodes: the row of the grid that has the rows of I
  Buffer<Index> col;  // likewise the column that has the columns of K

  Index owner(Index i, Index k) const { return grid.rank(row[i], col[k]); }
  Index root(Index k) const { return owner(k, k); }
  // Of a matrix kept as its transpose: block (I, K) is where (K, I) was.
  BlockMap transposed() const { return {grid.transposed(), col, row}; }
};

// How blocks are given to ranks.
enum class Mapping {
  cyclic,    // supernode k to row k mod rows and column k mod cols, as SuperLU_DIST does
  subtree,   // subtrees whole to one rank, as far as ranks are enough; what is above them in turn
  balanced,  // the same, but what is above evenly on each level: for GPUs, which work by levels
};
const char* name(Mapping mapping) noexcept;
BlockMap map_blocks(const Supernodes& s, const ProcessGrid& grid, Mapping mapping);

enum class TreeShape {
  binary,  // two children at most
  flat,    // all are the root's
};
const char* name(TreeShape shape) noexcept;

// This rank's places in the trees over rows or over columns, by node.
struct RankTrees {
  Buffer<Index> parent;                             // its rank; -1: the root, or not in the tree
  Buffer<Index> child_start = Buffer<Index>(1, 0);  // size nodes+1
  Buffer<Index> child;                              // ranks

  std::span<const Index> children(Index node) const {
    return {child.data() + child_start[node], child.data() + child_start[node + 1]};
  }
};

// What one rank has of a triangle.  A node is a supernode of which something passes through here:
// the rank has its diagonal block, or a block of its row or column.  Vectors of the rank hold the
// numbers of its nodes, one after the other.
struct LocalPlan {
  Index n = 0;  // of the whole triangle
  Index rank = 0;
  Index ranks = 1;
  Buffer<Index> first;     // size supernodes+1, of the whole triangle
  Buffer<Index> root;      // size supernodes: who has the diagonal block
  Buffer<Index> node;      // rising: the supernode of each
  Buffer<Index> local_of;  // size supernodes: the node, or -1
  Buffer<Index> start;     // size nodes+1: its numbers in a vector

  // Diagonal blocks here, as panels without rows below: order[d] is a supernode.
  BlockPlan diagonals;
  Buffer<Index> diagonal;  // size nodes: d, or -1

  // The blocks below the diagonal, by columns: rows of all of them, in strips.
  Buffer<Offset> row_start;    // size nodes+1
  Buffer<Index> row;           // places in a vector, rising
  Buffer<Offset> value_start;  // size nodes+1
  Buffer<Index> block_start;   // size nodes+1: blocks of the column
  struct Block {
    Index column, row;  // nodes
    Offset begin, end;  // of `row` and of what a product leaves
  };
  Buffer<Block> block;         // by columns, and in a column by rows
  Buffer<Index> in_row_start;  // size nodes+1
  Buffer<Index> in_row;        // the blocks of each row, by columns

  RankTrees column, across;  // trees over the ranks of a column, and of a row

  Index nodes() const { return static_cast<Index>(node.size()); }
  Index width(Index c) const { return start[c + 1] - start[c]; }
  Index height(Index c) const { return static_cast<Index>(row_start[c + 1] - row_start[c]); }
  Offset values() const { return value_start.back(); }  // besides those of the diagonals
  Index size() const { return start.back(); }           // of a vector
  Offset bytes() const;
};

// O(all rows of s).
LocalPlan make_local_plan(const Supernodes& s, const BlockMap& map, Index rank, TreeShape shape);
// Those of all ranks.
std::vector<LocalPlan> make_local_plans(const Supernodes& s, const BlockMap& map, TreeShape shape,
                                        Index threads = 0);

// The rows (positions) a rank has of a node's column: those of the diagonal block, if it is here,
// then those below.  `with_diagonals`: those of the diagonal block also where it is another rank's,
// of all columns that have rows here.
void list_positions(const LocalPlan& plan, Index c, std::vector<Index>& rows,
                    bool with_diagonals = false);

// The messages of a pass, by the rank at the other end.  Each is the numbers of one supernode, for
// every right-hand side.
struct Traffic {
  Buffer<Index> messages;  // size ranks
  Buffer<Offset> numbers;  // size ranks, for one right-hand side
};
struct PassTraffic {
  Traffic sent, received;
};
PassTraffic count_traffic(const LocalPlan& plan, Way way);

// The most messages of a pass that wait for each other, one after the other.  `all`: the plans of
// all ranks.
Index count_hops(std::span<const LocalPlan> all, Way way);

// The supernodes of a partition (as Supernodes::first) that have all entries s has.
Supernodes regroup(const Supernodes& s, std::span<const Index> first);

// Writes some rows (positions) of the columns of supernode k, by columns.
template <Scalar T>
using FillRows = std::function<void(Index k, std::span<const Index> rows, T* columns, Offset ld)>;

// Factors of which a rank has, or can read, what the map gives it; the structure is known to all.
// (R A C)(row_order[i], col_order[j]) = (L D U)(i, j), as in Factors.
template <Scalar T>
struct RankFactors {
  Index n = 0;
  std::string package, kind, ordering;
  bool symmetric = false;  // U is the conjugate transpose of L and kept once
  Supernodes lower;        // of L
  Supernodes upper;        // of the transpose of U, with the same partition; empty if symmetric
  FillRows<T> lower_rows, upper_rows;
  std::vector<T> diagonal;                    // D; empty if it is 1
  std::vector<Index> row_order, col_order;    // size n; empty: as they are
  std::vector<Real<T>> row_scale, col_scale;  // size n; empty: 1
  std::shared_ptr<void> owner;                // keeps alive what the rows are read from
};

// Throws bad_argument, naming the place, unless triangles, orders and lengths fit each other;
// not_finite or zero_diagonal for a number of the diagonal or the scalings.
template <Scalar T>
ECHELON_EXPORT void check_rank_factors(const RankFactors<T>& f);
// Of these the numbers alone.
template <Scalar T>
ECHELON_EXPORT void check_scalings(Index n, const std::vector<T>& diagonal,
                                   const std::vector<Real<T>>& row_scale,
                                   const std::vector<Real<T>>& col_scale);
// Throws bad_argument unless every one of so many supernodes has a place on a grid of so many
// ranks.
void check_block_map(const BlockMap& map, Index supernodes, Index ranks);

// The same of factors that lie here as a whole, in blocks of at most `max_panel_columns` columns:
// what is nonzero, and what zeros pay for.  `f` must outlive it; the rows are for one thread.
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

// Fetches the rank's rows, one node after the other, each as list_positions says; inverts its
// diagonal blocks where that can be trusted, and checks. Throws as pack_blocks does.
template <Scalar T>
ECHELON_EXPORT void pack_local(const LocalPlan& plan, const FillRows<T>& fill,
                               const NumericOptions& o, LocalValues<T>& out, Index threads = 0);

}  // namespace echelon
#pragma GCC visibility pop
