// tests/sequence/rank_subject.cpp -- sequences of passes on ranks, as threads of one process.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/rank_threads.hpp"
#include "sequence/shared_out.hpp"

namespace echelon::test {
namespace {

constexpr Index rhs_per_pass = 3;

template <Scalar T>
class RankEngine final : public Engine<T> {
 public:
  RankEngine(const Setting& s, const Triangle<T>& t)
      : supernodes_(find_supernodes(find_dependency_graph(t, Order::columns, 1), 1)),
        ranks_(supernodes_, map_blocks(supernodes_, {s.grid_rows, s.grid_cols}, mapping_of(s)),
               s.flat_trees ? TreeShape::flat : TreeShape::binary, columns_of(t), rhs_per_pass,
               numeric_of(s)),
        setting_(s) {}

  Abilities abilities() const override {
    Abilities a;
    a.parts = {Part::plain, Part::transposed};
    a.most_count = 7;
    a.alpha = a.poison = false;
    return a;
  }
  Bound bound() const override {
    Bound b;
    b.componentwise = setting_.growth == 0;
    return b;
  }
  void load(const Triangle<T>& t) override {
    ranks_.update(supernodes_, columns_of(t), numeric_of(setting_));
  }
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const Call& call) override {
    const Way way = call.part == Part::plain ? Way::forwards : Way::backwards;
    solve_some<T>(b, x, rhs_per_pass, [&](const std::vector<T>& right, Index count) {
      return ranks_.solve(way, right, count, ++turn_);
    });
  }

 private:
  Supernodes supernodes_;
  Ranks<T> ranks_;
  Setting setting_;
  unsigned turn_ = 0;
};

}  // namespace

std::unique_ptr<Subject> make_rank_subject(const Setting& s) {
  Setting by_columns = s;
  by_columns.order = Order::columns;
  return make_engine_subject<RankEngine>(by_columns);
}

}  // namespace echelon::test
