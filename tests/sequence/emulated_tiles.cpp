// tests/sequence/emulated_tiles.cpp -- sequences of calls on method tree of the GPU, emulated on
// the CPU; the host code is like exec/cuda/tiles/cuda_tiles.cu.
// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

// First: it defines the emulation that device code uses.
#include "exec/emulated_flow.hpp"
// (a separate include block)
#include "exec/cuda/tiles/tile_pass.cuh"
#include "exec/emulated_plan.hpp"
#include "sequence/emulated.hpp"

namespace echelon::test {
namespace {

constexpr int blocks = 3;

// One course, and its published numbers.
template <Scalar T>
struct EmulatedCourse {
  EmulatedCourse(const BlockPlan& plan, const TileSlots& slots, Course way,
                 const TileLimits& limits, Index words_of_slot)
      : course(way),
        words(words_of_slot),
        program(make_tile_program(plan, slots, way, limits)),
        places(slots, plan.n, way, program.sums),
        flow(2 * static_cast<std::size_t>(places.size * words)) {}

  void forget(const TileSlots& slots) {
    state = {};
    std::fill(flow.begin(), flow.end(), empty_word(Real<T>(0)));
    if (course == Course::pull) return;
    for (const Index slot : slots.unused)
      for (const Offset copy : {Offset{0}, places.size})
        std::fill_n(flow.begin() + (copy + slot) * words, words, Real<T>(0));
  }

  Course course;
  Index words;
  TileProgram program;
  FlowPlaces places;
  std::vector<Real<T>> flow;
  TileState state;
};

// For R right-hand sides per pass.
template <Scalar T, int R>
class TileVariant {
 public:
  using D = DeviceScalar<T>;
  using S = Real<T>;
  using Pass = TilePass<D, S, R>;

  TileVariant(const BlockPlan& plan, const TileSlots& slots) : slots_(slots) {
    room_ = make_tile_room({R, sizeof(T)});
    room_.vector_size = 64;  // so that wide panels are split
    const TileLimits limits{blocks, static_cast<Index>(sizeof(T)), room_.vector_size, room_.slots,
                            R == 1 ? TileShape::warps : room_.slots};
    for (const Course course : {Course::push, Course::pull, Course::push_then_pull})
      courses_.emplace_back(plan, slots, course, limits, R * Pass::parts);
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
    Pass pass{};
    pass.plan = ready.device;
    pass.form = ready.values.form.data();
    pass.value = reinterpret_cast<const S*>(ready.values.value.data());
    pass.lists = course.program.lists.data();
    pass.items = course.program.items.data();
    pass.chunks = course.program.chunks.data();
    pass.to = slots_.to.data();
    pass.more = slots_.more.data();
    pass.vectors = vectors;
    pass.vectors.reversed = plan.reversed;
    pass.vectors.conjugate = part == Part::conjugated;
    pass.count = count;
    pass.relays = back;
    pass.conjugates = back && is_complex<T>;
    pass.flow = course.flow.data();
    pass.flow_size = static_cast<Offset>(course.flow.size() / 2);
    pass.pushed = course.places.pushed;
    pass.answers = course.places.answers;
    pass.sums_place = course.places.sums;
    pass.scratch = scratch_.data();
    pass.state = &course.state;
    pass.timeout_ns = emulated_timeout_ns;
    pass.room = room_;
    run_emulated(tile_threads, blocks,
                 [&] { pass.run(reinterpret_cast<char*>(shared_[blockIdx.x].data())); });
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
