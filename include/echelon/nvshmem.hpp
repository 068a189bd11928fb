// echelon/nvshmem.hpp -- a factorization's triangles shared out among GPUs, made ready once and
// solved with often; the GPUs hand each other numbers themselves.  The library echelon_nvshmem.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  A process (PE) for each GPU, or several on one (under MPS), started by MPI.  Every call
// is collective over the communicator, and what goes wrong on one PE is thrown on all.
//
//   Factors<double> f;                                    // filled in on PE 0
//   echelon::NvshmemSolver<double> solver(MPI_COMM_WORLD, rank == 0 ? &f : nullptr);
//   solver.solve(b, x);                                   // A x = b, both on PE 0
#pragma once

#include <mpi.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "echelon/mpi.hpp"

namespace echelon {

// How GPUs work together.
enum class Design {
  automatic,   // persistent where every PE can write into the memory of every other, else coupled
  persistent,  // one resident kernel a PE: a number is stored where it is wanted, and tells by
               // itself that it is there
  coupled,     // Ding, Liu, Williams and Li (2021): a kernel that waits for messages and one that
               // solves, a thread block for each supernode
};
const char* name(Design design) noexcept;

struct NvshmemOptions {
  Index rows = 0, cols = 0;  // of the grid; both 0: one row, or a square for the cyclic mapping
  Design design = Design::automatic;
  TreeShape tree = TreeShape::flat;  // a number on its way costs more than one that is stored
  Mapping mapping = Mapping::balanced;
  Placement vectors = Placement::root;
  Index widest = 0;           // columns of a block, 0 to choose
  Index together = 16;        // right-hand sides of one pass, at most 16
  double timeout_s = 60;      // of what the host waits for; 0: never
  double watchdog_ms = 2000;  // a kernel that waits longer for a number is given up; 0: never
  Index blocks = 0;           // thread blocks of a resident kernel, 0 for as many as fit
  Index shared_memory = 0;    // KiB of a thread block at most, 0 for all the device has

  template <class Visitor>
  void visit(Visitor&& v) {
    v("rows", rows, "rows of the grid of PEs, 0 to choose");
    v("cols", cols, "columns of the grid of PEs, 0 to choose");
    v("design", design, "automatic, persistent or coupled");
    v("tree", tree, "binary or flat");
    v("mapping", mapping, "balanced, subtree or cyclic");
    v("vectors", vectors, "root or ranges: who has right-hand sides and answers");
    v("widest", widest, "columns of a block at most, 0 to choose");
    v("together", together, "right-hand sides of one pass");
    v("timeout_s", timeout_s, "give up after so long without a word of the others, 0 for never");
    v("watchdog_ms", watchdog_ms, "give a kernel up that waits so long, 0 for never");
    v("blocks", blocks, "thread blocks of a resident kernel, 0 for as many as fit");
    v("shared_memory", shared_memory,
      "KiB of shared memory a thread block may use, 0 for all the device has");
  }
};

// One PE, since the report before.
struct PeReport {
  std::string device;
  Index multiprocessors = 0;   // it may use
  Index blocks = 0;            // thread blocks of its kernel
  Offset stored_bytes = 0;     // values on the GPU
  Offset symmetric_bytes = 0;  // memory others write to
  double solve_s = 0;          // its kernels, from launch to end
  Offset messages = 0;         // sent: the numbers of a supernode, to one PE
  Offset message_bytes = 0;
};

struct NvshmemReport {
  MpiReport ranks;  // what all backends of many ranks tell, solve_s in kernels; engine, compute_s
                    // and communicate_s mean nothing
  Design design = Design::persistent;
  std::string library;  // NVSHMEM's version
  double span_s = 0;    // of all passes, from when the last PE began to when the last one ended;
                        // 0 unless all PEs share one GPU, and with it a clock
  std::vector<PeReport> pes;
};
std::ostream& operator<<(std::ostream& out, const NvshmemReport& report);

// Who puts a message: all threads of a block, as answers are sent in design coupled, or one thread,
// as sums are.
enum class PutBy { block, thread };
// As measure_messages: a put, a signal after it, and a thread block that waits for that, to and fro
// by the clock of the GPU.  What keeps both busy is not measured.  Throws backend_missing,
// backend_failed when a kernel has waited for two seconds.
std::vector<MessageTimes> measure_puts(MPI_Comm comm, PutBy by, const PingPongOptions& o = {});

// One PE an MPI rank.  NVSHMEM is initialized with the first solver and finalized with MPI; all
// solvers of a process must have communicators of the same ranks.
template <Scalar T>
class NvshmemSolver {
 public:
  // As MpiSolver; besides backend_missing: no GPU, or NVSHMEM is too old; out_of_memory: of a GPU
  // or of the symmetric heap.
  NvshmemSolver(MPI_Comm comm, const Factors<T>* factors, const NvshmemOptions& options = {},
                const SupernodeOptions& supernode = {}, const NumericOptions& numeric = {});
  NvshmemSolver(MPI_Comm comm, const RankFactors<T>& factors, const BlockMap* map = nullptr,
                const NvshmemOptions& options = {}, const NumericOptions& numeric = {});
  NvshmemSolver(NvshmemSolver&&) noexcept;
  NvshmemSolver& operator=(NvshmemSolver&&) noexcept;
  ~NvshmemSolver();

  // New values of the same structure; of PE 0.
  void update(const Factors<T>* factors);

  // A x = b.  Vectors of the host, rows as rows() says.  GPU memory for more than one right-hand
  // side is allocated by the first solve that has them, which may throw out_of_memory.
  void solve(const Vectors<const T>& b, const Vectors<T>& x) const;
  // One triangle as it was factored: op(L) x = b or op(U) x = b, without permutations and scaling.
  void solve(Uplo part, Op op, const Vectors<const T>& b, const Vectors<T>& x) const;

  RowRange rows() const;
  NvshmemReport report() const;

 private:
  struct State;
  State& state() const;  // throws bad_argument if this solver was moved from
  std::unique_ptr<State> state_;
};

}  // namespace echelon
