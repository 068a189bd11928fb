// exec/row_kernel.cpp -- selects the row kernel without waits for a diagonal form, a layout and a
// number of right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/row_kernel.hpp"

#include "base/instantiate.hpp"
#include "exec/sweep_kernel.hpp"

namespace echelon {

template <class T>
RowKernel<T> find_row_kernel(const SolveJob<T>& job, int columns) {
  return dispatch_row_kernel(job.values.form, job.x.layout, columns,
                             [&]<DiagonalForm d, Layout l, int c>() -> RowKernel<T> {
                               if (job.sweep != nullptr)
                                 return [](const RowPass<T>& pass, Index begin, Index end) {
                                   const auto nothing = [](Index) {};
                                   return sweep_rows<T, d, l, c>(pass, begin, end, nothing,
                                                                 nothing);
                                 };
                               return [](const RowPass<T>& pass, Index begin, Index end) {
                                 const auto nothing = [](Index) {};
                                 return solve_rows<T, d, l, c>(pass, begin, end, nothing, nothing);
                               };
                             });
}

#define ECHELON_INSTANTIATE(T) template RowKernel<T> find_row_kernel(const SolveJob<T>&, int);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
