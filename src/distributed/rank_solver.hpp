// distributed/rank_solver.hpp -- a factorization on many ranks, whatever works on it: setup,
// vectors on their way, the hand-over between triangles, and the report.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "distributed/rank_backend.hpp"
#include "distributed/rank_options.hpp"
#include "distributed/vector_route.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Made, then set up once.  Every call is collective and throws on all ranks.
template <Scalar T>
class RankSolver {
 public:
  // Options are checked by check_options, and must be the same on all ranks.
  template <class Options>
  RankSolver(MPI_Comm comm, Options options, const RankDefaults& defaults)
      : options_(options.ranks),
        supernode_(options.supernode),
        numeric_(options.numeric),
        comm_(comm, options.ranks.timeout_s) {
    comm_.all_succeed([&] {
      if (!options_.tree) options_.tree = defaults.tree;
      if (!options_.mapping) options_.mapping = defaults.mapping;
      check_options(options_);
      check_options(options);
      map_.grid = choose_grid(options_, comm_.size());
    });
    OptionsSum sum;
    options.visit(sum);
    comm_.require_same(sum.sum, "the options of the solver");
  }

  // What the options leave open, or the backend wants otherwise.
  void set_supernode(const SupernodeOptions& supernode) { supernode_ = supernode; }
  const SupernodeOptions& supernode() const { return supernode_; }
  void choose_max_panel_columns(Index max_panel_columns) {
    if (options_.max_panel_columns == 0) options_.max_panel_columns = max_panel_columns;
  }
  // Of rank 0's factors; or of those that every rank can read its part of.
  void set_up(const Factors<T>* factors, const MakeBackend<T>& make);
  void set_up(const RankFactors<T>& factors, const BlockMap* map, const MakeBackend<T>& make);
  void update(const Factors<T>* factors);

  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o);

  // What all ranks do during solves of this solver, on rank 0; on others it is empty.
  Timeline trace(const std::function<void()>& solves);

  Communicator& comm() { return comm_; }
  const RankBackend<T>& backend() const { return *backend_; }
  RowRange rows() const {
    return row_range(factors_.n, comm_.rank(), comm_.size(), options_.vectors);
  }
  RankReport report();
  // Of the time of passes since the report before the last, as the last one found it.
  const Spread& compute_s() const { return compute_s_; }
  const Spread& communicate_s() const { return communicate_s_; }
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
  void plan(const BlockMap* given, const MakeBackend<T>& make);
  void scatter(const FillRows<T>& lower, const FillRows<T>& upper);
  // One pass with a part: with N or its transpose, between conjugated vectors or not.
  struct Stage {
    Index part;
    Way way;
    bool conjugated;
  };
  bool solve_both(const SolveOptions<T>& o, const Vectors<const T>& b, const Vectors<T>& x);
  bool solve_one(const SolveOptions<T>& o, const Vectors<const T>& b, const Vectors<T>& x);
  void begin_solve(int what, const Vectors<const T>& b, const Vectors<T>& x);
  void end_solve(bool finite, Index count);
  // The diagonal blocks of one part's vectors to another's, changed on the way.
  template <class Change>
  void hand_over(const T* from, Index part, T* to, Index other, Index count, const Change& change);
  // Right-hand sides of `part` from alpha b, by a route.
  void fetch(const VectorRoute& route, bool conjugated, Index part, T alpha,
             const Vectors<const T>& b, std::span<const Real<T>> scale);
  // x = answers of `part`, by a route; false if one is not finite.
  bool deliver(const VectorRoute& route, bool conjugated, Index part, const Vectors<T>& x,
               std::span<const Real<T>> scale);
  Spread spread(double mine);

  RankOptions options_;  // with all choices made
  SupernodeOptions supernode_;
  NumericOptions numeric_;
  Communicator comm_;
  RankFactors<T> factors_;  // the rows are not kept
  BlockMap map_;
  LocalPlan plan_[2];  // by part
  std::unique_ptr<RankBackend<T>> backend_;
  std::unique_ptr<VectorCarrier<T>> carrier_;
  std::unique_ptr<VectorRoute> route_in_, route_out_, route_plain_;
  bool ready_ = false;
  double analysis_s_ = 0;  // until there is a plan
  double setup_s_ = 0;     // from then on, or of an update
  Offset solves_ = 0;      // since the last report
  PassTimes before_;       // at the last report
  PassTimes reported_;
  Spread compute_s_, communicate_s_;
};

}  // namespace echelon
#pragma GCC visibility pop
