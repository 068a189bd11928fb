// echelon/io.hpp -- reads Matrix Market, Harwell-Boeing and Rutherford-Boeing files; writes Matrix
// Market files.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Comes after matrix.hpp.  The format is detected from the content, never from the file
// name: the banner %%MatrixMarket, else the four header lines of Harwell-Boeing; gzip from its
// first bytes.  The result is bit-for-bit the same for any number of threads.
//
// Errors.  A file that cannot be opened, unpacked or parsed throws bad_file with the place:
// "lower.mtx:17: row 9 is outside 1 to 8".  Memory stays proportional to the (unpacked) file,
// whatever its header claims.  Inf and NaN are accepted here; the solver rejects them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "echelon/matrix.hpp"

#pragma GCC visibility push(default)
namespace echelon {

enum class Field { real, complex, integer, pattern };         // type of the values of a file
enum class Symmetry { general, symmetric, skew, hermitian };  // which entries are mirrored
// As Matrix Market writes them.
constexpr auto names(Field) {
  return name_table<Field>({{Field::real, "real"},
                            {Field::complex, "complex"},
                            {Field::integer, "integer"},
                            {Field::pattern, "pattern"}});
}
constexpr auto names(Symmetry) {
  return name_table<Symmetry>({{Symmetry::general, "general"},
                               {Symmetry::symmetric, "symmetric"},
                               {Symmetry::skew, "skew-symmetric"},
                               {Symmetry::hermitian, "hermitian"}});
}

// The header of a file.
struct FileHeader {
  std::string format;  // "matrix market coordinate", "matrix market array", "harwell-boeing",
                       // "rutherford-boeing"
  bool gzip = false;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  Index rows = 0;
  Index cols = 0;
  Offset entries = 0;  // stored in the file, before mirroring
};

struct ReadOptions {
  Index threads = 0;  // 0: OMP_NUM_THREADS, else all cores of this process
  // Called from the calling thread with a rising fraction of the work, from 0 to 1, at most a few
  // hundred times.  It may throw: reading stops and the exception is passed on.
  std::function<void(double)> progress = {};
};

// Reads the header only, at most the first kilobytes of the file.
FileHeader read_header(const std::filesystem::path& path);

// Reads a matrix in any of the formats.  Rows of the result are sorted.
//
// - Symmetric, skew-symmetric and Hermitian storage (lower triangle only, as the formats
//   demand) is unfolded.  Entries given twice are added up, in the order of the file.
// - Pattern entries become 1.  Explicit zeros are kept; an array file gives full rows.
// - A value too large for T is an error; one too small becomes zero.
// - Right-hand sides in Harwell-Boeing files are skipped; element matrices are an error.
// - A matrix with more than 64 rows per byte of the file plus a million is an error: its row
//   starts alone would be hundreds of times the size of the file.
//
// O(n + nnz) time.  Memory besides the result: the text, or one copy of the entries.
// Throws bad_file; bad_argument for a complex file and a real T; out_of_memory.
template <Scalar T>
ECHELON_EXPORT Csr<T> read_matrix(const std::filesystem::path& path,
                                  const ReadOptions& options = {});

// The same for Matrix Market files only; other formats are an error.
template <Scalar T>
ECHELON_EXPORT Csr<T> read_matrix_market(const std::filesystem::path& path,
                                         const ReadOptions& options = {});

// Files are written beside their place and moved into it when they are whole: what is written is
// there whole or not at all, and an existing file is harmed by no failure.

// Writes "coordinate real general" (or complex), row by row, each number with the fewest digits
// that read back to the same bits.  Keeps order and duplicates.  Throws bad_argument for arrays
// that do not fit together, bad_file if writing fails.
template <Scalar T>
ECHELON_EXPORT void write_matrix_market(const std::filesystem::path& path, const CsrView<T>& a);
template <Scalar T>
void write_matrix_market(const std::filesystem::path& path, const Csr<T>& a) {
  write_matrix_market(path, CsrView<T>(a));
}

// A dense matrix: several vectors of equal length.
template <Scalar T>
struct DenseArray {
  Index rows = 0;
  Index cols = 0;
  Buffer<T> value;  // size rows*cols, column by column

  Vectors<T> vectors() { return {value.data(), rows, cols}; }
  Vectors<const T> vectors() const { return {value.data(), rows, cols}; }
};

// Reads vectors: a Matrix Market array, or any matrix file converted to dense (at most 64 numbers
// per byte of the file plus a million).  Throws as read_matrix does.
template <Scalar T>
ECHELON_EXPORT DenseArray<T> read_array(const std::filesystem::path& path,
                                        const ReadOptions& options = {});

// Writes vectors as a Matrix Market array, "array real general" (or complex), without loss of
// precision.
template <Scalar T>
ECHELON_EXPORT void write_array(const std::filesystem::path& path, const Vectors<const T>& x);
template <Scalar T>
void write_array(const std::filesystem::path& path, const DenseArray<T>& x) {
  write_array<T>(path, x.vectors());
}

}  // namespace echelon
#pragma GCC visibility pop
