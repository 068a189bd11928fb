// bench/factor_solve/cusparse.cpp -- the contender cuSPARSE: SpSV or SpSM with L and with U by
// rows.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/cusparse.hpp"

#include "factor_solve/factor_contender.hpp"
#include "factor_solve/factor_rows.hpp"
#include "support/timed_solve.hpp"

namespace echelon::bench {
namespace {

template <Scalar T>
struct BothTriangles {
  CusparseTriangle<T> lower, upper;
};

}  // namespace

template <Scalar T>
FactorEntrants<T> make_cusparse(const FactorTask<T>& task, Index nrhs) {
  const RowTriangle<T> lower = lower_rows(task.factors), upper = upper_rows(task.factors);
  const auto both = std::make_shared<const BothTriangles<T>>(
      BothTriangles<T>{CusparseTriangle<T>(lower, nrhs), CusparseTriangle<T>(upper, nrhs)});
  const CusparseFacts& of_lower = both->lower.facts();
  const CusparseFacts& of_upper = both->upper.facts();
  FactorFacts facts{.contender = "cusparse", .method = of_lower.routine};
  facts.analysis_s = of_lower.analysis_s + of_upper.analysis_s;
  facts.setup_s = of_lower.upload_s + of_upper.upload_s;
  facts.stored_values = lower.rows.nonzeros() + upper.rows.nonzeros();
  facts.stored_bytes = of_lower.matrix_bytes + of_upper.matrix_bytes + of_lower.workspace_bytes +
                       of_upper.workspace_bytes;
  facts.report.backend = Backend::cuda;
  const auto solve = [both](Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
    const CusparseTriangle<T>& triangle = phase == Phase::lower ? both->lower : both->upper;
    const auto call = [&](const Vectors<const T>& from, const Vectors<T>& to, void* stream) {
      triangle.solve(from, to, stream);
    };
    return time_solves<T>(Backend::cuda, 1, 1, b, x, call).front();
  };
  return {{std::move(facts), frame_of(task.factors), {Phase::lower, Phase::upper}, solve, {}}};
}

#define ECHELON_INSTANTIATE(T) \
  template FactorEntrants<T> make_cusparse(const FactorTask<T>&, Index);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
