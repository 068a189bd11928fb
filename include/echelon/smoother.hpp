// echelon/smoother.hpp -- Gauss-Seidel and SOR sweeps with a whole matrix: analyze once, set up
// once a matrix, sweep often.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.
//
//   echelon::GaussSeidel<double> smoother(a);         // symmetric sweeps; analysis and values
//   smoother.solve(b, x, {.sweeps = 2});             // x is the guess, then the better one
//   smoother.solve(r, z, {.guess = echelon::Guess::zero});  // as a preconditioner: z = M^-1 r
//   smoother.update(new_values);                      // same pattern, new values
//
// With A = L + D + U and the weight omega, a forward sweep is
//   (D/omega + L) x' = b - U x + (1/omega - 1) D x,
// a backward sweep the same with L and U in each other's place, a symmetric one a forward and then
// a backward one.  In row form every unknown gathers its whole row, so A is read once a sweep.  In
// place if the pattern of A is symmetric, for a level schedule keeps old values for as long as they
// are needed then (docs/decisions/0017-sweeps-in-place.md); else with a second vector.  The second
// half of a symmetric sweep reads one triangle only: the first has saved the other's product.  In
// column form a sweep is x += (D/omega + L)^-1 (b - A x), with a Solver for the triangle.  On a
// device (Options::backend cuda) every sweep is the product with U and then a solve, in place for
// every pattern (docs/decisions/0019-sweeps-on-a-device.md).
//
// Reference.  Li and Zhang, SIAM PP 2020, section 5.2.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "echelon/matrix.hpp"
#include "echelon/solver.hpp"

#pragma GCC visibility push(default)
namespace echelon {

enum class SweepForm { automatic, row, column };  // row, unless the method is one of columns
constexpr auto names(SweepForm) {
  return name_table<SweepForm>({{SweepForm::automatic, "automatic"},
                                {SweepForm::row, "row"},
                                {SweepForm::column, "column"}});
}
enum class Guess { given, zero };  // zero: x is not read

struct SmootherOptions {
  Sweep direction = Sweep::symmetric;  // the one a conjugate gradient method can be helped with
  SweepForm form = SweepForm::automatic;
  double omega = 1;     // 1: Gauss-Seidel; between 0 and 2, outside nothing converges
  Options solver = {};  // how the triangles are scheduled: method, threads, backend
};

// What the analysis found and chose.
struct SmootherReport {
  Index n = 0;
  Offset nonzeros = 0;
  bool symmetric_pattern = false;  // looked for in row form on the CPU only
  Sweep direction = Sweep::symmetric;
  SweepForm form = SweepForm::row;
  Index vectors = 1;                      // 1: sweeps are in place; 2: old and new x are kept apart
  std::string reason;                     // why this form
  std::vector<AnalysisReport> triangles;  // of each direction that is swept, forward first
  Offset plan_bytes = 0;
  double analysis_s = 0;

  Index levels() const;   // of all of them
  double flops() const {  // of one sweep, as Li and Zhang count: two an entry, symmetric twice that
    return (direction == Sweep::symmetric ? 4.0 : 2.0) * static_cast<double>(nonzeros);
  }
};

// A pattern analyzed, ready for any values and any scalar.  Cheap to copy (shared); to move one is
// to copy it.
class SmootherAnalysis {
 public:
  SmootherAnalysis(const SmootherAnalysis&) = default;
  SmootherAnalysis& operator=(const SmootherAnalysis&) = default;
  // Throws bad_argument (not square, bad pattern, options), zero_diagonal (none stored),
  // backend_missing, out_of_memory.  O(n + nnz).
  explicit SmootherAnalysis(const Pattern& a, const SmootherOptions& options = {});

  const SmootherReport& report() const;
  const SmootherOptions& options() const;

  struct State;  // private to the room
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

// The same of a smoother with values.
struct GaussSeidelReport : SmootherReport {
  double setup_s = 0;          // of the last setup or update
  Offset bytes = 0;            // what one sweep on a given x reads of the matrix
  Offset workspace_bytes = 0;  // for as many right-hand sides as were swept together so far
};

// How one call of solve differs from one sweep on the given x.
struct SweepOptions {
  Index sweeps = 1;
  Guess guess = Guess::given;
  Index threads = 0;       // at most this many for this call; 0: as analyzed
  void* stream = nullptr;  // backend cuda: the cudaStream_t to put the sweeps into
};

template <Scalar T>
struct SmootherSpace;  // private to the room

// After a move from it, a smoother can be assigned to and destroyed; all else throws bad_argument.
template <Scalar T>
class GaussSeidel {
 public:
  // What one caller's sweeps need besides the smoother.
  class Workspace {
   public:
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    ~Workspace();
    Offset bytes() const;

