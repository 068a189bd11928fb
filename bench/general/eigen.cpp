// bench/general/eigen.cpp -- the contender Eigen: triangularView().solveInPlace() on rows.
// SPDX-License-Identifier: BSD-3-Clause
#ifdef ECHELON_WITH_EIGEN
#include <Eigen/SparseCore>
#endif
#include <algorithm>

#include "contender.hpp"
#include "support/clock.hpp"

namespace echelon::bench {

#ifdef ECHELON_WITH_EIGEN

std::string why_no_eigen() { return ""; }

template <Scalar T>
Entrant<T> make_eigen(const Task<T>& task) {
  if (task.start.empty())
    throw Error(ErrorCode::backend_failed, "eigen: 32-bit row starts do not reach so many entries");
  using Rows = Eigen::Map<const Eigen::SparseMatrix<T, Eigen::RowMajor, int>>;
  const auto solve = [&task](std::span<T> x) {
    const Csr<T>& a = task.triangle;
    const Rows rows(a.rows, a.cols, a.nonzeros(), task.start.data(), a.index.data(),
                    a.value.data());
    std::copy(task.b.begin(), task.b.end(), x.begin());
    const auto time = [&](auto v) {
      if (task.part == Uplo::lower)
        return time_of([&] { rows.template triangularView<Eigen::Lower>().solveInPlace(v); });
      return time_of([&] { rows.template triangularView<Eigen::Upper>().solveInPlace(v); });
    };
    using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
    using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
    if (task.nrhs == 1) return time(Eigen::Map<Vector>(x.data(), a.rows));
    return time(Eigen::Map<Columns>(x.data(), a.rows, task.nrhs));
  };
  Facts facts{"eigen", "triangularView.solveInPlace"};
  facts.matrix_bytes = row_bytes(task);
  return {std::move(facts), solve};
}

#else

std::string why_no_eigen() { return "not found when this program was built (libeigen3-dev)"; }

template <Scalar T>
Entrant<T> make_eigen(const Task<T>&) {
  throw Error(ErrorCode::backend_missing, "eigen: " + why_no_eigen());
}

#endif

#define ECHELON_INSTANTIATE(T) template Entrant<T> make_eigen(const Task<T>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
