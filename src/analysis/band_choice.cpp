// analysis/band_choice.cpp -- chooses the number of bands, threads per block and levels per chunk.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The time of a solve in bands is the time of its longest chain: each level once, in some
// band, and for each band on the chain one hop between blocks and the chunk that must end first.
// Tries 1, 2, 4, ... bands.  For each number it samples the width of the levels in some bands, and
// estimates the longest chain of bands from the first rows of each band: these depend on the rows
// just before the band.
//
// The times below were measured on an NVIDIA H200 (bench/gauss_seidel); only their ratios matter.
#include <algorithm>
#include <bit>
#include <cmath>

#include "analysis/band_limits.hpp"
#include "analysis/level_span.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

constexpr double hop_s = 1.25e-6;    // one value, from block to block
constexpr double chunk_s = 0.34e-6;  // a chunk, besides its levels
constexpr double entry_s = 0.5e-9;   // an entry of a level, beyond the latency that threads hide
constexpr double step_s[] = {68e-9, 105e-9, 120e-9,
                             160e-9};  // one level on 32, 64, 128, 256 threads
constexpr Index most_solvers = 256;
constexpr Index sampled_bands = 8;  // number of bands sampled

Index power_up(Index a) { return static_cast<Index>(std::bit_ceil(static_cast<unsigned>(a))); }

// The width of levels for a given number of bands.
struct Widths {
  double mean = 0;  // rows
  Index peak = 1;
};

class Chooser {
 public:
  Chooser(const DependencyGraph& g, const Levels& levels, const BandOptions& asked, Index threads)
      : g_(g),
        levels_(levels),
        asked_(asked),
        threads_(threads),
        per_row_(static_cast<double>(g.nonzeros) / g.n) {}

  BandChoice choose() const {
    if (asked_.bands > 0) {
      const Index bands = std::min(asked_.bands, g_.n);
      return weigh(bands, find_depth(bands));
    }
    Index doublings = 0;
    while (doublings < 12 && g_.n >> (doublings + 1) >= 64) ++doublings;
    std::vector<Index> depth(static_cast<std::size_t>(doublings) + 1);
    parallel_items(doublings + 1, threads_, [&](Index item, Index) {
      const Index k = doublings - item;  // longest first
      depth[k] = find_depth(Index{1} << k);
    });
    // From many bands to few: fewer bands have more rows to sample, but are also ruled out sooner.
    BandChoice best;
    for (Index k = doublings; k >= 0; --k) {
      const Index bands = Index{1} << k;
      if (k < doublings && least_seconds(bands, depth[k]) > best.seconds) continue;
      const BandChoice choice = weigh(bands, depth[k]);
      if (k == doublings || choice.seconds <= best.seconds) best = choice;
    }
    return best;
  }

 private:
  Index first_of(Index band, Index bands) const {
    return static_cast<Index>(piece_begin(g_.n, band, bands));
  }

  // The number of rows per level in a band.
  std::vector<Index> count_rows(Index band, Index bands) const {
    const Index begin = first_of(band, bands), end = first_of(band + 1, bands);
    const Index* const level = levels_.of.data();
    const LevelSpan span = find_level_span(g_, levels_, begin, end);
    std::vector<Index> count(static_cast<std::size_t>(span.count()), 0);
    for (Index k = begin; k < end; ++k) ++count[level[g_.unknown(k)] - span.low];
    return count;
  }

  Widths find_widths(Index bands) const {
    const Index step = std::max<Index>(1, bands / sampled_bands);
    const Index looks = (bands - step / 2 + step - 1) / step;
    std::vector<Index> peak(static_cast<std::size_t>(looks), 1);
    std::vector<Offset> span(static_cast<std::size_t>(looks), 0);
    parallel_items(looks, threads_, [&](Index k, Index) {
      std::vector<Index> count = count_rows(step / 2 + k * step, bands);
      if (count.empty()) return;
      span[k] = static_cast<Offset>(count.size());
      // The 90th percentile, not the maximum: a few wide levels do not matter.
      auto place = count.begin() + static_cast<std::ptrdiff_t>(9 * count.size() / 10);
      std::nth_element(count.begin(), place, count.end());
      peak[k] = *place;
    });
    Offset rows = 0, spans = 0;
    for (Index k = 0; k < looks; ++k) {
      const Index a = step / 2 + k * step;
      rows += first_of(a + 1, bands) - first_of(a, bands);
      spans += span[k];
    }
    return {spans > 0 ? static_cast<double>(rows) / static_cast<double>(spans) : 0,
            std::max<Index>(1, *std::max_element(peak.begin(), peak.end()))};
  }

