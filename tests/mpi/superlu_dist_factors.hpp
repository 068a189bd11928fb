// tests/mpi/superlu_dist_factors.hpp -- factors a matrix with SuperLU_DIST, in its three
// precisions.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <vector>

#include "echelon/matrix.hpp"

// After the standard headers: it defines macros with common names, such as fma.
#include <superlu_ddefs.h>
#include <superlu_sdefs.h>
#include <superlu_zdefs.h>

namespace echelon::test {

template <class T>
struct SuperluDist;

// The names differ only in a letter.
#define ECHELON_SUPERLU_DIST(T, Value, message, type)                             \
  template <>                                                                     \
  struct SuperluDist<T> {                                                         \
    using Foreign = Value;                                                        \
    using Lu = message##LUstruct_t;                                               \
    using ScalePerm = message##ScalePermstruct_t;                                 \
    using Solve = message##SOLVEstruct_t;                                         \
    static constexpr Dtype_t dtype = type;                                        \
    static constexpr auto create_matrix = message##Create_CompRowLoc_Matrix_dist; \
    static constexpr auto make_permute_scale = message##ScalePermstructInit;      \
    static constexpr auto free_frame = message##ScalePermstructFree;              \
    static constexpr auto make_lu = message##LUstructInit;                        \
    static constexpr auto free_lu = message##LUstructFree;                        \
    static constexpr auto destroy_lu = message##Destroy_LU;                       \
    static constexpr auto finalize = message##SolveFinalize;                      \
    static constexpr auto solve = p##message##gssvx;                              \
  };
ECHELON_SUPERLU_DIST(float, float, s, SLU_S)
ECHELON_SUPERLU_DIST(double, double, d, SLU_D)
ECHELON_SUPERLU_DIST(std::complex<double>, doublecomplex, z, SLU_Z)
#undef ECHELON_SUPERLU_DIST

// A grid over all ranks.
class DistGrid {
 public:
  DistGrid(int rows, int cols) { superlu_gridinit(MPI_COMM_WORLD, rows, cols, &grid); }
  ~DistGrid() { superlu_gridexit(&grid); }
  DistGrid(const DistGrid&) = delete;
  DistGrid& operator=(const DistGrid&) = delete;

  gridinfo_t grid;
};

// A factored on a grid, with its rows distributed over the ranks; if right_sides is 1, also solves
// A x = 1.  If options.RowPerm is MY_PERMR, the rows are rotated by `turn` before.
template <class T>
class DistFactors {
  using Calls = SuperluDist<T>;

 public:
  DistFactors(const Csr<T>& a, superlu_dist_options_t options, gridinfo_t& grid, int right_sides,
              Index turn = 0)
      : n_(a.rows), grid_(grid), options_(options) {
    const Index each = n_ / static_cast<Index>(grid.nprow * grid.npcol);
    const bool last = grid.iam == grid.nprow * grid.npcol - 1;
    const Index begin = grid.iam * each, end = last ? n_ : begin + each;
    const Offset from = a.start[begin], to = a.start[end];
    for (Index i = begin; i <= end; ++i) start_.push_back(static_cast<int_t>(a.start[i] - from));
    index_.assign(a.index.begin() + from, a.index.begin() + to);
    value_.assign(a.value.begin() + from, a.value.begin() + to);
    x.assign(static_cast<std::size_t>(end - begin), T(1));
    Calls::create_matrix(&matrix_, n_, n_, to - from, end - begin, begin, foreign(value_),
                         index_.data(), start_.data(), SLU_NR_loc, Calls::dtype, SLU_GE);
    Calls::make_permute_scale(n_, n_, &frame);
    for (Index i = 0; i < n_; ++i) frame.perm_r[i] = (i + turn) % n_;
    Calls::make_lu(n_, &lu);
    PStatInit(&stat_);
    Real<T> error = 0;
    Calls::solve(&options_, &matrix_, &frame, foreign(x), end - begin, right_sides, &grid, &lu,
                 &solve_, &error, &stat_, &info);
  }
  ~DistFactors() {
    if (options_.SolveInitialized == YES) Calls::finalize(&options_, &solve_);
    PStatFree(&stat_);
    Calls::destroy_lu(n_, &grid_, &lu);
    Calls::free_lu(&lu);
    Calls::free_frame(&frame);
    Destroy_SuperMatrix_Store_dist(&matrix_);  // its arrays are ours
  }
  DistFactors(const DistFactors&) = delete;
  DistFactors& operator=(const DistFactors&) = delete;

  typename Calls::Lu lu;
  typename Calls::ScalePerm frame;
  std::vector<T> x;  // this rank's rows
  int info = -1;

 private:
  static typename Calls::Foreign* foreign(std::vector<T>& v) {
    return reinterpret_cast<typename Calls::Foreign*>(v.data());
  }

  Index n_;
  gridinfo_t& grid_;
  superlu_dist_options_t options_;
  std::vector<int_t> start_, index_;
  std::vector<T> value_;  // overwritten by the scaled values
  SuperMatrix matrix_;
  typename Calls::Solve solve_;
  SuperLUStat_t stat_;
};

}  // namespace echelon::test
