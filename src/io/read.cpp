// io/read.cpp -- the public functions that read a matrix or vectors from a path.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <new>
#include <stdexcept>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "io/entries.hpp"

namespace echelon {
namespace {

// Enough for all headers except those with very long comments.
constexpr std::size_t header_bytes = std::size_t{1} << 16;

// Runs body with the caller's threads and progress; converts std::bad_alloc to an Error.
template <class Body>
auto reading(const std::filesystem::path& path, const ReadOptions& options, const Body& body) {
  try {
    const ThreadLimit limit(options.threads);
    Progress progress(options.progress);
    auto result = body(progress);
    progress.finish();
    return result;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, path.string() + ": not enough memory to read it");
  } catch (const std::length_error&) {
    throw Error(ErrorCode::out_of_memory, path.string() + ": not enough memory to read it");
  }
}

// Parses the header and begins the next stage of progress.
template <class T>
Header begin_parsing(const Source& source, Progress& progress) {
  Header h = parse_header(source);
  if (!is_complex<T> && h.field == Field::complex)
    throw Error(ErrorCode::bad_argument,
                source.name + ": has complex numbers; read it with a complex type");
  progress.begin_stage(source.gzip ? 0.5 : 0.1, 0.9);
  return h;
}

// The rows of a dense matrix, zeros included.
template <class T>
Csr<T> full_rows(const DenseArray<T>& a) {
  Csr<T> rows{a.rows, a.cols, Buffer<Offset>(static_cast<std::size_t>(a.rows) + 1), {}, {}};
  rows.index.resize(a.value.size());
  rows.value.resize(a.value.size());
  for (Offset i = 0; i <= a.rows; ++i) rows.start[i] = i * a.cols;
  parallel_pieces(a.rows, 64, thread_count(0), [&](Offset begin, Offset end, Index) {
    for (Index j = 0; j < a.cols; ++j) {
      for (Offset i = begin; i < end; ++i) {
        rows.index[i * a.cols + j] = j;
        rows.value[i * a.cols + j] = a.value[j * Offset{a.rows} + i];
      }
    }
  });
  return rows;
}

template <class T>
DenseArray<T> full_columns(const Csr<T>& a) {
  DenseArray<T> full{a.rows, a.cols, {}};
  full.value.resize(static_cast<std::size_t>(Offset{a.rows} * a.cols), T(0));
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      full.value[Offset{a.index[p]} * a.rows + i] = a.value[p];
  return full;
}

template <class T>
Csr<T> to_rows(const Coo<T>& entries, Symmetry symmetry) {
  Csr<T> a = to_csr(entries);
  return symmetry == Symmetry::general ? a : unfold(a, symmetry);
}

// Frees the text before the entries are sorted, since both are never needed at the same time.
template <class T>
Csr<T> parse_matrix(Source source, const Header& h, Progress& progress) {
  if (h.layout == Format::array) return full_rows(read_dense<T>(source, h, progress));
  const Coo<T> entries = h.layout == Format::boeing ? read_boeing<T>(source, h, progress)
                                                    : read_coordinate<T>(source, h, progress);
  source.storage = {};
  return to_rows(entries, h.symmetry);
}

}  // namespace

FileHeader read_header(const std::filesystem::path& path) {
  return reading(path, {}, [&](Progress& progress) -> FileHeader {
    Source source = load_source(path, progress, header_bytes);
    if (source.complete) return parse_header(source);
    try {
      return parse_header(source);
    } catch (const Error&) {
      source = load_source(path, progress);
    }
    return parse_header(source);
  });
}

template <Scalar T>
Csr<T> read_matrix(const std::filesystem::path& path, const ReadOptions& options) {
  return reading(path, options, [&](Progress& progress) {
    Source source = load_source(path, progress);
    const Header h = begin_parsing<T>(source, progress);
    return parse_matrix<T>(std::move(source), h, progress);
  });
}

template <Scalar T>
Csr<T> read_matrix_market(const std::filesystem::path& path, const ReadOptions& options) {
  return reading(path, options, [&](Progress& progress) {
    Source source = load_source(path, progress);
    if (!starts_market(source))
      refuse(source, source.text().data(), "not Matrix Market: no %%MatrixMarket at the start");
    const Header h = begin_parsing<T>(source, progress);
    return parse_matrix<T>(std::move(source), h, progress);
  });
}

template <Scalar T>
DenseArray<T> read_array(const std::filesystem::path& path, const ReadOptions& options) {
  return reading(path, options, [&](Progress& progress) {
    Source source = load_source(path, progress);
    const Header h = begin_parsing<T>(source, progress);
    if (h.layout == Format::array) return read_dense<T>(source, h, progress);
    if (Offset{h.rows} * h.cols > justified_numbers(source))
      refuse(source, h.sizes,
             std::to_string(h.rows) + " by " + std::to_string(h.cols) +
                 " is too large for a dense array from a file of " +
                 std::to_string(source.text().size()) + " bytes");
    return full_columns(parse_matrix<T>(std::move(source), h, progress));
  });
}

#define ECHELON_INSTANTIATE(T)                                                          \
  template Csr<T> read_matrix(const std::filesystem::path&, const ReadOptions&);        \
  template Csr<T> read_matrix_market(const std::filesystem::path&, const ReadOptions&); \
  template DenseArray<T> read_array(const std::filesystem::path&, const ReadOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
