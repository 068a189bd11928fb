// tests/mpi/test_one_sided.cpp -- the one-sided engines, over an MPI that does the minimum the
// standard requires.
// SPDX-License-Identifier: BSD-3-Clause
//
// Replaces MPI's functions through its profiling interface.  A lazy MPI delays every put and
// accumulate until it is flushed, which MPI-3.1 allows (11.7.3): a rank that waits for a reply to a
// message that was never flushed waits forever.  Another MPI has two copies of each window.
#include <gtest/gtest.h>

#include <cstring>

#include "mpi/rank_problem.hpp"
#include "support/refusal.hpp"

namespace {

struct Held {
  std::vector<std::uint64_t> words;
  int to;
  MPI_Aint at;
  MPI_Op op;
  MPI_Win window;
};
std::vector<Held> held;
bool is_lazy = false, is_separate = false;
int flushes = 0;

int hold(const void* from, int words, int to, MPI_Aint at, MPI_Op op, MPI_Win window,
         MPI_Request* request) {
  Held h{std::vector<std::uint64_t>(static_cast<std::size_t>(words)), to, at, op, window};
  std::memcpy(h.words.data(), from, h.words.size() * sizeof(std::uint64_t));
  held.push_back(std::move(h));
  *request = MPI_REQUEST_NULL;  // the source buffer may be reused
  return MPI_SUCCESS;
}

// Completes the delayed operations to one rank, or to all.
void let_go(int to, MPI_Win window) {
  for (std::size_t k = 0; k < held.size();) {
    const Held& h = held[k];
    if (h.window != window || (to >= 0 && h.to != to)) {
      ++k;
      continue;
    }
    const auto count = static_cast<int>(h.words.size());
    PMPI_Accumulate(h.words.data(), count, MPI_UINT64_T, h.to, h.at, count, MPI_UINT64_T, h.op,
                    window);
    PMPI_Win_flush(h.to, window);
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

}  // namespace

extern "C" {

int MPI_Rput(const void* from, int words, MPI_Datatype type, int to, MPI_Aint at, int count,
             MPI_Datatype there, MPI_Win window, MPI_Request* request) {
  if (is_lazy) return hold(from, words, to, at, MPI_REPLACE, window, request);
  return PMPI_Rput(from, words, type, to, at, count, there, window, request);
}
int MPI_Raccumulate(const void* from, int words, MPI_Datatype type, int to, MPI_Aint at, int count,
                    MPI_Datatype there, MPI_Op op, MPI_Win window, MPI_Request* request) {
  if (is_lazy) return hold(from, words, to, at, op, window, request);
  return PMPI_Raccumulate(from, words, type, to, at, count, there, op, window, request);
}
int MPI_Win_flush(int to, MPI_Win window) {
  ++flushes;
  let_go(to, window);
  return PMPI_Win_flush(to, window);
}
int MPI_Win_unlock_all(MPI_Win window) {
  let_go(-1, window);
  return PMPI_Win_unlock_all(window);
}
int MPI_Win_get_attr(MPI_Win window, int key, void* value, int* known) {
  static int separate = MPI_WIN_SEPARATE;
  const int code = PMPI_Win_get_attr(window, key, value, known);
  if (is_separate && key == MPI_WIN_MODEL) *static_cast<int**>(value) = &separate;
  return code;
}

}  // extern "C"

namespace echelon::test {
namespace {

struct Scope {
  explicit Scope(bool& flag) : flag_(flag) { flag = true; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() { flag_ = false; }
  bool& flag_;
};

constexpr MpiOptions options_of(Engine engine) {
  return {.ranks = {.mapping = Mapping::cyclic, .max_panel_columns = 8, .timeout_s = 5},
          .engine = engine};
}

double error_of_solves(const Problem<double>& p, const MpiSolver<double>& solver, int solves) {
  const Index n = p.a.rows, mine = rank() == 0 ? n : 0;
  double worst = 0;
  for (int k = 0; k < solves; ++k) {
    const Index count = k % 4 + 1;
    const auto b =
        random_vector<double>(static_cast<std::size_t>(n) * count, static_cast<unsigned>(k));
    std::vector<double> x(b.size());
    solver.solve(Vectors<const double>(b.data(), mine, count),
                 Vectors<double>(x.data(), mine, count));
    if (rank() == 0) worst = std::max(worst, p.error(b, x, count));
  }
  return worst;
}

TEST(OneSidedEngines, SolveWithAnMpiThatHoldsPutsBack) {
  const Problem<double> p("laplace2d:9x8:5", "superlu");
  for (const Engine engine : {Engine::payload, Engine::counter}) {
    const Scope lazy(is_lazy);
    {
      const MpiSolver<double> solver(MPI_COMM_WORLD, p.mine(), options_of(engine));
      EXPECT_LE(error_of_solves(p, solver, 5), accepted) << name(engine);
    }
    EXPECT_TRUE(held.empty());
  }
}

// At the end of a pass, all its sends are complete at the receivers.
TEST(OneSidedEngines, FlushBeforeAPassEnds) {
  const Problem<double> p("laplace2d:9x8:5", "superlu");
  const MpiSolver<double> solver(MPI_COMM_WORLD, p.mine(), options_of(Engine::payload));
  flushes = 0;
  error_of_solves(p, solver, 1);
  const MpiReport report = solver.report();
  if (size() > 1 && report.messages.least > 0) {
    EXPECT_GE(flushes, 1);
  }
}

TEST(OneSidedEngines, NeedTheUnifiedMemoryModel) {
  const Problem<double> p("laplace2d:9x8:5", "superlu");
  const Scope separate(is_separate);
  for (const Engine engine : {Engine::payload, Engine::counter}) {
    const auto r =
        refusal([&] { MpiSolver<double>(MPI_COMM_WORLD, p.mine(), options_of(engine)); });
    EXPECT_EQ(r, Refusal(ErrorCode::backend_missing,
                         "the windows of this MPI have not the unified memory model "
                         "(MPI_WIN_UNIFIED), which engines payload and counter need; take "
                         "two_sided"));
  }
  const MpiSolver<double> solver(MPI_COMM_WORLD, p.mine(), options_of(Engine::two_sided));
  EXPECT_LE(error_of_solves(p, solver, 3), accepted);
}

}  // namespace
}  // namespace echelon::test
