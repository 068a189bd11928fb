// echelon/executor.hpp -- what carries out a plan, on the CPU or on a device: the virtual
// interfaces of the house.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after numeric.hpp; solver.hpp picks one and hides it.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "echelon/analysis.hpp"
#include "echelon/device.hpp"
#include "echelon/numeric.hpp"

namespace echelon {

// What one caller's solves write besides their answers: flags, counters, vectors in between, on a
// device what went wrong.  Two solves at the same time need two.
class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  virtual ~Workspace() = default;
  virtual Offset bytes() const { return 0; }

  std::atomic_flag busy = ATOMIC_FLAG_INIT;  // held by the solve that uses it
};

// The steps of a solve on a device, as the marks of a profile tell them apart.
enum class Step { copy_in, permute_in, lower, diagonal, upper, permute_out, copy_out, solve };
constexpr int step_count = 8;
constexpr int no_step = -1;  // what comes after the last

// Nothing where nobody asked.
inline void mark(DeviceMarks* marks, int kind, void* stream) {
  if (marks != nullptr) marks->mark(kind, stream);
}
inline void mark(DeviceMarks* marks, Step step, void* stream) {
  mark(marks, static_cast<int>(step), stream);
}

// Memory on a device that is used by work in any streams, one after the other.
class StreamOrder {
 public:
  StreamOrder();  // on the current device.  Throws backend_missing
  StreamOrder(const StreamOrder&) = delete;
  StreamOrder& operator=(const StreamOrder&) = delete;
  ~StreamOrder();

 private:
  friend class StreamTurn;
  struct State;
  std::unique_ptr<State> state_;
};

// What is put into the stream as long as it lives comes after all that was put into any stream in
// the turn before.  Turns of one order are taken one at a time: by one thread, or under a lock.  A
// stream that is being captured is left alone: who launches the graph says what it comes after.
class StreamTurn {
 public:
  StreamTurn(const StreamOrder* order, void* stream);  // null: there is nothing to order
  StreamTurn(const StreamTurn&) = delete;
  StreamTurn& operator=(const StreamTurn&) = delete;
  ~StreamTurn();

 private:
  const StreamOrder* order_;
  void* stream_;
};

// Whether the stream is being captured into a graph: nothing may be allocated then.
bool is_capturing(void* stream);

// Like is_on_device.  Throws bad_argument for memory of another device than the current one.
bool is_on_this_device(const void* p);

// What a pass of Gauss-Seidel does besides solving with one triangle.  With L the triangle of the
// plan without its diagonal D, and U the other one,
//   x(i) = keep old(i) + weight (b - L x - U old)(i) / D(i),   saved = right - L x.
// All vectors are as many as x has, in its layout.
template <Scalar T>
struct SweepTerms {
  const PackedPattern* across = nullptr;           // U, laid out in the order of the plan, or none
  const PackedValues<T>* across_values = nullptr;  // likewise
  Vectors<const T> old = {};                       // x itself, or memory apart from it
  Vectors<const T> right = {};                     // of `saved`
  Vectors<T> saved = {};                           // no memory: not asked for.  May be b
  T weight = T(1);
  T keep = T(0);  // 0: of `old` nothing but what U asks for is read
};

// One call of solve: op(M) x = alpha b for all vectors of b.  Of M's own transpose only the
// supernodal methods know: their panels serve both.
template <Scalar T>
struct SolveJob {
  const Plan& plan;
  const PackedValues<T>& values;
  T alpha;
  Vectors<const T> b;  // same n, count and layout as x; may be the same memory, entry for entry
  Vectors<T> x;
  Index threads;  // at most plan.threads
  Op op = Op::none;
  const BlockValues<T>* blocks = nullptr;  // of a supernodal plan
  void* stream = nullptr;                  // of a device: where to put the solve
  DeviceMarks* steps = nullptr;            // likewise, of a profile: copies and the solve itself
  DeviceMarks* levels = nullptr;           // likewise: levels in turn, of methods that launch them
  bool and_back = false;                   // M first, then op(M): of executors that go back
  const T* divisor = nullptr;  // in between divided by this; it lies where the vectors are
  const SweepTerms<T>* sweep = nullptr;  // by a row method on the CPU: a pass, with alpha = 1
};

template <Scalar T>
class Executor {
 public:
  virtual ~Executor() = default;
  // The values of a supernodal plan, where and in the form this executor wants them.  Of `out`
  // the device's executors fill in what the reports tell; the panels stay on the device.
  // Throws as pack_plan does, and backend_failed.
  virtual void setup(const Plan& plan, const FillPanel<T>& fill, Passes passes,
                     const NumericOptions& o, BlockValues<T>& out, Index threads) {
    pack_plan(plan, fill, passes, o, out, threads);
  }
  // The values of a plan by rows or columns, the first or others: of a device's executors, which
  // keep copies.  Done when it returns.  Throws out_of_memory, backend_failed.
  virtual void load(const Plan&, const PackedValues<T>&) {}
  // What a solve with this plan needs.  Allocates; throws std::bad_alloc.
  virtual std::unique_ptr<Workspace> make_workspace(const Plan& plan) const = 0;
  // Allocates nothing.  False if some entry of x is not finite.  On the CPU it does not throw.  On
  // a device it makes room for vectors of the host the first time, and throws backend_failed; with
  // vectors there it may be under way still when it returns true, and check() tells the rest.
  virtual bool solve(const SolveJob<T>& job, Workspace& workspace) const = 0;
  // Of the solves with this workspace since the last check that are known to be done: false if an
  // answer was not finite.  Does not wait.  Throws backend_failed if one was given up.
  virtual bool check(Workspace&) const { return true; }
  // Whether a job may go there and back, x = op(M) \ (D \ (M \ b)), in one launch.
  virtual bool goes_back() const { return false; }
  // Kernels of a solve with one right-hand side; on the CPU there are none.
  virtual Index launches(Op) const { return 0; }
  // Memory it has on a device: plan, values, and what its solves have needed so far.
  virtual Offset device_bytes() const { return 0; }
};

