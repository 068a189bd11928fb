// dist/factor_file.cpp -- opens factor files, validates them, and reads rows of panels.
// SPDX-License-Identifier: BSD-3-Clause
//
// A file is not trusted.  The section table must match the file size before anything is allocated,
// so no array is larger than the file.  The checksum detects damage.  Supernodes and permutations
// are checked like a caller's input, since a forged file can have a valid checksum.
#include <algorithm>

#include "base/instantiate.hpp"
#include "base/open_file.hpp"
#include "base/out_of_memory.hpp"
#include "dist/factor_file_format.hpp"

namespace echelon {
namespace {

// Rows no further apart than this are read in one call, with the gap: pages are read whole anyway.
constexpr std::size_t gap_bytes = 4096;

FactorHeader read_header(const OpenFile& file) {
  const FactorHeader ours;
  FactorHeader header;
  const std::size_t size = file.size();
  if (size < sizeof header) file.refuse("is no file of factors: it is too short");
  file.read(&header, 0, sizeof header);
  if (header.magic != ours.magic) file.refuse("is no file of factors");
  if (header.byte_order != ours.byte_order)
    file.refuse("was written by a machine with another byte order");
  if (header.version != ours.version)
    file.refuse("has version " + std::to_string(header.version) + " of the format, not " +
                std::to_string(ours.version));
  if (header.start.back() != size)
    file.refuse("has " + std::to_string(size) + " bytes, not " +
                std::to_string(header.start.back()));
  if (header.sections != ours.sections || header.start.front() != sizeof header ||
      !std::is_sorted(header.start.begin(), header.start.end()))
    file.refuse("is damaged: its table of sections");
  if (header.scalar > ScalarKind::complex_double || header.symmetric > 1 || header.n < 0)
    file.refuse("is damaged: its header");
  return header;
}

void check_sum(const OpenFile& file, const FactorHeader& header) {
  Checksum sum;
  sum.add({reinterpret_cast<const char*>(&header), sizeof header});
  Buffer<char> piece(std::min<std::uint64_t>(piece_bytes, header.begin(FactorSection::checksum)));
  for (std::size_t k = 0; k < structure_count; ++k)
    for (std::uint64_t at = header.start[k]; at < header.start[k + 1];) {
      const auto count = std::min<std::uint64_t>(piece.size(), header.start[k + 1] - at);
      file.read(piece.data(), at, count);
      sum.add({piece.data(), count});
      at += count;
    }
  std::uint64_t stored = 0;
  if (header.size(FactorSection::checksum) != sizeof stored)
    file.refuse("is damaged: its checksum");
  file.read(&stored, header.begin(FactorSection::checksum), sizeof stored);
  if (stored != sum.value()) file.refuse("is damaged: the checksum differs");
}

// The sections of one triangle.
struct PartSections {
  FactorSection row_start, row, panels;
};
constexpr PartSections sections_of(Uplo part) {
  if (part == Uplo::lower)
    return {FactorSection::lower_row_start, FactorSection::lower_row, FactorSection::lower_panels};
  return {FactorSection::upper_row_start, FactorSection::upper_row, FactorSection::upper_panels};
}

template <class Body>
auto reading(const Body& body) {
  return report_bad_alloc("factors of a file", body);
}

bool is_permutation(const std::vector<Index>& order) {
  std::vector<bool> seen(order.size());
  for (const Index i : order) {
    const auto place = static_cast<std::size_t>(i);
    if (i < 0 || place >= seen.size() || seen[place]) return false;
    seen[place] = true;
  }
  return true;
}

}  // namespace

// Of the structure, only the panel locations are kept: the ranks hold the supernodes already, and
// their rows would be stored twice.
struct FactorFile::Content {
  struct Part {
    Buffer<Offset> row_start, panel_start;
  };
  OpenFile file;
  FactorHeader header;
  Buffer<Index> first;
  Part lower, upper;

  explicit Content(const std::string& path) : file(path), header(read_header(file)) {
    check_sum(file, header);
    for (const FactorSection s : {FactorSection::row_order, FactorSection::col_order})
      read_order(s);
    const std::size_t number = number_bytes();
    const bool complex = header.scalar >= ScalarKind::complex_single;
    check_length(FactorSection::diagonal, number);
    check_length(FactorSection::row_scale, complex ? number / 2 : number);
    check_length(FactorSection::col_scale, complex ? number / 2 : number);
    lower = read_part(Uplo::lower);
    upper = read_part(Uplo::upper);
  }

  bool has(Uplo part) const { return part == Uplo::lower || header.symmetric == 0; }
  const Part& part_of(Uplo part) const { return part == Uplo::lower ? lower : upper; }
  std::size_t number_bytes() const {
    constexpr std::array<std::size_t, 4> bytes{
        sizeof(float), sizeof(double), sizeof(std::complex<float>), sizeof(std::complex<double>)};
    return bytes[static_cast<std::size_t>(header.scalar)];
  }

