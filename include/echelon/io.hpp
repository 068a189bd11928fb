// echelon/io.hpp -- matrices and vectors from files and back: Matrix Market, and to read
// only, Harwell-Boeing and Rutherford-Boeing.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Comes after matrix.hpp.  A file is known by its content, never by its name: the
// banner %%MatrixMarket, else the four header lines of Harwell-Boeing; gzip by its first
// bytes.  The answer is the same, bit for bit, whatever the number of threads.
//
// Refusals.  A file that cannot be opened, unpacked or parsed throws bad_file, and the text
// says where: "lower.mtx:17: row 9 is outside 1 to 8".  Memory stays in proportion to the
// (unpacked) file, whatever its header claims.  Inf and NaN are numbers here; whether they
// may be solved with is for the solver to say.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "echelon/matrix.hpp"

#pragma GCC visibility push(default)
namespace echelon {

enum class Field { real, complex, integer, pattern };         // what the numbers of a file are
enum class Symmetry { general, symmetric, skew, hermitian };  // what it leaves to be mirrored
const char* name(Field field) noexcept;
const char* name(Symmetry symmetry) noexcept;

// What a file says of itself.
struct FileHeader {
  std::string format;  // "matrix market coordinate", "matrix market array", "harwell-boeing",
                       // "rutherford-boeing"
  bool gzip = false;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  Index rows = 0;
  Index cols = 0;
  Offset entries = 0;  // stored in the file: symmetric ones are not yet mirrored
};

struct ReadOptions {
  Index threads = 0;  // 0: OMP_NUM_THREADS, else all cores it may use
  // Called from the calling thread with a rising share of the work, from 0 to 1, at most a
  // few hundred times.  It may throw: the reading ends and the exception comes through.
  std::function<void(double)> progress = {};
};

// Reads the header and no more than the first kilobytes of the file.
FileHeader read_header(const std::filesystem::path& path);

// Reads a matrix of any of the formats.  Rows come out sorted.
//
// - Symmetric, skew-symmetric and Hermitian storage (lower triangle only, as the formats
//   demand) is unfolded.  Entries given twice are added up, in the order of the file.
// - A pattern's entries are 1.  Explicit zeros are kept; an array file gives full rows.
// - A value too large for T is refused; one too small becomes zero, as rounding has it.
// - Right-hand sides in Harwell-Boeing files are skipped; element matrices are refused.
// - A matrix of more than 64 rows for each byte of the file and a million more is refused:
//   its row starts alone would be hundreds of times the file.
//
// O(n + nnz) time and, besides the result, memory for the text or one copy of the entries.
// Throws bad_file; bad_argument for a complex file and a real T; out_of_memory.
template <Scalar T>
ECHELON_EXPORT Csr<T> read_matrix(const std::filesystem::path& path,
                                  const ReadOptions& options = {});

// The same for Matrix Market files only: other formats are refused.
template <Scalar T>
ECHELON_EXPORT Csr<T> read_matrix_market(const std::filesystem::path& path,
                                         const ReadOptions& options = {});

// Writes "coordinate real general" (or complex), row by row, each number with the fewest
// digits that read back to the same bits.  Lists and duplicates stay as they are.  Throws
// bad_argument for arrays that do not fit together, bad_file when the disk refuses.
template <Scalar T>
ECHELON_EXPORT void write_matrix_market(const std::filesystem::path& path, const CsrView<T>& a);
template <Scalar T>
void write_matrix_market(const std::filesystem::path& path, const Csr<T>& a) {
  write_matrix_market(path, CsrView<T>(a));
}

// A dense matrix: several vectors of as many numbers.
template <Scalar T>
struct DenseArray {
  Index rows = 0;
  Index cols = 0;
  Buffer<T> value;  // size rows*cols, column by column

  Vectors<T> vectors() { return {value.data(), rows, cols}; }
  Vectors<const T> vectors() const { return {value.data(), rows, cols}; }
};

// Reads vectors: a Matrix Market array, or any matrix file made dense (at most 64 numbers
// for each byte of it and a million more).  Throws as read_matrix does.
template <Scalar T>
ECHELON_EXPORT DenseArray<T> read_array(const std::filesystem::path& path,
                                        const ReadOptions& options = {});

// Writes vectors as a Matrix Market array, "array real general" (or complex), exactly.
template <Scalar T>
ECHELON_EXPORT void write_array(const std::filesystem::path& path, const Vectors<const T>& x);
template <Scalar T>
void write_array(const std::filesystem::path& path, const DenseArray<T>& x) {
  write_array<T>(path, x.vectors());
}

}  // namespace echelon
#pragma GCC visibility pop
