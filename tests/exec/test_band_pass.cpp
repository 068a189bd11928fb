// tests/exec/test_band_pass.cpp -- method superstep of the GPU, emulated on the CPU: all triangles,
// scalars and shapes of bands against the oracle.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

// First: it defines the emulation that device code uses.
#include "exec/emulated_flow.hpp"
// (a separate include block)
#include <bit>
#include <map>

#include "echelon/executor.hpp"
#include "echelon/generate.hpp"
#include "echelon/solver.hpp"
#include "exec/cuda/bands/band_source.cuh"
#include "exec/cuda/bands/solve_bands.cuh"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;
constexpr Index rhs_per_pass = 8;  // per pass, at most

// Kept from solve to solve: allocating the stacks of so many threads takes longer than running.
EmulatedBlock& grid_of(int threads, int blocks) {
  static std::map<std::pair<int, int>, EmulatedBlock> grids;
  return grids.try_emplace({threads, blocks}, threads, blocks).first->second;
}

// The device arrays of a plan: one flow for any number of right-hand sides.
template <class T>
class OnBands {
 public:
  using D = DeviceScalar<T>;
  using Pass = BandPass<D, false>;

  OnBands(const Triangle<T>& t, const CudaOptions& o)
      : analysis_(t, {.method = Method::superstep, .backend = Backend::cuda, .cuda = o}) {
    const Plan& plan = analysis_.plan();
    const Bands& bands = plan.bands;
    pack_values(plan.pattern, t.value, analysis_.stored_count(), t.conjugated(), values_);
    Index largest = 0;
    at_ = chunk_places(bands, sizeof(T), largest);
    room_ = make_band_room(bands, largest, sizeof(T));
    lay_out(plan);
    flow_.assign(2 * flow_size(), empty_number(D{}));
    shared_.assign(static_cast<std::size_t>(blocks(1)),
                   std::vector<Line>(static_cast<std::size_t>(room_.bytes) / sizeof(Line) + 1));
  }

  Index blocks(Index count) const {
    return std::min<Index>(3, analysis_.plan().bands.count() * count);
  }

  std::vector<T> solve(Index count, const std::vector<T>& b, T alpha) {
    const Plan& plan = analysis_.plan();
    const Bands& bands = plan.bands;
    std::vector<T> x(b.size());
    std::vector<unsigned> status(status_words, 0);
    Pass pass{};
    pass.chunk = reinterpret_cast<const char*>(chunk_.data());
    pass.chunk_at = at_.data();
    pass.chunk_start = bands.chunk_start.data();
    pass.bands = bands.count();
    pass.rings = bands.rings;
    pass.roles = make_band_roles(bands.threads);
    pass.vectors = {plan.pattern.n,
                    false,
                    false,
                    std::bit_cast<D>(alpha),
                    reinterpret_cast<const D*>(b.data()),
                    1,
                    plan.pattern.n,
                    reinterpret_cast<D*>(x.data()),
                    1,
                    plan.pattern.n,
                    status.data()};
    pass.count = count;
    pass.flow = flow_.data();
    pass.flow_size = static_cast<Offset>(flow_size());
    pass.published = bands.published;
    pass.state = &state_;
    pass.room = room_;
    shared_.resize(static_cast<std::size_t>(blocks(count)), shared_.front());
    grid_of(pass.roles.threads(Pass::stages), blocks(count)).run([&] {
      pass.run(reinterpret_cast<char*>(shared_[blockIdx.x].data()));
    });
    EXPECT_EQ(status, std::vector<unsigned>(status_words, 0));
    return x;
  }
  const BandSharedMemory& room() const { return room_; }

 private:
  std::size_t flow_size() const {
    return static_cast<std::size_t>(analysis_.plan().bands.published) * rhs_per_pass;
  }
  struct alignas(128) Line {
    char byte[128];
  };

  void lay_out(const Plan& plan) {
    const Bands& bands = plan.bands;
    const Buffer<Index> first = first_of_chunks(bands);
    chunk_.resize(static_cast<std::size_t>(at_.back()) / sizeof(Line) + 1);
    const BandSource<D> source{
        bands.chunks.data(),
        first.data(),
        plan.pattern.order.data(),
        {plan.pattern.start.low().data(), plan.pattern.start.base().data()},
        bands.slot.data(),
        bands.step_end.data(),
        bands.fetch.data(),
        bands.number.data(),
        reinterpret_cast<const D*>(values_.value.data()),
        values_.diagonal.empty() ? nullptr : reinterpret_cast<const D*>(values_.diagonal.data()),
        false,
        bands.rings,
        at_.data(),
        reinterpret_cast<char*>(chunk_.data())};
    for (Index k = 0; k < static_cast<Index>(bands.chunks.size()); ++k) source.lay_out(k, 0, 1);
  }

