// echelon/executor.hpp -- the virtual interfaces that carry out a plan, on the CPU or on a device.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after numeric.hpp; solver.hpp chooses an executor and hides it.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "echelon/analysis.hpp"
#include "echelon/device.hpp"
#include "echelon/numeric.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// The memory that one caller's solves write besides x: flags, counters, intermediate vectors, and
// on a device the error state.  Two concurrent solves need two workspaces.
class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  virtual ~Workspace() = default;
  virtual Offset bytes() const { return 0; }

  std::atomic_flag busy = ATOMIC_FLAG_INIT;  // held by the solve that uses it
};

// The steps of a solve on a device, as a profile marks them.
enum class Step { copy_in, permute_in, lower, diagonal, upper, permute_out, copy_out, solve };
constexpr int step_count = 8;
constexpr int no_step = -1;  // after the last step

// Does nothing if `marks` is null.
inline void mark(DeviceMarks* marks, int kind, void* stream) {
  if (marks != nullptr) marks->mark(kind, stream);
}
inline void mark(DeviceMarks* marks, Step step, void* stream) {
  mark(marks, static_cast<int>(step), stream);
}

// Orders the uses of one piece of device memory by work in several streams.
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

// Work put into the stream during the lifetime of this object comes after all work of the previous
// turn, in any stream.  Only one turn of an order may exist at a time: use one thread or a lock.
// Does nothing for a stream under capture: the caller orders the graph's launches.
class StreamTurn {
 public:
  StreamTurn(const StreamOrder* order, void* stream);  // null: does nothing
  StreamTurn(const StreamTurn&) = delete;
  StreamTurn& operator=(const StreamTurn&) = delete;
  ~StreamTurn();

 private:
  const StreamOrder* order_;
  void* stream_;
};

// Whether the stream is being captured into a graph.  If so, nothing may be allocated.
bool is_capturing(void* stream);

// As is_on_device.  Throws bad_argument for memory of a device other than the current one.
bool is_on_this_device(const void* p);

// What a Gauss-Seidel pass computes besides the triangular solve.  L is the triangle of the plan
// without its diagonal D, and U the other triangle:
//   x(i) = keep old(i) + weight (b - L x - U old)(i) / D(i),   saved = right - L x.
// All vectors have the count and layout of x.
template <Scalar T>
struct SweepTerms {
  const PackedPattern* across = nullptr;           // U in the order of the plan, or null
  const PackedValues<T>* across_values = nullptr;  // of U
  Vectors<const T> old = {};                       // x itself, or memory that does not overlap it
  Vectors<const T> right = {};                     // in the formula of `saved`
  Vectors<T> saved = {};                           // null data: not computed.  May be b
  T weight = T(1);
  T keep = T(0);  // if 0, `old` is read only for the product with U
};

// One call of solve: op(M) x = alpha b for all vectors of b.  Only the supernodal methods accept op
// other than none: their panels serve both.
template <Scalar T>
struct SolveJob {
  const Plan& plan;
  const PackedValues<T>& values;
  T alpha;
  Vectors<const T> b;  // same n, count and layout as x; the same memory as x, or no overlap
  Vectors<T> x;
  Index threads;  // at most plan.threads
  Op op = Op::none;
  const BlockValues<T>* blocks = nullptr;  // for a supernodal plan
  void* stream = nullptr;                  // on a device: the stream of the solve
  DeviceMarks* steps = nullptr;   // on a device, for a profile: marks copies and the solve itself
  DeviceMarks* levels = nullptr;  // the same, level by level, for methods that launch each level
  bool and_back = false;          // solve with M, then with op(M); needs goes_back()
  const T* divisor = nullptr;     // in between, divide by this; lies where the vectors lie
  const SweepTerms<T>* sweep = nullptr;  // row methods on the CPU: Gauss-Seidel; alpha = 1
};

template <Scalar T>
class Executor {
 public:
  virtual ~Executor() = default;
  // Stores the values of a supernodal plan in the form this executor uses.  Executors of a device
  // fill only the report fields of `out`; the panels stay on the device.  Throws as pack_plan does,
  // and backend_failed.
  virtual void setup(const Plan& plan, const FillPanel<T>& fill, Sweep passes,
                     const NumericOptions& o, BlockValues<T>& out, Index threads) {
    pack_plan(plan, fill, passes, o, out, threads);
  }
  // Copies the values of a plan by rows or columns to the device; the first values or new ones.
  // Complete on return.  Does nothing on the CPU.  Throws out_of_memory, backend_failed.
  virtual void load(const Plan&, const PackedValues<T>&) {}
  // The workspace for solves with this plan.  Throws std::bad_alloc.
  virtual std::unique_ptr<Workspace> make_workspace(const Plan& plan) const = 0;
  // Returns false if an entry of x is not finite.  On the CPU it allocates nothing and does not
  // throw.  On a device, the first solve with host vectors allocates space for them; throws
  // backend_failed.  With device vectors it may return true before the solve is complete; check()
  // then reports the result.
  virtual bool solve(const SolveJob<T>& job, Workspace& workspace) const = 0;
  // Covers the solves with this workspace that completed since the last check: false if a result
  // was not finite.  Does not wait.  Throws backend_failed if a solve was aborted.
  virtual bool check(Workspace&) const { return true; }
  // Whether one launch can compute x = op(M) \ (D \ (M \ b)).
  virtual bool goes_back() const { return false; }
  // Kernel launches per solve with one right-hand side; 0 on the CPU.
  virtual Index launches(Op) const { return 0; }
  // Device memory in use: plan, values, and what solves have allocated so far.
  virtual Offset device_bytes() const { return 0; }
};

