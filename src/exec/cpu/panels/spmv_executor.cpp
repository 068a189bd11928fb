// exec/cpu/panels/spmv_executor.cpp -- solves as a product of sparse matrices, one matrix per
// level.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  Fetch, each matrix, and store are phases (phases.hpp).  The rows of a matrix are split
// into pieces of about the same number of entries.  A piece adds to the entries of z at its rows,
// which no other row of this matrix reads or writes, and reads the results of earlier matrices.
// Each row is summed in one fixed order: the same bits for every number of threads and of
// right-hand sides.
#include <algorithm>

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "base/parallel.hpp"
#include "base/prefetch.hpp"
#include "exec/cpu/phases.hpp"
#include "exec/cpu/team.hpp"
#include "exec/executors.hpp"
#include "exec/row_kernel.hpp"

namespace echelon {
namespace {

constexpr Index max_rhs_per_pass = 8;  // right-hand sides per pass, at most
constexpr Offset grain = 2000;         // entries below which a second thread does not pay
constexpr Offset row_work = 3;         // cost of a row besides its entries, in entries
constexpr Offset shares = 2;           // pieces per thread: a late thread takes fewer

template <class T>
struct SpmvWorkspace final : Workspace {
  explicit SpmvWorkspace(const Plan& plan)
      : z(2 * static_cast<std::size_t>(plan.blocks.n) *
          std::min(plan.rhs_per_pass, max_rhs_per_pass)) {}
  Offset bytes() const override { return static_cast<Offset>(z.size() * sizeof(T)); }
  Buffer<T> z;  // entry i of vector v at i * vectors + v
  Phases phases;
};

// S: stored type; V: right-hand sides.
template <class T, class S, int V>
struct SpmvPass {
  const SolveJob<T>& job;
  const LevelMatrices<T>& matrices;
  const S* value;
  Index column;  // first right-hand side of the pass
  T* z;
  Phases& phases;

  // The work of one thread.
  Real<T> run() const {
    const Index n = job.plan.blocks.n, levels = matrices.levels(), last = levels + 1;
    const auto at = [&](Index k) { return piece_begin(n, k, vector_pieces()); };
    Real<T> probe = 0;
    phases.walk(
        last + 1, [&](Index p) { return p == 0 || p == last ? vector_pieces() : pieces_of(p - 1); },
        [&](Index p, Index k) {
          if (p == 0) return fetch(at(k), at(k + 1));
          if (p < last) return add_rows(row_at(p - 1, k), row_at(p - 1, k + 1));
          probe += store(at(k), at(k + 1));
        });
    return probe;
  }

 private:
  // Pieces of the fetch and store phases.
  Index vector_pieces() const { return cut(Offset{job.plan.blocks.n} * row_work); }
  Index cut(Offset work) const {
    return job.threads == 1
               ? 1
               : static_cast<Index>(std::clamp<Offset>(work / grain, 1, shares * job.threads));
  }
  bool conjugate() const { return job.op == Op::conjugate; }

  void fetch(Offset begin, Offset end) const {
    const BlockPlan& plan = job.plan.blocks;
    for (auto k = static_cast<Index>(begin); k < end; ++k) {
      const T* const b = job.b.data + plan.unknown(k) * job.b.step() + column * job.b.stride();
      for (int v = 0; v < V; ++v) {
        z[Offset{k} * V + v] =
            conjugate_if(conjugate(), multiply(job.alpha, b[v * job.b.stride()]));
        z[(Offset{plan.n} + k) * V + v] = T(0);
      }
    }
  }

  Real<T> store(Offset begin, Offset end) const {
    const BlockPlan& plan = job.plan.blocks;
    Real<T> probe = 0;
    for (auto k = static_cast<Index>(begin); k < end; ++k) {
      T* const x = job.x.data + plan.unknown(k) * job.x.step() + column * job.x.stride();
      for (int v = 0; v < V; ++v) {
        const T a = z[(Offset{plan.n} + k) * V + v];
        probe += probe_of(a);
        x[v * job.x.stride()] = conjugate_if(conjugate(), a);
      }
    }
    return probe;
  }

