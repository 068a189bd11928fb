// echelon/smoother.hpp -- Gauss-Seidel and SOR sweeps: analyze once per pattern, set up once per
// matrix, sweep often.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.
//
//   echelon::GaussSeidel smoother(a);                       // symmetric sweeps
//   smoother.solve(b, x, {.sweeps = 2});                    // from the x that is given
//   smoother.solve(r, z, {.guess = echelon::Guess::zero});  // as a preconditioner: z = M^-1 r
//   smoother.update(new_values);                            // same pattern, new values
//
// With A = L + D + U and the weight omega, a forward sweep is
//   (D/omega + L) x' = b - U x + (1/omega - 1) D x,
// a backward sweep the same with L and U exchanged, a symmetric sweep a forward and then a backward
// sweep.  In row form each unknown gathers its whole row, so a sweep reads A once.  It works in
// place if the pattern of A is symmetric, because a level schedule then keeps old values as long as
// they are needed (docs/decisions/0017-sweeps-in-place.md); else it needs a second vector.  The
// second half of a symmetric sweep reads one triangle only: the first half saves the product with
// the other.  In column form a sweep is x += (D/omega + L)^-1 (b - A x), with a Solver for the
// triangle. On a device (Options::backend cuda) each sweep is the product with U and then a solve,
// in place for every pattern (docs/decisions/0019-sweeps-on-a-device.md).
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
constexpr auto names(Guess) {
  return name_table<Guess>({{Guess::given, "given"}, {Guess::zero, "zero"}});
}

struct SmootherOptions {
  Sweep direction = Sweep::symmetric;  // the preconditioner of conjugate gradients must be
  SweepForm form = SweepForm::automatic;
  double omega = 1;     // 1: Gauss-Seidel; must be between 0 and 2, or no sweep converges
  Options solver = {};  // how the triangles are scheduled: method, threads, backend
};

// Results of the analysis.
struct SmootherReport {
  Index n = 0;
  Offset nnz = 0;
  bool symmetric_pattern = false;  // only known in row form on the CPU
  Sweep direction = Sweep::symmetric;
  SweepForm form = SweepForm::row;
  Method method = Method::serial;         // of the triangle that is swept first
  Index vectors = 1;                      // 1: sweeps are in place; 2: old and new x are kept apart
  std::string reason;                     // why this form
  std::vector<AnalysisReport> triangles;  // of each direction that is swept, forward first
  Offset plan_bytes = 0;
  double analysis_s = 0;

  Index levels() const;  // of all triangles
  double flops()
      const {  // of one sweep, as Li and Zhang count: two per entry, symmetric twice that
    return (direction == Sweep::symmetric ? 4.0 : 2.0) * static_cast<double>(nnz);
  }
};

// An analyzed pattern, for any values and any scalar.  Copies share their data; a move is a copy.
class SmootherAnalysis {
 public:
  SmootherAnalysis(const SmootherAnalysis&) = default;
  SmootherAnalysis& operator=(const SmootherAnalysis&) = default;
  // Throws bad_argument (not square, bad pattern, options), zero_diagonal (none stored),
  // backend_missing, out_of_memory.  O(n + nnz).
  explicit SmootherAnalysis(const Pattern& a, const SmootherOptions& options = {});

  const SmootherReport& report() const;
  const SmootherOptions& options() const;
  // The triangle of each direction that is swept, forward first.
  const std::vector<Analysis>& triangles() const;

  struct State;  // private to the room
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

// With values.
struct GaussSeidelReport : SmootherReport {
  double setup_s = 0;          // the last setup or update
  Offset bytes = 0;            // read of the matrix by one sweep with a given x
  Offset workspace_bytes = 0;  // grows with the number of right-hand sides per pass
};

// How one call of solve differs from one sweep with the given x.
struct SweepOptions {
  Index sweeps = 1;
  Guess guess = Guess::given;
  Index threads = 0;       // at most this many; 0: as analyzed
  void* stream = nullptr;  // backend cuda: the cudaStream_t to put the sweeps into
};

template <Scalar T>
struct SmootherSpace;  // private to the room

// A moved-from smoother can be assigned to and destroyed; all other calls throw bad_argument.
template <Scalar T>
class GaussSeidel {
 public:
  // Memory for the sweeps of one caller.
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
    std::uint64_t owner_;  // the smoother that made it
  };

  // Duplicate entries are added up.  The values are copied.  Throws as SmootherAnalysis does, and
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

  // Sweeps for A x = b.  b and x must not overlap.  Allocates only the first time that it gets so
  // many right-hand sides (8 per pass; more run in several passes).  The same bits for every run
  // and number of threads, unless the method is one of columns.  Throws bad_argument (sizes),
  // not_finite (see Options::check_finite).  Uses the smoother's own workspace: a second call at
  // the same time throws bad_argument. Backend cuda: b and x lie both on the smoother's device or
  // both on the host.  A host x is complete on return.  With a device x the sweeps are put into the
  // stream and the call does not wait; check() reports errors.  Streams and graphs are as for
  // Solver::solve.
  void solve(std::span<const T> b, std::span<T> x, const SweepOptions& o = {}) const;
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SweepOptions& o = {}) const;
  // The same from x = 0; o.guess is not used.
  std::vector<T> solve(std::span<const T> b, const SweepOptions& o = {}) const;

  // The same with the caller's workspace, made by this smoother.  Any number of threads may sweep
  // at the same time, each with its own workspace.
  Workspace make_workspace() const;
  void solve(Workspace& workspace, const Vectors<const T>& b, const Vectors<T>& x,
             const SweepOptions& o = {}) const;
  void check(Workspace& workspace) const;

  // r = b - A x.  r may be b.  Backend cuda: vectors and stream as for solve.
  void residual(const Vectors<const T>& b, const Vectors<const T>& x, const Vectors<T>& r,
                void* stream = nullptr) const;
  // |b - A x|, the Euclidean norm, of each right-hand side.  Reads A once.  Waits for the device.
  std::vector<double> residual_norms(const Vectors<const T>& b, const Vectors<const T>& x,
                                     void* stream = nullptr) const;
  double residual_norm(std::span<const T> b, std::span<const T> x) const;

  // Reports the sweeps on the device since the last check, with the smoother's own workspace or the
  // given one.  Throws not_finite if an x was not finite (see Options::check_finite),
  // backend_failed if a solve gave up.  Does not wait: synchronize the stream of a call before.
  void check() const;

  const SmootherAnalysis& analysis() const;
  const GaussSeidelReport& report() const;

 private:
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

// Size, levels, form with its reason, bytes and times, as text.
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
