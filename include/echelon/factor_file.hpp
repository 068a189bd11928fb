// echelon/factor_file.hpp -- Echelon's file format for factors, from which every rank reads its
// part.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after dist.hpp.  One process factors and writes the file; many open it:
//
//   echelon::write_factors("a.factors", f, lower, upper);
//   echelon::RankFactors<double> mine = echelon::open_factors<double>("a.factors");
//
// A damaged file, a file of another format and a full disk throw bad_file; the message names the
// file and the problem.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "echelon/dist.hpp"

namespace echelon {

// The scalar type of a file.  Part of the format.
enum class ScalarKind : std::uint32_t { real_single, real_double, complex_single, complex_double };
const char* name(ScalarKind kind) noexcept;  // "real single", ...

template <Scalar T>
inline constexpr ScalarKind kind_of = is_complex<T> ? (sizeof(T) == 8 ? ScalarKind::complex_single
                                                                      : ScalarKind::complex_double)
                                                    : (sizeof(T) == 4 ? ScalarKind::real_single
                                                                      : ScalarKind::real_double);

// Writes factors in panels.  Both triangles use one partition: `lower` are the supernodes of L,
// `upper` those of the transpose of U, empty if f.symmetric.  Needs memory for one panel.  The file
// gets its name only when it is complete.  Throws bad_file; bad_argument if the supernodes are
// invalid, have different partitions, or miss an entry of f; out_of_memory.
template <Scalar T>
void write_factors(const std::string& path, const Factors<T>& f, const Supernodes& lower,
                   const Supernodes& upper);

// An open file of factors.  Opening checks all but the values of the panels.  Arrays of n or more
// numbers are read on each call and not kept; several threads may call at once.
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
  Supernodes supernodes(Uplo part) const;  // for the upper part empty if symmetric

  // These throw bad_file if T is not the scalar of the file.
  template <Scalar T>
  std::vector<T> diagonal() const;
  template <Scalar T>
  std::vector<Real<T>> row_scale() const;
  template <Scalar T>
  std::vector<Real<T>> col_scale() const;
  // Reads some rows (positions, in any order) of the columns of supernode k, by columns, with zeros
  // above the diagonal.  Reads little more than those rows.  Throws bad_argument for a row outside
  // the panel.
  template <Scalar T>
  void read_rows(Uplo part, Index k, std::span<const Index> rows, T* columns, Offset ld) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

// The factors of a file; rows are read on demand.  Throws bad_file if the file is not of scalar T,
// or as FactorFile does; out_of_memory.
template <Scalar T>
RankFactors<T> open_factors(const std::string& path);

}  // namespace echelon