   private:
    friend class GaussSeidel;
    Workspace(std::unique_ptr<SmootherSpace<T>> space, std::uint64_t owner);
    std::unique_ptr<SmootherSpace<T>> space_;
    std::uint64_t owner_;  // the smoother it was made by
  };

  // Entries given twice are added up.  The values are copied.  Throws as SmootherAnalysis does, and
  // zero_diagonal (exactly zero), not_finite, both with the row.
  template <Order order>
  explicit GaussSeidel(const CompressedView<T, order>& a, const SmootherOptions& options = {})
      : GaussSeidel(SmootherAnalysis(a.pattern(), options), a.value) {}
  template <Order order>
  explicit GaussSeidel(const Compressed<T, order>& a, const SmootherOptions& options = {})
      : GaussSeidel(CompressedView<T, order>(a), options) {}
  GaussSeidel(const SmootherAnalysis& analysis, std::span<const T> values);
  GaussSeidel(GaussSeidel&&) noexcept;
  GaussSeidel& operator=(GaussSeidel&&) noexcept;
  ~GaussSeidel();

  // New values for the same pattern, in the order of the stored entries.  One pass over the
  // matrix; allocates nothing.  Throws zero_diagonal, not_finite, bad_argument; the smoother then
  // refuses to work until an update succeeds.
  void update(std::span<const T> values);

  // x after so many sweeps for A x = b.  b and x are apart.  Allocates only the first time that so
  // many right-hand sides (up to 8, more go in groups) are swept together.  The same bits for every
  // run and number of threads, unless the method is one of columns.  Throws bad_argument (sizes),
  // not_finite (see Options::check_finite).  Uses the smoother's own workspace: two calls at the
  // same time throw bad_argument; give each caller one for that.
  // Backend cuda: b and x lie both on the smoother's device or both with the host.  With the host's
  // the sweeps are done on return; with the device's they are put into the stream, nobody waits,
  // and check() tells what went wrong.  Streams and graphs are as for Solver::solve.
  void solve(std::span<const T> b, std::span<T> x, const SweepOptions& o = {}) const;
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SweepOptions& o = {}) const;
  // x after so many sweeps that begin at zero, whatever o.guess is.
  std::vector<T> solve(std::span<const T> b, const SweepOptions& o = {}) const;

  // The same with the caller's workspace, made by this smoother; any number of threads may do so at
  // once, each with its own.
  Workspace make_workspace() const;
  void solve(Workspace& workspace, const Vectors<const T>& b, const Vectors<T>& x,
             const SweepOptions& o = {}) const;
  void check(Workspace& workspace) const;

  // r = b - A x.  r may be b.  Backend cuda: vectors and stream as for solve.
  void residual(const Vectors<const T>& b, const Vectors<const T>& x, const Vectors<T>& r,
                void* stream = nullptr) const;
  // |b - A x|, the Euclidean norm, of each right-hand side.  Reads A once.  Done when it returns.
  std::vector<double> residual_norms(const Vectors<const T>& b, const Vectors<const T>& x,
                                     void* stream = nullptr) const;
  double residual_norm(std::span<const T> b, std::span<const T> x) const;

  // Throws not_finite (see Options::check_finite) if a sweep on the device since the last check
  // gave such an x, backend_failed if one was given up: sweeps with the smoother's own workspace,
  // or the one that is given.  Looks at what is known and does not wait: to be sure of a call,
  // synchronize its stream before.
  void check() const;

  const SmootherAnalysis& analysis() const;
  const GaussSeidelReport& report() const;

 private:
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

// For people: size, levels, form and why, bytes, times.
std::ostream& operator<<(std::ostream& out, const SmootherReport& report);
std::ostream& operator<<(std::ostream& out, const GaussSeidelReport& report);
template <Scalar T>
std::ostream& operator<<(std::ostream& out, const GaussSeidel<T>& smoother) {
  return out << smoother.report();
}

template <Scalar T, Order order>
GaussSeidel(const Compressed<T, order>&) -> GaussSeidel<T>;
template <Scalar T, Order order>
GaussSeidel(const Compressed<T, order>&, const SmootherOptions&) -> GaussSeidel<T>;
template <Scalar T, Order order>
GaussSeidel(const CompressedView<T, order>&) -> GaussSeidel<T>;
template <Scalar T, Order order>
GaussSeidel(const CompressedView<T, order>&, const SmootherOptions&) -> GaussSeidel<T>;

}  // namespace echelon
#pragma GCC visibility pop