  // Work of the rows before r: entries and rows.
  Offset work_before(Index r) const { return matrices.start[r] + row_work * r; }
  Index pieces_of(Index l) const {
    return cut(work_before(matrices.level_start[l + 1]) - work_before(matrices.level_start[l]));
  }
  // First row of piece `part` of matrix l.
  Index row_at(Index l, Index part) const {
    Index low = matrices.level_start[l], high = matrices.level_start[l + 1];
    const Index pieces = pieces_of(l);
    if (part == 0) return low;
    if (part == pieces) return high;
    const Offset begin = work_before(low);
    const Offset wanted = begin + piece_begin(work_before(high) - begin, part, pieces);
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (work_before(middle) < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  // Four sums per row, so that an addition need not wait for the one before.
  void add_rows(Index begin, Index end) const {
    constexpr int sums = 4, block = 16;
    const bool prefetches = comes_from_memory(matrices.index.size() * (sizeof(S) + sizeof(Index)));
    for (Index r = begin; r < end; ++r) {
      T sum[sums][V] = {};
      Offset p = matrices.start[r];
      const Offset last = matrices.start[r + 1];
      for (; p + block <= last; p += block) {
        if (prefetches) {
          prefetch_ahead(value + p, value + p + block);
          prefetch_ahead(matrices.index.data() + p, matrices.index.data() + p + block);
        }
        for (int u = 0; u < block; ++u) add_entry(p + u, sum[u % sums]);
      }
      for (; p < last; ++p) add_entry(p, sum[0]);
      T* const out = z + Offset{matrices.row[r]} * V;
      for (int v = 0; v < V; ++v) out[v] += (sum[0][v] + sum[1][v]) + (sum[2][v] + sum[3][v]);
    }
  }
  void add_entry(Offset p, T* sum) const {
    const T a = static_cast<T>(value[p]);
    const T* const from = z + Offset{matrices.index[p]} * V;
    for (int v = 0; v < V; ++v) sum[v] += multiply(a, from[v]);
  }
};

template <class T>
class SpmvExecutor final : public Executor<T> {
 public:
  std::unique_ptr<Workspace> make_workspace(const Plan& plan) const override {
    return std::make_unique<SpmvWorkspace<T>>(plan);
  }

  bool solve(const SolveJob<T>& job, Workspace& workspace) const noexcept override {
    auto& space = static_cast<SpmvWorkspace<T>&>(workspace);
    Real<T> probe = 0;
    for (Index column = 0; column < job.x.count;) {
      const Index most = std::min(job.plan.rhs_per_pass, job.x.count - column);
      const Index vectors = most >= 8 ? 8 : most >= 4 ? 4 : most >= 2 ? 2 : 1;
      probe += vectors == 8   ? run_pass<8>(job, column, space)
               : vectors == 4 ? run_pass<4>(job, column, space)
               : vectors == 2 ? run_pass<2>(job, column, space)
                              : run_pass<1>(job, column, space);
      column += vectors;
    }
    return is_finite(probe);
  }

 private:
  template <int V>
  static Real<T> run_pass(const SolveJob<T>& job, Index column, SpmvWorkspace<T>& space) {
    const bool backwards = job.plan.blocks.pull != (job.op != Op::none);
    const SpmvForm<T>& form = job.blocks->spmv;
    const LevelMatrices<T>& m = backwards ? form.backwards : form.forwards;
    const auto run = [&](const auto& pass) {
      space.phases.reset();
      return run_team<Real<T>>(job.threads, [&](Index) { return pass.run(); });
    };
    if (m.low.empty())
      return run(SpmvPass<T, T, V>{job, m, m.value.data(), column, space.z.data(), space.phases});
    return run(SpmvPass<T, Low<T>, V>{job, m, m.low.data(), column, space.z.data(), space.phases});
  }
};

}  // namespace

template <Scalar T>
std::unique_ptr<Executor<T>> make_spmv_executor() {
  return std::make_unique<SpmvExecutor<T>>();
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<Executor<T>> make_spmv_executor();
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
