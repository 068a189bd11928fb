// echelon/numeric.hpp -- the values of a triangle in the layout of its packed pattern or of its
// panels.
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
#include "echelon/options.hpp"
#include "echelon/plan.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// The content of the diagonal array of a packed triangle.
enum class DiagonalForm {
  unit,        // nothing: every entry is 1
  reciprocal,  // 1/d: a solve multiplies
  plain,       // d itself: some 1/d would overflow or lose digits; a solve divides
};

template <Scalar T>
struct PackedValues {
  Buffer<T> value;     // one per packed entry
  Buffer<T> diagonal;  // by position, in the form below
  DiagonalForm form = DiagonalForm::unit;
};

// A matrix by rows as two triangles in the same order; `near` has the diagonal.
template <Scalar T>
struct SplitMatrix {
  const PackedPattern& near;
  const PackedValues<T>& near_values;
  const PackedPattern& across;
  const PackedValues<T>& across_values;
};

// Copies the stored values into packed order, conjugated if requested.  With new values for the
// same pattern it allocates nothing.  O(n + nnz), on `threads` threads (0: all).  Throws
// zero_diagonal (exactly zero) or not_finite (NaN, infinity) with the row, and bad_argument if
// `stored` does not have stored_count values; the previous content of `out` is lost then.
template <Scalar T>
ECHELON_EXPORT void pack_values(const PackedPattern& pattern, std::span<const T> stored,
                                Offset stored_count, bool conjugated, PackedValues<T>& out,
                                Index threads = 0);

// The type of half the size in which to store values; T itself if there is none.
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

// Sparse matrices by rows, applied in order: z += M z. z holds n right-hand sides by position,
// followed by n answers, which start as zero.  No row of a matrix reads what another row of the
// same matrix writes.
template <Scalar T>
struct LevelMatrices {
  Buffer<Index> level_start = Buffer<Index>(1, 0);  // size levels+1: rows of level l
  Buffer<Index> row;                                // position in z
  Buffer<Offset> start = Buffer<Offset>(1, 0);      // size rows+1
  Buffer<Index> index;                              // positions in z
  Buffer<T> value;                                  // one per index, or
  Buffer<Low<T>> low;                               // the same in low precision

  Index levels() const { return static_cast<Index>(level_start.size()) - 1; }
  Offset bytes() const { return bytes_of(row, start, index, value, low); }
};

// A triangle as products with sparse matrices, for N and for its transpose.
template <Scalar T>
struct SpmvForm {
  LevelMatrices<T> forwards, backwards;
  Offset bytes() const { return forwards.bytes() + backwards.bytes(); }
};

// The panels in execution order, each in strips.
template <Scalar T>
struct BlockValues {
  Buffer<T> value;         // size plan.values(), or
  Buffer<Low<T>> low;      // the same in low precision; one of both is empty
  Offset on_device = 0;    // bytes of the panels if they are on a GPU; both buffers are then empty
  Buffer<BlockForm> form;  // by panel
  Index uninverted_blocks = 0;  // panels not inverted because the inverse would be inaccurate
  double largest_growth = 0;

  bool all_inverse = false;  // every form is `inverse`
  SpmvForm<T> spmv;          // for methods spmv and invert_full, which free the panels

  Offset panel_bytes() const { return bytes_of(value, low) + on_device; }
};

// Bytes that one solve reads: panels and their row indices, or the sparse matrices.
template <Scalar T>
Offset bytes_read(const BlockPlan& plan, const BlockValues<T>& values) {
  const Offset panels = values.panel_bytes();
  if (panels == 0) return std::max(values.spmv.forwards.bytes(), values.spmv.backwards.bytes());
  return panels + static_cast<Offset>((plan.local.size() + plan.fetch.size()) * sizeof(Index));
}

// The work of one level of a solve.
struct LevelWork {
  Index blocks = 0;  // panels, or rows of a sparse matrix
  Offset bytes = 0;  // read, counted as in bytes_read
};
// The levels of a solve with op(M), in execution order: levels of tasks, or one per sparse matrix.
template <Scalar T>
ECHELON_EXPORT std::vector<LevelWork> find_level_work(const BlockPlan& plan,
                                                      const BlockValues<T>& values, Op op);

// Writes columns [from, to) of panel s: all w + h rows, zeros included; entries above the diagonal
// are not read.  `where` is scratch space of 2n numbers.
template <Scalar T>
using FillPanel =
    std::function<void(Index s, Index from, Index to, T* columns, Offset ld, Index* where)>;

