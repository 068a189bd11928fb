// generate/random.cpp -- random matrices, identical on every machine.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Each row has its own generator, seeded by the seed and the row, so rows can be made in
// any order.  Columns are drawn by Floyd's algorithm: k distinct columns of m with exactly k draws.
// The distributions are written here because those of the standard library differ between
// implementations.
//
// Reference.  Steele, Lea, Flood, OOPSLA 2014 (splitmix64); Bentley, Floyd, CACM 30 (1987).
#include "generate/random.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  // Uniform in [0, bound); the bias is below bound / 2^32.
  Index below(Index bound) {
    return static_cast<Index>(((next() >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
  }
  // Uniform in (-1, 1), never 0: an odd multiple of 2^-53.
  double number() {
    const auto odd = static_cast<std::int64_t>(next() >> 10) | 1;  // below 2^54
    return static_cast<double>(odd - (std::int64_t{1} << 53)) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

// The generator of one row.
SplitMix64 row_generator(std::uint64_t seed, Index i) {
  SplitMix64 of_seed(seed);
  return SplitMix64(of_seed.next() ^ SplitMix64(static_cast<std::uint64_t>(i)).next());
}

// Draws `count` distinct numbers below `bound`, sorted.
void draw_distinct(SplitMix64& random, Index count, Index bound, std::vector<Index>& out) {
  out.clear();
  for (Index last = bound - count; last < bound; ++last) {
    const Index drawn = random.below(last + 1);
    const auto place = std::lower_bound(out.begin(), out.end(), drawn);
    if (place != out.end() && *place == drawn)
      out.push_back(last);  // above all numbers so far
    else
      out.insert(place, drawn);
  }
}

// A square matrix with `width` entries in each row; row(i, p) fills row i from position p on.
template <Scalar T, class Row>
Csr<T> fill_rows(Index n, Index width, const Row& row) {
  Csr<T> a{n, n, Buffer<Offset>(static_cast<std::size_t>(n) + 1), {}, {}};
  a.index.resize(static_cast<std::size_t>(n) * width);
  a.value.resize(static_cast<std::size_t>(n) * width);
  a.start[n] = Offset{n} * width;
  const Offset grain = std::max<Offset>(1, (1 << 14) / width);  // rows of about 16k entries
  parallel_pieces(n, grain, thread_count(0), [&](Offset begin, Offset end, Index) {
    auto fill = row(a);
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      a.start[i] = Offset{i} * width;
      fill(i, a.start[i]);
    }
  });
  return a;
}

}  // namespace

template <Scalar T>
Csr<T> generate_random(Index n, Index per_row, std::uint64_t seed) {
  const Index others = std::min(per_row, n - 1);
  return fill_rows<T>(n, others + 1, [=](Csr<T>& a) {
    return [&a, n, others, seed, columns = std::vector<Index>()](Index i, Offset p) mutable {
      SplitMix64 random = row_generator(seed, i);
      draw_distinct(random, others, n - 1, columns);
      double sum = 1;
      Offset diagonal = p;
      for (const Index c : columns) {
        const double number = random.number();
        sum += std::abs(number);
        if (c < i) ++diagonal;
        const Offset q = c < i ? p++ : ++p;  // entries after the diagonal move by one place
        a.index[q] = c < i ? c : c + 1;
        a.value[q] = static_cast<Real<T>>(number);
      }
      a.index[diagonal] = i;
      a.value[diagonal] = static_cast<Real<T>>(sum);
    };
  });
}

template <Scalar T>
Csr<T> generate_dense(Index n) {
  return fill_rows<T>(n, n, [n](Csr<T>& a) {
    return [&a, n](Index i, Offset p) {
      SplitMix64 random = row_generator(1, i);
      for (Index j = 0; j < n; ++j) {
        const double number = random.number() / n;
        a.index[p + j] = j;
        a.value[p + j] = static_cast<Real<T>>(i == j ? 2 : number);
      }
    };
  });
}

#define ECHELON_INSTANTIATE(T)                                  \
  template Csr<T> generate_random(Index, Index, std::uint64_t); \
  template Csr<T> generate_dense(Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
