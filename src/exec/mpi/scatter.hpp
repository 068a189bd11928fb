// exec/mpi/scatter.hpp -- factors of rank 0 made known to all, each rank what it needs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/mpi.hpp"
#include "exec/mpi/communicator.hpp"

namespace echelon {

// Everything of `f` but the rows, from rank 0 to all; and of that the numbers alone.
template <Scalar T>
void share_structure(Communicator& comm, RankFactors<T>& f);
template <Scalar T>
void share_scalings(Communicator& comm, RankFactors<T>& f);

// A triangle that is shared out, as all ranks know it.
struct SharedTriangle {
  const Supernodes& supernodes;
  const BlockMap& map;
  TreeShape shape;
  const LocalPlan& mine;
  bool with_diagonals;  // ranks ask for rows so: list_positions
};

// The values of one triangle: rank 0 reads them from `whole` and sends each rank its rows, one
// node after the other; `pack` is called with what gives a rank its own.  Throws the same on all
// ranks.
template <Scalar T>
void scatter_rows(Communicator& comm, const SharedTriangle& triangle, const FillRows<T>& whole,
                  const std::function<void(const FillRows<T>&)>& pack);

}  // namespace echelon
