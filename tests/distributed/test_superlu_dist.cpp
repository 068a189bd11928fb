// tests/distributed/test_superlu_dist.cpp -- SuperLU_DIST's factors, read by all ranks of a grid,
// multiply to the factored matrix.
// SPDX-License-Identifier: BSD-3-Clause
//
// Run under mpirun, on any number of ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>

#include "distributed/superlu_dist_factors.hpp"
#include "echelon/direct.hpp"
#include "echelon/generate.hpp"
#include "echelon/mpi.hpp"
#include "echelon/superlu_dist.hpp"
#include "support/refusal.hpp"

namespace echelon::test {
namespace {

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// A pseudo-random number in [0, 1) from two numbers.
double noise(Index i, Index j) {
  auto z = (static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint32_t>(j)) + 1;
  z *= 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 29)) * 0xBF58476D1CE4E5B9;
  return static_cast<double>((z ^ (z >> 32)) >> 11) * 0x1p-53;
}

template <class T>
T perturbed(T v, Index i, Index j) {
  const auto factor = static_cast<Real<T>>(1 + noise(i, j) / 2);
  if constexpr (is_complex<T>)
    return v * T(factor, static_cast<Real<T>>(noise(j, i + 1) - 0.5));
  else
    return v * factor;
}

// The matrix of a recipe, made unsymmetric.  If its rows are rotated, the diagonal is no pivot, and
// rows and columns have very different magnitudes.
template <class T>
Csr<T> make_matrix(const std::string& spec, Index turn = 0) {
  const Csr<T> a = generate<T>(spec);
  Csr<T> out;
  out.rows = out.cols = a.rows;
  for (Index k = 0; k < a.rows; ++k) {
    const Index i = (k + turn) % a.rows;
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      const Index j = a.index[p];
      T v = perturbed(a.value[p], i, j);
      if (turn != 0) v *= static_cast<Real<T>>(std::ldexp(1, i % 13 - j % 11));
      out.index.push_back(j);
      out.value.push_back(v);
    }
    out.start.push_back(static_cast<Offset>(out.index.size()));
  }
  return out;
}

template <class T>
using Dense = std::vector<T>;  // n x n, by columns

