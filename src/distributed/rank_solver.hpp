// distributed/rank_solver.hpp -- the common part of the distributed solvers: setup, vector
// exchange, both triangles in turn, and the report.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "base/claim.hpp"
#include "distributed/rank_backend.hpp"
#include "distributed/rank_options.hpp"
#include "distributed/vector_route.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Constructed, then set up once.  Every call is collective and throws on all ranks.
template <Scalar T>
class RankSolver {
 public:
  // Throws if check_options fails or the options differ between ranks.
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

  // Options that the backend chooses differently.
  void set_supernode(const SupernodeOptions& supernode) { supernode_ = supernode; }
  const SupernodeOptions& supernode() const { return supernode_; }
  void choose_max_panel_columns(Index max_panel_columns) {
    if (options_.max_panel_columns == 0) options_.max_panel_columns = max_panel_columns;
  }
  // From the factors of rank 0; or from factors of which every rank can read its own part.
  void set_up(const Factors<T>* factors, const MakeBackend<T>& make);
  void set_up(const RankFactors<T>& factors, const BlockMap* map, const MakeBackend<T>& make);
  void update(const Factors<T>* factors);

  void solve(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o);

  // The activities of all ranks during `solves`, on rank 0; empty on other ranks.
  Timeline trace(const std::function<void()>& solves);

  Communicator& comm() { return comm_; }
  const RankBackend<T>& backend() const { return *backend_; }
  RowRange rows() const {
    return row_range(factors_.n, comm_.rank(), comm_.size(), options_.vectors);
  }
  RankReport report();
  // Spread over ranks of the times of passes between the last two reports.
  const Spread& compute_s() const { return compute_s_; }
  const Spread& communicate_s() const { return communicate_s_; }
  // This rank's times between the last two reports.
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
  // One pass with a part: with N or its transpose, optionally between conjugated vectors.
  struct Stage {
    Index part;
    Sweep sweep;
    bool conjugated;
  };
  bool solve_both(const SolveOptions<T>& o, const Vectors<const T>& b, const Vectors<T>& x);
  bool solve_one(const SolveOptions<T>& o, const Vectors<const T>& b, const Vectors<T>& x);
  void begin_solve(int what, const Vectors<const T>& b, const Vectors<T>& x);
  void end_solve(bool finite, Index count);
  // Copies the diagonal blocks of one part's vectors to another's, applying `change`.
  template <class Change>
  void hand_over(const T* from, Index part, T* to, Index other, Index count, const Change& change);
  // Sets the right-hand sides of `part` to alpha b, along a route.
  void fetch(const VectorRoute& route, bool conjugated, Index part, T alpha,
             const Vectors<const T>& b, std::span<const Real<T>> scale);
  // Sets x to the answers of `part`, along a route; returns false if one is not finite.
  bool deliver(const VectorRoute& route, bool conjugated, Index part, const Vectors<T>& x,
               std::span<const Real<T>> scale);
  Spread spread(double mine);

  RankOptions options_;  // with all defaults filled in
  SupernodeOptions supernode_;
  NumericOptions numeric_;
  Communicator comm_;
  RankFactors<T> factors_;  // without the rows
  BlockMap map_;
  LocalPlan plan_[2];  // by part
  std::unique_ptr<RankBackend<T>> backend_;
  std::unique_ptr<VectorCarrier<T>> carrier_;
  std::unique_ptr<VectorRoute> route_in_, route_out_, route_plain_;
  bool ready_ = false;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;  // a call of this solver runs
  double analysis_s_ = 0;                     // up to the plan
  double setup_s_ = 0;                        // after the plan, or of the last update
  Offset solves_ = 0;                         // since the last report
  PassTimes before_;                          // at the last report
  PassTimes reported_;
  Spread compute_s_, communicate_s_;
};

}  // namespace echelon
#pragma GCC visibility pop
