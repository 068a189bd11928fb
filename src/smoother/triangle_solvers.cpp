// smoother/triangle_solvers.cpp -- the weighted diagonal and the solvers of both triangles.
// SPDX-License-Identifier: BSD-3-Clause
#include "smoother/triangle_solvers.hpp"

#include "base/instantiate.hpp"

namespace echelon {

// If a diagonal entry is given several times, each part is divided.
template <Scalar T>
std::span<const T> TriangleSolvers<T>::weigh_diagonal(std::span<const T> values) {
  const SmootherAnalysis::State& plan = analysis_.state();
  const auto omega = static_cast<Real<T>>(plan.options.omega);
  if (omega == 1) return values;
  weighed_.assign(values.begin(), values.end());
  const PackedPattern& pattern = plan.near();
  for (Index i = 0; i < pattern.n; ++i) weighed_[pattern.diagonal[i]] /= omega;
  for (const ExtraDiagonal& e : pattern.extra) weighed_[e.source] /= omega;
  return weighed_;
}

template <Scalar T>
void TriangleSolvers<T>::pack(std::span<const T> values) {
  const SmootherAnalysis::State& plan = analysis_.state();
  const std::span<const T> weighed = weigh_diagonal(values);
  for (Solver<T>& solver : solvers_) solver.update(weighed);
  if (!solvers_.empty()) return;
  // The analyses hold the pattern; here only the size and the reading order are compared.
  const std::span<const Offset> end(&plan.stored_count, 1);
  const Index n = plan.report.n;
  for (std::size_t k = 0; k < plan.sides.size(); ++k) {
    const Uplo uplo = uplo_of_side(plan.options.direction, k);
    const TrianglePattern t{
        {plan.stored, n, n, end, {}}, uplo, Op::none, Diagonal::stored, OutsideEntries::ignore};
    solvers_.emplace_back(plan.sides[k], Triangle<T>{t, weighed});
  }
}

template <Scalar T>
Offset TriangleSolvers<T>::matrix_bytes() const {
  Offset bytes = 0;
  for (const Solver<T>& solver : solvers_) bytes += solver.report().bytes;
  return bytes;
}

template <Scalar T>
void TriangleSolvers<T>::prepare(SmootherSpace<T>& space) const {
  for (const Solver<T>& solver : solvers_) space.solves.push_back(solver.make_workspace());
}

#define ECHELON_INSTANTIATE(T) template class TriangleSolvers<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
