// bench/support/left_out.cpp -- the other libraries' contenders in a build without them.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_solve/factor_contender.hpp"
#include "general/contender.hpp"
#include "support/cusparse.hpp"

namespace echelon::bench {
namespace {

const char* const reason = "left out of this program; -DECHELON_BUILD_BENCH=ON builds it in";

[[noreturn]] void refuse() { throw Error(ErrorCode::backend_missing, reason); }

}  // namespace

std::string why_no_eigen() { return reason; }
std::string why_no_mkl(const Settings&) { return reason; }
std::string why_no_scipy(const Settings&) { return reason; }
std::string why_no_cholmod() { return reason; }
std::string why_no_superlu() { return reason; }
std::string why_no_umfpack() { return reason; }
std::string why_no_klu() { return reason; }
std::string why_no_pardiso(const std::string&) { return reason; }
std::string why_no_cudss(const std::string&) { return reason; }
std::string why_no_cusparse() { return reason; }

template <Scalar T>
Entrant<T> make_eigen(const Task<T>&) {
  refuse();
}
template <Scalar T>
Entrant<T> make_mkl(const Task<T>&, Index, const Settings&) {
  refuse();
}
template <Scalar T>
Entrant<T> make_scipy(const Task<T>&, const Settings&) {
  refuse();
}
template <Scalar T>
Entrant<T> make_cusparse(const Task<T>&) {
  refuse();
}
template <Scalar T>
FactorEntrants<T> make_cholmod(const FactorTask<T>&, const std::vector<Index>&) {
  refuse();
}
template <Scalar T>
FactorEntrants<T> make_superlu(const FactorTask<T>&, const std::vector<Index>&) {
  refuse();
}
template <Scalar T>
FactorEntrants<T> make_umfpack(const FactorTask<T>&) {
  refuse();
}
template <Scalar T>
FactorEntrants<T> make_klu(const FactorTask<T>&) {
  refuse();
}
template <Scalar T>
FactorEntrants<T> make_cudss(const FactorTask<T>&, Index, const std::string&) {
  refuse();
}
template <Scalar T>
FactorEntrants<T> make_pardiso(const FactorTask<T>&, const std::vector<Index>&,
                               const std::string&) {
  refuse();
}
template <Scalar T>
FactorEntrants<T> make_cusparse(const FactorTask<T>&, Index) {
  refuse();
}

#define ECHELON_INSTANTIATE(T)                                                              \
  template Entrant<T> make_eigen(const Task<T>&);                                           \
  template Entrant<T> make_mkl(const Task<T>&, Index, const Settings&);                     \
  template Entrant<T> make_scipy(const Task<T>&, const Settings&);                          \
  template Entrant<T> make_cusparse(const Task<T>&);                                        \
  template FactorEntrants<T> make_cholmod(const FactorTask<T>&, const std::vector<Index>&); \
  template FactorEntrants<T> make_superlu(const FactorTask<T>&, const std::vector<Index>&); \
  template FactorEntrants<T> make_umfpack(const FactorTask<T>&);                            \
  template FactorEntrants<T> make_klu(const FactorTask<T>&);                                \
  template FactorEntrants<T> make_cudss(const FactorTask<T>&, Index, const std::string&);   \
  template FactorEntrants<T> make_pardiso(const FactorTask<T>&, const std::vector<Index>&,  \
                                          const std::string&);                              \
  template FactorEntrants<T> make_cusparse(const FactorTask<T>&, Index);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
