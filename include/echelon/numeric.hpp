// echelon/numeric.hpp -- the values of a triangle, laid out as its packed pattern or its
// supernodes' panels are.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after supernode.hpp; feeds executor.hpp.  Never changes a pattern.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "echelon/analysis.hpp"
#include "echelon/factor.hpp"
#include "echelon/supernode.hpp"

namespace echelon {

// What the diagonal array of a packed triangle holds.
enum class DiagonalForm {
  unit,        // nothing: every entry is 1
  reciprocal,  // 1/d, so that a solve multiplies
  plain,       // d itself: some 1/d would overflow or lose digits, so a solve divides
};

template <Scalar T>
struct PackedValues {
  Buffer<T> value;     // one for each packed entry
  Buffer<T> diagonal;  // the k-th, in the form said below
  DiagonalForm form = DiagonalForm::unit;
};

// A matrix by rows in two triangles of one order; `near` has the diagonal.
template <Scalar T>
struct SplitMatrix {
  const PackedPattern& near;
  const PackedValues<T>& near_values;
  const PackedPattern& across;
  const PackedValues<T>& across_values;
};

// Fetches the stored values into packed order; conjugates them if asked.  Called again with
// new values it allocates nothing.  O(n + nnz), on `threads` threads (0: all).
// Throws zero_diagonal (exactly zero) or not_finite (NaN, infinity) with the row, and
// bad_argument if there are not `stored` values; what was packed before is lost then.
template <Scalar T>
void pack_values(const PackedPattern& pattern, std::span<const T> stored, Offset stored_count,
                 bool conjugated, PackedValues<T>& out, Index threads = 0);

// The type of half the size to store values in; the same where there is none.
template <Scalar T>
struct LowOf {
  using type = T;
};
template <>
struct LowOf<double> {
  using type = float;
};
template <>
struct LowOf<std::complex<double>> {
  using type = std::complex<float>;
};
template <Scalar T>
using Low = typename LowOf<T>::type;

struct NumericOptions {
  bool low_precision = false;   // store double as float: half the traffic, refine afterwards
  double largest_growth = 1e4;  // diagonal blocks with a larger | |D^-1| |D| | stay triangles

  template <class Visitor>
  void visit(Visitor&& v) {
    v("low_precision", low_precision, "store the values in single precision");
    v("largest_growth", largest_growth, "invert no diagonal block of a larger condition estimate");
  }
};

// Sparse matrices by rows, applied in turn: z += M z.  z holds the right-hand sides of all
// positions and, n further on, their answers, which begin as zero.  No row of a matrix is read by
// another of the same.
template <Scalar T>
struct LevelMatrices {
  Buffer<Index> level_start = Buffer<Index>(1, 0);  // size levels+1: rows of level l
  Buffer<Index> row;                                // its place in z
  Buffer<Offset> start = Buffer<Offset>(1, 0);      // size rows+1
  Buffer<Index> index;                              // places in z
  Buffer<T> value;                                  // one for each index, or
  Buffer<Low<T>> low;                               // the same in low precision

  Index levels() const { return static_cast<Index>(level_start.size()) - 1; }
  Offset bytes() const {
    return static_cast<Offset>((row.size() + index.size()) * sizeof(Index) +
                               start.size() * sizeof(Offset) + value.size() * sizeof(T) +
                               low.size() * sizeof(Low<T>));
  }
};

// A triangle as products with sparse matrices, for N and for its transpose.
template <Scalar T>
struct SpmvForm {
  LevelMatrices<T> forwards, backwards;
  Offset bytes() const { return forwards.bytes() + backwards.bytes(); }
};

// Which of the two will be asked for.
enum class Passes { forwards, backwards, both };

// The panels in order of execution, each laid out in strips.
template <Scalar T>
struct BlockValues {
  Buffer<T> value;              // size plan.values(), or
  Buffer<Low<T>> low;           // the same in low precision; the other is empty
  Offset on_device = 0;         // bytes of the same where a GPU has them; both are empty
  Buffer<BlockForm> form;       // by panel
  Index uninverted_blocks = 0;  // panels that were to be inverted and could not be trusted
  double largest_growth = 0;

  bool all_inverse = false;  // every form is `inverse`
  SpmvForm<T> spmv;          // of methods spmv and invert_full, which give the panels up for it

