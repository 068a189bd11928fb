// tests/sequence/emulated_bands.cpp -- sequences of calls on method superstep of the GPU, emulated
// on the CPU; the host code is like exec/cuda/bands/cuda_bands.cu.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

// First: it defines the emulation that device code uses.
#include "exec/emulated_flow.hpp"
// (a separate include block)
#include "echelon/numeric.hpp"
#include "echelon/solver.hpp"
#include "exec/cuda/bands/band_source.cuh"
#include "exec/cuda/bands/solve_bands.cuh"
#include "sequence/emulated.hpp"

namespace echelon::test {
namespace {

constexpr Index most_blocks = 3;
constexpr Index max_rhs_per_pass = 8;

template <Scalar T>
class BandEngine final : public Engine<T> {
 public:
  using D = DeviceScalar<T>;

  BandEngine(const Setting& s, const Triangle<T>& t)
      : analysis_(t, options_of(s)), conjugated_(t.conjugated()) {
    const Bands& bands = analysis_.plan().bands;
    Index largest = 0;
    at_ = chunk_places(bands, sizeof(T), largest);
    room_ = make_band_room(bands, largest, sizeof(T));
    first_ = first_of_chunks(bands);
    chunk_.resize(static_cast<std::size_t>(at_.back()) / sizeof(Line) + 1);
    flow_.assign(2 * flow_size(), empty_number(D{}));
    shared_.assign(most_blocks,
                   std::vector<Line>(static_cast<std::size_t>(room_.bytes) / sizeof(Line) + 1));
    load(t);
  }

  Abilities abilities() const override { return {}; }
  Bound bound() const override { return {}; }

  void load(const Triangle<T>& t) override {
    const Plan& plan = analysis_.plan();
    const Bands& bands = plan.bands;
    pack_values(plan.pattern, t.value, analysis_.stored_count(), conjugated_, values_, 1);
    divides_ = values_.form == DiagonalForm::plain;
    const BandSource<D> source{
        bands.chunks.data(),
        first_.data(),
        plan.pattern.order.data(),
        {plan.pattern.start.low().data(), plan.pattern.start.base().data()},
        bands.slot.data(),
        bands.step_end.data(),
        bands.fetch.data(),
        bands.number.data(),
        reinterpret_cast<const D*>(values_.value.data()),
        values_.diagonal.empty() ? nullptr : reinterpret_cast<const D*>(values_.diagonal.data()),
        divides_,
        bands.rings,
        at_.data(),
        reinterpret_cast<char*>(chunk_.data())};
    for (Index k = 0; k < static_cast<Index>(bands.chunks.size()); ++k) source.lay_out(k, 0, 1);
  }

  void solve(const Vectors<const T>& b, const Vectors<T>& x, const Call& call) override {
    EmulatedStatus status;
    for (Index column = 0; column < x.count; column += max_rhs_per_pass) {
      const Index some = std::min(max_rhs_per_pass, x.count - column);
      const auto vectors =
          device_vectors<T>(b.slice(column, some), x.slice(column, some), call, status.words);
      divides_ ? run<true>(vectors, some) : run<false>(vectors, some);
    }
    status.check();
  }

 private:
  static Options options_of(const Setting& s) {
    Options o;
    o.method = Method::superstep;
    o.backend = Backend::cuda;
    o.cuda.bands = s.bands;
    o.cuda.band_threads = s.threads;
    o.cuda.band_levels = s.levels;
    o.cuda.shared_memory = s.shared_memory;
    return o;
  }
  std::size_t flow_size() const {
    return static_cast<std::size_t>(analysis_.plan().bands.published) * max_rhs_per_pass;
  }

  template <bool divides>
  void run(const DeviceVectors<D>& vectors, Index count) {
    using Pass = BandPass<D, divides>;
    const Bands& bands = analysis_.plan().bands;
    Pass pass{};
    pass.chunk = reinterpret_cast<const char*>(chunk_.data());
    pass.chunk_at = at_.data();
    pass.chunk_start = bands.chunk_start.data();
    pass.bands = bands.count();
    pass.rings = bands.rings;
    pass.roles = make_band_roles(bands.threads);
    pass.vectors = vectors;
    pass.count = count;
    pass.flow = flow_.data();
    pass.flow_size = static_cast<Offset>(flow_size());
    pass.published = bands.published;
    pass.grid = {&words_, pass.vectors.status, emulated_timeout_ns};
    pass.room = room_;
    run_emulated(pass.roles.threads(Pass::stages), std::min(most_blocks, pass.bands * count),
                 [&] { pass.run(reinterpret_cast<char*>(shared_[blockIdx.x].data())); });
  }

  Analysis analysis_;
  bool conjugated_;
  PackedValues<T> values_;
  bool divides_ = false;
  Buffer<Offset> at_;
  Buffer<Index> first_;
  std::vector<Line> chunk_;
  BandSharedMemory room_;
  std::vector<std::vector<Line>> shared_;
  std::vector<D> flow_;
  GridWords words_;
};

}  // namespace

std::unique_ptr<Subject> make_band_subject(const Setting& s) {
  return make_engine_subject<BandEngine>(s);
}

}  // namespace echelon::test
