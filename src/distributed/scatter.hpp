// distributed/scatter.hpp -- distributes the factors of rank 0: the structure to all ranks, the
// values to their owners.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "distributed/communicator.hpp"
#include "echelon/mpi.hpp"

namespace echelon {

// Broadcasts everything in `f` except the rows from rank 0; share_scalings only the numbers.
template <Scalar T>
void share_structure(Communicator& comm, RankFactors<T>& f);
template <Scalar T>
void share_scalings(Communicator& comm, RankFactors<T>& f);

// A triangle to distribute; all ranks know all of this.
struct SharedTriangle {
  const Supernodes& supernodes;
  const BlockMap& map;
  TreeShape shape;
  const LocalPlan& mine;
  bool with_diagonals;  // the argument of list_positions on all ranks
};

// Distributes the values of one triangle: rank 0 reads them from `whole` and sends each rank its
// rows, node after node.  Calls `pack` with a function that gives this rank its own rows.  Throws
// the same on all ranks.
template <Scalar T>
void scatter_rows(Communicator& comm, const SharedTriangle& triangle, const FillRows<T>& whole,
                  const std::function<void(const FillRows<T>&)>& pack);

}  // namespace echelon
