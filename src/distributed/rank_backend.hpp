// distributed/rank_backend.hpp -- interface to the backend of one rank, which solves with its parts
// of both triangles: all that differs between the distributed solvers.
// SPDX-License-Identifier: BSD-3-Clause
//
// Parts are numbered: 0 is the lower triangle, 1 the transpose of the upper one; symmetric factors
// have part 0 only.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "distributed/communicator.hpp"
#include "echelon/rank_pass.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// A triangle and this rank's plan for it.
struct RankShare {
  const Supernodes* supernodes;
  const LocalPlan* plan;
};

// All functions except pack() are collective.
template <Scalar T>
class RankBackend {
 public:
  virtual ~RankBackend() = default;

  // Whether pack() also asks for diagonal blocks of other ranks: list_positions.
  virtual bool wants_diagonals() const { return false; }
  // Fetches this rank's rows of a part, node after node.  Throws like pack_local, on this rank
  // only.
  virtual void pack(Index part, const FillRows<T>& fill, const NumericOptions& o) = 0;
  // Called each time all parts have been packed.  Throws the same on all ranks.
  virtual void open() {}

  // Host vectors of plan.size() numbers each, like those of RankPass.
  virtual T* right(Index part) const = 0;
  virtual T* answer(Index part) const = 0;
  // Solves with N or its transpose.  If it throws on one rank, it eventually throws on all, and the
  // communicator is broken.
  virtual void run(Index part, Sweep sweep, Index count) = 0;

  // From now on appends the activities of passes to `out`, in seconds since the first pass, which
  // all ranks begin at the same time; null: stop tracing.
  virtual void trace(Timeline* out) {
    if (out != nullptr) throw Error(ErrorCode::backend_missing, "passes on GPUs are not traced");
  }

  virtual PassTimes times() const = 0;  // since construction
  virtual Offset stored_bytes() const = 0;
  virtual Offset window_bytes() const = 0;  // memory that other ranks write to
  virtual Index uninverted_blocks() const = 0;
};

// Collective.  Communicator and shares outlive the backend.
template <Scalar T>
using MakeBackend = std::function<std::unique_ptr<RankBackend<T>>(Communicator& comm,
                                                                  const std::vector<RankShare>&)>;

}  // namespace echelon
#pragma GCC visibility pop
