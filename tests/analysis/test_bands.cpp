// tests/analysis/test_bands.cpp -- simulates bands and their chunks: every entry finds its factor
// in its slot, however far the helper threads of a block are ahead or behind.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/band_limits.hpp"
#include "echelon/analysis.hpp"
#include "echelon/generate.hpp"
#include "support/random_matrix.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

// A triangle's graph and everything built from it.
struct Banded {
  Banded(const Csr<double>& a, Uplo uplo, const BandOptions& o)
      : t(triangle(CsrView<double>(a), uplo, {.outside = OutsideEntries::ignore})),
        limits(band_limits(o.threads, o.shared_memory)) {
    DependencyGraph g = find_dependency_graph(t, Order::rows);
    layout = lay_bands(g, find_levels(g), o.bands);
    for (Index k = 0; k < g.n; ++k) sweep.push_back(g.unknown(k));
    pattern = pack_pattern(std::move(g), Buffer<Index>(layout.order));
    bands = find_bands(pattern, layout, o);
    position.resize(static_cast<std::size_t>(pattern.n));
    for (Index k = 0; k < pattern.n; ++k) position[pattern.order[k]] = k;
  }
  Triangle<double> t;
  BandLimits limits;
  BandLayout layout;
  PackedPattern pattern;
  Bands bands;
  std::vector<Index> position;  // by unknown
  std::vector<Index> sweep;     // its own inverse
};

void expect_layout(const Banded& b) {
  ASSERT_EQ(b.layout.first.front(), 0);
  ASSERT_EQ(b.layout.first.back(), b.pattern.n);
  std::vector<Index> seen(b.layout.order.begin(), b.layout.order.end());
  std::sort(seen.begin(), seen.end());
  for (Index k = 0; k < b.pattern.n; ++k) ASSERT_EQ(seen[k], k);
  for (Index a = 0; a < b.layout.count(); ++a)
    for (Index k = b.layout.first[a]; k < b.layout.first[a + 1]; ++k) {
      const Index at = b.sweep[b.layout.order[k]];  // sweep position
      ASSERT_TRUE(at >= b.layout.first[a] && at < b.layout.first[a + 1]);
      if (k > b.layout.first[a]) {
        ASSERT_LE(b.layout.level[k - 1], b.layout.level[k]);
      }
    }
}

// Simulates a band.  Slots hold positions.
void expect_chunks(const Banded& b, Index band) {
  const Bands& bands = b.bands;
  const BandRings r = bands.rings;
  std::vector<Index> slot(static_cast<std::size_t>(r.slots()), -1);
  std::vector<Index> of_number;  // position of each published answer
  for (Index k = 0; k < b.pattern.n; ++k)
    if (bands.number[k] >= 0) of_number.push_back(k);
  const Index begin = bands.chunk_start[band], end = bands.chunk_start[band + 1];
  Index fetched = begin, next = bands.first[band];
  for (Index k = begin; k < end; ++k) {
    for (; fetched < std::min(end, k + BandRings::chunks); ++fetched) {  // as early as possible
      const BandChunk& early = bands.chunks[fetched];
      for (Index f = 0; f < early.fetches; ++f)
        slot[r.own + ((early.fetch_slot + f) & (r.fetched - 1))] =
            of_number[bands.fetch[early.fetch + f]];
    }
    const BandChunk& c = bands.chunks[k];
    ASSERT_LE(c.rows, b.limits.rows);
    ASSERT_LE(c.fetches, b.limits.fetches);
    ASSERT_LE(Offset{c.rows} * c.lanes * c.per_lane, b.limits.entries);
    ASSERT_EQ(c.first, next);
    if (c.ends) next = c.first + c.rows;
    Index row = 0;
    for (Index s = 0; s < c.steps; ++s) {
      const Index last = bands.step_end[c.step + s];
      ASSERT_LE((last - row) * c.lanes, bands.threads);
      for (Index q = row; q < last; ++q) {
        const Index at = c.first + q;
        const Offset from = std::max(b.pattern.start[at], c.begin);
        const Offset to = std::min(b.pattern.start[at + 1], c.end);
        ASSERT_LE(to - from + c.continues, Offset{c.lanes} * c.per_lane);
        for (Offset p = from; p < to; ++p)
          ASSERT_EQ(slot[bands.slot[p]], b.position[b.pattern.index[p]]) << "row " << at;
      }
      if (c.ends)  // rows of one step do not depend on each other
        for (Index q = row; q < last; ++q)
          slot[(c.first + q - bands.first[band]) & (r.own - 1)] = c.first + q;
      row = last;
    }
    ASSERT_EQ(row, c.rows);
    // Writers may be this many chunks behind.
    for (Index late = std::max(begin, k - BandRings::chunks + 1); late <= k; ++late)
      for (Index q = 0; bands.chunks[late].ends && q < bands.chunks[late].rows; ++q) {
        const Index at = bands.chunks[late].first + q;
        ASSERT_EQ(slot[(at - bands.first[band]) & (r.own - 1)], at);
      }
  }
  ASSERT_EQ(next, bands.first[band + 1]);
}

