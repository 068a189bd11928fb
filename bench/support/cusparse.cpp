// bench/support/cusparse.cpp -- loads cuSPARSE by name, and calls its triangular solves.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/cusparse.hpp"

#ifdef ECHELON_WITH_CUSPARSE
#include <cusparse.h>

#include <limits>
#include <type_traits>
#include <vector>

#include "echelon/device.hpp"
#include "echelon/shared_library.hpp"
#include "support/clock.hpp"
#else
#include "echelon/error.hpp"
#endif

namespace echelon::bench {

#ifdef ECHELON_WITH_CUSPARSE

namespace {

template <class Function>
Function* find(const char* name) {
  static const SharedLibrary library("the contender needs cuSPARSE",
                                     {"libcusparse.so.13", "libcusparse.so.12", "libcusparse.so"});
  return library.find<Function>(name);
}

// The functions that are used, by name without prefix.
#define ECHELON_CALL(name) \
  decltype(&cusparse##name) name = find<decltype(cusparse##name)>("cusparse" #name)
struct Calls {
  ECHELON_CALL(Create);
  ECHELON_CALL(Destroy);
  ECHELON_CALL(SetStream);
  ECHELON_CALL(CreateCsr);
  ECHELON_CALL(DestroySpMat);
  ECHELON_CALL(SpMatSetAttribute);
  ECHELON_CALL(CreateDnVec);
  ECHELON_CALL(DnVecSetValues);
  ECHELON_CALL(DestroyDnVec);
  ECHELON_CALL(CreateDnMat);
  ECHELON_CALL(DnMatSetValues);
  ECHELON_CALL(DestroyDnMat);
  ECHELON_CALL(SpSV_createDescr);
  ECHELON_CALL(SpSV_destroyDescr);
  ECHELON_CALL(SpSV_bufferSize);
  ECHELON_CALL(SpSV_analysis);
  ECHELON_CALL(SpSV_solve);
  ECHELON_CALL(SpSM_createDescr);
  ECHELON_CALL(SpSM_destroyDescr);
  ECHELON_CALL(SpSM_bufferSize);
  ECHELON_CALL(SpSM_analysis);
  ECHELON_CALL(SpSM_solve);
};
#undef ECHELON_CALL
const Calls& calls() {
  static const Calls found;
  return found;
}

void check(cusparseStatus_t status, const char* what) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw Error(ErrorCode::backend_failed,
              std::string("cusparse: ") + what + " gives status " + std::to_string(status));
}

template <Scalar T>
constexpr cudaDataType value_type = is_complex<T>
                                        ? (std::is_same_v<Real<T>, float> ? CUDA_C_32F : CUDA_C_64F)
                                        : (std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F);

constexpr cusparseOperation_t as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;

std::vector<Index> short_starts(const Buffer<Offset>& start) {
  if (start.back() > std::numeric_limits<Index>::max())
    throw Error(ErrorCode::backend_missing, "32-bit row starts do not reach so many entries");
  return {start.begin(), start.end()};
}

}  // namespace

std::string why_no_cusparse() {
  try {
    calls();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Owns all memory that cuSPARSE accesses: the arrays, and the buffer with the results of the
// analysis.
template <Scalar T>
struct CusparseTriangle<T>::State {
  const Calls& call = calls();
  Index n, count;
  DeviceVector<Index> start, index;
  DeviceVector<T> value;
  DeviceVector<T> b, x;  // the analysis also needs vectors
  DeviceMemory buffer;
  const T one = T(1);
  CusparseFacts facts;

  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t vector_b = nullptr, vector_x = nullptr;  // one right-hand side
  cusparseDnMatDescr_t many_b = nullptr, many_x = nullptr;      // several
  cusparseSpSVDescr_t spsv = nullptr;
  cusparseSpSMDescr_t spsm = nullptr;

  State(Index n_, Index count_) : n(n_), count(count_) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (spsv != nullptr) call.SpSV_destroyDescr(spsv);
    if (spsm != nullptr) call.SpSM_destroyDescr(spsm);
    for (cusparseDnVecDescr_t v : {vector_b, vector_x})
      if (v != nullptr) call.DestroyDnVec(v);
    for (cusparseDnMatDescr_t m : {many_b, many_x})
      if (m != nullptr) call.DestroyDnMat(m);
    if (matrix != nullptr) call.DestroySpMat(matrix);
    if (handle == nullptr) return;
    call.SetStream(handle, nullptr);  // the last stream may no longer exist
    call.Destroy(handle);
  }

  void upload(const Csr<T>& rows) {
    const std::vector<Index> starts = short_starts(rows.start);
    facts.upload_s = time_of([&] {
      start = DeviceVector<Index>(std::span<const Index>(starts));
      index = DeviceVector<Index>(std::span<const Index>(rows.index));
      value = DeviceVector<T>(std::span<const T>(rows.value));
    });
    const std::vector<T> zeros(static_cast<std::size_t>(n) * static_cast<std::size_t>(count), T(0));
    b = DeviceVector<T>(std::span<const T>(zeros));
    x = DeviceVector<T>(std::span<const T>(zeros));
  }

  void describe(const RowTriangle<T>& t) {
    check(call.Create(&handle), "cusparseCreate");
    check(call.CreateCsr(&matrix, n, n, t.rows.nonzeros(), start.data(), index.data(), value.data(),
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                         value_type<T>),
          "cusparseCreateCsr");
    cusparseFillMode_t fill =
        t.part == Uplo::lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
    cusparseDiagType_t diagonal =
        t.diagonal == Diagonal::unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
    check(call.SpMatSetAttribute(matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill),
          "cusparseSpMatSetAttribute");
    check(call.SpMatSetAttribute(matrix, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal),
          "cusparseSpMatSetAttribute");
  }

  void analyze_one() {
    check(call.CreateDnVec(&vector_b, n, b.data(), value_type<T>), "cusparseCreateDnVec");
    check(call.CreateDnVec(&vector_x, n, x.data(), value_type<T>), "cusparseCreateDnVec");
    check(call.SpSV_createDescr(&spsv), "cusparseSpSV_createDescr");
    std::size_t bytes = 0;
    check(call.SpSV_bufferSize(handle, as_it_is, &one, matrix, vector_b, vector_x, value_type<T>,
                               CUSPARSE_SPSV_ALG_DEFAULT, spsv, &bytes),
          "cusparseSpSV_bufferSize");
    buffer = DeviceMemory(bytes);
    facts.analysis_s = time_analysis([&] {
      return call.SpSV_analysis(handle, as_it_is, &one, matrix, vector_b, vector_x, value_type<T>,
                                CUSPARSE_SPSV_ALG_DEFAULT, spsv, buffer.data());
    });
  }

  void analyze_several() {
    const auto create = [&](cusparseDnMatDescr_t* m, T* data) {
      check(call.CreateDnMat(m, n, count, n, data, value_type<T>, CUSPARSE_ORDER_COL),
            "cusparseCreateDnMat");
    };
    create(&many_b, b.data());
    create(&many_x, x.data());
    check(call.SpSM_createDescr(&spsm), "cusparseSpSM_createDescr");
    std::size_t bytes = 0;
    check(call.SpSM_bufferSize(handle, as_it_is, as_it_is, &one, matrix, many_b, many_x,
                               value_type<T>, CUSPARSE_SPSM_ALG_DEFAULT, spsm, &bytes),
          "cusparseSpSM_bufferSize");
    buffer = DeviceMemory(bytes);
    facts.analysis_s = time_analysis([&] {
      return call.SpSM_analysis(handle, as_it_is, as_it_is, &one, matrix, many_b, many_x,
                                value_type<T>, CUSPARSE_SPSM_ALG_DEFAULT, spsm, buffer.data());
    });
  }

  template <class Analysis>
  double time_analysis(const Analysis& analysis) {
    const auto body = [&](void* stream) {
      check(call.SetStream(handle, static_cast<cudaStream_t>(stream)), "cusparseSetStream");
      check(analysis(), "the analysis");
    };
    return time_on_device(1, 0, body).front();
  }

  void solve_one(T* from, T* to) const {
    check(call.DnVecSetValues(vector_b, from), "cusparseDnVecSetValues");
    check(call.DnVecSetValues(vector_x, to), "cusparseDnVecSetValues");
    check(call.SpSV_solve(handle, as_it_is, &one, matrix, vector_b, vector_x, value_type<T>,
                          CUSPARSE_SPSV_ALG_DEFAULT, spsv),
          "cusparseSpSV_solve");
  }
  void solve_several(T* from, T* to) const {
    check(call.DnMatSetValues(many_b, from), "cusparseDnMatSetValues");
    check(call.DnMatSetValues(many_x, to), "cusparseDnMatSetValues");
    check(call.SpSM_solve(handle, as_it_is, as_it_is, &one, matrix, many_b, many_x, value_type<T>,
                          CUSPARSE_SPSM_ALG_DEFAULT, spsm),
          "cusparseSpSM_solve");
  }
};

template <Scalar T>
CusparseTriangle<T>::CusparseTriangle(const RowTriangle<T>& triangle, Index count)
    : state_(std::make_unique<State>(triangle.rows.rows, count)) {
  state_->upload(triangle.rows);
  state_->describe(triangle);
  count == 1 ? state_->analyze_one() : state_->analyze_several();
  const State& s = *state_;
  state_->facts.routine = count == 1 ? "cusparseSpSV" : "cusparseSpSM";
  state_->facts.matrix_bytes = static_cast<Offset>(
      (s.start.size() + s.index.size()) * sizeof(Index) + s.value.size() * sizeof(T));
  state_->facts.workspace_bytes = static_cast<Offset>(s.buffer.bytes());
}

template <Scalar T>
void CusparseTriangle<T>::solve(const Vectors<const T>& b, const Vectors<T>& x,
                                void* stream) const {
  const State& s = *state_;
  check(s.call.SetStream(s.handle, static_cast<cudaStream_t>(stream)), "cusparseSetStream");
  T* const from = const_cast<T*>(b.data);  // not written
  s.count == 1 ? s.solve_one(from, x.data) : s.solve_several(from, x.data);
}

#else

std::string why_no_cusparse() { return "not found when this program was built (cusparse.h)"; }

template <Scalar T>
struct CusparseTriangle<T>::State {
  CusparseFacts facts;
};
template <Scalar T>
CusparseTriangle<T>::CusparseTriangle(const RowTriangle<T>&, Index) {
  throw Error(ErrorCode::backend_missing, why_no_cusparse());
}
template <Scalar T>
void CusparseTriangle<T>::solve(const Vectors<const T>&, const Vectors<T>&, void*) const {}
#endif

template <Scalar T>
const CusparseFacts& CusparseTriangle<T>::facts() const {
  return state_->facts;
}
template <Scalar T>
CusparseTriangle<T>::CusparseTriangle(CusparseTriangle&&) noexcept = default;
template <Scalar T>
CusparseTriangle<T>::~CusparseTriangle() = default;

template class CusparseTriangle<float>;
template class CusparseTriangle<double>;
template class CusparseTriangle<std::complex<float>>;
template class CusparseTriangle<std::complex<double>>;

}  // namespace echelon::bench
