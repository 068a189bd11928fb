// smoother/column_form.cpp -- x += (D/omega + L)^-1 (b - A x), with a Solver for the triangle.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference.  Li and Zhang, SIAM PP 2020, equation (5.3).
#include "smoother/column_form.hpp"

#include <algorithm>

#include "base/instantiate.hpp"

namespace echelon {

// An entry of the diagonal given several times is divided in all its parts.
template <Scalar T>
std::span<const T> ColumnForm<T>::weigh_diagonal(std::span<const T> values) {
  const auto omega = static_cast<Real<T>>(plan().options.omega);
  if (omega == 1) return values;
  weighed_.assign(values.begin(), values.end());
  const PackedPattern& pattern = plan().near();
  for (Index i = 0; i < pattern.n; ++i) weighed_[pattern.diagonal[i]] /= omega;
  for (const ExtraDiagonal& e : pattern.extra) weighed_[e.source] /= omega;
  return weighed_;
}

template <Scalar T>
void ColumnForm<T>::pack(std::span<const T> values) {
  const Index threads = plan().options.solver.cpu.threads;
  pack_values(plan().near(), values, plan().stored_count, false, near_, threads);
  pack_values(plan().across, values, plan().stored_count, false, across_, threads);
  const std::span<const T> weighed = weigh_diagonal(values);
  for (Solver<T>& solver : solvers_) solver.update(weighed);
  if (!solvers_.empty()) return;
  // The analyses have the pattern; of this one its size and the way it is read are compared.
  const std::span<const Offset> end(&plan().stored_count, 1);
  const Index n = plan().report.n;
  for (std::size_t k = 0; k < plan().sides.size(); ++k) {
    const Uplo uplo = uplo_of_side(plan().options.direction, k);
    const TrianglePattern t{
        {plan().stored, n, n, end, {}}, uplo, Op::none, Diagonal::stored, Other::ignore};
    solvers_.emplace_back(plan().sides[k], Triangle<T>{t, weighed});
  }
}

template <Scalar T>
bool ColumnForm<T>::smooth(const Vectors<const T>& b, const Vectors<T>& x, T* room,
                           const SmoothOptions& o) const {
  const Vectors<T> r(room, x.n, x.count, 0, x.layout);
  const Index most = plan().threads();
  const Index threads = o.threads == 0 ? most : std::min(o.threads, most);
  bool fresh = o.guess == Guess::zero;
  for (Index s = 0; s < o.sweeps; ++s)
    for (const Solver<T>& solver : solvers_) {
      if (fresh) {
        solver.solve(b, x, {.threads = o.threads});
        fresh = false;
        continue;
      }
      find_residual<T>(matrix(), b, x, r, threads);
      solver.solve(r, r, {.threads = o.threads});
      add_vectors<T>(r, x, threads);
    }
  return false;  // not looked at on the way
}

template <Scalar T>
Offset ColumnForm<T>::matrix_bytes() const {
  const auto rows = [](const PackedPattern& p) {
    return p.start.bytes() + static_cast<Offset>(p.index.size() * (sizeof(Index) + sizeof(T)));
  };
  Offset bytes = 0;
  for (const Solver<T>& solver : solvers_)
    bytes += rows(plan().near()) + rows(plan().across) +
             static_cast<Offset>(near_.diagonal.size() * sizeof(T)) +
             solver.setup_report().matrix_bytes;
  return bytes;
}

template <Scalar T>
Offset ColumnForm<T>::workspace_bytes() const {
  Offset bytes = 0;
  for (const Solver<T>& solver : solvers_) bytes += solver.setup_report().workspace_bytes;
  return bytes;
}

#define ECHELON_INSTANTIATE(T) template class ColumnForm<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
