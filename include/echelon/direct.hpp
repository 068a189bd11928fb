// echelon/direct.hpp -- A x = b with a factorization: both triangles, permutations, scalings and
// iterative refinement.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.
//
//   echelon::DirectSolver solver(echelon::factor_cholmod(a));
//   solver.solve(b, x);                                     // A x = b
//   solver.update(echelon::factor_cholmod(a2));             // same pattern, new values
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include "echelon/factor.hpp"
#include "echelon/matrix.hpp"
#include "echelon/numeric.hpp"
#include "echelon/residual.hpp"
#include "echelon/solver.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Iterative refinement: x += solve(b - A x).
struct RefineOptions {
  Index steps = 10;               // at most
  bool stop_when_stalled = true;  // stop when the componentwise backward error no longer halves

  template <class Visitor>
  void visit(Visitor&& v) {
    v("steps", steps, "refinement steps at most");
    v("stop_when_stalled", stop_when_stalled,
      "stop when the backward error stops falling; else take all steps");
  }
};

struct RefineReport {
  Index steps = 0;         // taken
  double first_error = 0;  // componentwise backward error max |b-Ax| / (|A||x|+|b|) before
  double last_error = 0;   // and after
};

// What the solver made of the factorization.
struct DirectReport {
  Index n = 0;
  Offset nnz = 0;  // of L and U together
  std::string package, kind, ordering;
  std::string factor_reason;           // Factors::reason
  Index refine_steps = 0;              // Factors::refine_steps
  Method method = Method::tree;        // of L
  Method upper_method = Method::tree;  // of U
  std::string reason;
  Backend backend = Backend::cpu;
  VectorUnit vector_unit = VectorUnit::automatic;  // backend cpu: which kernels run
  Index threads = 1;
  SupernodeReport lower;           // of L
  SupernodeReport upper;           // of U; equal to lower with symmetric_storage
  bool symmetric_storage = false;  // U is the conjugate transpose of L and not stored
  bool low_precision = false;
  Index uninverted_blocks = 0;  // diagonal blocks too ill-conditioned to invert
  double largest_growth = 0;    // largest condition estimate of a block that was inverted
  Offset bytes = 0;             // read by one solve with L and U
  Offset lower_bytes = 0;       // by one solve with L
  Offset upper_bytes = 0;       // by one solve with U
  Offset stored_bytes = 0;      // of all values kept
  Index lower_launches = 0;     // backend cuda: kernels of one solve with L
  Index upper_launches = 0;
  Offset workspace_bytes = 0;
  Offset device_bytes = 0;  // backend cuda: memory taken there by setup, for the triangular solves
  double analysis_s = 0;    // symbolic
  double setup_s = 0;       // numeric, of the last setup or update
};

// The time of one solve on a device, by CUDA events.
struct DirectProfile {
  double copy_in_s = 0;     // b from the host, if it is there
  double permute_in_s = 0;  // with the scaling
  double lower_s = 0;
  double diagonal_s = 0;  // D, if there is one
  double upper_s = 0;
  double permute_out_s = 0;
  double copy_out_s = 0;  // x to the host
};

// One level of a triangular solve on a device.
struct LevelTime {
  LevelWork work;
  double seconds = 0;
};

// How one triangle of a factorization is solved: op(N), where `plan` is that of N.
struct FactorTrianglePlan {
  const Plan& plan;
  Op op = Op::none;
};

// A moved-from solver can be assigned to and destroyed; all other calls throw bad_argument.
template <Scalar T>
class DirectSolver {
 public:
  // Memory for the solves of one caller.
  class Workspace {
   public:
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    ~Workspace();
    Offset bytes() const;

   private:
    friend class DirectSolver;
    struct Space;
    Workspace(std::unique_ptr<Space> space, std::uint64_t owner);
    std::unique_ptr<Space> space_;
    std::uint64_t owner_;  // the solver that made it
  };

  // Any method takes factors in panels and factors in columns.  Method automatic chooses for each
  // triangle, and times what it cannot tell apart (Options::measure).  Throws bad_argument,
  // zero_diagonal, not_finite, out_of_memory.
  explicit DirectSolver(Factors<T> factors, const Options& options = {});
  DirectSolver(DirectSolver&&) noexcept;
  DirectSolver& operator=(DirectSolver&&) noexcept;
  ~DirectSolver();

  // New values of the same pattern: factors of the same package, order and structure.  Throws
  // bad_argument if the structure differs, and as the constructor does; the solver then refuses to
  // solve until an update succeeds.  Solves on a device must have finished.
  void update(Factors<T> factors);

  // op(M) x = alpha b, where M is A or a part of its factorization (SolveOptions).  x may be b.
  // Allocates nothing, except in the first solve with a transpose where triangles are solved row by
  // row.  Throws as Solver::solve does.  Uses the solver's own workspace: two
  // calls at the same time throw bad_argument; give each caller its own workspace for that.
  // Backend cuda: b and x lie on the solver's device or on the host.  A host x is complete on
  // return.  With a device x the solve is put into the stream and the call does not wait; check()
  // reports errors.  Streams and graphs are as for Solver::solve.
  void solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o = {}) const;
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o = {}) const;
  std::vector<T> solve(std::span<const T> b, const SolveOptions<T>& o = {}) const;

  // The same with the caller's workspace, made by this solver.  Any number of threads may solve at
  // once, each with its own workspace.
  Workspace make_workspace() const;
  void solve(Workspace& workspace, const Vectors<const T>& b, const Vectors<T>& x,
             const SolveOptions<T>& o = {}) const;
  void check(Workspace& workspace) const;

  // As Solver::check.
  void check() const;

  // A x = b, refined with the matrix that was factored; b and x lie on the host.  Reports the worst
  // vector only.
  RefineReport solve(const CsrView<T>& a, const Vectors<const T>& b, const Vectors<T>& x,
                     const RefineOptions& o = {}) const;
  RefineReport solve(Workspace& workspace, const CsrView<T>& a, const Vectors<const T>& b,
                     const Vectors<T>& x, const RefineOptions& o = {}) const;

  // A solve of A x = b with CUDA events between its steps; waits until it is complete.  Allocates
  // the events.  Throws bad_argument unless the backend is cuda.
  DirectProfile profile(const Vectors<const T>& b, const Vectors<T>& x,
                        void* stream = nullptr) const;
  // The same for the levels of a solve with L or U, in order of execution.  Empty for methods that
  // do not launch kernels level by level (those that do: team, merge, invert_diag, invert_off,
  // spmv).  The events between levels take part of the time.
  std::vector<LevelTime> profile_levels(Uplo part, const Vectors<const T>& b, const Vectors<T>& x,
                                        void* stream = nullptr) const;

  const DirectReport& report() const;
  // What a solve with L or U reads; valid as long as the solver.
  FactorTrianglePlan plan(Uplo part) const;

 private:
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

std::ostream& operator<<(std::ostream& out, const DirectReport& report);
template <Scalar T>
std::ostream& operator<<(std::ostream& out, const DirectSolver<T>& solver) {
  return out << solver.report();
}

}  // namespace echelon
#pragma GCC visibility pop