// A whole triangle on rank 0, from the blocks that each rank owns.
template <class T>
Dense<T> collect(const Supernodes& s, const FillRows<T>& fill, const BlockMap& map) {
  const Index rank = rank_of_world();
  std::vector<Index> supernode(static_cast<std::size_t>(s.n));
  for (Index k = 0; k < s.count(); ++k)
    std::fill(supernode.begin() + s.first[k], supernode.begin() + s.first[k + 1], k);
  Dense<T> mine(static_cast<std::size_t>(s.n) * s.n);
  for (Index k = 0; k < s.count(); ++k) {
    std::vector<Index> rows;
    if (map.root(k) == rank)
      for (Index i = s.first[k]; i < s.first[k + 1]; ++i) rows.push_back(i);
    for (const Index i : s.rows(k))
      if (map.owner(supernode[i], k) == rank) rows.push_back(i);
    const std::size_t ld = rows.size() + 2;
    std::vector<T> columns(ld * s.width(k), std::numeric_limits<Real<T>>::quiet_NaN());
    fill(k, rows, columns.data(), static_cast<Offset>(ld));
    for (Index j = 0; j < s.width(k); ++j)
      for (std::size_t r = 0; r < rows.size(); ++r)
        mine[Offset{s.first[k] + j} * s.n + rows[r]] = columns[j * ld + r];
  }
  Dense<T> all(mine.size());  // every entry is on one rank only, so sums are exact
  MPI_Reduce(mine.data(), all.data(), static_cast<int>(mine.size() * sizeof(T) / sizeof(Real<T>)),
             sizeof(Real<T>) == 4 ? MPI_FLOAT : MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

template <class T>
Dense<T> framed(const Csr<T>& a, const RankFactors<T>& f) {
  std::vector<Index> row(f.row_order.size()), col(f.col_order.size());
  for (Index i = 0; i < f.n; ++i) row[f.row_order[i]] = col[f.col_order[i]] = i;
  Dense<T> out(row.size() * row.size());
  for (Index i = 0; i < f.n; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      const Index j = a.index[p];
      T v = a.value[p];
      if (!f.row_scale.empty()) v *= f.row_scale[i];
      if (!f.col_scale.empty()) v *= f.col_scale[j];
      out[Offset{col[j]} * f.n + row[i]] = v;
    }
  return out;
}

// The largest |RAC - LU| / (|L||U|), in units of n eps; where |L||U| is 0, both must be 0.
template <class T>
double largest_error(const Dense<T>& a, const Dense<T>& l, const Dense<T>& u_transposed, Index n) {
  double worst = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      T sum = a[Offset{j} * n + i];
      double size = 0;
      for (Index k = 0; k <= std::min(i, j); ++k) {
        const T v = l[Offset{k} * n + i] * u_transposed[Offset{k} * n + j];
        sum -= v;
        size += std::abs(v);
      }
      const double error = std::abs(sum);
      if (!(error <= 0)) worst = std::max(worst, error / size);  // NaN and x/0 count as large
      if (std::isnan(error)) return error;
    }
  return worst / (n * static_cast<double>(std::numeric_limits<Real<T>>::epsilon()));
}

superlu_dist_options_t quiet_options() {
  superlu_dist_options_t options;
  set_default_options_dist(&options);
  options.PrintStat = NO;
  options.IterRefine = NOREFINE;
  options.superlu_relax = 4;  // small supernodes, for many blocks of small matrices
  options.superlu_maxsup = 12;
  return options;
}

// Solves A x = b with these distributed factors.
template <class T>
void expect_solution(const Csr<T>& a, const RankFactors<T>& f, const BlockMap& map) {
  const MpiSolver<T> solver(MPI_COMM_WORLD, f, {}, &map);
  const Index mine = rank_of_world() == 0 ? a.rows : 0;
  const std::vector<T> b(static_cast<std::size_t>(mine), T(1));
  std::vector<T> x(b.size());
  solver.solve(Vectors<const T>(b.data(), mine), Vectors<T>(x.data(), mine));
  if (mine == 0) return;
  // Without pivoting and refinement: a normwise error, still large if an order is wrong.
  EXPECT_LE(
      find_backward_errors<T>(a, Vectors<const T>(b.data(), mine), Vectors<const T>(x.data(), mine))
          .normwise,
      1000);
}

template <class T>
void expect_factors_of(const Csr<T>& a, const superlu_dist_options_t& options, int right_sides,
                       Index turn = 0) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int rows = 1; rows <= ranks; ++rows) {
    if (ranks % rows != 0) continue;
    SCOPED_TRACE("grid of " + std::to_string(rows) + " x " + std::to_string(ranks / rows));
    DistGrid grid(rows, ranks / rows);
    const DistFactors<T> factored(a, options, grid.grid, right_sides, turn);
    ASSERT_EQ(factored.info, 0);
    const auto f =
        load_superlu_dist<T>(MPI_COMM_WORLD, &factored.lu, &factored.frame, &grid.grid, a.rows);
    EXPECT_EQ(!f.row_scale.empty() && !f.col_scale.empty(), turn != 0);
    EXPECT_EQ(f.row_order == f.col_order, turn == 0);
    EXPECT_NO_THROW(check_supernodes(f.lower));
    EXPECT_NO_THROW(check_supernodes(f.upper));
    const BlockMap map = superlu_dist_map(&grid.grid, f.lower.count());
    const Dense<T> lower = collect(f.lower, f.lower_rows, map);
    const Dense<T> upper = collect(f.upper, f.upper_rows, map.transposed());
    EXPECT_GE(f.lower.count(), 12);
    if (rank_of_world() == 0) {
      EXPECT_LE(largest_error(framed(a, f), lower, upper, a.rows), 1);
      const auto zeros = std::count(lower.begin(), lower.end(), T(0)) +
                         std::count(upper.begin(), upper.end(), T(0));
      EXPECT_EQ(f.nnz, static_cast<Offset>(lower.size() + upper.size()) - zeros);
    }
    expect_solution(a, f, map);
  }
}

