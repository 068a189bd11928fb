// dist/write_factors.cpp -- writes factors to Echelon's binary file format, panel by panel.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "base/output.hpp"
#include "base/refuse.hpp"
#include "dist/factor_file_format.hpp"

namespace echelon {
namespace {

template <class Numbers>
std::string_view raw_bytes(const Numbers& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(*numbers.data())};
}

void check_triangle(const char* which, Index n, const Supernodes& s) {
  check_supernodes(s);
  if (s.n != n)
    refuse("factors of " + std::to_string(n) + " rows with " + which + " supernodes of " +
           std::to_string(s.n));
}

void check_length(const char* which, Index n, std::size_t size) {
  if (size != 0 && size != static_cast<std::size_t>(n))
    refuse("factors of " + std::to_string(n) + " rows with a " + which + " of " +
           std::to_string(size));
}

template <class T>
void check_factors(const Factors<T>& f, const Supernodes& lower, const Supernodes& upper) {
  check_triangle("lower", f.n, lower);
  if (!f.symmetric) {
    check_triangle("upper", f.n, upper);
    if (lower.first != upper.first) refuse("the two triangles have different partitions");
  }
  check_length("diagonal", f.n, f.diagonal.size());
  check_length("row order", f.n, f.row_order.size());
  check_length("column order", f.n, f.col_order.size());
  check_length("row scaling", f.n, f.row_scale.size());
  check_length("column scaling", f.n, f.col_scale.size());
}

// The sections before the checksum, in order.
using Structure = std::array<std::string_view, structure_count>;

template <class T>
Structure structure_of(const Factors<T>& f, const Supernodes& lower, const Supernodes& upper) {
  const std::string_view none;
  return {f.package,
          f.kind,
          f.ordering,
          raw_bytes(f.diagonal),
          raw_bytes(f.row_order),
          raw_bytes(f.col_order),
          raw_bytes(f.row_scale),
          raw_bytes(f.col_scale),
          raw_bytes(lower.first),
          raw_bytes(lower.row_start),
          raw_bytes(lower.row),
          f.symmetric ? none : raw_bytes(upper.row_start),
          f.symmetric ? none : raw_bytes(upper.row)};
}

template <class T>
FactorHeader header_of(const Factors<T>& f, const Structure& structure, const Supernodes& lower,
                       const Supernodes& upper) {
  FactorHeader header;
  header.scalar = kind_of<T>;
  header.symmetric = f.symmetric ? 1 : 0;
  header.n = f.n;
  const auto panel_bytes = [](const Supernodes& s) {
    return static_cast<std::uint64_t>(panel_starts(s).back()) * sizeof(T);
  };
  auto* start = header.start.data();
  *start = sizeof header;
  const auto add = [&](std::uint64_t bytes) {
    start[1] = start[0] + bytes;
    ++start;
  };
  for (const std::string_view bytes : structure) add(bytes.size());
  add(sizeof(std::uint64_t));
  add(panel_bytes(lower));
  add(f.symmetric ? 0 : panel_bytes(upper));
  return header;
}

void write_structure(Output& out, const FactorHeader& header, const Structure& structure) {
  Checksum sum;
  const auto write = [&](std::string_view bytes) {
    sum.add(bytes);
    out.write(bytes);
  };
  write(raw_bytes(std::span(&header, 1)));
  for (const std::string_view bytes : structure) write(bytes);
  const std::uint64_t value = sum.value();
  out.write(raw_bytes(std::span(&value, 1)));
}

// Writes a column-major panel of w columns and `height` rows in row-major order.
template <class T>
void write_panel(Output& out, Index w, Index height, const T* panel, Buffer<T>& piece) {
  const auto step = static_cast<Index>(std::max<std::size_t>(1, piece_bytes / sizeof(T) / w));
  for (Index begin = 0; begin < height; begin += std::min(step, height - begin)) {
    const Index end = begin + std::min(step, height - begin);
    piece.resize(static_cast<std::size_t>(end - begin) * w);
    T* to = piece.data();
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < w; ++j) *to++ = j <= i ? panel[Offset{j} * height + i] : T(0);
    out.write(raw_bytes(piece));
  }
}

template <class T>
void write_panels(Output& out, const FactorTriangle<T>& factor, const Supernodes& s) {
  BlockPlan plan;
  plan.n = s.n;
  plan.supernodes = s;
  const FillPanel<T> fill = fill_from_factor(plan, factor);
  Buffer<Index> where(2 * static_cast<std::size_t>(s.n), 0);
  const Buffer<Offset> start = panel_starts(s);
  Offset largest = 0;
  for (Index t = 0; t < s.count(); ++t) largest = std::max(largest, start[t + 1] - start[t]);
  Buffer<T> panel(static_cast<std::size_t>(largest)), piece;
  for (Index t = 0; t < s.count(); ++t) {
    const Index w = s.width(t), height = w + s.height(t);
    fill(t, 0, w, panel.data(), height, where.data());
    write_panel(out, w, height, panel.data(), piece);
  }
}

}  // namespace

template <Scalar T>
void write_factors(const std::string& path, const Factors<T>& f, const Supernodes& lower,
                   const Supernodes& upper) {
  check_factors(f, lower, upper);
  report_bad_alloc("writing of factors", [&] {
    const Structure structure = structure_of(f, lower, upper);
    Output out(path);
    write_structure(out, header_of(f, structure, lower, upper), structure);
    write_panels(out, f.lower, lower);
    if (!f.symmetric) write_panels(out, f.upper, upper);
    out.close();
  });
}

#define ECHELON_INSTANTIATE(T)                                                          \
  template void write_factors(const std::string&, const Factors<T>&, const Supernodes&, \
                              const Supernodes&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
