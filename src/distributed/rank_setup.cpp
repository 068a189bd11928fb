// distributed/rank_setup.cpp -- setup of a distributed solver: distributes the factors, and reports
// on them.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>

#include "base/instantiate.hpp"
#include "distributed/rank_solver.hpp"
#include "distributed/scatter.hpp"

namespace echelon {
namespace {

// Properties that must be equal on all ranks if each rank provides its own factors, compared by
// checksums.  Values are not compared: their last bits differ if each rank has factored by itself.
constexpr std::array<const char*, 8> aspect_names{"number of rows, or kind",
                                                  "partition into supernodes",
                                                  "pattern of the lower triangle",
                                                  "pattern of the upper one",
                                                  "row_order",
                                                  "col_order",
                                                  "map of the blocks",
                                                  "length of the diagonal or a scaling"};
using Aspects = std::array<std::uint64_t, aspect_names.size()>;

class Sum {
 public:
  template <class Number>
  Sum& add(Number number) {
    sum_ = mix(sum_, static_cast<std::uint64_t>(number));
    return *this;
  }
  template <class List>
  Sum& add_all(const List& list) {
    add(list.size());
    for (const auto number : list) add(number);
    return *this;
  }
  operator std::uint64_t() const { return sum_; }

 private:
  std::uint64_t sum_ = 1;
};

template <class T>
Aspects aspects_of(const RankFactors<T>& f, const BlockMap* map) {
  Sum blocks;
  blocks.add(map != nullptr);
  if (map != nullptr)
    blocks.add(map->grid.rows).add(map->grid.by_columns).add_all(map->row).add_all(map->col);
  return {Sum().add(f.n).add(f.symmetric),
          Sum().add_all(f.lower.first),
          Sum().add_all(f.lower.row_start).add_all(f.lower.row),
          Sum().add_all(f.upper.row_start).add_all(f.upper.row),
          Sum().add_all(f.row_order),
          Sum().add_all(f.col_order),
          blocks,
          Sum().add(f.diagonal.size()).add(f.row_scale.size()).add(f.col_scale.size())};
}

}  // namespace

template <Scalar T>
void RankSolver<T>::set_up(const Factors<T>* factors, const MakeBackend<T>& make) {
  const Timer timer;
  const Call call(comm_, Communicator::setup_timeout_factor);
  RankFactors<T> whole;
  comm_.all_succeed([&] {
    if ((comm_.rank() == 0) != (factors != nullptr))
      refuse(comm_.rank() == 0 ? "rank 0 must have the factors"
                               : "only rank 0 has factors; others give null");
    if (factors == nullptr) return;
    whole = distribute_factors(*factors, columns_per_block(options_, comm_.size()), supernode_);
    check_rank_factors(whole);
    factors_ = whole;
    factors_.lower_rows = factors_.upper_rows = {};
  });
  share_structure(comm_, factors_);
  plan(nullptr, make);
  analysis_s_ = timer.seconds();
  scatter(whole.lower_rows, whole.upper_rows);
  backend_->open();
  ready_ = true;
  setup_s_ = timer.seconds() - analysis_s_;
}

template <Scalar T>
void RankSolver<T>::set_up(const RankFactors<T>& factors, const BlockMap* map,
                           const MakeBackend<T>& make) {
  const Timer timer;
  const Call call(comm_, Communicator::setup_timeout_factor);
  check(factors, map);
  comm_.all_succeed([&] {
    factors_ = factors;
    factors_.lower_rows = factors_.upper_rows = {};
    factors_.owner.reset();
  });
  plan(map, make);
  analysis_s_ = timer.seconds();
  comm_.all_succeed([&] {
    backend_->pack(0, factors.lower_rows, numeric_);
    if (!factors.symmetric) backend_->pack(1, factors.upper_rows, numeric_);
  });
  backend_->open();
  ready_ = true;
  setup_s_ = timer.seconds() - analysis_s_;
}

// Checks this rank's factors, then that all ranks have the same structure.
template <Scalar T>
void RankSolver<T>::check(const RankFactors<T>& factors, const BlockMap* map) {
  const Index ranks = comm_.size();
  comm_.all_succeed([&] {
    try {
      check_rank_factors(factors);
      if (map != nullptr) check_block_map(*map, factors.lower.count(), ranks);
    } catch (const Error& e) {
      throw Error(e.code(), "rank " + std::to_string(comm_.rank()) + ": " + e.what());
    }
  });
  const std::vector<Aspects> all = comm_.gather(aspects_of(factors, map), "their factors");
  for (std::size_t r = 1; r < all.size(); ++r)
    for (std::size_t k = 0; k < all[r].size(); ++k)
      if (all[r][k] != all[0][k])
        throw AgreedError(ErrorCode::bad_argument, "ranks differ in their factors: rank " +
                                                       std::to_string(r) + " has another " +
                                                       aspect_names[k] + " than rank 0");
}

template <Scalar T>
void RankSolver<T>::update(const Factors<T>* factors) {
  const Timer timer;
  const Claim claim(busy_, "solver");
  refuse_when_broken();
  const Call call(comm_, Communicator::setup_timeout_factor);
  FillRows<T> lower, upper;
  comm_.all_succeed([&] {
    if ((comm_.rank() == 0) != (factors != nullptr)) refuse("rank 0 alone has the new factors");
    if (factors == nullptr) return;
    if (factors->n != factors_.n || factors->symmetric != factors_.symmetric ||
        factors->row_order != factors_.row_order || factors->col_order != factors_.col_order)
      refuse("the new factors are of another size, kind or order");
    lower = rows_of_factor(factors_.lower, factors->lower);
    if (!factors->symmetric) upper = rows_of_factor(factors_.upper, factors->upper);
    check_scalings<T>(factors->n, factors->diagonal, factors->row_scale, factors->col_scale);
  });
  ready_ = false;
  comm_.all_succeed([&] {
    if (factors == nullptr) return;
    factors_.diagonal = factors->diagonal;
    factors_.row_scale = factors->row_scale;
    factors_.col_scale = factors->col_scale;
  });
  share_scalings(comm_, factors_);
  scatter(lower, upper);
  backend_->open();
  ready_ = true;
  setup_s_ = timer.seconds();
}

template <Scalar T>
void RankSolver<T>::plan(const BlockMap* given, const MakeBackend<T>& make) {
  comm_.all_succeed([&] {
    map_ = given != nullptr ? *given : map_blocks(factors_.lower, map_.grid, *options_.mapping);
    plan_[0] = make_local_plan(factors_.lower, map_, comm_.rank(), *options_.tree);
    if (!factors_.symmetric)
      plan_[1] = make_local_plan(factors_.upper, map_.transposed(), comm_.rank(), *options_.tree);
    const LocalPlan& p = plan_[0];
    route_in_ = std::make_unique<VectorRoute>(p, factors_.row_order, options_.vectors);
    route_out_ = std::make_unique<VectorRoute>(p, factors_.col_order, options_.vectors);
    route_plain_ = std::make_unique<VectorRoute>(p, std::span<const Index>(), options_.vectors);
    const auto [begin, end] = rows();
    carrier_ = std::make_unique<VectorCarrier<T>>(
        comm_, Offset{options_.rhs_per_pass} * std::max(end - begin, p.size()));
  });
  std::vector<RankShare> shares;
  shares.reserve(static_cast<std::size_t>(parts()));
  for (Index part = 0; part < parts(); ++part) shares.push_back({&supernodes(part), &plan_[part]});
  backend_ = make(comm_, shares);
}

template <Scalar T>
void RankSolver<T>::scatter(const FillRows<T>& lower, const FillRows<T>& upper) {
  const BlockMap maps[2] = {map_, map_.transposed()};
  const FillRows<T>* const rows[2] = {&lower, &upper};
  for (Index part = 0; part < parts(); ++part)
    scatter_rows<T>(
        comm_,
        {supernodes(part), maps[part], *options_.tree, plan_[part], backend_->wants_diagonals()},
        *rows[part], [&](const FillRows<T>& fill) { backend_->pack(part, fill, numeric_); });
}

template <Scalar T>
Spread RankSolver<T>::spread(double mine) {
  constexpr const char* what = "all ranks to report";
  double sum = mine, ends[2] = {-mine, mine};
  comm_.reduce(std::span(&sum, 1), MPI_SUM, what);
  comm_.reduce(ends, MPI_MAX, what);
  return {-ends[0], sum / comm_.size(), ends[1]};
}

template <Scalar T>
RankReport RankSolver<T>::report() {
  const Claim claim(busy_, "solver");
  refuse_when_broken();
  const Call call(comm_);
  comm_.all_succeed([] {});
  RankReport r;
  r.n = factors_.n;
  r.nnz = factors_.nnz;
  r.ranks = comm_.size();
  r.grid = map_.grid;
  r.tree = *options_.tree;
  r.mapping = *options_.mapping;
  r.package = factors_.package;
  r.kind = factors_.kind;
  r.ordering = factors_.ordering;
  r.supernodes = factors_.lower.count();
  r.levels = find_level_sets(factors_.lower).count();
  r.entries = factors_.lower.entries() + factors_.upper.entries();
  r.uninverted_blocks =
      static_cast<Index>(std::lround(spread(backend_->uninverted_blocks()).mean * comm_.size()));
  r.analysis_s = spread(analysis_s_).most;
  r.setup_s = spread(setup_s_).most;
  r.stored_bytes = spread(static_cast<double>(backend_->stored_bytes()));
  r.bytes = std::llround(r.stored_bytes.mean * r.ranks) * (factors_.symmetric ? 2 : 1);
  r.window_bytes = spread(static_cast<double>(backend_->window_bytes()));
  const PassTimes now = backend_->times();
  reported_ = {now.compute_s - before_.compute_s, now.all_s - before_.all_s,
               now.messages - before_.messages, now.numbers - before_.numbers};
  r.solves = solves_;
  r.solve_s = spread(reported_.all_s);
  compute_s_ = spread(reported_.compute_s);
  communicate_s_ = spread(reported_.all_s - reported_.compute_s);
  r.messages = spread(static_cast<double>(reported_.messages));
  r.message_bytes = spread(static_cast<double>(reported_.numbers) * sizeof(T));
  before_ = now;
  solves_ = 0;
  return r;
}

// Instantiates the members of this file; rank_solve.cpp has the others.
#define ECHELON_INSTANTIATE(T)                                                   \
  template void RankSolver<T>::set_up(const Factors<T>*, const MakeBackend<T>&); \
  template void RankSolver<T>::set_up(const RankFactors<T>&, const BlockMap*,    \
                                      const MakeBackend<T>&);                    \
  template void RankSolver<T>::update(const Factors<T>*);                        \
  template RankReport RankSolver<T>::report();
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
