// io/write.cpp -- writes matrices and vectors to Matrix Market files.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method. std::to_chars gives the fewest digits that read back to the same number.  All threads
// convert blocks of entries to text, a few at a time; the blocks are written in order.
#include <algorithm>
#include <charconv>
#include <new>
#include <string>
#include <vector>

#include "base/instantiate.hpp"
#include "base/output.hpp"
#include "echelon/io.hpp"
#include "io/chunks.hpp"

namespace echelon {
namespace {

constexpr Offset block_entries = 1 << 15;
// The longest entry: two indices, two numbers of at most 24 characters, and separators.
constexpr std::size_t entry_bytes = 80;

template <class Number>
char* put(char* p, Number v) {
  return std::to_chars(p, p + 32, v).ptr;
}

template <class T>
char* put_value(char* p, const T& v) {
  if constexpr (is_complex<T>) {
    p = put(p, v.real());
    *p++ = ' ';
    p = put(p, v.imag());
  } else {
    p = put(p, v);
  }
  *p++ = '\n';
  return p;
}

// Writes `count` entries; put_entries(p, begin, end) writes those of a range at p and returns the
// end.
template <class PutEntries>
void write_blocks(Output& out, Offset count, const PutEntries& put_entries) {
  const Offset blocks = (count + block_entries - 1) / block_entries;
  const Offset group = 4 * Offset{thread_count(0)};
  std::vector<std::vector<char>> text(static_cast<std::size_t>(std::min(group, blocks)));
  std::vector<std::size_t> length(text.size());
  Progress silent;
  for (Offset first = 0; first < blocks; first += group) {
    const Offset now = std::min(group, blocks - first);
    parallel_chunks(now, silent, [&](Offset k) {
      const Offset begin = (first + k) * block_entries;
      const Offset end = std::min(count, begin + block_entries);
      text[k].resize(block_entries * entry_bytes);
      length[k] =
          static_cast<std::size_t>(put_entries(text[k].data(), begin, end) - text[k].data());
    });
    for (Offset k = 0; k < now; ++k) out.write({text[k].data(), length[k]});
  }
}

template <class T>
std::string banner_of(const char* format) {
  return std::string("%%MatrixMarket matrix ") + format + (is_complex<T> ? " complex" : " real") +
         " general\n";
}

// Runs body; converts std::bad_alloc to an Error.
template <class Body>
void writing(const std::filesystem::path& path, const Body& body) {
  try {
    Output out(path);
    body(out);
    out.close();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, path.string() + ": not enough memory to write it");
  }
}

// The row of entry p.
Index row_of(std::span<const Offset> start, Offset p) {
  return static_cast<Index>(std::upper_bound(start.begin(), start.end(), p) - start.begin() - 1);
}

}  // namespace

template <Scalar T>
void write_matrix_market(const std::filesystem::path& path, const CsrView<T>& a) {
  check_pattern(a.pattern());
  if (a.value.size() != a.index.size())
    throw Error(ErrorCode::bad_argument, "a matrix of " + std::to_string(a.index.size()) +
                                             " indices has " + std::to_string(a.value.size()) +
                                             " values");
  writing(path, [&](Output& out) {
    out.write(banner_of<T>("coordinate") + std::to_string(a.rows) + " " + std::to_string(a.cols) +
              " " + std::to_string(a.nonzeros()) + "\n");
    write_blocks(out, a.nonzeros(), [&](char* text, Offset begin, Offset end) {
      Index i = row_of(a.start, begin);
      for (Offset p = begin; p < end; ++p) {
        while (p >= a.start[i + 1]) ++i;
        text = put(text, i + 1);
        *text++ = ' ';
        text = put(text, a.index[p] + 1);
        *text++ = ' ';
        text = put_value(text, a.value[p]);
      }
      return text;
    });
  });
}

template <Scalar T>
void write_array(const std::filesystem::path& path, const Vectors<const T>& x) {
  const auto rows = static_cast<Offset>(x.n);
  const Offset least = x.layout == Layout::column_major ? rows : x.count;
  if (x.n < 0 || x.count < 0 || x.leading < least)
    throw Error(ErrorCode::bad_argument, "vectors of " + std::to_string(x.n) +
                                             " numbers cannot be " + std::to_string(x.leading) +
                                             " apart");
  writing(path, [&](Output& out) {
    out.write(banner_of<T>("array") + std::to_string(x.n) + " " + std::to_string(x.count) + "\n");
    write_blocks(out, rows * x.count, [&](char* text, Offset begin, Offset end) {
      for (Offset p = begin; p < end; ++p)
        text = put_value(text, x.data[p % rows * x.step() + p / rows * x.stride()]);
      return text;
    });
  });
}

#define ECHELON_INSTANTIATE(T)                                                        \
  template void write_matrix_market(const std::filesystem::path&, const CsrView<T>&); \
  template void write_array<T>(const std::filesystem::path&, const Vectors<const T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
