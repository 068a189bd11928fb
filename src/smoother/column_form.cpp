// smoother/column_form.cpp -- x += (D/omega + L)^-1 (b - A x), with a Solver for the triangle.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference.  Li and Zhang, SIAM PP 2020, equation (5.3).
#include "smoother/column_form.hpp"

#include <algorithm>

#include "base/instantiate.hpp"

namespace echelon {

template <Scalar T>
void ColumnForm<T>::pack(std::span<const T> values) {
  const Index threads = plan().options.solver.cpu.threads;
  pack_values(plan().near(), values, plan().stored_count, false, near_, threads);
  pack_values(plan().across, values, plan().stored_count, false, across_, threads);
  triangles_.pack(values);
}

template <Scalar T>
bool ColumnForm<T>::smooth(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
                           const SweepOptions& o) const {
  const Vectors<T> r(space.room.data(), x.n, x.count, 0, x.layout);
  const Index most = plan().threads();
  const Index threads = o.threads == 0 ? most : std::min(o.threads, most);
  bool fresh = o.guess == Guess::zero;
  for (Index s = 0; s < o.sweeps; ++s)
    for (std::size_t k = 0; k < triangles_.sides().size(); ++k) {
      const Solver<T>& solver = triangles_.sides()[k];
      if (fresh) {
        solver.solve(space.solves[k], b, x, {.threads = o.threads});
        fresh = false;
        continue;
      }
      find_residual<T>(matrix(), b, x, r, threads);
      solver.solve(space.solves[k], r, r, {.threads = o.threads});
      add_vectors<T>(r, x, threads);
    }
  return false;  // column sweeps do not check x
}

template <Scalar T>
Offset ColumnForm<T>::matrix_bytes() const {
  const Offset whole = bytes_of_rows(plan().near(), near_) + bytes_of_rows(plan().across, across_);
  return whole * static_cast<Offset>(triangles_.sides().size()) + triangles_.matrix_bytes();
}

#define ECHELON_INSTANTIATE(T) template class ColumnForm<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
