// bindings/c/matrix.cpp -- matrices in the caller's arrays, and from files.
// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <utility>

#include "echelon/io.hpp"
#include "handles.hpp"
#include "settings.hpp"

namespace echelon::c {
namespace {

struct How {
  Order order = Order::rows;
  Index base = 0;
  Uplo uplo = Uplo::lower;
  TriangleOptions read_as;

  template <class Visitor>
  void visit(Visitor&& v) {
    v("order", order, "");
    v("base", base, "");
    v("uplo", uplo, "");
    v("diagonal", read_as.diagonal, "");
    v("outside", read_as.outside, "");
    v("op", read_as.op, "");
  }
};

How read_how(const char* text) {
  How how;
  read_settings(text, how);
  if (how.base != 0 && how.base != 1) refuse("base is 0 or 1, not " + std::to_string(how.base));
  return how;
}

void set_how(echelon_matrix& a, const How& how) {
  a.order = how.order;
  a.base = how.base;
  a.uplo = how.uplo;
  a.read_as = how.read_as;
}

// In place if the type and base are ours.  Throws bad_argument for a number that does not fit.
template <class To, class From>
std::span<const To> adapt(const From* from, std::size_t size, Index base, Buffer<To>& copy) {
  if constexpr (std::is_same_v<To, From>)
    if (base == 0) return {from, size};
  copy.resize(size);
  for (std::size_t k = 0; k < size; ++k) {
    const Offset wide = Offset{from[k]} - base;
    if (!std::in_range<To>(wide))
      refuse("index " + std::to_string(from[k]) + " does not fit 32 bits");
    copy[k] = static_cast<To>(wide);
  }
  return copy;
}

template <class Start, class Number>
void take_arrays(echelon_matrix& a, const void* start, const void* index) {
  const auto* const starts = static_cast<const Start*>(start);
  const auto n = static_cast<std::size_t>(a.n);
  if (starts[0] != a.base)
    refuse("start[0] is " + std::to_string(starts[0]) + ", but base is " + std::to_string(a.base) +
           (starts[0] == 1   ? "; do the indices count from 1? Then say base=1"
            : starts[0] == 0 ? "; do the indices count from 0? Then say base=0"
                             : ""));
  a.start = adapt(starts, n + 1, a.base, a.own_start);
  const Offset count = a.start.back();
  if (count < 0) refuse("start ends at " + std::to_string(count) + ", before it begins");
  if (count > 0 && index == nullptr) refuse("index is NULL");
  a.index = adapt(static_cast<const Number*>(index), static_cast<std::size_t>(count), a.base,
                  a.own_index);
}

void take_arrays(echelon_matrix& a, echelon_index_type type, const void* start, const void* index) {
  switch (type) {
    case ECHELON_INT32:
      return take_arrays<std::int32_t, std::int32_t>(a, start, index);
    case ECHELON_INT64:
      return take_arrays<std::int64_t, std::int64_t>(a, start, index);
    case ECHELON_INT64_INT32:
      return take_arrays<std::int64_t, std::int32_t>(a, start, index);
  }
  refuse("there is no index type " + std::to_string(static_cast<int>(type)) +
         "; see echelon_index_type");
}

void check_n(std::int64_t n) {
  if (n < 0) refuse("n is negative: " + std::to_string(n));
  if (n > std::numeric_limits<Index>::max())
    refuse("n is " + std::to_string(n) + "; matrices have fewer than 2^31 rows");
}

template <class Make>
echelon_status create_matrix(echelon_matrix** out, Make&& make) {
  return guard(nullptr, 0, [&] {
    if (out == nullptr) refuse("the place for the new matrix is NULL");
    *out = nullptr;
    auto a = std::make_unique<echelon_matrix>();
    make(*a);
    *out = a.release();
  });
}

}  // namespace

const echelon_matrix& given(const echelon_matrix* matrix, const char* what) {
  if (matrix == nullptr) refuse_null("the matrix " + std::string(what) + " is NULL");
  return *matrix;
}

const echelon_matrix& given(const echelon_matrix* matrix, const char* what, echelon_type type) {
  if (given(matrix, what).type != type)
    refuse("the matrix " + std::string(what) + " has another type than the solver");
  return *matrix;
}

const echelon_matrix& given_whole(const echelon_matrix* matrix, const char* what,
                                  echelon_type type) {
  const echelon_matrix& a = given(matrix, what, type);
  if (a.read_as.op != Op::none || a.read_as.diagonal != Diagonal::stored)
    refuse("the matrix " + std::string(what) +
           " has op or diagonal=unit, which only triangles have; solve with the transpose by a "
           "workspace with op=t");
  check_pattern({a.order, a.n, a.n, a.start, a.index});
  return a;
}

}  // namespace echelon::c

using namespace echelon;
using namespace echelon::c;

echelon_status echelon_create_matrix(echelon_matrix** out, echelon_type type,
                                     echelon_index_type index_type, int64_t n, const void* start,
                                     const void* index, const void* values, const char* how) {
  return create_matrix(out, [&](echelon_matrix& a) {
    with_type(type, []<class T>() {});
    check_n(n);
    if (start == nullptr) refuse("start is NULL");
    a.type = type;
    a.n = static_cast<Index>(n);
    set_how(a, read_how(how));
    take_arrays(a, index_type, start, index);
    if (values == nullptr && !a.index.empty()) refuse("values is NULL");
    a.values = values;
  });
}

echelon_status echelon_read_matrix(echelon_matrix** out, echelon_type type, const char* path,
                                   const char* how) {
  return create_matrix(out, [&](echelon_matrix& a) {
    if (path == nullptr) refuse("the path of the file is NULL");
    const How read = read_how(how);
    if (read.order != Order::rows || read.base != 0)
      refuse("a matrix from a file has order=rows and base=0");
    set_how(a, read);
    a.type = type;
    with_type(type, [&]<class T>() {
      auto m = std::make_shared<Csr<T>>(read_matrix<T>(path));
      if (m->rows != m->cols)
        refuse(std::string(path) + " has " + std::to_string(m->rows) + " rows and " +
               std::to_string(m->cols) + " columns; solvers take square matrices");
      a.n = m->rows;
      a.start = m->start;
      a.index = m->index;
      a.values = m->value.data();
      a.owner = std::move(m);
    });
  });
}

echelon_status echelon_set_values(echelon_matrix* matrix, const void* values) {
  return guard(nullptr, 0, [&] {
    const echelon_matrix& a = given(matrix, "to change");
    if (values == nullptr && !a.index.empty()) refuse("values is NULL");
    matrix->values = values;
  });
}

int64_t echelon_matrix_n(const echelon_matrix* matrix) {
  return matrix == nullptr ? -1 : int64_t{matrix->n};
}

int64_t echelon_matrix_nnz(const echelon_matrix* matrix) {
  return matrix == nullptr ? -1 : static_cast<int64_t>(matrix->index.size());
}

void echelon_destroy_matrix(echelon_matrix* matrix) { delete matrix; }