// Bytes of shared memory per thread block: the device's limit (without a device:
// most_shared_memory), or o.shared_memory if that is less.
Offset shared_memory_for(const CudaOptions& o);
// Whether a thread block of this method fits into `bytes`, for one right-hand side of any scalar.
bool fits_shared_memory(Method method, Offset bytes);

// The executor of a method (not automatic).  The only function that depends on which backends were
// built.  Throws backend_missing.
template <Scalar T>
ECHELON_EXPORT std::unique_ptr<Executor<T>> make_executor(Method method,
                                                          Backend backend = Backend::cpu);

// The steps of a factorization besides its triangular solves: permutations, scalings and D, with
// (R A C)(row_order[i], col_order[j]) = (L D U)(i, j).  Intermediate vectors are in the workspace.
template <Scalar T>
class PermuteScale {
 public:
  virtual ~PermuteScale() = default;
  // Loads new values of the same factors; they must not change until the next load.
  virtual void load(const Factors<T>& factors) = 0;
  // For `rhs_per_pass` vectors at a time.  Throws std::bad_alloc, out_of_memory.
  virtual std::unique_ptr<Workspace> make_workspace() const = 0;

  // enter: y(i) = (R b)(row_order[i]); divide: y = D \ y; leave: x(col_order[j]) = (C y)(j).  On a
  // device they are put into the stream; b and x may be in host or device memory. leave() returns
  // false if x is not complete yet. enter and leave mark their own steps if `steps` is given.  With
  // the transpose of A (op is not none), rows and columns change places.
  virtual Vectors<T> enter(Workspace& workspace, const Vectors<const T>& b, Op op, void* stream,
                           DeviceMarks* steps) const = 0;
  virtual void divide(const Vectors<T>& y, void* stream) const = 0;
  virtual const T* divisor() const { return nullptr; }  // D on the device; null: all 1
  virtual bool leave(Workspace& workspace, const Vectors<T>& y, const Vectors<T>& x, Op op,
                     void* stream, DeviceMarks* steps) const = 0;

  // to = from conjugated.
  virtual void conjugate(const Vectors<const T>& from, const Vectors<T>& to,
                         void* stream) const = 0;

  virtual bool check(Workspace&) const { return true; }  // as Executor::check, for x of leave()
};

// For `rhs_per_pass` vectors at a time.  On a device, throws backend_missing, out_of_memory.
template <Scalar T>
ECHELON_EXPORT std::unique_ptr<PermuteScale<T>> make_permute_scale(const Factors<T>& factors,
                                                                   Index rhs_per_pass,
                                                                   Backend backend = Backend::cpu);

// The parts of a matrix in a product: (L if below + U if above + diagonal * D) x.
template <Scalar T>
struct ProductTerms {
  bool below = true;
  bool above = true;
  Real<T> diagonal = 1;  // 0: neither D nor x of the row itself is read
};

// What sweeps on a device compute besides triangular solves.  All vectors are on the device, with
// the count and layout of x.  Calls put work into the stream and do not wait unless stated.  Throws
// backend_failed.
template <Scalar T>
class DeviceSpmv {
 public:
  virtual ~DeviceSpmv() = default;
  // Loads the values of the one pattern, the first or new ones.  The order is that of the unknowns,
  // and `near` is the lower triangle.  Complete on return.  Throws out_of_memory.
  virtual void load(const SplitMatrix<T>& a) = 0;

  // r = b - P x.  r may be b.
  virtual void subtract(const ProductTerms<T>& terms, const Vectors<const T>& b,
                        const Vectors<const T>& x, const Vectors<T>& r, void* stream) const = 0;
  // r = b - used + diagonal D x, entry by entry.  r may be `used`.
  virtual void follow(Real<T> diagonal, const Vectors<const T>& b, const Vectors<const T>& used,
                      const Vectors<const T>& x, const Vectors<T>& r, void* stream) const = 0;
  // The Euclidean norm of each vector, bit-for-bit reproducible.  Squares neither overflow nor
  // underflow; infinity if an entry is not finite.  Waits, and allocates on the first call.
  virtual std::vector<double> norms(const Vectors<const T>& r, void* stream) const = 0;

  virtual void clear(const Vectors<T>& x, void* stream) const = 0;  // x = 0
  // Between host and device in either direction, or within the device.
  virtual void copy(const Vectors<const T>& from, const Vectors<T>& to, void* stream) const = 0;
  virtual void wait(void* stream) const = 0;  // until the stream is idle
};

// On the current device.  Throws backend_missing.
template <Scalar T>
ECHELON_EXPORT std::unique_ptr<DeviceSpmv<T>> make_device_spmv();

}  // namespace echelon
#pragma GCC visibility pop
