// tests/sequence/emulated_shares.cpp -- sequences of passes of the persistent solve on several
// GPUs, emulated on the CPU.
// SPDX-License-Identifier: BSD-3-Clause

// First: it defines the emulation that device code uses.
#include "exec/emulated_pes.hpp"
// (a separate include block)
#include "sequence/shared_out.hpp"

namespace echelon::test {
namespace {

constexpr int width = 4;  // right-hand sides per pass

template <Scalar T>
class ShareEngine final : public Engine<T> {
 public:
  ShareEngine(const Setting& s, const Triangle<T>& t)
      : setting_(s), supernodes_(find_supernodes(find_dependency_graph(t, Order::columns, 1), 1)) {
    load(t);
  }

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
  // Makes new passes: they depend on which blocks are not inverted.
  void load(const Triangle<T>& t) override {
    const BlockMap map =
        map_blocks(supernodes_, {setting_.grid_rows, setting_.grid_cols}, mapping_of(setting_));
    const TreeShape shape = setting_.flat_trees ? TreeShape::flat : TreeShape::binary;
    shares_ = std::make_unique<Shares<T, width>>(supernodes_, map, shape, columns_of(t),
                                                 numeric_of(setting_));
  }
  void solve(const Vectors<const T>& b, const Vectors<T>& x, const Call& call) override {
    const Way way = call.part == Part::plain ? Way::forwards : Way::backwards;
    solve_some<T>(b, x, width, [&](const std::vector<T>& right, Index count) {
      return shares_->solve({way}, right, count).front();
    });
    if (shares_->status[0] + shares_->status[1] != 0)
      throw Error(ErrorCode::backend_failed, "a pass gave up");
  }

 private:
  Setting setting_;
  Supernodes supernodes_;
  std::unique_ptr<Shares<T, width>> shares_;
};

}  // namespace

std::unique_ptr<Subject> make_share_subject(const Setting& s) {
  return make_engine_subject<ShareEngine>(s);
}

}  // namespace echelon::test