template <class T>
class SuperluDistFactors : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>, float>;
TYPED_TEST_SUITE(SuperluDistFactors, Scalars);

TYPED_TEST(SuperluDistFactors, MultiplyToTheMatrixOfAGrid) {
  superlu_dist_options_t options = quiet_options();
  expect_factors_of(make_matrix<TypeParam>("laplace2d:9x11:5"), options, 1);
  options.ColPerm = NATURAL;
  options.RowPerm = NOROWPERM;
  options.Equil = NO;
  expect_factors_of(make_matrix<TypeParam>("laplace2d:9x11:5"), options, 0);
}

TYPED_TEST(SuperluDistFactors, MultiplyToAMatrixWithWideSupernodes) {
  superlu_dist_options_t options = quiet_options();
  options.ColPerm = MMD_AT_PLUS_A;
  options.DiagInv = YES;  // stored beside the blocks
  expect_factors_of(make_matrix<TypeParam>("elasticity3d:3"), options, 1);
}

// Only here do columns of U begin below the top of their block.
TYPED_TEST(SuperluDistFactors, MultiplyToAMatrixOfUnsymmetricPattern) {
  superlu_dist_options_t options = quiet_options();
  options.superlu_relax = 8;
  expect_factors_of(make_matrix<TypeParam>("random:150:2"), options, 1);
}

TYPED_TEST(SuperluDistFactors, MultiplyToAMatrixWithRowsExchangedAndScaled) {
  superlu_dist_options_t options = quiet_options();
  options.RowPerm = MY_PERMR;  // Debian's SuperLU_DIST has no MC64 to find one
  expect_factors_of(make_matrix<TypeParam>("laplace2d:9x11:5", 7), options, 1, 7);
  expect_factors_of(make_matrix<TypeParam>("elasticity3d:2", 5), options, 0, 5);
}

TEST(SuperluDist, RefusesWhatItCannotRead) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  DistGrid grid(ranks, 1);
  const auto a = make_matrix<double>("laplace2d:9x11:5");
  const DistFactors<double> factored(a, quiet_options(), grid.grid, 0);
  const auto load = [&]<class T>(T, MPI_Comm comm, Index n) {
    return refusal(
        [&] { (void)load_superlu_dist<T>(comm, &factored.lu, &factored.frame, &grid.grid, n); });
  };
  EXPECT_EQ(load(0.F, MPI_COMM_WORLD, a.rows),
            Refusal(ErrorCode::bad_argument,
                    "load_superlu_dist: the factors are not of the precision asked for"));
  EXPECT_EQ(load(std::complex<float>(), MPI_COMM_WORLD, a.rows).code, ErrorCode::backend_missing);
  EXPECT_EQ(
      load(0., MPI_COMM_WORLD, a.rows - 1),
      Refusal(ErrorCode::bad_argument, "load_superlu_dist: there are no factors of order 98"));
  EXPECT_EQ(load(0., MPI_COMM_WORLD, rank_of_world() == ranks - 1 ? 0 : a.rows).code,
            ErrorCode::bad_argument);
  if (ranks > 1) {
    EXPECT_EQ(
        load(0., MPI_COMM_SELF, a.rows),
        Refusal(ErrorCode::bad_argument,
                "load_superlu_dist: the ranks of the communicator are not those of the grid"));
  }
}

}  // namespace
}  // namespace echelon::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  if (echelon::test::rank_of_world() != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  const int failed = RUN_ALL_TESTS();
  MPI_Finalize();
  return failed;  // mpirun fails if one rank fails
}
