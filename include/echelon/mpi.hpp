// echelon/mpi.hpp -- a factorization's triangles shared out among MPI ranks, made ready once and
// solved with often.  The library echelon_mpi; echelon itself knows nothing of MPI.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Every call is collective over the communicator, and what goes wrong on one rank is
// thrown on all.
//
//   Factors<double> f;                                    // filled in on rank 0
//   echelon::MpiSolver<double> solver(MPI_COMM_WORLD, rank == 0 ? &f : nullptr);
//   solver.solve(b, x);                                   // A x = b, both on rank 0
#pragma once

#include <mpi.h>

#include <functional>
#include <iosfwd>
#include <memory>
#include <vector>

#include "echelon/dist.hpp"
#include "echelon/rank_pass.hpp"

namespace echelon {

// What carries the messages.
enum class Engine {
  two_sided,  // MPI_Isend, and whatever has come is received
  payload,    // MPI_Put into the receiver's queue; a checksum tells that a message is complete
  counter,    // MPI_Put, then MPI_Accumulate on the sender's counter at the receiver
};
const char* name(Engine engine) noexcept;

// Where right-hand sides are given and answers wanted.
enum class Placement {
  root,    // all on rank 0
  ranges,  // rank r has rows [n r / ranks, n (r+1) / ranks), as row_range says
};
const char* name(Placement placement) noexcept;

struct MpiOptions {
  Index rows = 0, cols = 0;  // of the grid; both 0: one row, or a square for the cyclic mapping
  Engine engine = Engine::payload;
  TreeShape tree = TreeShape::binary;
  Mapping mapping = Mapping::subtree;
  Placement vectors = Placement::root;
  Index widest = 0;       // columns of a block, so that several ranks share a wide supernode; 0:
                          // 128, and 512 where there is but one rank
  Index together = 16;    // right-hand sides of one pass, at most 16
  double timeout_s = 60;  // without a message for so long, a solve is given up; 0: never
  double shake_us = 0;    // for tests: ranks wait at random, up to so long, before they send

  template <class Visitor>
  void visit(Visitor&& v) {
    v("rows", rows, "rows of the grid of ranks, 0 to choose");
    v("cols", cols, "columns of the grid of ranks, 0 to choose");
    v("engine", engine, "payload, counter or two_sided");
    v("tree", tree, "binary or flat");
    v("mapping", mapping, "subtree, balanced or cyclic");
    v("vectors", vectors, "root or ranges: who has right-hand sides and answers");
    v("widest", widest, "columns of a block at most, 0 to choose");
    v("together", together, "right-hand sides of one pass");
    v("timeout_s", timeout_s, "give up after so long without a message, 0 for never");
    v("shake_us", shake_us, "for tests: wait at random before sending");
  }
};

// The smallest, the mean and the largest of what ranks have.
struct Spread {
  double least = 0, mean = 0, most = 0;
};

struct MpiReport {
  Index n = 0;
  Index ranks = 1;
  ProcessGrid grid;
  Engine engine = Engine::payload;
  TreeShape tree = TreeShape::binary;
  Mapping mapping = Mapping::subtree;
  std::string package, kind, ordering;
  Index supernodes = 0;  // blocks of columns
  Index levels = 0;      // of them, in the lower triangle
  Offset entries = 0;    // of all panels
  Index kept_triangles = 0;
  double analysis_s = 0;  // until every rank had its plan, the slowest rank's
  double setup_s = 0;     // from then on, of the last update all of it: values sent and laid out
  Spread stored_bytes;    // values, by rank
  Spread window_bytes;    // queues
  Offset solves = 0;      // since the report before, as all below
  Spread solve_s;         // passes alone, all of them together
  Spread compute_s;       // of that
  Spread communicate_s;   // the rest: sending, looking and waiting
  Spread messages;        // sent
  Spread message_bytes;   // values in them
};
std::ostream& operator<<(std::ostream& out, const MpiReport& report);

// --- What messages take, for models of machines.

struct PingPongOptions {
  Index largest = 65536;  // bytes of a message; from 8 on, by powers of two
  Index repeats = 21;     // passes of 32 messages, of which the median is taken
  double timeout_s = 60;  // without a message for so long it is given up; 0: never
};
// Between rank 0 and another, to and fro.
struct MessageTimes {
  Index other = 1;
  bool same_node = true;
  std::vector<double> bytes;      // numbers in it; what the engine adds is not counted
  std::vector<double> seconds;    // half of the way there and back
  std::vector<double> send_s;     // inside the call that sends,
  std::vector<double> receive_s;  // and inside the one that brings it
  std::vector<double> look_s;     // inside one that brings nothing
};
// Collective, the same on all ranks: with the first rank on the node of rank 0, and with the first
// on another, where there are such.  The others sleep.  Throws bad_argument for one rank,
// backend_failed; after that the ranks need not be at the same place.
std::vector<MessageTimes> measure_messages(MPI_Comm comm, Engine engine,
                                           const PingPongOptions& o = {});
// A barrier that leaves the core to others.
void wait_asleep(MPI_Comm comm);

// The rows of rank r.
struct RowRange {
  Index begin, end;
};
RowRange row_range(Index n, Index rank, Index ranks, Placement placement);

template <Scalar T>
class MpiSolver {
 public:
  // Factors of rank 0; others give null.  They are read, not kept: rank 0 never holds more of them
  // twice than its own part.  Throws bad_argument (also where options differ between ranks),
  // zero_diagonal, not_finite, out_of_memory, backend_failed.
  MpiSolver(MPI_Comm comm, const Factors<T>* factors, const MpiOptions& options = {},
            const SupernodeOptions& supernode = {}, const NumericOptions& numeric = {});
  // Factors that every rank can read its part of; the structure is the same on all, and checked
  // (check_rank_factors).  `map`: where the blocks lie, or null to choose.  Besides: what a
  // function of the caller throws on one rank, as backend_failed on all.
  MpiSolver(MPI_Comm comm, const RankFactors<T>& factors, const BlockMap* map = nullptr,
            const MpiOptions& options = {}, const NumericOptions& numeric = {});
  MpiSolver(MpiSolver&&) noexcept;
  MpiSolver& operator=(MpiSolver&&) noexcept;
  ~MpiSolver();

  // New values of the same pattern.  Throws bad_argument if the pattern is another.
  void update(const Factors<T>* factors);

  // A x = b.  b and x hold this rank's rows (row_range); x may be b.
  void solve(const Vectors<const T>& b, const Vectors<T>& x) const;
  // One triangle alone, in the factor's own order: op(L) x = b or op(U) x = b.
  void solve(Uplo part, Op op, const Vectors<const T>& b, const Vectors<T>& x) const;

  // What all ranks do during solves of this solver, in seconds since the first pass, which all
  // begin together; on rank 0, empty on others.  Each pass begins with a barrier then.
  Timeline trace(const std::function<void()>& solves) const;

  // What this rank's vectors hold.
  RowRange rows() const;
  // Collective.
  MpiReport report() const;

 private:
  struct State;
  State& state() const;  // throws bad_argument if this solver was moved from
  std::unique_ptr<State> state_;
};

}  // namespace echelon
