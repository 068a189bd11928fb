// echelon/batch_executor.hpp -- the plan of a batch of triangles with one pattern, and the virtual
// interface that solves with it, on the CPU or on a device.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after executor.hpp; batch.hpp chooses an executor and hides it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "echelon/executor.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// A triangle M by rows.  Row k is that of unknown row[k]; its entries come after those of all rows
// that it needs.  Duplicates are one entry with several sources.
struct BatchPlan {
  struct Source {
    Offset place;  // of a stored value
    Index next;    // number of the next one in `more`; -1: none
  };

  Index n = 0;
  bool unit = false;        // no diagonal is stored; else it is the last entry of each row
  bool conjugated = false;  // M has the conjugates of the stored values
  Offset stored_count = 0;  // values of one system, as the caller stores them
  Buffer<Index> row;        // unknown of each row
  Buffer<Index> level;      // first row of each level, and n; empty: rows are in sweep order
  Buffer<Index> start;      // size n+1: row k has entries [start[k], start[k+1])
  Buffer<Index> index;      // unknown of each entry
  Buffer<Source> source;    // of each entry
  std::vector<Source> more;

  Index entries() const { return static_cast<Index>(index.size()); }
  // The end of the entries of row k off the diagonal.
  Index end(Index k) const { return unit ? start[k + 1] : start[k + 1] - 1; }
  Offset bytes() const { return bytes_of(row, level, start, index, source, more); }
};

// Why a system has no answer.
enum class SystemState : std::uint8_t { solved, zero_diagonal, bad_value, bad_answer };

// The values of a batch: entry p of system k is data[k * stride + p], in the caller's order.
template <Scalar T>
struct StridedValues {
  const T* data = nullptr;  // on the host, or on the device of the executor
  Index count = 0;          // systems
  Offset stride = 0;
};

// One call of solve: op(M_k) x = alpha b for every system k.  Vector k * x.count / count + r is
// right-hand side r of system k.
template <Scalar T>
struct BatchJob {
  T alpha;
  Op op;
  Vectors<const T> b;  // same n, count and layout as x; the same memory as x, or no overlap
  Vectors<T> x;
  Index threads;           // at most this many
  void* stream = nullptr;  // on a device
};

template <Scalar T>
class BatchExecutor {
 public:
  virtual ~BatchExecutor() = default;
  // The first values or new ones, of as many systems as the executor was made for.  Complete on
  // return.  Does not throw for singular systems: refused() has them.  Throws out_of_memory,
  // backend_failed.
  virtual void load(const StridedValues<T>& values) = 0;
  // By system, of the last load.
  virtual const std::vector<SystemState>& refused() const = 0;

  // The workspace of solves with one vector per system, which grows with the first that has more.
  virtual std::unique_ptr<Workspace> make_workspace() const = 0;
  // x of a refused system is NaN.  On a device it may return before the solve is complete, if the
  // vectors lie there.
  virtual void solve(const BatchJob<T>& job, Workspace& workspace) const = 0;
  // Adds the systems whose answer in the last solve with this workspace was not finite.  Does not
  // wait for a solve on a device.
  virtual void add_states(const Workspace& workspace, std::span<SystemState> states) const = 0;

  virtual Index width() const = 0;   // systems that are solved side by side
  virtual Offset bytes() const = 0;  // values that a solve reads
  virtual Offset device_bytes() const { return 0; }
};

// `width`: systems side by side; 0: chosen.  Throws backend_missing, bad_argument for another width
// than the backend has.
template <Scalar T>
ECHELON_EXPORT std::unique_ptr<BatchExecutor<T>> make_batch_executor(
    std::shared_ptr<const BatchPlan> plan, Index count, Index width, const Options& options);

}  // namespace echelon
#pragma GCC visibility pop
