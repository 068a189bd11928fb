// echelon/batch.hpp -- many triangular systems of one pattern: analyze once, load all values, solve
// all systems at once.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.
//
//   echelon::BatchSolver<double> many(echelon::lower(l), count, values);  // count * nnz values
//   many.solve(b, x);                             // count * n numbers each, system after system
//   many.solve(x, x, {.op = Op::transpose});      // with the transposes: L, then L'
//   many.update(new_values);                      // same pattern, new values
//   for (const Index k : many.failed()) ...       // singular ones; all others are solved
//
// Method.  A few systems are solved side by side, one in each lane of a vector unit or of a warp:
// their values are kept interleaved, entry by entry, so that one read of the pattern serves all of
// them and no lane depends on another (docs/decisions/0052-batches-of-one-pattern.md).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "echelon/matrix.hpp"
#include "echelon/options.hpp"
#include "echelon/solve_options.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Whether systems are solved side by side or one after the other with a Solver each.
enum class BatchForm { automatic, interleaved, separate };
constexpr auto names(BatchForm) {
  return name_table<BatchForm>({{BatchForm::automatic, "automatic"},
                                {BatchForm::interleaved, "interleaved"},
                                {BatchForm::separate, "separate"}});
}

struct BatchOptions {
  BatchForm form = BatchForm::automatic;
  Index width = 0;      // systems side by side; 0: chosen.  A CPU has one: 64 bytes of real numbers
  Options solver = {};  // threads, vector unit, backend; form separate: also the method
};

// The values of a batch: entry p of system k is data[k * stride + p], in the order of the stored
// entries of the pattern.  Backend cuda: on the host or on the solver's device.
template <Scalar T>
struct BatchValues {
  const T* data = nullptr;
  Index count = 0;    // systems
  Offset stride = 0;  // 0: as many as the pattern has entries
};

struct BatchReport {
  Index n = 0;
  Offset nnz = 0;   // of one triangle, with a stored diagonal
  Index count = 0;  // systems
  BatchForm form = BatchForm::interleaved;
  std::string reason;  // why this form
  Index width = 1;     // systems side by side
  Backend backend = Backend::cpu;
  VectorUnit vector_unit = VectorUnit::automatic;  // backend cpu: which kernels run
  Index threads = 1;
  Offset plan_bytes = 0;
  double analysis_s = 0;
  double setup_s = 0;          // the last setup or update
  Offset bytes = 0;            // of the matrices, read by a solve of all systems
  Offset workspace_bytes = 0;  // of one workspace
  Offset device_bytes = 0;     // backend cuda
  Index refused = 0;           // systems whose values the last setup or update refused
};

// A moved-from solver can be assigned to and destroyed; all other calls throw bad_argument.
template <Scalar T>
class BatchSolver {
 public:
  // Memory for the solves of one caller.
  class Workspace {
   public:
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    ~Workspace();
    Offset bytes() const;

   private:
    friend class BatchSolver;
    struct Space;
    Workspace(std::unique_ptr<Space> space, std::uint64_t owner);
    std::unique_ptr<Space> space_;
    std::uint64_t owner_;  // the solver that made it
  };

  // The pattern is read as a Solver reads it; if it is a Triangle, its values are not.  Throws as
  // find_dependency_graph does, bad_argument, backend_missing, out_of_memory, but not for values: a
  // system with a zero on its diagonal or a value that is not finite is refused, by failed(), and
  // its answers are NaN.
  BatchSolver(const TrianglePattern& pattern, const BatchValues<T>& values,
              const BatchOptions& options = {});
  // `values`: those of system after system, without gaps.
  BatchSolver(const TrianglePattern& pattern, Index count, std::span<const T> values,
              const BatchOptions& options = {});
  BatchSolver(BatchSolver&&) noexcept;
  BatchSolver& operator=(BatchSolver&&) noexcept;
  ~BatchSolver();

  // New values for the same pattern and number of systems.  Complete on return; values on the
  // device do not pass through the host.  Solves on a device must have finished.  Throws
  // bad_argument; form separate, backend_failed and out_of_memory: the solver then refuses to solve
  // until an update succeeds.
  void update(const BatchValues<T>& values);
  void update(std::span<const T> values);

  // op(M_k) x = alpha b for every system k.  The vectors are those of system 0, then those of
  // system 1 and so on, with the same number for each.  x may be b.  Never throws for a system
  // without a finite answer: see failed().  Allocates only on the first call with so many
  // right-hand sides.  Throws bad_argument (sizes).  Backend cuda: b and x lie both on the
  // device or both on the host; with a device x the solve is put into the stream and the call does
  // not wait.
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o = {}) const;
  void solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o = {}) const;
  std::vector<T> solve(std::span<const T> b, const SolveOptions<T>& o = {}) const;

  // The same with the caller's workspace, made by this solver.  Any number of threads may solve at
  // the same time, each with its own workspace; form separate: with as many copies of the
  // workspace of a Solver.
  Workspace make_workspace() const;
  void solve(Workspace& workspace, const Vectors<const T>& b, const Vectors<T>& x,
             const SolveOptions<T>& o = {}) const;

  // The systems whose values were refused, and those whose answers in the last solve with the
  // solver's own workspace or the given one were not finite, in rising order.  After a solve with
  // vectors on the device, synchronize its stream first.
  std::vector<Index> failed() const;
  std::vector<Index> failed(const Workspace& workspace) const;
  // Throws zero_diagonal or not_finite for the first of them; the message has its number.
  void check() const;
  void check(const Workspace& workspace) const;

  const BatchReport& report() const;

 private:
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

std::ostream& operator<<(std::ostream& out, const BatchReport& report);
template <Scalar T>
std::ostream& operator<<(std::ostream& out, const BatchSolver<T>& solver) {
  return out << solver.report();
}

}  // namespace echelon
#pragma GCC visibility pop
