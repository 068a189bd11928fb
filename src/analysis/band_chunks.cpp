// analysis/band_chunks.cpp -- cuts bands into chunks of levels and gives each entry its ring slot.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A chunk takes levels of its band, or a part of a wide level, up to the limits.  The
// band's own values lie in one ring buffer, at a slot given by their position, until a later value
// overwrites them.  Any other value is fetched once into the second ring buffer and stays until it
// is overwritten.  Both rings are so much larger than one chunk's additions that no value a chunk
// reads is overwritten before the chunk ends, even while the values of the next chunk arrive.  A
// list too long for one chunk is cut into pieces.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "analysis/band_limits.hpp"
#include "base/parallel.hpp"
#include "echelon/analysis.hpp"

namespace echelon {
namespace {

constexpr Offset grain = 1 << 16;  // positions below which a second thread does not pay
constexpr Index most_entries_of_piece =
    32 * band_lane_entries - 1;  // a continued piece has one more

// A hash table of fetched values: position to fetch number.
class Fetched {
 public:
  Fetched() : slots_(64, Slot{-1, 0}) {}
  void forget() {
    std::fill(slots_.begin(), slots_.end(), Slot{-1, 0});
    used_ = 0;
  }
  // The fetch number, or -1.
  Offset find(Index position) const {
    for (std::size_t k = place(position);; k = (k + 1) & (slots_.size() - 1)) {
      if (slots_[k].position == position) return slots_[k].turn;
      if (slots_[k].position < 0) return -1;
    }
  }
  // Entries with a fetch number below `oldest` may be dropped.
  void set(Index position, Offset turn, Offset oldest) {
    if (2 * (used_ + 1) > slots_.size()) grow(oldest);
    std::size_t k = place(position);
    while (slots_[k].position >= 0 && slots_[k].position != position)
      k = (k + 1) & (slots_.size() - 1);
    used_ += slots_[k].position < 0;
    slots_[k] = {position, turn};
  }