void expect_runs(const Csr<double>& a, const BandOptions& o) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    const Banded b(a, uplo, o);
    expect_layout(b);
    for (Index band = 0; band < b.bands.count(); ++band) expect_chunks(b, band);
  }
}

TEST(Bands, RunInThought) {
  for (const char* spec : {"laplace2d:60x40:5", "laplace2d:33x70:9", "laplace3d:12x13x14:27",
                           "bidiagonal:3000", "dense:700", "random:3000:9:1"})
    for (const Index bands : {1, 3, 16, 4000})
      for (const Index levels : {1, 5, 16}) {
        SCOPED_TRACE(std::string(spec) + " " + std::to_string(bands));
        expect_runs(generate<double>(spec), {bands, levels, levels == 5 ? 128 : 32});
      }
}

TEST(Bands, RunInLessSharedMemory) {
  for (const char* spec : {"laplace2d:60x40:9", "laplace3d:12x13x14:27", "dense:500"})
    for (const Offset kib : {48, 64, 99, 163})
      for (const Index threads : {32, 256}) {
        SCOPED_TRACE(std::string(spec) + " in " + std::to_string(kib) + " KiB");
        expect_runs(generate<double>(spec), {3, 16, threads, kib * 1024});
      }
}

TEST(Bands, RefuseSharedMemoryThatIsTooLittle) {
  const Csr<double> a = generate<double>("laplace2d:8");
  const auto refused = test::refusal([&] { Banded(a, Uplo::lower, {1, 4, 32, 40 * 1024}); });
  EXPECT_EQ(refused.code, ErrorCode::bad_argument);
  EXPECT_NE(refused.text.find("has 40960"), std::string::npos) << refused.text;
}

// One plan serves all scalars; the limits use the shared memory of a block well.
TEST(BandLimits, FitWhatABlockHas) {
  for (const Offset kib : {48, 64, 99, 163, 227})
    for (const Index threads : {32, 256}) {
      const BandLimits limits = band_limits(threads, kib * 1024);
      EXPECT_LE(band_bytes(limits), kib * 1024);
      EXPECT_GE(limits.fetches, 128);
    }
  EXPECT_EQ(band_limits(256, 227 << 10).rows, 512);
  EXPECT_EQ(band_limits(64, 227 << 10).rows, 256);
  EXPECT_EQ(band_limits(256, 163 << 10).rows, 256);
}

TEST(Bands, BeginWhereLinesDo) {
  const Banded b(generate<double>("laplace2d:50x64:5"), Uplo::lower, {7, 4, 32});
  for (const Index first : b.bands.first) EXPECT_EQ(first % 50, 0);
}

TEST(Bands, OfNothingAreNone) {
  const Csr<double> a = test::random_matrix<double>({.n = 0, .per_row = 0, .bandwidth = 1});
  const Banded b(a, Uplo::lower, {1, 1, 32});
  EXPECT_TRUE(b.bands.chunks.empty());
}

TEST(Bands, RefuseThreadsThatNoBlockHas) {
  const Csr<double> a = generate<double>("laplace2d:8");
  for (const Index threads : {0, 16, 48, 512})
    EXPECT_EQ(test::refusal([&] {
                Banded(a, Uplo::lower, {1, 4, threads});
              }).code,
              ErrorCode::bad_argument);
}

TEST(BandChoice, SuitsTheGrid) {
  const auto chosen = [](const char* spec, const BandOptions& asked = {}) {
    const Csr<double> a = generate<double>(spec);
    const DependencyGraph g = find_dependency_graph(
        triangle(CsrView<double>(a), Uplo::lower, {.outside = OutsideEntries::ignore}),
        Order::rows);
    return choose_bands(g, find_levels(g), asked);
  };
  // The lines of a plane advance together, one warp of them.
  const BandChoice plane = chosen("laplace2d:256x256:5");
  EXPECT_EQ(plane.options.threads, 32);
  EXPECT_EQ(plane.options.bands, 256 / 32);
  // A chain has no parallelism.
  EXPECT_EQ(chosen("bidiagonal:5000").options.bands, 1);
  // Requested options are kept.
  const BandOptions kept = chosen("laplace2d:256x256:5", {5, 3, 64}).options;
  EXPECT_EQ(kept.bands, 5);
  EXPECT_EQ(kept.levels, 3);
  EXPECT_EQ(kept.threads, 64);
  // More levels take longer.
  EXPECT_GT(chosen("laplace2d:32x2048:5").seconds, plane.seconds);
}

}  // namespace
}  // namespace echelon
