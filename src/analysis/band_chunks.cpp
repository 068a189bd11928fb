// analysis/band_chunks.cpp -- a band cut into chunks of levels, and where in the rings each entry
// finds its factor.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A chunk takes levels of its band, or a part of a wide one, as long as it keeps to the
// limits.  An own answer is where its position says, as long as no later one has taken its place;
// anything else is fetched, once, into the other ring, and found there as long as nothing has taken
// its place.  The rings are so much larger than what one chunk may add that nothing a chunk reads
// is overwritten before its end, while the answers for the next one come in.  A list that is too
// long for a chunk comes in pieces.
#include <algorithm>
#include <atomic>

#include "analysis/band_limits.hpp"
#include "base/parallel.hpp"
#include "echelon/analysis.hpp"

namespace echelon {
namespace {

constexpr Index most_entries_of_piece = 32 * band_lane_entries - 1;  // one more if it continues

// What was fetched of other bands, or again of this one: position to number in turn.
class Fetched {
 public:
  Fetched() : slots_(64, Slot{-1, 0}) {}
  void forget() {
    std::fill(slots_.begin(), slots_.end(), Slot{-1, 0});
    used_ = 0;
  }
  // The turn at which it was, or -1.
  Index find(Index position) const {
    for (std::size_t k = place(position);; k = (k + 1) & (slots_.size() - 1)) {
      if (slots_[k].position == position) return slots_[k].turn;
      if (slots_[k].position < 0) return -1;
    }
  }
  // Turns before `oldest` need not be remembered.
  void set(Index position, Index turn, Index oldest) {
    if (2 * (used_ + 1) > slots_.size()) grow(oldest);
    std::size_t k = place(position);
    while (slots_[k].position >= 0 && slots_[k].position != position)
      k = (k + 1) & (slots_.size() - 1);
    used_ += slots_[k].position < 0;
    slots_[k] = {position, turn};
  }

