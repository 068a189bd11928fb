// adapters/cusparse/engine/matrix.cpp -- reads matrix descriptors and copies patterns to the host.
// SPDX-License-Identifier: BSD-3-Clause
#include "matrix.hpp"

#include <cstdint>
#include <limits>

#include "cuda_check.hpp"
#include "vendor.hpp"

namespace echelon::dropin {
namespace {

[[noreturn]] void refuse(ErrorCode code, const std::string& text) { throw Error(code, text); }

// --- Descriptors.

struct Arrays {
  std::int64_t rows = 0, cols = 0, nnz = 0;
  cusparseIndexType_t start_type = CUSPARSE_INDEX_32I, index_type = CUSPARSE_INDEX_32I;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

cusparseStatus_t read_arrays(cusparseConstSpMatDescr_t a, cusparseFormat_t format, Arrays& n,
                             DeviceMatrix& m) {
  const Vendor& v = vendor();
  switch (format) {
    case CUSPARSE_FORMAT_CSR:
      return v.cusparseConstCsrGet(a, &n.rows, &n.cols, &n.nnz, &m.start.data, &m.index.data,
                                   &m.value, &n.start_type, &n.index_type, &n.base, &m.type);
    case CUSPARSE_FORMAT_CSC:
      m.order = Order::columns;
      return v.cusparseConstCscGet(a, &n.rows, &n.cols, &n.nnz, &m.start.data, &m.index.data,
                                   &m.value, &n.start_type, &n.index_type, &n.base, &m.type);
    case CUSPARSE_FORMAT_COO: {
      m.triplets = true;
      const cusparseStatus_t status =
          v.cusparseConstCooGet(a, &n.rows, &n.cols, &n.nnz, &m.start.data, &m.index.data, &m.value,
                                &n.start_type, &n.base, &m.type);
      n.index_type = n.start_type;
      return status;
    }
    default:
      return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
}

// Attributes that were not set read as 0: lower, non-unit.
int attribute(cusparseConstSpMatDescr_t a, cusparseSpMatAttribute_t which) {
  int value = 0;
  const cusparseStatus_t status =
      vendor().cusparseSpMatGetAttribute(a, which, &value, sizeof(value));
  return status == CUSPARSE_STATUS_SUCCESS ? value : 0;
}

Op op_of(cusparseOperation_t op) {
  if (op == CUSPARSE_OPERATION_NON_TRANSPOSE) return Op::none;
  return op == CUSPARSE_OPERATION_TRANSPOSE ? Op::transpose : Op::conjugate;
}

bool is_known(cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE || op == CUSPARSE_OPERATION_TRANSPOSE ||
         op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

bool is_known(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}

DeviceIndices indices(const void* data, cusparseIndexType_t type, cusparseIndexBase_t base,
                      Offset count) {
  return {data, type == CUSPARSE_INDEX_64I, base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0, count};
}

// --- Patterns.

template <class From, class To>
void widen(const void* from, Index base, Offset count, To* to) {
  const From* const source = static_cast<const From*>(from);
  for (Offset k = 0; k < count; ++k) {
    const auto number = static_cast<Offset>(source[k]) - base;
    to[k] = static_cast<To>(number);
    if (to[k] != number)
      refuse(ErrorCode::bad_argument, "an index is beyond 32 bits: " + std::to_string(number));
  }
}

template <class To>
Buffer<To> download_indices(const DeviceIndices& from, cudaStream_t stream) {
  const auto count = static_cast<std::size_t>(from.count);
  Buffer<To> to(count);
  if (from.base == 0 && from.wide == (sizeof(To) == 8)) {
    download(from.data, to.data(), count * sizeof(To), stream);
    return to;
  }
  Buffer<std::byte> raw(count * (from.wide ? 8 : 4));
  download(from.data, raw.data(), raw.size(), stream);
  if (from.wide)
    widen<std::int64_t>(raw.data(), from.base, from.count, to.data());
  else
    widen<std::int32_t>(raw.data(), from.base, from.count, to.data());
  return to;
}

// Where the rows begin, from the row of every entry.
Buffer<Offset> starts_of_rows(Index n, const Buffer<Index>& rows) {
  Buffer<Offset> start(static_cast<std::size_t>(n) + 1, 0);
  Index last = 0;
  for (const Index row : rows) {
    if (row < last || row >= n)
      refuse(ErrorCode::bad_argument,
             "the triplets are not sorted by rows, near row " + std::to_string(last));
    last = row;
    ++start[static_cast<std::size_t>(row) + 1];
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) start[i + 1] += start[i];
  return start;
}

Buffer<Offset> find_diagonal(const HostPattern& p, Index n) {
  Buffer<Offset> where(static_cast<std::size_t>(n), -1);
  for (Index k = 0; k < n; ++k)
    for (Offset at = p.start[k]; at < p.start[k + 1]; ++at) {
      if (p.index[at] != k) continue;
      if (where[k] >= 0)
        refuse(ErrorCode::bad_argument, "row " + std::to_string(k) + " has two diagonal entries");
      where[k] = at;
    }
  for (Index k = 0; k < n; ++k)
    if (where[k] < 0)
      refuse(ErrorCode::zero_diagonal, "row " + std::to_string(k) + " has no diagonal entry");
  return where;
}

}  // namespace

std::size_t size_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_32F:
      return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_C_64F:
      return 16;
    default:
      return 0;
  }
}

std::string read_matrix(const Call& call, DeviceMatrix& m) {
  const Vendor& v = vendor();
  if (call.handle == nullptr || call.a == nullptr || call.b == nullptr || call.x == nullptr)
    return "an argument is a null pointer";
  cusparseFormat_t format{};
  if (v.cusparseSpMatGetFormat(call.a, &format) != CUSPARSE_STATUS_SUCCESS)
    return "the matrix descriptor cannot be read";
  if (format != CUSPARSE_FORMAT_CSR && format != CUSPARSE_FORMAT_CSC &&
      format != CUSPARSE_FORMAT_COO)
    return "the matrix is not in CSR, CSC or COO";
  Arrays n;
  if (read_arrays(call.a, format, n, m) != CUSPARSE_STATUS_SUCCESS)
    return "the matrix descriptor cannot be read";
  int batches = 0;
  if (v.cusparseSpMatGetStridedBatch(call.a, &batches) == CUSPARSE_STATUS_SUCCESS && batches > 1)
    return "the matrix is a batch";
  if (n.rows != n.cols) return "the matrix is not square";
  if (n.rows == 0 || n.nnz == 0) return "the matrix is empty";
  if (n.rows >= std::numeric_limits<Index>::max()) return "there are 2^31 rows or more";
  if (!is_known(n.start_type) || !is_known(n.index_type)) return "an index type is not supported";
  if (size_of(m.type) == 0 || m.type != call.type) return "the types of the numbers are not ours";
  if (!is_known(call.op)) return "opA is not known";
  if (call.op_b != CUSPARSE_OPERATION_NON_TRANSPOSE && call.op_b != CUSPARSE_OPERATION_TRANSPOSE)
    return "opB is neither plain nor a transpose";
  m.n = static_cast<Index>(n.rows);
  m.nnz = n.nnz;
  m.start = indices(m.start.data, n.start_type, n.base, m.triplets ? n.nnz : n.rows + 1);
  m.index = indices(m.index.data, n.index_type, n.base, n.nnz);
  m.op = op_of(call.op);
  m.uplo = attribute(call.a, CUSPARSE_SPMAT_FILL_MODE) == CUSPARSE_FILL_MODE_LOWER ? Uplo::lower
                                                                                   : Uplo::upper;
  m.diagonal = attribute(call.a, CUSPARSE_SPMAT_DIAG_TYPE) == CUSPARSE_DIAG_TYPE_UNIT
                   ? Diagonal::unit
                   : Diagonal::stored;
  return "";
}

HostPattern download_pattern(const DeviceMatrix& a, cudaStream_t stream) {
  HostPattern p;
  p.index = download_indices<Index>(a.index, stream);
  p.start = a.triplets ? starts_of_rows(a.n, download_indices<Index>(a.start, stream))
                       : download_indices<Offset>(a.start, stream);
  check_pattern({a.order, a.n, a.n, p.start, p.index});
  if (a.diagonal == Diagonal::stored) p.diagonal = find_diagonal(p, a.n);
  return p;
}

void download(const void* device, void* host, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync");
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

}  // namespace echelon::dropin
