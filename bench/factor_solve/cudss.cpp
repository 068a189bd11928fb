// bench/factor_solve/cudss.cpp -- the contender cuDSS: its own factors on a GPU, solved by its
// phases, loaded at run time.
// SPDX-License-Identifier: BSD-3-Clause
//
// The declarations are those of cudss.h and cudss_data_types.h, version 1.0; the numbers of earlier
// versions differ, so another major version is refused.  No header of cuDSS is needed to build.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "echelon/device.hpp"
#include "echelon/tools/shared_library.hpp"
#include "factor_solve/factor_contender.hpp"
#include "factor_solve/matrix_kind.hpp"
#include "support/clock.hpp"
#include "support/timed_solve.hpp"

namespace echelon::bench {
namespace {

constexpr int supported_version = 1;

// cudssPhase_t.  The whole solve is all phases from 1 << 4 to 1 << 9; refinement takes no steps
// unless they are asked for.
constexpr int analyze = 1 << 0 | 1 << 1, factorize = 1 << 2;
constexpr int forwards = 1 << 5, backwards = 1 << 6 | 1 << 7;  // with the diagonal; no permutations
constexpr int whole_solve = 1 << 4 | forwards | backwards | 1 << 8 | 1 << 9;
constexpr int data_info = 0, data_nonzeros = 1;  // cudssDataParam_t
constexpr int view_full = 0, view_upper = 2;     // cudssMatrixViewType_t
constexpr int from_zero = 0, by_columns = 0;     // cudssIndexBase_t, cudssLayout_t
constexpr int int_32 = 10, major_version = 0;    // cudaDataType_t, libraryPropertyType
using Handle = void*;                            // all handles are pointers to opaque structs

// cudssMatrixType_t
int type_of(MatrixKind kind, bool complex) {
  switch (kind) {
    case MatrixKind::positive:
      return complex ? 4 : 3;
    case MatrixKind::hermitian:
      return complex ? 2 : 1;
    case MatrixKind::symmetric:
      return 1;
    case MatrixKind::general:
      break;
  }
  return 0;
}

// cudaDataType_t
template <Scalar T>
constexpr int value_type = (is_complex<T> ? 4 : 0) + (std::is_same_v<Real<T>, double> ? 1 : 0);

// The functions that are used, by name without prefix.
struct Calls {
  SharedLibrary library;
  int (*GetProperty)(int property, int* value);
  int (*Create)(Handle* handle);
  int (*Destroy)(Handle handle);
  int (*SetStream)(Handle handle, void* stream);
  int (*ConfigCreate)(Handle* config);
  int (*ConfigDestroy)(Handle config);
  int (*DataCreate)(Handle handle, Handle* data);
  int (*DataDestroy)(Handle handle, Handle data);
  int (*DataGet)(Handle handle, Handle data, int what, void* value, std::size_t bytes,
                 std::size_t* written);
  int (*MatrixCreateCsr)(Handle* matrix, std::int64_t rows, std::int64_t cols, std::int64_t entries,
                         const void* start, const void* end, const void* index, const void* value,
                         int start_type, int index_type, int value_type, int matrix_type, int view,
                         int base);
  int (*MatrixCreateDn)(Handle* matrix, std::int64_t rows, std::int64_t cols, std::int64_t leading,
                        const void* value, int value_type, int layout);
  int (*MatrixSetValues)(Handle matrix, const void* value);
  int (*MatrixDestroy)(Handle matrix);
  int (*Execute)(Handle handle, int phase, Handle config, Handle data, Handle matrix,
                 Handle solution, Handle right_side);