 private:
  struct Slot {
    Index position, turn;
  };
  std::size_t place(Index position) const {
    return (static_cast<std::uint32_t>(position) * 2654435769u >> 7) & (slots_.size() - 1);
  }
  void grow(Index oldest) {
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

// One thread's work: bands, one after the other.
class Builder {
 public:
  Builder(const PackedPattern& pattern, const BandLayout& layout, const Buffer<Index>& position,
          const BandLimits& limits, Index levels, Bands& bands, Buffer<std::uint8_t>& handed_on)
      : pattern_(pattern),
        layout_(layout),
        position_(position),
        limits_(limits),
        levels_(levels),
        bands_(bands),
        handed_on_(handed_on) {}

  struct Result {
    std::vector<BandChunk> chunks;
    std::vector<std::uint16_t> step_end;
    std::vector<Index> fetch;  // positions
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
  // A chunk from position k on; returns where the next begins.
  Index add_chunk(Index k) {
    BandChunk chunk = open(k, pattern_.start[k]);
    Index longest = 0;
    for (; k < end_ && chunk.rows < limits_.rows; ++k) {
      const Offset from = pattern_.start[k], to = pattern_.start[k + 1];
      const Index length = static_cast<Index>(std::min<Offset>(to - from, limits_.entries));
      const bool new_level = chunk.rows == 0 || layout_.level[k] != layout_.level[k - 1];
      if (new_level && static_cast<Index>(level_end_.size()) == levels_) break;
      const Index widest = std::max(longest, length), lanes = lanes_of_band_row(widest);
      const Offset padded = Offset{chunk.rows + 1} * lanes * entries_of_band_lane(widest);
      if (chunk.rows > 0 && (length > most_entries_of_piece || padded > limits_.entries ||
                             fetches_of(chunk) + length > limits_.fetches))
        break;
      longest = widest;
      if (new_level) level_end_.push_back(0);
      level_end_.back() = ++chunk.rows;
      place_entries(chunk, from, to);
    }
    chunk.end = pattern_.start[k];
    close(chunk, longest);
    return k;
  }

  // The list at position k, a piece a chunk.
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

  BandChunk open(Index k, Offset p) {
    BandChunk chunk{};
    chunk.begin = p;
    chunk.first = k;
    chunk.step = static_cast<Index>(result_.step_end.size());
    level_end_.clear();
    chunk.fetch = static_cast<Index>(result_.fetch.size());
    chunk.fetch_slot = turn_ & (bands_.rings.fetched - 1);
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
    chunk.steps = static_cast<Index>(result_.step_end.size()) - chunk.step;
    result_.chunks.push_back(chunk);
  }
  Index fetches_of(const BandChunk& chunk) const {
    return static_cast<Index>(result_.fetch.size()) - chunk.fetch;
  }

  void place_entries(const BandChunk& chunk, Offset from, Offset to) {
    const Index own = bands_.rings.own, fetched = bands_.rings.fetched;
    for (Offset p = from; p < to; ++p) {
      const Index at = position_[pattern_.index[p]];
      if (at >= begin_ && at < end_ && at >= chunk.first + limits_.rows - own) {
        bands_.slot[p] = static_cast<std::uint16_t>((at - begin_) & (own - 1));
        continue;
      }
      Index turn = fetched_.find(at);
      const Index oldest = chunk_turn_ + BandRings::chunks * limits_.fetches - fetched;
      if (turn < 0 || turn < oldest) {
        turn = turn_++;
        fetched_.set(at, turn, oldest);
        result_.fetch.push_back(at);
        std::atomic_ref(handed_on_[at]).store(1, std::memory_order_relaxed);
      }
      bands_.slot[p] = static_cast<std::uint16_t>(own + (turn & (fetched - 1)));
    }
  }

  const PackedPattern& pattern_;
  const BandLayout& layout_;
  const Buffer<Index>& position_;  // of each unknown
  BandLimits limits_;
  Index levels_;  // of a chunk, at most
  Bands& bands_;
  Buffer<std::uint8_t>& handed_on_;  // by position

  Result result_;
  std::vector<Index> level_end_;  // of the present chunk: rows
  Fetched fetched_;
  Index begin_ = 0, end_ = 0;  // the band
  Index turn_ = 0;             // answers fetched so far
  Index chunk_turn_ = 0;       // likewise, before the present chunk
};

// All results one after the other.
void join(const std::vector<Builder::Result>& results, Bands& bands) {
  bands.chunk_start.assign(1, 0);
  for (const Builder::Result& r : results) {
    const auto step = static_cast<Index>(bands.step_end.size());
    const auto fetch = static_cast<Index>(bands.fetch.size());
    for (BandChunk chunk : r.chunks) {
      chunk.step += step;
      chunk.fetch += fetch;
      bands.most_rows = std::max(bands.most_rows, chunk.rows);
      bands.chunks.push_back(chunk);
    }
    bands.step_end.insert(bands.step_end.end(), r.step_end.begin(), r.step_end.end());
    bands.fetch.insert(bands.fetch.end(), r.fetch.begin(), r.fetch.end());
    bands.chunk_start.push_back(static_cast<Index>(bands.chunks.size()));
  }
}

}  // namespace

Offset Bands::bytes() const {
  return static_cast<Offset>(
      sizeof(Index) * (first.size() + chunk_start.size() + fetch.size() + number.size()) +
      sizeof(BandChunk) * chunks.size() + sizeof(std::uint16_t) * (step_end.size() + slot.size()));
}

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
  const BandLimits limits = band_limits(o.threads);
  bands.rings.own = BandRings::chunks * limits.rows;
  bands.rings.fetched = 2 * BandRings::chunks * limits.fetches;
  Buffer<Index> position(pattern.n);
  parallel_pieces(pattern.n, 1 << 14, threads, [&](Offset begin, Offset end, Index) {
    for (auto k = static_cast<Index>(begin); k < end; ++k) position[pattern.order[k]] = k;
  });
  Buffer<std::uint8_t> handed_on(static_cast<std::size_t>(pattern.n), 0);
  std::vector<Builder::Result> results(static_cast<std::size_t>(layout.count()));
  parallel_items(layout.count(), threads, [&](Index a, Index) {
    results[a] = Builder(pattern, layout, position, limits, o.levels, bands, handed_on).build(a);
  });
  join(results, bands);
  bands.number.resize(pattern.n);
  for (Index k = 0; k < pattern.n; ++k)
    bands.number[k] = handed_on[k] != 0 ? bands.handed_on++ : -1;
  for (Index& f : bands.fetch) f = bands.number[f];
  return bands;
}

}  // namespace echelon
