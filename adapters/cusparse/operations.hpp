// adapters/cusparse/operations.hpp -- tables of the functions that the drop-in offers and of the
// vendor's that it calls.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#pragma GCC visibility push(default)
#include <cusparse.h>
#pragma GCC visibility pop

// What the drop-in offers: all functions of the two operations in cusparse.h.
#define ECHELON_CUSPARSE_OPERATIONS(X) \
  X(cusparseSpSV_createDescr)          \
  X(cusparseSpSV_destroyDescr)         \
  X(cusparseSpSV_bufferSize)           \
  X(cusparseSpSV_analysis)             \
  X(cusparseSpSV_solve)                \
  X(cusparseSpSV_updateMatrix)         \
  X(cusparseSpSM_createDescr)          \
  X(cusparseSpSM_destroyDescr)         \
  X(cusparseSpSM_bufferSize)           \
  X(cusparseSpSM_analysis)             \
  X(cusparseSpSM_solve)                \
  X(cusparseSpSM_updateMatrix)

// What it asks the vendor's library for, to read handles and descriptors.
#define ECHELON_CUSPARSE_QUERIES(X) \
  X(cusparseGetStream)              \
  X(cusparseGetPointerMode)         \
  X(cusparseSpMatGetFormat)         \
  X(cusparseSpMatGetAttribute)      \
  X(cusparseSpMatGetStridedBatch)   \
  X(cusparseConstCsrGet)            \
  X(cusparseConstCscGet)            \
  X(cusparseConstCooGet)            \
  X(cusparseConstDnVecGet)          \
  X(cusparseConstDnMatGet)

namespace echelon::dropin {

#define ECHELON_CUSPARSE_MEMBER(name) decltype(&::name) name = nullptr;

struct Operations {
  ECHELON_CUSPARSE_OPERATIONS(ECHELON_CUSPARSE_MEMBER)
};

// Null members: this version of cuSPARSE does not have the function.
struct Vendor : Operations {
  ECHELON_CUSPARSE_QUERIES(ECHELON_CUSPARSE_MEMBER)
};

#undef ECHELON_CUSPARSE_MEMBER

// The engine's only export: its operations.  `vendor` must outlive the process.  Null if
// `vendor_bytes` is not sizeof(Vendor): front and engine are of different builds.
using StartEngine = const Operations* (*)(const Vendor* vendor, unsigned long vendor_bytes);
inline constexpr const char* start_engine_name = "echelon_cusparse_start_engine";

}  // namespace echelon::dropin