  explicit Calls(const std::string& path) : library(open(path)) {
    find(GetProperty, "cudssGetProperty");
    int version = 0;
    GetProperty(major_version, &version);
    if (version != supported_version)
      throw Error(ErrorCode::backend_missing,
                  "cuDSS has version " + std::to_string(version) + "; version 1 is needed");
    find(Create, "cudssCreate");
    find(Destroy, "cudssDestroy");
    find(SetStream, "cudssSetStream");
    find(ConfigCreate, "cudssConfigCreate");
    find(ConfigDestroy, "cudssConfigDestroy");
    find(DataCreate, "cudssDataCreate");
    find(DataDestroy, "cudssDataDestroy");
    find(DataGet, "cudssDataGet");
    find(MatrixCreateCsr, "cudssMatrixCreateCsr");
    find(MatrixCreateDn, "cudssMatrixCreateDn");
    find(MatrixSetValues, "cudssMatrixSetValues");
    find(MatrixDestroy, "cudssMatrixDestroy");
    find(Execute, "cudssExecute");
  }

 private:
  static SharedLibrary open(const std::string& path) {
    const std::string need = "the contender needs cuDSS (--cudss-library FILE)";
    if (!path.empty()) return {need, {path.c_str()}};
    return {need, {"libcudss.so.1", "libcudss.so"}};
  }
  template <class Function>
  void find(Function*& function, const char* name) {
    function = library.find<Function>(name);
  }
};

// Loaded once, for the rest of the program.
const Calls& calls(const std::string& path) {
  static const Calls found(path);
  return found;
}

void check(int status, const char* what) {
  if (status == 0) return;
  throw Error(ErrorCode::backend_failed,
              std::string("cudss: ") + what + " gives status " + std::to_string(status));
}

template <Scalar T>
class Cudss {
 public:
  Cudss(const CsrView<T>& a, MatrixKind kind, Index nrhs, const Calls& call, FactorFacts& facts)
      : call_(call), n_(a.rows) {
    upload(a, kind, nrhs, facts);
    facts.analysis_s = time_of([&] { run_alone(analyze); });
    facts.setup_s += time_of([&] { run_alone(factorize); });
    if (const auto pivot = get<int>(data_info); pivot != 0)
      throw Error(ErrorCode::not_positive_definite,
                  "cudss: the factorization reports pivot " + std::to_string(pivot));
    facts.stored_values = get<std::int64_t>(data_nonzeros);
    facts.stored_bytes = facts.stored_values * static_cast<Offset>(sizeof(T));
  }
  ~Cudss() {
    for (Handle m : {matrix_, b_, x_})
      if (m != nullptr) call_.MatrixDestroy(m);
    if (data_ != nullptr) call_.DataDestroy(handle_, data_);
    if (config_ != nullptr) call_.ConfigDestroy(config_);
    if (handle_ != nullptr) call_.Destroy(handle_);
  }
  Cudss(const Cudss&) = delete;
  Cudss& operator=(const Cudss&) = delete;

  void solve(Phase phase, const Vectors<const T>& b, const Vectors<T>& x, void* stream) {
    check(call_.MatrixSetValues(b_, b.data), "cudssMatrixSetValues");
    check(call_.MatrixSetValues(x_, x.data), "cudssMatrixSetValues");
    run(phase == Phase::lower ? forwards : phase == Phase::upper ? backwards : whole_solve, stream);
  }

  // Whether L and U can be solved apart; else only whole solves are timed.
  bool has_phases() {
    try {
      run_alone(whole_solve);
      run_alone(forwards);
      run_alone(backwards);
    } catch (const Error&) {
      return false;
    }
    return true;
  }

 private:
  const Calls& call_;
  Index n_;
  DeviceVector<int> start_, index_;
  DeviceVector<T> value_, vectors_;
  Handle handle_ = nullptr, config_ = nullptr, data_ = nullptr;
  Handle matrix_ = nullptr, b_ = nullptr, x_ = nullptr;