  // Estimates the longest chain of bands from a sample of their rows.
  Index find_depth(Index bands) const {
    std::vector<Index> depth(static_cast<std::size_t>(bands), 1);
    const auto band_of = [&](Index k) {
      auto a = static_cast<Index>(static_cast<double>(k) * bands / g_.n);
      a = std::min(a, bands - 1);
      while (a > 0 && k < first_of(a, bands)) --a;
      while (a + 1 < bands && k >= first_of(a + 1, bands)) ++a;
      return a;
    };
    for (Index a = 0; a < bands; ++a) {
      const Index begin = first_of(a, bands), end = first_of(a + 1, bands);
      for (Index offset = 0; begin + offset < end; offset = 2 * offset + 1)
        for (const Index j : g_.list(g_.unknown(begin + offset))) {
          const Index b = band_of(g_.unknown(j));
          if (b != a) depth[a] = std::max(depth[a], depth[b] + 1);
        }
    }
    return *std::max_element(depth.begin(), depth.end());
  }

  // A lower bound of weigh(bands, depth): average rows per level, steps as fast as one warp's, and
  // chunks that take no time.
  double least_seconds(Index bands, Index depth) const {
    const Index rows = g_.n / bands;
    const double mean = static_cast<double>(rows) / levels_.count;
    return levels_.count * (step_s[0] + entry_s * mean * per_row_) + depth * (hop_s + step_s[0]);
  }

  BandChoice weigh(Index bands, Index depth) const {
    BandChoice choice;
    BandOptions& o = choice.options;
    const Widths widths = find_widths(bands);
    const Index lanes = lanes_of_band_row(static_cast<Index>(std::ceil(per_row_)));
    const Index wide = std::clamp<Index>(power_up(widths.peak * lanes), 32, most_solvers);
    o.bands = bands;
    o.threads = asked_.threads > 0 ? asked_.threads : wide;
    o.shared_memory = asked_.shared_memory;
    const BandLimits limits = band_limits(o.threads, o.shared_memory);
    const double entries = widths.peak * lanes * entries_of_band_lane(static_cast<Index>(per_row_));
    const double fit = std::min(limits.rows / static_cast<double>(widths.peak),
                                static_cast<double>(limits.entries) / entries);
    o.levels =
        asked_.levels > 0 ? asked_.levels : std::clamp<Index>(static_cast<Index>(fit), 1, 16);
    const int class_of =
        std::clamp(static_cast<int>(std::bit_width(static_cast<unsigned>(o.threads))) - 6, 0, 3);
    const double steps = std::ceil(widths.mean * lanes / o.threads);
    const double level = step_s[class_of] * std::max(steps, 1.0);
    const double chunks = std::max(1 / fit, 1.0 / o.levels);
    choice.seconds = levels_.count * (level + chunk_s * chunks + entry_s * widths.mean * per_row_) +
                     depth * (hop_s + o.levels * level);
    return choice;
  }

  const DependencyGraph& g_;
  const Levels& levels_;
  BandOptions asked_;
  Index threads_;
  double per_row_;
};

}  // namespace

BandChoice choose_bands(const DependencyGraph& g, const Levels& levels, const BandOptions& asked,
                        Index threads) {
  if (g.n == 0) return {{1, 1, 32, asked.shared_memory}, 0};
  return Chooser(g, levels, asked, thread_count(threads)).choose();
}

}  // namespace echelon
