// exec/mpi/mpi_solver.cpp -- the public interface MpiSolver: both triangles of a factorization on
// many ranks.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "base/instantiate.hpp"
#include "distributed/rank_solver.hpp"
#include "echelon/mpi.hpp"
#include "exec/mpi/cpu_ranks.hpp"

namespace echelon {

static void check_options(const MpiOptions& o) {
  if (!(o.shake_us >= 0 && std::isfinite(o.shake_us)))
    refuse("shake_us must be a finite number from 0 on");
}

template <Scalar T>
struct MpiSolver<T>::State {
  MpiOptions options;
  RankSolver<T> ranks;

  State(MPI_Comm comm, const MpiOptions& o) : options(o), ranks(comm, o, RankDefaults{}) {}

  MakeBackend<T> backend() const {
    return [this](Communicator& comm, const std::vector<RankShare>& shares) {
      return std::make_unique<CpuRanks<T>>(comm, shares, options);
    };
  }
};

template <Scalar T>
MpiSolver<T>::MpiSolver(MPI_Comm comm, const Factors<T>* factors, const MpiOptions& options)
    : state_(std::make_unique<State>(comm, options)) {
  state_->ranks.set_up(factors, state_->backend());
}
template <Scalar T>
MpiSolver<T>::MpiSolver(MPI_Comm comm, const RankFactors<T>& factors, const MpiOptions& options,
                        const BlockMap* map)
    : state_(std::make_unique<State>(comm, options)) {
  state_->ranks.set_up(factors, map, state_->backend());
}
template <Scalar T>
MpiSolver<T>::MpiSolver(MpiSolver&&) noexcept = default;
template <Scalar T>
MpiSolver<T>& MpiSolver<T>::operator=(MpiSolver&&) noexcept = default;
template <Scalar T>
MpiSolver<T>::~MpiSolver() = default;

template <Scalar T>
typename MpiSolver<T>::State& MpiSolver<T>::state() const {
  if (!state_) refuse("this solver was moved from and has no factors");
  return *state_;
}

template <Scalar T>
void MpiSolver<T>::update(const Factors<T>* factors) {
  state().ranks.update(factors);
}
template <Scalar T>
void MpiSolver<T>::solve(const Vectors<const T>& b, const Vectors<T>& x,
                         const SolveOptions<T>& o) const {
  if (o.stream != nullptr)
    refuse("vectors of ranks lie on the host: SolveOptions::stream must be null");
  state().ranks.solve(b, x, o);
}
template <Scalar T>
void MpiSolver<T>::solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o) const {
  solve(Vectors<const T>(b.data(), static_cast<Index>(b.size())),
        Vectors<T>(x.data(), static_cast<Index>(x.size())), o);
}
template <Scalar T>
std::vector<T> MpiSolver<T>::solve(std::span<const T> b, const SolveOptions<T>& o) const {
  std::vector<T> x(b.size());
  solve(b, std::span<T>(x), o);
  return x;
}
template <Scalar T>
Timeline MpiSolver<T>::trace(const std::function<void()>& solves) const {
  return state().ranks.trace(solves);
}
template <Scalar T>
RowRange MpiSolver<T>::rows() const {
  return state().ranks.rows();
}
template <Scalar T>
MpiReport MpiSolver<T>::report() const {
  RankSolver<T>& ranks = state().ranks;
  MpiReport report;
  static_cast<RankReport&>(report) = ranks.report();
  report.compute_s = ranks.compute_s();
  report.communicate_s = ranks.communicate_s();
  report.engine = state().options.engine;
  report.method = name(report.engine);
  report.reason = "MpiOptions::engine says so";
  return report;
}

#define ECHELON_INSTANTIATE(T) template class MpiSolver<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
