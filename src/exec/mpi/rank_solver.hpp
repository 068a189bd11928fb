// exec/mpi/rank_solver.hpp -- a factorization on many ranks, whatever works on it: setup, vectors
// on their way, the hand-over between triangles, and the report.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/mpi/rank_machine.hpp"
#include "exec/mpi/rank_options.hpp"
#include "exec/mpi/vector_route.hpp"

namespace echelon {

// Made, then set up once.  Every call is collective and throws on all ranks.
template <Scalar T>
class RankSolver {
 public:
  // Options are checked by check_options, and must be the same on all ranks.
  template <class Options>
  RankSolver(MPI_Comm comm, Options options, const NumericOptions& numeric)
      : options_(options), numeric_(numeric), comm_(comm, options.timeout_s) {
    comm_.together([&] {
      check_options(options_);
      check_options(options);
      map_.grid = choose_grid(options_, comm_.size());
    });
    OptionsSum sum;
    options.visit(sum);
    comm_.require_same(sum.sum, "the options of the solver");
  }

  // Where the options leave it open.
  void choose_widest(Index widest) {
    if (options_.widest == 0) options_.widest = widest;
  }
  // Of rank 0's factors; or of those that every rank can read its part of.
  void set_up(const Factors<T>* factors, const SupernodeOptions& supernode,
              const MakeMachine<T>& make);
  void set_up(const RankFactors<T>& factors, const BlockMap* map, const MakeMachine<T>& make);
  void update(const Factors<T>* factors);

  void solve(const Vectors<const T>& b, const Vectors<T>& x);
  void solve(Uplo side, Op op, const Vectors<const T>& b, const Vectors<T>& x);

  // What all ranks do during solves of this solver, on rank 0; on others it is empty.
  Timeline trace(const std::function<void()>& solves);

  Communicator& comm() { return comm_; }
  const RankMachine<T>& machine() const { return *machine_; }
  RowRange rows() const {
    return row_range(factors_.n, comm_.rank(), comm_.size(), options_.vectors);
  }
  // All but the engine.
  MpiReport report();
  // This rank's, between the last two reports.
  const PassTimes& reported() const { return reported_; }

 private:
  Index upper_part() const { return factors_.symmetric ? 0 : 1; }
  Index parts() const { return upper_part() + 1; }
  const Supernodes& supernodes(Index part) const {
    return part == 0 ? factors_.lower : factors_.upper;
  }

  void refuse_when_broken() const;
  void check(const RankFactors<T>& factors, const BlockMap* map);
  void plan(const BlockMap* given, const MakeMachine<T>& make);
  void scatter(const FillRows<T>& lower, const FillRows<T>& upper);
  void begin_solve(int what, const Vectors<const T>& b, const Vectors<T>& x);
  void end_solve(bool finite, Index count);
  // The diagonal blocks of one part's vectors to another's, changed on the way.
  template <class Change>
  void hand_over(const T* from, Index part, T* to, Index other, Index count, const Change& change);
  // Right-hand sides of `part` from b, by a route.
  void fetch(const VectorRoute& route, bool conjugated, Index part, Index count,
             const Vectors<const T>& b, std::span<const Real<T>> scale);
  // x = answers of `part`, by a route; false if one is not finite.
  bool deliver(const VectorRoute& route, Index part, bool conjugated, Index count,
               const Vectors<T>& x, std::span<const Real<T>> scale);
  Spread spread(double mine);

  RankOptions options_;
  NumericOptions numeric_;
  Communicator comm_;
  RankFactors<T> factors_;  // the rows are not kept
  BlockMap map_;
  LocalPlan plan_[2];  // by part
  std::unique_ptr<RankMachine<T>> machine_;
  std::unique_ptr<VectorCarrier<T>> carrier_;
  std::unique_ptr<VectorRoute> route_in_, route_out_, route_plain_;
  bool ready_ = false;
  double analysis_s_ = 0;  // until there is a plan
  double setup_s_ = 0;     // from then on, or of an update
  Offset solves_ = 0;      // since the last report
  PassTimes before_;       // at the last report
  PassTimes reported_;
};

}  // namespace echelon