// The panels of a packed pattern (its lists are the columns of N, in order of positions) with these
// stored values; duplicates are added.
template <Scalar T>
ECHELON_EXPORT FillPanel<T> fill_from_lists(const BlockPlan& plan, const PackedPattern& pattern,
                                            std::span<const T> stored, bool conjugated);
// The panels of a factor, from its `panels` or its `columns`.
template <Scalar T>
ECHELON_EXPORT FillPanel<T> fill_from_factor(const BlockPlan& plan,
                                             const FactorTriangle<T>& factor);

// Fills all panels of plan.order, inverts them as requested, checks the values and stores them in
// the final layout.  With new values it allocates only scratch space for one panel per thread.
// Throws zero_diagonal or not_finite with the row; not_finite also for a value that overflows the
// low precision.
template <Scalar T>
ECHELON_EXPORT void pack_blocks(const BlockPlan& plan, const FillPanel<T>& fill, BlockForm wanted,
                                const NumericOptions& o, BlockValues<T>& out, Index threads = 0,
                                VectorUnit unit = VectorUnit::automatic);

// Packs one panel at a time, as pack_blocks does.
template <Scalar T>
class PanelPacker {
 public:
  explicit PanelPacker(Index threads = 0);  // that share the work
  PanelPacker(PanelPacker&&) noexcept;
  ~PanelPacker();

  // `columns`: w columns of w + h rows, one after the other; overwritten.  Entries above the
  // diagonal are not read.  `below`: only the rows below are stored, in rectangle_strips.  Returns
  // the form of the result.
  BlockForm pack(Index w, Index h, BlockForm wanted, const NumericOptions& o, Buffer<T>& columns,
                 bool below, T* out, double& growth);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

// Computes uninverted_blocks, largest_growth and all_inverse from the forms and growths of the
// panels.
template <Scalar T>
ECHELON_EXPORT void count_forms(BlockForm wanted, std::span<const double> growth,
                                BlockValues<T>& out);

// The partition of plan.supernodes in which each panel of form `triangle` is cut into the fewest
// parts whose inverses are trusted.  Reads values and changes no pattern: cut_blocks() makes the
// plan of the parts.
template <Scalar T>
ECHELON_EXPORT Buffer<Index> find_trusted_parts(const BlockPlan& plan, const FillPanel<T>& fill,
                                                std::span<const BlockForm> form,
                                                const NumericOptions& o, Index threads = 0);

// Packs panels [begin, end) of the execution order without inversion, for a device that inverts
// them itself, part by part.  `out` holds only these panels.  Checks and throws as pack_blocks
// does.
template <Scalar T>
ECHELON_EXPORT void pack_triangles(const BlockPlan& plan, const FillPanel<T>& fill, Index begin,
                                   Index end, std::span<T> out, Index threads = 0);

// Rows without their diagonal block, w columns of h rows, stored as rectangle_strip describes.
template <Scalar T>
ECHELON_EXPORT void store_rectangle(Index w, Index h, const T* columns, Offset ld, T* out);

// Converts the panels of a plan with single tasks, inverted or not, to one sparse matrix per level;
// exact zeros are left out.  A panel kept as a triangle is solved row by row, which adds levels.
// Frees the panels.  Throws bad_argument for 2^30 or more unknowns and for an entry that
// overflows, with its row.
template <Scalar T>
ECHELON_EXPORT void make_spmv_form(const BlockPlan& plan, Sweep passes, BlockValues<T>& values,
                                   Index threads = 0);

// The inverse of the whole triangle as one sparse matrix, computed by solving for unit vectors.
// The panels must be plain triangles; they are freed.  Throws bad_argument for more than
// most_inverted unknowns (in pack_plan) and for an inverse whose | |N^-1| |N| | is above
// largest_growth; not_finite with the column.
constexpr Index most_inverted = 20000;
template <Scalar T>
ECHELON_EXPORT void make_full_inverse(const BlockPlan& plan, Sweep passes, double largest_growth,
                                      BlockValues<T>& values, Index threads = 0);

// All steps for the plan's method: panels, or the sparse matrices made from them.
template <Scalar T>
ECHELON_EXPORT void pack_plan(const Plan& plan, const FillPanel<T>& fill, Sweep passes,
                              const NumericOptions& o, BlockValues<T>& out, Index threads = 0);

}  // namespace echelon
#pragma GCC visibility pop
