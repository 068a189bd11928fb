// echelon/solver.hpp -- analyze once, set up once a matrix, solve often.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.
//
//   echelon::Solver<double> solver(echelon::lower(l));      // analysis and values
//   solver.solve(b, x);                                     // as often as you like
//   solver.update(new_values);                              // same pattern, new values
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "echelon/analysis.hpp"
#include "echelon/matrix.hpp"
#include "echelon/options.hpp"
#include "echelon/plan.hpp"
#include "echelon/solve_options.hpp"

#pragma GCC visibility push(default)
namespace echelon {

class Workspace;  // executor.hpp

// What the analysis found and chose.
struct AnalysisReport {
  Index n = 0;
  Offset nonzeros = 0;  // of the triangle, a stored diagonal included
  Index levels = 0;
  double average_parallelism = 0;  // n / levels
  Method method = Method::serial;
  std::string reason;  // why this method
  Backend backend = Backend::cpu;
  VectorUnit vector_unit = VectorUnit::automatic;  // backend cpu: which kernels run
  Index threads = 1;
  Index supersteps = 0;  // 0 unless the method is superstep
  double predicted_speedup = 1;
  SupernodeReport supernodes;  // of a supernodal method
  Offset plan_bytes = 0;
  double analysis_s = 0;
};

// A pattern analyzed, ready for any values and any scalar.  Cheap to copy (shared); to move one is
// to copy it.
class Analysis {
 public:
  Analysis(const Analysis&) = default;
  Analysis& operator=(const Analysis&) = default;
  // Throws as find_dependency_graph does, bad_argument for options that contradict each
  // other, out_of_memory.  O(n + nnz).
  // `supernodes`: for a supernodal method, where each begins (and n at the end), in the order of
  // the sweep; empty: they are found.
  explicit Analysis(const TrianglePattern& t, const Options& options = {},
                    std::span<const Index> supernodes = {});

  const AnalysisReport& report() const;
  const Options& options() const;
  const Plan& plan() const;
  Offset stored_count() const;  // values a matrix of this pattern has

  // Throws bad_argument unless t has the size that was analyzed and is read the same way.
  void check_same(const TrianglePattern& t) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

// The same of a solver with values.
struct SolverReport : AnalysisReport {
  double setup_s = 0;           // of the last setup or update
  Offset bytes = 0;             // what one solve reads of the matrix
  Offset workspace_bytes = 0;   // of one workspace
  Offset device_bytes = 0;      // backend cuda: memory taken there by setup
  Index uninverted_blocks = 0;  // diagonal blocks whose inverse could not be trusted
  Index launches = 0;           // backend cuda: kernels per solve
};

// Where the time of one solve on a device went, by its events.
struct SolveProfile {
  double copy_in_s = 0;   // b from the host, if it lies there
  double solve_s = 0;     // the kernels
  double copy_out_s = 0;  // x to the host
};

// After a move from it, a solver can be assigned to and destroyed; all else throws bad_argument.
template <Scalar T>
class Solver {
 public:
  // What one caller's solves need besides the solver.
  class Workspace {
   public:
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    ~Workspace();
    Offset bytes() const;

   private:
    friend class Solver;
    Workspace(std::unique_ptr<echelon::Workspace> space, std::uint64_t owner);
    std::unique_ptr<echelon::Workspace> space_;
    std::uint64_t owner_;  // the solver it was made by
  };

  explicit Solver(const Triangle<T>& t, const Options& options = {});
  Solver(const Analysis& analysis, const Triangle<T>& t);
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;
  ~Solver();

  // New values for the same pattern, in the order of the stored entries.  One pass over the
  // matrix; allocates nothing, but on supernodes a panel's scratch for each thread, and methods
  // spmv and invert_full make their sparse matrices anew.  Throws zero_diagonal, not_finite,
  // bad_argument; the solver then refuses to solve until an update succeeds.  Solves on a device
  // must be done before; while it runs, there is room for the panels twice on it.
  void update(std::span<const T> values);

  // M x = alpha b.  x may be b.  Allocates nothing, but on a device the first time for more vectors
  // than cuda.right_sides.  Throws bad_argument (sizes), not_finite (see Options::check_finite).
  // Uses the solver's own workspace: two calls at a time throw bad_argument; give each one of them.
  // Backend cuda: b and x lie both on the solver's device or both with the host.  With the host's
  // the answer is there on return; with the device's the solve is put into the stream, nobody
  // waits, and what went wrong is told by check().  Solves of one solver follow each other,
  // whatever their streams.  In a graph they are captured without that order: launches of the graph
  // and other solves of this solver are then ordered by the caller.  The device is
  // Options::cuda.device; the caller's current one may be another, and stays so.
  void solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o = {}) const;
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o = {}) const;
  std::vector<T> solve(std::span<const T> b, const SolveOptions<T>& o = {}) const;

  // The same with the caller's workspace, made by this solver; any number of threads may do
  // so at once, each with its own.
  Workspace make_workspace() const;
  void solve(Workspace& workspace, const Vectors<const T>& b, const Vectors<T>& x,
             const SolveOptions<T>& o = {}) const;
  void check(Workspace& workspace) const;

  // A solve like the others with events between its steps, which is waited for: backend cuda alone
  // has them, others throw bad_argument.  Makes the events, so it allocates.
  SolveProfile profile(const Vectors<const T>& b, const Vectors<T>& x,
                       const SolveOptions<T>& o = {}) const;

  // Throws not_finite (see Options::check_finite) if a solve on the device since the last check
  // gave such an answer, backend_failed if one was given up: solves with the solver's own
  // workspace, or the one that is given.  Looks at what is known and does not wait: to be sure of a
  // solve, synchronize its stream before.
  void check() const;

  const Analysis& analysis() const;
  const SolverReport& report() const;

 private:
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

// The plan for people: size, levels, method and why, bytes, times.
std::ostream& operator<<(std::ostream& out, const AnalysisReport& report);
std::ostream& operator<<(std::ostream& out, const SolverReport& report);
template <Scalar T>
std::ostream& operator<<(std::ostream& out, const Solver<T>& solver) {
  return out << solver.report();
}

template <Scalar T>
Solver(const Triangle<T>&) -> Solver<T>;
template <Scalar T>
Solver(const Triangle<T>&, const Options&) -> Solver<T>;

}  // namespace echelon
#pragma GCC visibility pop