  void upload(const CsrView<T>& a, MatrixKind kind, Index nrhs, FactorFacts& facts) {
    const PackageRows<T> rows = package_rows(a, kind);
    facts.setup_s = time_of([&] {
      start_ = DeviceVector<int>(std::span<const int>(rows.start));
      index_ = DeviceVector<int>(std::span<const int>(rows.index));
      value_ = DeviceVector<T>(std::span<const T>(rows.value));
    });
    const std::size_t size = static_cast<std::size_t>(n_) * static_cast<std::size_t>(nrhs);
    const std::vector<T> ones(2 * size, T(1));  // for has_phases
    vectors_ = DeviceVector<T>(std::span<const T>(ones));
    check(call_.Create(&handle_), "cudssCreate");
    check(call_.ConfigCreate(&config_), "cudssConfigCreate");
    check(call_.DataCreate(handle_, &data_), "cudssDataCreate");
    const int view = kind == MatrixKind::general ? view_full : view_upper;
    check(
        call_.MatrixCreateCsr(&matrix_, n_, n_, static_cast<std::int64_t>(rows.index.size()),
                              start_.data(), nullptr, index_.data(), value_.data(), int_32, int_32,
                              value_type<T>, type_of(kind, is_complex<T>), view, from_zero),
        "cudssMatrixCreateCsr");
    for (const auto& [vector, data] :
         {std::pair{&b_, vectors_.data()}, std::pair{&x_, vectors_.data() + size}})
      check(call_.MatrixCreateDn(vector, n_, nrhs, n_, data, value_type<T>, by_columns),
            "cudssMatrixCreateDn");
  }

  void run(int phase, void* stream) {
    check(call_.SetStream(handle_, stream), "cudssSetStream");
    check(call_.Execute(handle_, phase, config_, data_, matrix_, x_, b_), "cudssExecute");
  }
  // Returns when it is complete.  The stream is that of the timed solves: cuDSS uses the stream of
  // an earlier call, too.
  void run_alone(int phase) {
    time_on_device(1, 0, [&](void* stream) { run(phase, stream); });
  }

  template <class Value>
  Value get(int what) {
    Value value{};
    std::size_t written = 0;
    check(call_.DataGet(handle_, data_, what, &value, sizeof value, &written), "cudssDataGet");
    return value;
  }
};

// Cholesky if the matrix may be positive definite and is; else the factorization of its kind.
template <Scalar T>
std::shared_ptr<Cudss<T>> factor_cudss(const CsrView<T>& a, MatrixKind kind, Index nrhs,
                                       const Calls& call, FactorFacts& facts) {
  if (kind == MatrixKind::positive) {
    try {
      return std::make_shared<Cudss<T>>(a, kind, nrhs, call, facts);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::not_positive_definite) throw;
    }
    kind = MatrixKind::hermitian;
  }
  return std::make_shared<Cudss<T>>(a, kind, nrhs, call, facts);
}

}  // namespace

std::string why_no_cudss(const std::string& cudss_library) {
  if (!has_cuda()) return "this build has no CUDA";
  try {
    calls(cudss_library);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

template <Scalar T>
FactorEntrants<T> make_cudss(const FactorTask<T>& task, Index nrhs,
                             const std::string& cudss_library) {
  FactorFacts facts{.contender = "cudss", .method = "cudssExecute"};
  facts.report.backend = Backend::cuda;
  const auto package =
      factor_cudss(task.a, find_matrix_kind(task.a), nrhs, calls(cudss_library), facts);
  const auto solve = [package](Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
    const auto call = [&](const Vectors<const T>& from, const Vectors<T>& to, void* stream) {
      package->solve(phase, from, to, stream);
    };
    return time_solves<T>(Backend::cuda, 1, 1, b, x, call).front();
  };
  std::vector<Phase> phases{Phase::whole};
  if (package->has_phases()) phases.insert(phases.begin(), {Phase::lower, Phase::upper});
  FactorEntrant<T> entrant{std::move(facts), {}, std::move(phases), solve, {}};
  entrant.chained = false;  // what passes from L to U stays inside cuDSS
  return {std::move(entrant)};
}

#define ECHELON_INSTANTIATE(T) \
  template FactorEntrants<T> make_cudss(const FactorTask<T>&, Index, const std::string&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
