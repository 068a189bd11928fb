// factor/paired_order.hpp -- an elimination order in which no pivot is zero because of the pattern.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/factor.hpp"

namespace echelon {

// For LDL' without pivoting of a Hermitian matrix, all of whose entries are in sorted lists.  Empty
// if an unknown with a zero on the diagonal has no partner.  `used` says which ordering was taken.
// Throws what the orderings throw.
template <Scalar T>
std::vector<Index> find_paired_order(const MatrixView<T>& a, const FactorOptions& o,
                                     Ordering& used);

}  // namespace echelon
