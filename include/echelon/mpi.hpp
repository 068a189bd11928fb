// echelon/mpi.hpp -- A x = b with a factorization distributed over MPI ranks: library echelon_mpi.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Every call is collective over the communicator.  An error on one rank is thrown on all.
//
//   Factors<double> f;                                    // filled in on rank 0
//   echelon::MpiSolver solver(MPI_COMM_WORLD, rank == 0 ? &f : nullptr);
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
  two_sided,  // MPI_Isend; the receiver takes messages in order of arrival
  payload,    // MPI_Put into the receiver's queue; a checksum shows that a message is complete
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
  double shake_us = 0;  // for tests: the largest random delay before a rank sends
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
  // Rank 0 passes the factors, the other ranks null.  The factors are not kept: rank 0 copies only
  // its own part.  Throws bad_argument (also if options differ between ranks), zero_diagonal,
  // not_finite, out_of_memory, backend_failed.
  MpiSolver(MPI_Comm comm, const Factors<T>* factors, const MpiOptions& options = {});
  // Every rank reads its own part of the factors.  The structure must be the same on all ranks; it
  // is checked (check_rank_factors).  `map`: the rank of each block; null: the solver chooses.  An
  // exception of the caller's functions on one rank is backend_failed on all.
  MpiSolver(MPI_Comm comm, const RankFactors<T>& factors, const MpiOptions& options = {},
            const BlockMap* map = nullptr);
  MpiSolver(MpiSolver&&) noexcept;
  MpiSolver& operator=(MpiSolver&&) noexcept;
  ~MpiSolver();

  // New values of the same pattern, passed by rank 0.  Throws bad_argument if the pattern differs.
  void update(const Factors<T>* factors);

  // op(M) x = alpha b, where M is A or a part of its factorization (SolveOptions).  b and x hold
  // this rank's rows (rows()); x may be b.  A pass has one thread per rank, and vectors lie on the
  // host: SolveOptions::threads is not used, and stream must be null.  Collective: one call at a
  // time, in the same order on all ranks; a second one on this rank throws bad_argument.
  void solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o = {}) const;
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o = {}) const;
  std::vector<T> solve(std::span<const T> b, const SolveOptions<T>& o = {}) const;

  // The activities of all ranks during `solves`, in seconds since the first pass, on rank 0; empty
  // on other ranks.  While tracing, each pass begins with a barrier.
  Timeline trace(const std::function<void()>& solves) const;

  // The rows that this rank's vectors hold.
  RowRange rows() const;
  // Collective.
  MpiReport report() const;

 private:
  struct State;
  State& state() const;  // throws bad_argument if this solver was moved from
  std::unique_ptr<State> state_;
};

// Collective, as report() is.
template <Scalar T>
std::ostream& operator<<(std::ostream& out, const MpiSolver<T>& solver) {
  return out << solver.report();
}

}  // namespace echelon
#pragma GCC visibility pop
