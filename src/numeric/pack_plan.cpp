// numeric/pack_plan.cpp -- packs the values of a supernodal plan in the form its method needs.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "base/instantiate.hpp"
#include "echelon/numeric.hpp"

namespace echelon {

template <Scalar T>
void pack_plan(const Plan& plan, const FillPanel<T>& fill, Passes passes, const NumericOptions& o,
               BlockValues<T>& out, Index threads) {
  if (plan.method == Method::invert_full && plan.blocks.n > most_inverted)
    throw Error(ErrorCode::bad_argument,
                "method invert_full is for at most " + std::to_string(most_inverted) +
                    " unknowns; there are " + std::to_string(plan.blocks.n));
  pack_blocks(plan.blocks, fill, recipe_of(plan.method).form, o, out, threads, plan.vector_unit);
  if (plan.method == Method::spmv) make_spmv_form(plan.blocks, passes, out, threads);
  if (plan.method == Method::invert_full)
    make_full_inverse(plan.blocks, passes, o.largest_growth, out, threads);
}

#define ECHELON_INSTANTIATE(T)                                                             \
  template void pack_plan(const Plan&, const FillPanel<T>&, Passes, const NumericOptions&, \
                          BlockValues<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