 private:
  struct Slot {
    Index position;
    Offset turn;
  };
  std::size_t place(Index position) const {
    return (static_cast<std::uint32_t>(position) * 2654435769u >> 7) & (slots_.size() - 1);
  }
  void grow(Offset oldest) {
    std::vector<Slot> old;
    for (const Slot& s : slots_)
      if (s.position >= 0 && s.turn >= oldest) old.push_back(s);
    std::size_t size = 64;
    while (size < 4 * old.size() + 4) size *= 2;
    slots_.assign(size, Slot{-1, 0});
    used_ = 0;
    for (const Slot& s : old) set(s.position, s.turn, oldest);
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

// Cuts one band after another; one object per thread.
class Builder {
 public:
  Builder(const PackedPattern& pattern, const BandLayout& layout, const BandLimits& limits,
          Index levels, Bands& bands, Buffer<std::uint8_t>& published)
      : pattern_(pattern),
        layout_(layout),
        limits_(limits),
        levels_(levels),
        bands_(bands),
        published_(published) {}

  struct Result {
    std::vector<BandChunk> chunks;
    std::vector<std::uint16_t> step_end;
    std::vector<Index> fetch;  // positions
    Index most_rows = 0;
  };

  Result build(Index band) {
    result_ = {};
    fetched_.forget();
    turn_ = 0;
    begin_ = layout_.first[band];
    end_ = layout_.first[band + 1];
    for (Index k = begin_; k < end_;) {
      const Offset length = pattern_.start[k + 1] - pattern_.start[k];
      k = length > most_entries_of_piece ? add_pieces(k) : add_chunk(k);
    }
    return std::move(result_);
  }

 private:
  // Adds a chunk that begins at position k; returns the beginning of the next.
  Index add_chunk(Index k) {
    Offset from = pattern_.start[k];
    BandChunk chunk = open(k, from);
    Index longest = 0, room = padded(0);
    for (; k < end_ && chunk.rows < limits_.rows; ++k) {
      const Offset to = pattern_.start[k + 1];
      const Index length = static_cast<Index>(std::min<Offset>(to - from, limits_.entries));
      const bool new_level = chunk.rows == 0 || layout_.level[k] != layout_.level[k - 1];
      if (new_level && static_cast<Index>(level_end_.size()) == levels_) break;
      if (length > longest) room = padded(length);
      if (chunk.rows > 0 &&
          (length > most_entries_of_piece || Offset{chunk.rows + 1} * room > limits_.entries ||
           fetches_of(chunk) + length > limits_.fetches))
        break;
      longest = std::max(longest, length);
      if (new_level) level_end_.push_back(0);
      level_end_.back() = ++chunk.rows;
      place_entries(chunk, from, to);
      from = to;
    }
    chunk.end = from;
    close(chunk, longest);
    return k;
  }

  // Adds the list at position k as several chunks, one piece each.
  Index add_pieces(Index k) {
    const Offset last = pattern_.start[k + 1];
    for (Offset p = pattern_.start[k]; p < last; p += most_entries_of_piece) {
      BandChunk chunk = open(k, p);
      chunk.rows = 1;
      level_end_.push_back(1);
      chunk.end = std::min(p + most_entries_of_piece, last);
      chunk.continues = p > pattern_.start[k];
      chunk.ends = chunk.end == last;
      place_entries(chunk, chunk.begin, chunk.end);
      close(chunk, static_cast<Index>(chunk.end - chunk.begin) + chunk.continues);
    }
    return k + 1;
  }

  // Stored entries per row, padding included, if the longest row has `longest` entries.
  static Index padded(Index longest) {
    return lanes_of_band_row(longest) * entries_of_band_lane(longest);
  }

  BandChunk open(Index k, Offset p) {
    BandChunk chunk{};
    chunk.begin = p;
    chunk.first = k;
    chunk.step = static_cast<Offset>(result_.step_end.size());
    level_end_.clear();
    chunk.fetch = static_cast<Offset>(result_.fetch.size());
    chunk.fetch_slot = ring_slot(turn_);
    chunk.ends = 1;
    chunk_turn_ = turn_;
    return chunk;
  }
  void close(BandChunk& chunk, Index longest) {
    chunk.fetches = fetches_of(chunk);
    const Index lanes = lanes_of_band_row(longest);
    chunk.lanes = static_cast<std::int16_t>(lanes);
    chunk.per_lane = static_cast<std::int16_t>(entries_of_band_lane(longest));
    Index row = 0;
    for (const Index end : level_end_)
      while (row < end) {
        row = std::min(end, row + bands_.threads / lanes);
        result_.step_end.push_back(static_cast<std::uint16_t>(row));
      }
    chunk.steps = static_cast<Index>(static_cast<Offset>(result_.step_end.size()) - chunk.step);
    result_.most_rows = std::max(result_.most_rows, chunk.rows);
    result_.chunks.push_back(chunk);
  }
  Index fetches_of(const BandChunk& chunk) const {
    return static_cast<Index>(static_cast<Offset>(result_.fetch.size()) - chunk.fetch);
  }
  // A slot of the second ring.
  Index ring_slot(Offset turn) const {
    return static_cast<Index>(turn & (bands_.rings.fetched - 1));
  }

  void place_entries(const BandChunk& chunk, Offset from, Offset to) {
    const Index own = bands_.rings.own, begin = begin_;
    const Index kept = std::max(begin, chunk.first + limits_.rows - own);
    const Offset oldest =
        chunk_turn_ + Offset{BandRings::chunks} * limits_.fetches - bands_.rings.fetched;
    const Index *const position = layout_.position.data(), *const index = pattern_.index.data();
    std::uint16_t* const slot = bands_.slot.data();
    for (Offset p = from; p < to; ++p) {
      const Index at = position[index[p]];  // in this band or a lower one
      if (at >= kept) {
        slot[p] = static_cast<std::uint16_t>((at - begin) & (own - 1));
        continue;
      }
      Offset turn = fetched_.find(at);
      if (turn < 0 || turn < oldest) {
        turn = turn_++;
        fetched_.set(at, turn, oldest);
        result_.fetch.push_back(at);
        std::atomic_ref(published_[at]).store(1, std::memory_order_relaxed);
      }
      slot[p] = static_cast<std::uint16_t>(own + ring_slot(turn));
    }
  }

  const PackedPattern& pattern_;
  const BandLayout& layout_;
  BandLimits limits_;
  Index levels_;  // per chunk, at most
  Bands& bands_;
  Buffer<std::uint8_t>& published_;  // by position

  Result result_;
  std::vector<Index> level_end_;  // row ends of the levels of the current chunk
  Fetched fetched_;
  Index begin_ = 0, end_ = 0;  // the band
  Offset turn_ = 0;            // fetches so far
  Offset chunk_turn_ = 0;      // fetches before the current chunk
};

// Numbers the published positions consecutively.
void number(const Buffer<std::uint8_t>& published, Index threads, Bands& bands) {
  const auto n = static_cast<Offset>(published.size());
  std::vector<Index> before(static_cast<std::size_t>(threads) + 1, 0);
  parallel_pieces(n, grain, threads, [&](Offset begin, Offset end, Index part) {
    before[part + 1] = std::accumulate(published.data() + begin, published.data() + end, Index{0});
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  bands.published = before.back();
  bands.number.resize(published.size());
  parallel_pieces(n, grain, threads, [&](Offset begin, Offset end, Index part) {
    Index next = before[part];
    for (Offset k = begin; k < end; ++k) bands.number[k] = published[k] != 0 ? next++ : -1;
  });
}

// Concatenates the results of all bands; replaces fetched positions by their numbers.
void join(const std::vector<Builder::Result>& results, Index threads, Bands& bands) {
  const auto count = static_cast<Index>(results.size());
  std::vector<std::size_t> step(results.size() + 1, 0), fetch(results.size() + 1, 0);
  bands.chunk_start.assign(results.size() + 1, 0);
  for (Index a = 0; a < count; ++a) {
    const Builder::Result& r = results[a];
    bands.chunk_start[a + 1] = bands.chunk_start[a] + static_cast<Index>(r.chunks.size());
    step[a + 1] = step[a] + r.step_end.size();
    fetch[a + 1] = fetch[a] + r.fetch.size();
    bands.most_rows = std::max(bands.most_rows, r.most_rows);
  }
  bands.chunks.resize(bands.chunk_start[count]);
  bands.step_end.resize(step[count]);
  bands.fetch.resize(fetch[count]);
  parallel_items(count, threads, [&](Index a, Index) {
    const Builder::Result& r = results[a];
    BandChunk* to = bands.chunks.data() + bands.chunk_start[a];
    for (BandChunk chunk : r.chunks) {
      chunk.step += static_cast<Offset>(step[a]);
      chunk.fetch += static_cast<Offset>(fetch[a]);
      *to++ = chunk;
    }
    std::copy(r.step_end.begin(), r.step_end.end(), bands.step_end.data() + step[a]);
    std::transform(r.fetch.begin(), r.fetch.end(), bands.fetch.data() + fetch[a],
                   [&](Index at) { return bands.number[at]; });
  });
}

}  // namespace

Bands find_bands(const PackedPattern& pattern, const BandLayout& layout, const BandOptions& o,
                 Index threads) {
  if (o.threads < 32 || o.threads % 32 != 0 || o.threads > 256 || o.levels < 1)
    throw Error(
        ErrorCode::bad_argument,
        "a block has from 32 to 256 threads for the rows of a band, whole warps, and solves "
        "at least a level at a time");
  threads = thread_count(threads);
  Bands bands;
  bands.threads = o.threads;
  bands.first = layout.first;
  bands.slot.resize(pattern.index.size());
  const BandLimits limits = band_limits(o.threads, o.shared_memory);
  if (band_bytes(limits) > o.shared_memory)
    throw Error(ErrorCode::bad_argument,
                "a block that runs bands needs " + std::to_string(band_bytes(limits)) +
                    " bytes of shared memory and has " + std::to_string(o.shared_memory));
  bands.rings = limits.rings();
  Buffer<std::uint8_t> published(pattern.n);
  parallel_pieces(pattern.n, grain, threads, [&](Offset begin, Offset end, Index) {
    std::fill(published.data() + begin, published.data() + end, 0);
  });
  std::vector<Builder::Result> results(static_cast<std::size_t>(layout.count()));
  parallel_items(layout.count(), threads, [&](Index a, Index) {
    results[a] = Builder(pattern, layout, limits, o.levels, bands, published).build(a);
  });
  number(published, threads, bands);
  join(results, threads, bands);
  return bands;
}

}  // namespace echelon