  [[noreturn]] void refuse_section(FactorSection s) const {
    file.refuse("is damaged: section " + std::to_string(static_cast<std::size_t>(s)));
  }
  // One element per unknown, or none.
  void check_length(FactorSection s, std::size_t element_bytes) const {
    const std::uint64_t size = header.size(s);
    if (size != 0 && size != static_cast<std::uint64_t>(header.n) * element_bytes)
      refuse_section(s);
  }

  template <class Numbers>
  Numbers read(FactorSection s) const {
    constexpr std::size_t bytes = sizeof(typename Numbers::value_type);
    if (header.size(s) % bytes != 0) refuse_section(s);
    Numbers numbers;
    numbers.resize(header.size(s) / bytes);
    file.read(numbers.data(), header.begin(s), header.size(s));
    return numbers;
  }

  std::vector<Index> read_order(FactorSection s) const {
    check_length(s, sizeof(Index));
    auto order = read<std::vector<Index>>(s);
    if (!is_permutation(order)) refuse_section(s);
    return order;
  }

  Supernodes read_supernodes(Uplo part) const {
    if (!has(part)) return {};
    const PartSections sections = sections_of(part);
    Supernodes s;
    s.n = header.n;
    // Ensures that the number of supernodes is an Index; all later checks rely on this.
    if (header.size(FactorSection::first) > (std::uint64_t(header.n) + 1) * sizeof(Index))
      refuse_section(FactorSection::first);
    s.first = read<Buffer<Index>>(FactorSection::first);
    s.row_start = read<Buffer<Offset>>(sections.row_start);
    s.row = read<Buffer<Index>>(sections.row);
    try {
      check_supernodes(s);
    } catch (const Error& e) {
      file.refuse(std::string("is damaged: ") + e.what());
    }
    return s;
  }

  Part read_part(Uplo part) {
    Supernodes s = read_supernodes(part);
    Part p{{}, panel_starts(s)};
    const std::uint64_t size = header.size(sections_of(part).panels), number = number_bytes();
    if (size % number != 0 || size / number != static_cast<std::uint64_t>(p.panel_start.back()))
      refuse_section(sections_of(part).panels);
    p.row_start = std::move(s.row_start);
    if (part == Uplo::lower) first = std::move(s.first);
    return p;
  }

  template <Scalar T>
  void require() const {
    if (header.scalar != kind_of<T>)
      file.refuse(std::string("holds ") + name(header.scalar) + " numbers, not " +
                  name(kind_of<T>) + " ones");
  }

