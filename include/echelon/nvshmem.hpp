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
#include <span>
#include <string>
#include <vector>

#include "echelon/mpi.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// How GPUs work together.
enum class Design {
  automatic,   // persistent where every PE can write into the memory of every other, else coupled
  persistent,  // one resident kernel a PE: a number is stored where it is wanted, and tells by
               // itself that it is there
  coupled,     // Ding, Liu, Williams and Li (2021): a kernel that waits for messages and one that
               // solves, a thread block for each supernode
};
constexpr auto names(Design) {
  return name_table<Design>({{Design::automatic, "automatic"},
                             {Design::persistent, "persistent"},
                             {Design::coupled, "coupled"}});
}

struct NvshmemOptions {
  RankOptions ranks = {};
  Design design = Design::automatic;
  double watchdog_ms = 2000;  // a kernel gives up after waiting so long for a number; 0: never
  Index blocks = 0;           // thread blocks of a resident kernel, 0 for as many as fit
  Index shared_memory = 0;    // KiB per thread block at most, 0 for all the device has
  SupernodeOptions supernode = {};
  NumericOptions numeric = {};

  template <class Visitor>
  void visit(Visitor&& v) {
    v("ranks", ranks, "the grid of PEs, and how the work is divided");
    v("design", design, "automatic, persistent or coupled");
    v("watchdog_ms", watchdog_ms, "a kernel gives up after waiting so long, 0 for never");
    v("blocks", blocks, "thread blocks of a resident kernel, 0 for as many as fit");
    v("shared_memory", shared_memory,
      "KiB of shared memory a thread block may use, 0 for all the device has");
    v("supernode", supernode, "how supernodes are merged");
    v("numeric", numeric, "how the values of panels are kept");
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

struct NvshmemReport : RankReport {  // solve_s is the time in kernels
  Design design = Design::persistent;
  std::string library;  // NVSHMEM's version
  double span_s = 0;    // of all passes, from when the last PE began to when the last one ended;
                        // 0 unless all PEs share one GPU, and with it a clock
  std::vector<PeReport> pes;
};
std::ostream& operator<<(std::ostream& out, const NvshmemReport& report);

// One PE an MPI rank.  NVSHMEM is initialized with the first solver and finalized with MPI; all
// solvers of a process must have communicators of the same ranks.
template <Scalar T>
class NvshmemSolver {
 public:
  // As MpiSolver; besides backend_missing: no GPU, or NVSHMEM is too old; out_of_memory: of a GPU
  // or of the symmetric heap.
  NvshmemSolver(MPI_Comm comm, const Factors<T>* factors, const NvshmemOptions& options = {});
  NvshmemSolver(MPI_Comm comm, const RankFactors<T>& factors, const NvshmemOptions& options = {},
                const BlockMap* map = nullptr);
  NvshmemSolver(NvshmemSolver&&) noexcept;
  NvshmemSolver& operator=(NvshmemSolver&&) noexcept;
  ~NvshmemSolver();

  // New values of the same structure; of PE 0.
  void update(const Factors<T>* factors);

  // As MpiSolver::solve.  GPU memory for more than one right-hand side is allocated by the first
  // solve that has them, which may throw out_of_memory.
  void solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o = {}) const;
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o = {}) const;
  std::vector<T> solve(std::span<const T> b, const SolveOptions<T>& o = {}) const;

  RowRange rows() const;
  NvshmemReport report() const;

 private:
  struct State;
  State& state() const;  // throws bad_argument if this solver was moved from
  std::unique_ptr<State> state_;
};

}  // namespace echelon
#pragma GCC visibility pop
