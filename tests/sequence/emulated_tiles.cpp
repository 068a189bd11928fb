// tests/sequence/emulated_tiles.cpp -- sequences of calls on method tree of the GPU, emulated on
// the CPU; the host code is like exec/cuda/tiles/cuda_tiles.cu.
// SPDX-License-Identifier: BSD-3-Clause
// First: it defines the emulation that device code uses.
#include "exec/emulated_flow.hpp"
// (a separate include block)
#include "exec/cuda/tiles/tile_pass.cuh"
#include "exec/emulated_course.hpp"
#include "exec/emulated_plan.hpp"
#include "sequence/emulated.hpp"

namespace echelon::test {
namespace {

constexpr int blocks = 3;

// For R right-hand sides per pass.
template <Scalar T, int R>
class TileVariant {
 public:
  using D = DeviceScalar<T>;
  using S = Real<T>;
  using K = TileTypes<D, S, R>;

  TileVariant(const BlockPlan& plan, const TileSlots& slots) : slots_(slots) {
    room_ = make_tile_room({R, sizeof(T)});
    room_.vector_size = 64;  // so that wide panels are split
    const TileLimits limits{blocks, static_cast<Index>(sizeof(T)), room_.vector_size, room_.slots,
                            R == 1 ? TileShape::warps : room_.slots};
    for (const Sweep course : {Sweep::forward, Sweep::backward, Sweep::symmetric})
      courses_.emplace_back(plan, slots, course, limits, R * K::parts);
    scratch_.resize(static_cast<std::size_t>(2 * plan.space() * R));
    shared_.assign(blocks,
                   std::vector<Line>(static_cast<std::size_t>(room_.bytes) / sizeof(Line) + 1));
    forget();
  }
  void forget() {
    for (EmulatedCourse<T>& course : courses_) course.forget(slots_);
  }
  void run(const Ready<T>& ready, const DeviceVectors<D>& vectors, Index count, Part part) {
    const BlockPlan& plan = ready.analysis.plan().blocks;
    const bool back = part == Part::and_back;
    const bool transposes = part == Part::transposed || part == Part::conjugated;
    EmulatedCourse<T>& course = courses_[back ? 2 : plan.pull != transposes ? 1 : 0];
    TileVectors<D> sides{vectors, count, back, back && is_complex<T>, nullptr};
    sides.vectors.reversed = plan.reversed;
    sides.vectors.conjugate = part == Part::conjugated;
    const auto* const value = reinterpret_cast<const S*>(ready.values.value.data());
    const TileParameters<K> parameters = make_tile_parameters<K>(
        {ready.device, ready.values.form.data(), value, 0, slots_.to.data(), slots_.more.data()},
        course, sides, {room_, scratch_.data(), emulated_timeout_ns});
    run_emulated(tile_threads, blocks, [&] {
      run_tile_pass(parameters, reinterpret_cast<char*>(shared_[blockIdx.x].data()));
    });
  }

 private:
  const TileSlots& slots_;
  TileSharedMemory room_;
  std::vector<EmulatedCourse<T>> courses_;
  std::vector<D> scratch_;
  std::vector<std::vector<Line>> shared_;
};

template <Scalar T>
class TileEngine final : public Engine<T> {
 public:
  TileEngine(const Setting& s, const Triangle<T>& t)
      : growth_(s.growth),
        ready_(t, options_of(s)),
        slots_(make_tile_slots(plan())),
        one_(plan(), slots_),
        four_(plan(), slots_) {}

  Abilities abilities() const override {
    Abilities a;
    a.parts = {Part::plain, Part::plain, Part::transposed};
    if (is_complex<T>) a.parts.push_back(Part::conjugated);
    if (!plan().pull) a.parts.push_back(Part::and_back);
    a.most_count = 9;
    return a;
  }
  Bound bound() const override {
    Bound b;
    b.componentwise = growth_ == 0;
    return b;
  }
  void load(const Triangle<T>& t) override {
    NumericOptions o;
    o.largest_growth = growth_;
    ready_.values = pack_triangle(ready_.analysis.plan(), t, o);
    one_.forget();
    four_.forget();
  }

  void solve(const Vectors<const T>& b, const Vectors<T>& x, const Call& call) override {
    EmulatedStatus status;
    std::vector<T> copy;
    for (Index column = 0; column < x.count;) {
      const Index some = std::min(Index{4}, x.count - column);
      Vectors<const T> given = b.slice(column, some);
      if (call.in_place) {  // tiles read b after others have written their part of x
        copy.resize(static_cast<std::size_t>(b.n) * static_cast<std::size_t>(some));
        for (Index k = 0; k < some; ++k)
          for (Index i = 0; i < b.n; ++i)
            copy[k * b.n + i] = given.data[i * given.step() + k * given.stride()];
        given = Vectors<const T>(copy.data(), b.n, some);
      }
      const auto vectors = device_vectors<T>(given, x.slice(column, some), call, status.words);
      some == 1 ? one_.run(ready_, vectors, some, call.part)
                : four_.run(ready_, vectors, some, call.part);
      column += some;
    }
    status.check();
  }

 private:
  static Options options_of(const Setting& s) {
    Options o;
    o.method = Method::tree;
    o.cpu.threads = 2;
    o.supernode.chunk_entries = 256;  // small subtrees
    o.numeric.largest_growth = s.growth;
    return o;
  }
  const BlockPlan& plan() const { return ready_.analysis.plan().blocks; }

  double growth_;
  Ready<T> ready_;
  TileSlots slots_;
  TileVariant<T, 1> one_;
  TileVariant<T, 4> four_;
};

}  // namespace

std::unique_ptr<Subject> make_tile_subject(const Setting& s) {
  return make_engine_subject<TileEngine>(s);
}

}  // namespace echelon::test