// Bytes of shared memory for a thread block: what the device gives, or fewer if so asked.
// Where there is no device: most_shared_memory, or fewer.
Offset shared_memory_for(const CudaOptions& o);
// Whether a block of this method has room in so many, for one right-hand side of any scalar.
bool fits_shared_memory(Method method, Offset bytes);

// The executor of a method (not automatic).  The only place that knows which were built.
// Throws backend_missing.
template <Scalar T>
std::unique_ptr<Executor<T>> make_executor(Method method, Backend backend = Backend::cpu);

// What a factorization does besides its triangular solves: orders, scalings and D, with
// (R A C)(row_order[i], col_order[j]) = (L D U)(i, j).  The vectors in between are the workspace's.
template <Scalar T>
class PermuteScale {
 public:
  virtual ~PermuteScale() = default;
  // Other values of the same factors, which stay as they are until the next.
  virtual void load(const Factors<T>& factors) = 0;
  // For as many vectors at a time as the frame is made for.  Throws std::bad_alloc, out_of_memory.
  virtual std::unique_ptr<Workspace> make_workspace() const = 0;

  // y(i) = (R b)(row_order[i]), then y = D \ y, then x(col_order[j]) = (C y)(j).  On a device they
  // are put into the stream, and b and x may lie there or with the host.  leave() is false if x is
  // under way still.  The first and the last mark their own steps, if they are given marks.
  // With the transpose of A (op is not none), rows and columns change places.
  virtual Vectors<T> enter(Workspace& workspace, const Vectors<const T>& b, Op op, void* stream,
                           DeviceMarks* steps) const = 0;
  virtual void divide(const Vectors<T>& y, void* stream) const = 0;
  virtual const T* divisor() const { return nullptr; }  // D there; null: it is one
  virtual bool leave(Workspace& workspace, const Vectors<T>& y, const Vectors<T>& x, Op op,
                     void* stream, DeviceMarks* steps) const = 0;

  // to = from conjugated.
  virtual void conjugate(const Vectors<const T>& from, const Vectors<T>& to,
                         void* stream) const = 0;

  virtual bool check(Workspace&) const { return true; }  // as the executors': of the x that left
};

// For `rhs_per_pass` vectors at a time.  On a device throws backend_missing, out_of_memory.
template <Scalar T>
std::unique_ptr<PermuteScale<T>> make_permute_scale(const Factors<T>& factors, Index rhs_per_pass,
                                                    Backend backend = Backend::cpu);

// Which parts of a matrix a product is made with: (L if below + U if above + diagonal D) x.
template <Scalar T>
struct ProductTerms {
  bool below = true;
  bool above = true;
  Real<T> diagonal = 1;  // 0: neither D nor the row's own x is read
};

// What sweeps on a device do besides solving with a triangle.  All vectors lie there, as many as x
// in its layout; work is put into the stream, and nobody waits but where it is said.  Throws
// backend_failed.
template <Scalar T>
class DeviceSpmv {
 public:
  virtual ~DeviceSpmv() = default;
  // The values of the one pattern, the first or others.  The order is that of the unknowns, and
  // `near` the lower triangle.  Done when it returns.  Throws out_of_memory.
  virtual void load(const SplitMatrix<T>& a) = 0;

  // r = b - P x.  r may be b.
  virtual void subtract(const ProductTerms<T>& terms, const Vectors<const T>& b,
                        const Vectors<const T>& x, const Vectors<T>& r, void* stream) const = 0;
  // r = b - used + diagonal D x, entry by entry.  r may be `used`.
  virtual void follow(Real<T> diagonal, const Vectors<const T>& b, const Vectors<const T>& used,
                      const Vectors<const T>& x, const Vectors<T>& r, void* stream) const = 0;
  // The Euclidean norm of each vector, the same bits each time.  Squares neither overflow nor
  // underflow; infinity if an entry is not finite.  Waits, and allocates the first time.
  virtual std::vector<double> norms(const Vectors<const T>& r, void* stream) const = 0;

  virtual void clear(const Vectors<T>& x, void* stream) const = 0;  // x = 0
  // Between host and device either way, or inside it.
  virtual void copy(const Vectors<const T>& from, const Vectors<T>& to, void* stream) const = 0;
  virtual void wait(void* stream) const = 0;  // until all of it is done
};

// On the current device.  Throws backend_missing.
template <Scalar T>
std::unique_ptr<DeviceSpmv<T>> make_device_spmv();

}  // namespace echelon
