// echelon/mpi.hpp -- a factorization's triangles shared out among MPI ranks, made ready once and
// solved with often.  The library echelon_mpi; echelon itself knows nothing of MPI.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Every call is collective over the communicator, and what goes wrong on one rank is
// thrown on all.
//
//   Factors<double> f;                                    // filled in on rank 0
//   echelon::MpiSolver<double> solver(MPI_COMM_WORLD, rank == 0 ? &f : nullptr);
//   solver.solve(b, x);                                   // A x = b, both on rank 0
#pragma once

#include <mpi.h>

#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include "echelon/rank_pass.hpp"
#include "echelon/ranks.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// What carries the messages.
enum class Engine {
  two_sided,  // MPI_Isend, and whatever has come is received
  payload,    // MPI_Put into the receiver's queue; a checksum tells that a message is complete
  counter,    // MPI_Put, then MPI_Accumulate on the sender's counter at the receiver
};
constexpr auto names(Engine) {
  return name_table<Engine>({{Engine::payload, "payload"},
                             {Engine::counter, "counter"},
                             {Engine::two_sided, "two_sided"}});
}

struct MpiOptions {
  RankOptions ranks = {};
  Engine engine = Engine::payload;
  double shake_us = 0;  // for tests: ranks wait up to so long, at random, before they send
  SupernodeOptions supernode = {};
  NumericOptions numeric = {};

  template <class Visitor>
  void visit(Visitor&& v) {
    v("ranks", ranks, "the grid, and how the work is divided");
    v("engine", engine, "what carries the messages");
    v("shake_us", shake_us, "for tests: wait at random before sending");
    v("supernode", supernode, "how supernodes are merged");
    v("numeric", numeric, "how the values of panels are kept");
  }
};

struct MpiReport : RankReport {
  Engine engine = Engine::payload;
  Spread compute_s;      // part of solve_s
  Spread communicate_s;  // the rest: sending, polling and waiting
};
std::ostream& operator<<(std::ostream& out, const MpiReport& report);

template <Scalar T>
class MpiSolver {
 public:
  // Factors of rank 0; the other ranks pass null.  They are read, not kept: rank 0 never holds more
  // than its own part of them twice.  Throws bad_argument (also where options differ between
  // ranks), zero_diagonal, not_finite, out_of_memory, backend_failed.
  MpiSolver(MPI_Comm comm, const Factors<T>* factors, const MpiOptions& options = {});
  // Factors of which every rank reads its own part; the structure is the same on all, and checked
  // (check_rank_factors).  `map`: where the blocks lie, or null to choose.  An exception of the
  // caller's functions on one rank is backend_failed on all.
  MpiSolver(MPI_Comm comm, const RankFactors<T>& factors, const MpiOptions& options = {},
            const BlockMap* map = nullptr);
  MpiSolver(MpiSolver&&) noexcept;
  MpiSolver& operator=(MpiSolver&&) noexcept;
  ~MpiSolver();

  // New values of the same pattern.  Throws bad_argument if the pattern is another.
  void update(const Factors<T>* factors);

  // op(M) x = alpha b, where M is A or a part of its factorization (SolveOptions).  b and x hold
  // this rank's rows (rows()); x may be b.  A pass has one thread per rank, and vectors lie on the
  // host: SolveOptions::threads is not used, and stream must be null.  Collective: one call at a
  // time, in the same order on all ranks.
  void solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o = {}) const;
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o = {}) const;
  std::vector<T> solve(std::span<const T> b, const SolveOptions<T>& o = {}) const;

  // What all ranks do during solves of this solver, in seconds since the first pass, which all
  // begin together; on rank 0, empty on others.  Each pass begins with a barrier then.
  Timeline trace(const std::function<void()>& solves) const;

  // What this rank's vectors hold.
  RowRange rows() const;
  // Collective.
  MpiReport report() const;

 private:
  struct State;
  State& state() const;  // throws bad_argument if this solver was moved from
  std::unique_ptr<State> state_;
};

}  // namespace echelon
#pragma GCC visibility pop
