// exec/mpi/mpi_solver.cpp -- both triangles of a factorization on many ranks: the doors.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "base/instantiate.hpp"
#include "exec/mpi/mpi_machine.hpp"
#include "exec/mpi/rank_solver.hpp"

namespace echelon {

static void check_options(const MpiOptions& o) {
  if (!(o.shake_us >= 0 && std::isfinite(o.shake_us)))
    refuse("shake_us must be a finite number from 0 on");
}

template <Scalar T>
struct MpiSolver<T>::State {
  MpiOptions options;
  RankSolver<T> ranks;

  State(MPI_Comm comm, const MpiOptions& o, const NumericOptions& numeric)
      : options(o), ranks(comm, o, numeric) {}

  MakeMachine<T> machine() const {
    return [this](Communicator& comm, const std::vector<RankShare>& shares) {
      return std::make_unique<MpiMachine<T>>(comm, shares, options);
    };
  }
};

template <Scalar T>
MpiSolver<T>::MpiSolver(MPI_Comm comm, const Factors<T>* factors, const MpiOptions& options,
                        const SupernodeOptions& supernode, const NumericOptions& numeric)
    : state_(std::make_unique<State>(comm, options, numeric)) {
  state_->ranks.set_up(factors, supernode, state_->machine());
}
template <Scalar T>
MpiSolver<T>::MpiSolver(MPI_Comm comm, const RankFactors<T>& factors, const BlockMap* map,
                        const MpiOptions& options, const NumericOptions& numeric)
    : state_(std::make_unique<State>(comm, options, numeric)) {
  state_->ranks.set_up(factors, map, state_->machine());
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
void MpiSolver<T>::solve(const Vectors<const T>& b, const Vectors<T>& x) const {
  state().ranks.solve(b, x);
}
template <Scalar T>
void MpiSolver<T>::solve(Uplo part, Op op, const Vectors<const T>& b, const Vectors<T>& x) const {
  state().ranks.solve(part, op, b, x);
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
  MpiReport report = state().ranks.report();
  report.engine = state().options.engine;
  return report;
}

#define ECHELON_INSTANTIATE(T) template class MpiSolver<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
