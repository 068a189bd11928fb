// echelon/solver.hpp -- analyze once per pattern, set up once per matrix, solve often.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.
//
//   echelon::Solver solver(echelon::lower(l));              // analysis and values
//   solver.solve(b, x);                                     // any number of times
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

// Results of the analysis.
struct AnalysisReport {
  Index n = 0;
  Offset nnz = 0;  // of the triangle, with a stored diagonal
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

// An analyzed pattern, for any values and any scalar.  Copies share their data; a move is a copy.
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
  Uplo shape() const;           // which triangle M = op(triangle) is

  // Throws bad_argument unless t has the size that was analyzed and is read the same way.
  void check_same(const TrianglePattern& t) const;

 private:
  friend struct RowAnalysis;
  struct State;
  explicit Analysis(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

// With values.
struct SolverReport : AnalysisReport {
  double setup_s = 0;           // the last setup or update
  Offset bytes = 0;             // read of the matrix by one solve
  Offset workspace_bytes = 0;   // of one workspace
  Offset device_bytes = 0;      // backend cuda: device memory allocated by setup
  Index uninverted_blocks = 0;  // diagonal blocks too ill-conditioned to invert
  Index launches = 0;           // backend cuda: kernels per solve
};

// The time of one solve on a device, by CUDA events.
struct SolveProfile {
  double copy_in_s = 0;   // b from the host, if it is there
  double solve_s = 0;     // the kernels
  double copy_out_s = 0;  // x to the host
};

// A moved-from solver can be assigned to and destroyed; all other calls throw bad_argument.
template <Scalar T>
class Solver {
 public:
  // Memory for the solves of one caller.
  class Workspace {
   public:
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    ~Workspace();
    Offset bytes() const;

   private:
    friend class Solver;
    struct Space;
    Workspace(std::unique_ptr<Space> space, std::uint64_t owner);
    std::unique_ptr<Space> space_;
    std::uint64_t owner_;  // the solver that made it
  };

  explicit Solver(const Triangle<T>& t, const Options& options = {});
  Solver(const Analysis& analysis, const Triangle<T>& t);
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;
  ~Solver();

  // New values for the same pattern, in the order of the stored entries.  One pass over the
  // matrix.  Allocates nothing, with three exceptions: supernodal methods need scratch for one
  // panel per thread, methods spmv and invert_full make their sparse matrices anew, and so does
  // the form of a transpose, if there is one.  Throws zero_diagonal, not_finite, bad_argument; the
  // solver then refuses to solve until an update succeeds.  Solves on a device must have finished.
  // During an update the device holds the panels twice.
  void update(std::span<const T> values);

  // op(M) x = alpha b.  x may be b.  Allocates nothing, with two exceptions: the first solve with a
  // transpose, unless M is in panels, and on a device the first solve for more vectors than
  // cuda.right_sides.  Throws bad_argument (sizes), not_finite (see Options::check_finite).
  // Uses the solver's own workspace: a second call at the same time throws bad_argument.
  //
  // Backend cuda: b and x lie both on the solver's device or both on the host.  A host x is
  // complete on return.  With a device x the solve is put into the stream and the call does not
  // wait; check() reports errors.  Solves of one solver run one after the other, in any streams.
  // A graph captures them without that order: the caller then orders launches of the graph and
  // other solves of this solver.  The device is Options::cuda.device; the caller's current device
  // may be another and is not changed.
  void solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o = {}) const;
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o = {}) const;
  std::vector<T> solve(std::span<const T> b, const SolveOptions<T>& o = {}) const;

  // The same with the caller's workspace, made by this solver.  Any number of threads may solve at
  // the same time, each with its own workspace.
  Workspace make_workspace() const;
  void solve(Workspace& workspace, const Vectors<const T>& b, const Vectors<T>& x,
             const SolveOptions<T>& o = {}) const;
  void check(Workspace& workspace) const;

  // A solve with CUDA events between its steps; waits until it is complete.  Allocates the events.
  // Throws bad_argument unless the backend is cuda.
  SolveProfile profile(const Vectors<const T>& b, const Vectors<T>& x,
                       const SolveOptions<T>& o = {}) const;

  // Reports the solves on the device since the last check, with the solver's own workspace or the
  // given one.  Throws not_finite if an answer was not finite (see Options::check_finite),
  // backend_failed if a solve gave up.  Does not wait: synchronize the stream of a solve before.
  void check() const;

  const Analysis& analysis() const;
  const SolverReport& report() const;

 private:
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

// Size, levels, method with its reason, bytes and times, as text.
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
