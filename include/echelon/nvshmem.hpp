// echelon/nvshmem.hpp -- A x = b with a factorization distributed over GPUs, which exchange values
// themselves: library echelon_nvshmem.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  MPI starts one process (PE) per GPU, or several PEs per GPU under MPS.  Every call is
// collective over the communicator.  An error on one PE is thrown on all.
//
//   Factors<double> f;                                    // filled in on PE 0
//   echelon::NvshmemSolver solver(MPI_COMM_WORLD, rank == 0 ? &f : nullptr);
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
  persistent,  // one resident kernel per PE, which stores each value into the memory of the PEs
               // that need it; the value itself shows that it has arrived
  coupled,     // Ding, Liu, Williams and Li (2021): one kernel waits for messages, another solves,
               // with one thread block per supernode
};
constexpr auto names(Design) {
  return name_table<Design>({{Design::automatic, "automatic"},
                             {Design::persistent, "persistent"},
                             {Design::coupled, "coupled"}});
}

struct NvshmemOptions {
  RankOptions ranks = {};
  Design design = Design::automatic;
  double watchdog_ms = 2000;  // a kernel gives up after waiting so long for a value; 0: never
  Index blocks = 0;           // thread blocks of a resident kernel; 0: as many as fit
  Index shared_memory = 0;    // KiB per thread block at most; 0: all of the device
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

// One PE, since the previous report.
struct PeReport {
  std::string device;
  Index multiprocessors = 0;   // that it may use
  Index blocks = 0;            // thread blocks of its kernel
  Offset stored_bytes = 0;     // values on the GPU
  Offset symmetric_bytes = 0;  // memory others write to
  double solve_s = 0;          // its kernels, from launch to end
  Offset messages = 0;         // sent; each has the values of one supernode for one PE
  Offset message_bytes = 0;
};

struct NvshmemReport : RankReport {  // solve_s is the time in kernels
  Design design = Design::persistent;
  std::string library;  // NVSHMEM's version
  double span_s = 0;    // of all passes, from the begin of the last PE to the end of the last PE;
                        // 0 unless all PEs share one GPU and so a clock
  std::vector<PeReport> pes;
};
std::ostream& operator<<(std::ostream& out, const NvshmemReport& report);

// One PE per MPI rank.  NVSHMEM is initialized with the first solver and finalized with MPI.  All
// solvers of a process must have communicators of the same ranks.
template <Scalar T>
class NvshmemSolver {
 public:
  // As MpiSolver.  Also throws backend_missing if there is no GPU or NVSHMEM is too old, and
  // out_of_memory for the memory of a GPU and for the symmetric heap.
  NvshmemSolver(MPI_Comm comm, const Factors<T>* factors, const NvshmemOptions& options = {});
  NvshmemSolver(MPI_Comm comm, const RankFactors<T>& factors, const NvshmemOptions& options = {},
                const BlockMap* map = nullptr);
  NvshmemSolver(NvshmemSolver&&) noexcept;
  NvshmemSolver& operator=(NvshmemSolver&&) noexcept;
  ~NvshmemSolver();

  // As MpiSolver.
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

// Collective, as report() is.
template <Scalar T>
std::ostream& operator<<(std::ostream& out, const NvshmemSolver<T>& solver) {
  return out << solver.report();
}

}  // namespace echelon
#pragma GCC visibility pop