  Offset panel_bytes() const {
    return static_cast<Offset>(value.size() * sizeof(T) + low.size() * sizeof(Low<T>)) + on_device;
  }
};

// What one solve reads: panels, and the rows they reach; or the sparse matrices.
template <Scalar T>
Offset bytes_read(const BlockPlan& plan, const BlockValues<T>& values) {
  const Offset panels = values.panel_bytes();
  if (panels == 0) return std::max(values.spmv.forwards.bytes(), values.spmv.backwards.bytes());
  return panels + static_cast<Offset>((plan.local.size() + plan.fetch.size()) * sizeof(Index));
}

// What one level of a solve works on.
struct LevelWork {
  Index blocks = 0;  // panels, or rows of a sparse matrix
  Offset bytes = 0;  // read, as bytes_read counts them
};
// The levels of a solve with op(M), in order of execution: those of tasks, or one a sparse matrix.
template <Scalar T>
std::vector<LevelWork> find_level_work(const BlockPlan& plan, const BlockValues<T>& values, Op op);

// Writes columns [from, to) of panel s: w + h rows, all of them, zeros too; what lies above the
// diagonal is not read.  `where` has 2n numbers to be used as it likes.
template <Scalar T>
using FillPanel =
    std::function<void(Index s, Index from, Index to, T* columns, Offset ld, Index* where)>;

// The panels of a packed pattern (lists are the columns of N, in order of positions) with these
// stored values; entries given twice are added up.
template <Scalar T>
FillPanel<T> fill_from_lists(const BlockPlan& plan, const PackedPattern& pattern,
                             std::span<const T> stored, bool conjugated);
// The panels of a factor: `panels` or `columns`, whichever it has.
template <Scalar T>
FillPanel<T> fill_from_factor(const BlockPlan& plan, const FactorTriangle<T>& factor);

// Fetches all panels of plan.order, inverts as wanted, checks, and lays them out.  Called again
// with new values it allocates scratch for one panel a thread only. Throws zero_diagonal or
// not_finite with the row, and not_finite too for a value that single precision cannot hold, where
// that is asked for.
template <Scalar T>
void pack_blocks(const BlockPlan& plan, const FillPanel<T>& fill, BlockForm wanted,
                 const NumericOptions& o, BlockValues<T>& out, Index threads = 0,
                 VectorUnit unit = VectorUnit::automatic);

// One panel at a time, as pack_blocks makes them.
template <Scalar T>
class PanelPacker {
 public:
  explicit PanelPacker(Index threads = 0);  // that work on it
  PanelPacker(PanelPacker&&) noexcept;
  ~PanelPacker();

  // `columns`: w columns of w + h rows, one after the other; what is in them is lost, and what lies
  // above the diagonal is not read.  `below`: only the rows below are stored, in rectangle_strips.
  // Returns what became of it.
  BlockForm pack(Index w, Index h, BlockForm wanted, const NumericOptions& o, Buffer<T>& columns,
                 bool below, T* out, double& growth);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

// What became of the panels, by their forms and growths: uninverted_blocks, largest_growth and
// all_inverse.
template <Scalar T>
void count_forms(BlockForm wanted, std::span<const double> growth, BlockValues<T>& out);

// Panels [begin, end), in order of execution, as they are: for a device that inverts them itself,
// piece by piece.  `out` is the room of these panels alone.  Checks and throws as pack_blocks does.
template <Scalar T>
void pack_triangles(const BlockPlan& plan, const FillPanel<T>& fill, Index begin, Index end,
                    std::span<T> out, Index threads = 0);

// Rows without their diagonal block, w columns of h, laid out as rectangle_strip says.
template <Scalar T>
void store_rectangle(Index w, Index h, const T* columns, Offset ld, T* out);

// The panels of a plan with single tasks, inverted or not, as one sparse matrix a level; exact
// zeros are left out.  A panel kept as a triangle is solved row by row, and its level has so many
// more.  Gives the panels up.  Throws bad_argument for 2^30 unknowns and for an entry that
// overflows, with its row.
template <Scalar T>
void make_spmv_form(const BlockPlan& plan, Passes passes, BlockValues<T>& values,
                    Index threads = 0);

// The inverse of the whole triangle as one sparse matrix, found by solving for unit vectors.  The
// panels must be plain triangles; they are given up.
// Throws bad_argument for more than most_inverted unknowns (in pack_plan) and for an inverse whose
// | |N^-1| |N| | is above largest_growth, not_finite with the column.
constexpr Index most_inverted = 20000;
template <Scalar T>
void make_full_inverse(const BlockPlan& plan, Passes passes, double largest_growth,
                       BlockValues<T>& values, Index threads = 0);

// All of it for the plan's method: panels, or the sparse matrices made of them.
template <Scalar T>
void pack_plan(const Plan& plan, const FillPanel<T>& fill, Passes passes, const NumericOptions& o,
               BlockValues<T>& out, Index threads = 0);

}  // namespace echelon
