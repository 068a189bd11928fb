// exec/mpi/mpi_solver.cpp -- both triangles of a factorization on many ranks: setup, and the doors
// of solves.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "exec/mpi/mpi_state.hpp"

namespace echelon {

template <Scalar T>
MpiSolver<T>::MpiSolver(MPI_Comm comm, const Factors<T>* factors, const MpiOptions& options,
                        const SupernodeOptions& supernode, const NumericOptions& numeric)
    : state_(std::make_unique<State>(comm, options, numeric)) {
  const Timer timer;
  State& s = *state_;
  const Call call(s.comm, Communicator::setup_patience);
  RankFactors<T> whole;
  s.comm.together([&] {
    if ((s.comm.rank() == 0) != (factors != nullptr))
      refuse(s.comm.rank() == 0 ? "rank 0 must have the factors"
                                : "only rank 0 has factors; others give null");
    if (factors == nullptr) return;
    const Index widest = s.comm.size() == 1 ? 512 : 128;
    whole = share_out(*factors, options.widest > 0 ? options.widest : widest, supernode);
    s.factors = whole;
    s.factors.lower_rows = s.factors.upper_rows = {};
  });
  share_structure(s.comm, s.factors);
  s.plan(nullptr);
  s.scatter(whole.lower_rows, whole.upper_rows);
  s.make_ready();
  s.report.setup_s = timer.seconds();
}

template <Scalar T>
MpiSolver<T>::MpiSolver(MPI_Comm comm, const RankFactors<T>& factors, const BlockMap* map,
                        const MpiOptions& options, const NumericOptions& numeric)
    : state_(std::make_unique<State>(comm, options, numeric)) {
  const Timer timer;
  State& s = *state_;
  const Call call(s.comm, Communicator::setup_patience);
  s.factors = factors;
  s.factors.lower_rows = s.factors.upper_rows = {};
  s.factors.owner.reset();
  s.comm.require_same(mix(static_cast<std::uint64_t>(factors.n),
                          static_cast<std::uint64_t>(factors.lower.row.size())),
                      "their factors");
  s.plan(map);
  s.comm.together([&] {
    s.pack(s.lower, factors.lower_rows);
    if (!factors.symmetric) s.pack(s.upper, factors.upper_rows);
  });
  s.make_ready();
  s.report.setup_s = timer.seconds();
}

template <Scalar T>
MpiSolver<T>::MpiSolver(MpiSolver&&) noexcept = default;
template <Scalar T>
MpiSolver<T>& MpiSolver<T>::operator=(MpiSolver&&) noexcept = default;
template <Scalar T>
MpiSolver<T>::~MpiSolver() = default;

template <Scalar T>
void MpiSolver<T>::update(const Factors<T>* factors) {
  const Timer timer;
  State& s = *state_;
  s.require_whole();
  const Call call(s.comm, Communicator::setup_patience);
  FillRows<T> lower, upper;
  s.comm.together([&] {
    if ((s.comm.rank() == 0) != (factors != nullptr)) refuse("rank 0 alone has the new factors");
    if (factors == nullptr) return;
    if (factors->n != s.factors.n || factors->symmetric != s.factors.symmetric ||
        factors->row_order != s.factors.row_order || factors->col_order != s.factors.col_order)
      refuse("the new factors are of another size, kind or order");
    lower = rows_of_factor(s.factors.lower, factors->lower);
    if (!factors->symmetric) upper = rows_of_factor(s.factors.upper, factors->upper);
    s.factors.diagonal = factors->diagonal;
    s.factors.row_scale = factors->row_scale;
    s.factors.col_scale = factors->col_scale;
  });
  share_structure(s.comm, s.factors);
  s.scatter(lower, upper);
  s.ready = true;
  s.report.setup_s = timer.seconds();
}

template <Scalar T>
void MpiSolver<T>::solve(const Vectors<const T>& b, const Vectors<T>& x) const {
  state_->solve(b, x);
}
template <Scalar T>
void MpiSolver<T>::solve(Uplo part, Op op, const Vectors<const T>& b, const Vectors<T>& x) const {
  state_->solve(part, op, b, x);
}
template <Scalar T>
RowRange MpiSolver<T>::rows() const {
  const State& s = *state_;
  return row_range(s.factors.n, s.comm.rank(), s.comm.size(), s.options.vectors);
}
template <Scalar T>
MpiReport MpiSolver<T>::report() const {
  return state_->make_report();
}

#define ECHELON_INSTANTIATE(T) template class MpiSolver<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
