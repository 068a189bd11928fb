// exec/mpi/rank_machine.hpp -- what works on one rank's part of both triangles: all that differs
// between the solvers of many ranks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Parts are numbered: 0 is the lower triangle, 1 the upper one as its transpose; with symmetric
// factors there is only the first.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "echelon/rank_pass.hpp"
#include "exec/mpi/communicator.hpp"

namespace echelon {

// A triangle, and what this rank has of it.
struct RankShare {
  const Supernodes* supernodes;
  const LocalPlan* plan;
};

// All functions but pack() are called by all ranks alike.
template <Scalar T>
class RankMachine {
 public:
  virtual ~RankMachine() = default;

  // How pack() asks for rows: list_positions.
  virtual bool wants_diagonals() const { return false; }
  // Fetches this rank's rows of a part, node after node.  Throws as pack_local does, on this rank
  // alone.
  virtual void pack(Index part, const FillRows<T>& fill, const NumericOptions& o) = 0;
  // Each time when all parts have been packed.  Throws on all ranks alike.
  virtual void open() {}

  // Vectors of the host, of plan.size() numbers each, as those of RankPass.
  virtual T* right(Index part) const = 0;
  virtual T* answer(Index part) const = 0;
  // With N or its transpose.  Throws on all ranks, sooner or later, if it does on one; the
  // communicator is broken then.
  virtual void run(Index part, Way way, Index count) = 0;

  // From now on what passes do is added to `out`, in seconds since the first of them, which all
  // ranks begin together; null: no longer.
  virtual void trace(Timeline* out) {
    if (out != nullptr) throw Error(ErrorCode::backend_missing, "passes on GPUs are not traced");
  }

  virtual PassTimes times() const = 0;  // since it was made
  virtual Offset stored_bytes() const = 0;
  virtual Offset window_bytes() const = 0;  // memory that others write to
  virtual Index kept_triangles() const = 0;
};

// Collective.  Communicator and shares outlive the machine.
template <Scalar T>
using MakeMachine = std::function<std::unique_ptr<RankMachine<T>>(Communicator& comm,
                                                                  const std::vector<RankShare>&)>;

}  // namespace echelon
