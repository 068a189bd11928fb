// echelon/factor_file.hpp -- factors in a file of our own, of which every rank reads its part.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after dist.hpp.  One process factors and writes; many open the file:
//
//   echelon::write_factors("a.factors", f, lower, upper);
//   echelon::RankFactors<double> mine = echelon::open_factors<double>("a.factors");
//
// A damaged file, a file of another kind and a disk that is full are bad_file, and the text says
// which file and what is wrong with it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "echelon/dist.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// What the numbers of a file are.  Part of the format.
enum class ScalarKind : std::uint32_t { real_single, real_double, complex_single, complex_double };
const char* name(ScalarKind kind) noexcept;  // "real single", ...

template <Scalar T>
inline constexpr ScalarKind kind_of = is_complex<T> ? (sizeof(T) == 8 ? ScalarKind::complex_single
                                                                      : ScalarKind::complex_double)
                                                    : (sizeof(T) == 4 ? ScalarKind::real_single
                                                                      : ScalarKind::real_double);

// Writes factors in panels of a given partition, the same for both triangles: `lower` are
// supernodes of L, `upper` of the transpose of U, empty if f.symmetric.  Needs room for one panel.
// The file has its name only when it is complete.
// Throws bad_file; bad_argument if the supernodes are not sound, not of one partition, or leave out
// an entry of f; out_of_memory.
template <Scalar T>
ECHELON_EXPORT void write_factors(const std::string& path, const Factors<T>& f,
                                  const Supernodes& lower, const Supernodes& upper);

// An open file of factors.  Opening it checks all but the values in panels.  What has n numbers or
// more is read when it is asked for and not kept; several threads may ask at once.
class FactorFile {
 public:
  // Throws bad_file, out_of_memory.
  explicit FactorFile(const std::string& path);
  ~FactorFile();
  FactorFile(FactorFile&&) noexcept;
  FactorFile& operator=(FactorFile&&) noexcept;

  ScalarKind scalar() const;
  Index n() const;
  bool symmetric() const;
  // As in Factors.
  std::string package() const;
  std::string kind() const;
  std::string ordering() const;
  std::vector<Index> row_order() const;
  std::vector<Index> col_order() const;
  Supernodes supernodes(Uplo part) const;  // those of the upper part are empty if symmetric

  // With T not the scalar of the file, these throw bad_file.
  template <Scalar T>
  std::vector<T> diagonal() const;
  template <Scalar T>
  std::vector<Real<T>> row_scale() const;
  template <Scalar T>
  std::vector<Real<T>> col_scale() const;
  // Some rows (positions, in any order) of the columns of supernode k, by columns; zeros above the
  // diagonal.  Reads those rows and little else.  Throws bad_argument for a row the panel has not.
  template <Scalar T>
  void read_rows(Uplo part, Index k, std::span<const Index> rows, T* columns, Offset ld) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

// The factors of a file, whose rows are read when they are asked for.  Throws bad_file if they are
// not of scalar T, or as FactorFile does; out_of_memory.
template <Scalar T>
ECHELON_EXPORT RankFactors<T> open_factors(const std::string& path);

}  // namespace echelon
#pragma GCC visibility pop