  Analysis analysis_;
  PackedValues<T> values_;
  Buffer<Offset> at_;
  std::vector<Line> chunk_;
  BandSharedMemory room_;
  std::vector<std::vector<Line>> shared_;
  std::vector<D> flow_;
  FlowState state_;
};

// Solves for each number of right-hand sides in turn, each time with other vectors: each solve
// starts from the state that the one before left.
template <class T>
void expect_solved(const Triangle<T>& t, const CudaOptions& o,
                   const std::vector<Index>& counts = {1, 1}) {
  const auto n = static_cast<std::size_t>(t.n());
  OnBands<T> bands(t, o);
  EXPECT_LE(bands.room().bytes, shared_memory_for(o));
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto count = static_cast<std::size_t>(counts[k]);
    const auto b = test::random_vector<T>(n * count, static_cast<unsigned>(k));
    const std::vector<T> x = bands.solve(counts[k], b, T(1));
    for (std::size_t c = 0; c < count; ++c)
      ASSERT_LE(test::backward_error(t, std::vector<T>(b.begin() + c * n, b.begin() + (c + 1) * n),
                                     std::vector<T>(x.begin() + c * n, x.begin() + (c + 1) * n)),
                accepted)
          << "vector " << c << " of " << count << ", solve " << k;
  }
}

template <class T>
class BandPassOf : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BandPassOf, Scalars);

TYPED_TEST(BandPassOf, SolvesBothTrianglesEveryWay) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 300, .per_row = 6, .bandwidth = 40});
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const Op op : {Op::none, Op::conjugate})
      for (const Diagonal d : {Diagonal::stored, Diagonal::unit})
        expect_solved<T>(triangle(CsrView<T>(a), uplo,
                                  {.op = op, .diagonal = d, .outside = OutsideEntries::ignore}),
                         {.bands = 5, .band_threads = 32, .band_levels = 4});
}

TYPED_TEST(BandPassOf, SolvesGridsInBandsOfAnySize) {
  using T = TypeParam;
  for (const char* spec : {"laplace2d:20x13:5", "laplace2d:9x30:9", "laplace3d:5x6x7:27"}) {
    const Csr<T> a = generate<T>(spec);
    for (const auto& [bands, levels] :
         {std::pair<Index, Index>{1, 16}, {2, 1}, {2, 16}, {7, 3}, {64, 1}}) {
      SCOPED_TRACE(std::string(spec) + " in " + std::to_string(bands) + " bands, " +
                   std::to_string(levels) + " levels at a time");
      expect_solved<T>(triangle(CsrView<T>(a), Uplo::lower, {.outside = OutsideEntries::ignore}),
                       {.bands = bands, .band_threads = 64, .band_levels = levels});
    }
  }
}

TYPED_TEST(BandPassOf, ServesAnyNumberOfVectorsAfterAnyOther) {
  using T = TypeParam;
  const Csr<T> a = generate<T>("laplace2d:20x13:9");
  expect_solved<T>(triangle(CsrView<T>(a), Uplo::upper, {.outside = OutsideEntries::ignore}),
                   {.bands = 4, .band_threads = 32, .band_levels = 4},
                   {8, 1, 8, 3, 1, 1, 5, 2, 8, 1, 1, 8, 7});
}

// More values are fetched than the ring has slots, at the largest size of the ring: entries find
// their values in any slot.  With less shared memory the ring is smaller.
TYPED_TEST(BandPassOf, SolvesOnBlocksOfAllSizes) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 4000, .per_row = 5, .bandwidth = 4000});
  const auto t = triangle(CsrView<T>(a), Uplo::lower, {.outside = OutsideEntries::ignore});
  for (const Index kib : {48, 99, 163, 227})
    for (const Index threads : {64, 128, 256}) {
      if (kib != 227 && threads != 128) continue;
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(kib) + " KiB");
      expect_solved<T>(t, {.bands = 2, .band_threads = threads, .shared_memory = kib});
    }
}

// Lists too long for one chunk, and values already overwritten in the rings.
TEST(BandPass, SolvesDenseTriangles) {
  const Csr<double> a = generate<double>("dense:1400");
  for (const Index bands : {1, 3})
    expect_solved<double>(
        triangle(CsrView<double>(a), Uplo::lower, {.outside = OutsideEntries::ignore}),
        {.bands = bands, .band_threads = 32, .band_levels = 8});
}

TEST(BandPass, SolvesWideLevels) {
  const auto a = test::random_matrix<double>({.n = 4000, .per_row = 1, .bandwidth = 4000});
  expect_solved<double>(
      triangle(CsrView<double>(a), Uplo::lower, {.outside = OutsideEntries::ignore}),
      {.bands = 2, .band_threads = 32, .band_levels = 8});
}

}  // namespace
}  // namespace echelon