  Buffer<Index> find_places(Uplo part, Index k, std::span<const Index> rows) const;
  template <Scalar T>
  void read_rows(Uplo part, Index k, std::span<const Index> rows, T* columns, Offset ld) const;
};

// The row numbers inside panel k of these positions.
Buffer<Index> FactorFile::Content::find_places(Uplo part, Index k,
                                               std::span<const Index> rows) const {
  const Index begin = first[k], end = first[k + 1];
  const Part& p = part_of(part);
  Buffer<Index> below;  // read only if needed: a request for a diagonal block needs none
  if (std::any_of(rows.begin(), rows.end(), [&](Index i) { return i >= end; })) {
    below.resize(static_cast<std::size_t>(p.row_start[k + 1] - p.row_start[k]));
    file.read(below.data(),
              header.begin(sections_of(part).row) +
                  static_cast<std::uint64_t>(p.row_start[k]) * sizeof(Index),
              below.size() * sizeof(Index));
  }
  Buffer<Index> places;
  for (const Index i : rows) {
    const auto at = std::lower_bound(below.begin(), below.end(), i);
    const bool own = i >= begin && i < end;
    if (!own && (at == below.end() || *at != i))
      throw Error(ErrorCode::bad_argument,
                  "supernode " + std::to_string(k) + " has no row " + std::to_string(i));
    places.push_back(own ? i - begin : end - begin + static_cast<Index>(at - below.begin()));
  }
  return places;
}

template <Scalar T>
void FactorFile::Content::read_rows(Uplo part, Index k, std::span<const Index> rows, T* columns,
                                    Offset ld) const {
  const auto w = static_cast<std::size_t>(first[k + 1] - first[k]);
  const std::uint64_t panel = header.begin(sections_of(part).panels) +
                              static_cast<std::uint64_t>(part_of(part).panel_start[k]) * sizeof(T);
  const auto row_bytes = [&](Index count) {
    return static_cast<std::size_t>(count) * w * sizeof(T);
  };
  const Buffer<Index> place = find_places(part, k, rows);
  Buffer<T> piece;
  for (std::size_t a = 0, b = 0; a < place.size(); a = b) {
    for (b = a + 1; b < place.size(); ++b)
      if (place[b] <= place[b - 1] || row_bytes(place[b] - place[b - 1] - 1) > gap_bytes ||
          row_bytes(place[b] + 1 - place[a]) > piece_bytes)
        break;
    const Index count = place[b - 1] + 1 - place[a];
    piece.resize(static_cast<std::size_t>(count) * w);
    file.read(piece.data(), panel + row_bytes(place[a]), row_bytes(count));
    for (std::size_t j = 0; j < w; ++j) {
      T* const column = columns + static_cast<Offset>(j) * ld;
      for (std::size_t c = a; c < b; ++c)
        column[c] = piece[static_cast<std::size_t>(place[c] - place[a]) * w + j];
    }
  }
}

FactorFile::FactorFile(const std::string& path)
    : content_(reading([&] { return std::make_unique<Content>(path); })) {}
FactorFile::~FactorFile() = default;
FactorFile::FactorFile(FactorFile&&) noexcept = default;
FactorFile& FactorFile::operator=(FactorFile&&) noexcept = default;

ScalarKind FactorFile::scalar() const { return content_->header.scalar; }
Index FactorFile::n() const { return content_->header.n; }
bool FactorFile::symmetric() const { return content_->header.symmetric != 0; }

std::string FactorFile::package() const {
  return reading([&] { return content_->read<std::string>(FactorSection::package); });
}
std::string FactorFile::kind() const {
  return reading([&] { return content_->read<std::string>(FactorSection::kind); });
}
std::string FactorFile::ordering() const {
  return reading([&] { return content_->read<std::string>(FactorSection::ordering); });
}
std::vector<Index> FactorFile::row_order() const {
  return reading([&] { return content_->read_order(FactorSection::row_order); });
}
std::vector<Index> FactorFile::col_order() const {
  return reading([&] { return content_->read_order(FactorSection::col_order); });
}
Supernodes FactorFile::supernodes(Uplo part) const {
  return reading([&] { return content_->read_supernodes(part); });
}

template <Scalar T>
std::vector<T> FactorFile::diagonal() const {
  content_->require<T>();
  return reading([&] { return content_->read<std::vector<T>>(FactorSection::diagonal); });
}
template <Scalar T>
std::vector<Real<T>> FactorFile::row_scale() const {
  content_->require<T>();
  return reading([&] { return content_->read<std::vector<Real<T>>>(FactorSection::row_scale); });
}
template <Scalar T>
std::vector<Real<T>> FactorFile::col_scale() const {
  content_->require<T>();
  return reading([&] { return content_->read<std::vector<Real<T>>>(FactorSection::col_scale); });
}

template <Scalar T>
void FactorFile::read_rows(Uplo part, Index k, std::span<const Index> rows, T* columns,
                           Offset ld) const {
  content_->require<T>();
  if (!content_->has(part) || k < 0 || Offset{k} + 1 >= Offset(content_->first.size()))
    throw Error(ErrorCode::bad_argument,
                "the file has no supernode " + std::to_string(k) + " in that triangle");
  reading([&] { content_->read_rows(part, k, rows, columns, ld); });
}

template <Scalar T>
RankFactors<T> open_factors(const std::string& path) {
  return reading([&] {
    const auto file = std::make_shared<FactorFile>(path);
    RankFactors<T> f;
    f.diagonal = file->template diagonal<T>();  // first: throws for a different scalar
    f.n = file->n();
    f.package = file->package();
    f.kind = file->kind();
    f.ordering = file->ordering();
    f.symmetric = file->symmetric();
    f.lower = file->supernodes(Uplo::lower);
    f.upper = file->supernodes(Uplo::upper);
    f.row_order = file->row_order();
    f.col_order = file->col_order();
    f.row_scale = file->template row_scale<T>();
    f.col_scale = file->template col_scale<T>();
    const auto rows_of = [&](Uplo part) -> FillRows<T> {
      return [part, from = file.get()](Index k, std::span<const Index> rows, T* columns,
                                       Offset ld) { from->read_rows(part, k, rows, columns, ld); };
    };
    f.lower_rows = rows_of(Uplo::lower);
    if (!f.symmetric) f.upper_rows = rows_of(Uplo::upper);
    f.owner = file;
    return f;
  });
}

#define ECHELON_INSTANTIATE(T)                                                                \
  template std::vector<T> FactorFile::diagonal() const;                                       \
  template std::vector<Real<T>> FactorFile::row_scale<T>() const;                             \
  template std::vector<Real<T>> FactorFile::col_scale<T>() const;                             \
  template void FactorFile::read_rows(Uplo, Index, std::span<const Index>, T*, Offset) const; \
  template RankFactors<T> open_factors(const std::string&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
