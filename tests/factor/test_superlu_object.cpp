// tests/factor/test_superlu_object.cpp -- reads the caller's own L and U of SuperLU.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"

#ifdef ECHELON_WITH_SUPERLU
#include "factor/superlu_calls.hpp"

namespace echelon {
namespace {

using test::factor_error;
using test::refusal;

// A caller that uses SuperLU itself, with default options.
template <class T>
struct Caller {
  SuperMatrix l{}, u{};
  std::vector<int> perm_r, perm_c;

  explicit Caller(const Csr<T>& a) : perm_r(a.rows), perm_c(a.rows) {
    Csc<T> columns = to_csc<T>(a);
    std::vector<int> start(columns.start.begin(), columns.start.end()), tree(a.rows);
    NCformat store{start.back(), columns.value.data(), columns.index.data(), start.data()};
    SuperMatrix matrix{SLU_NC, SuperluCalls<T>::type, SLU_GE, a.rows, a.cols, &store}, permuted{};
    superlu_options_t options;
    set_default_options(&options);
    get_perm_c(COLAMD, &matrix, perm_c.data());
    sp_preorder(&options, &matrix, perm_c.data(), tree.data(), &permuted);
    SuperLUStat_t statistics;
    StatInit(&statistics);
    GlobalLU_t memory;
    int_t info = 0;
    SuperluCalls<T>::factorize(&options, &permuted, sp_ienv(2), sp_ienv(1), tree.data(), nullptr, 0,
                               perm_c.data(), perm_r.data(), &l, &u, &memory, &statistics, &info);
    StatFree(&statistics);
    Destroy_CompCol_Permuted(&permuted);
  }
  ~Caller() {
    Destroy_SuperNode_Matrix(&l);
    Destroy_CompCol_Matrix(&u);
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
};

template <class T>
class LoadSuperlu : public testing::Test {};
TYPED_TEST_SUITE(LoadSuperlu, test::Scalars);

TYPED_TEST(LoadSuperlu, LooksIntoL) {
  using T = TypeParam;
  auto a = test::random_hermitian<T>(70, 4);
  a.value[1] *= T(3);  // no longer Hermitian
  const Caller<T> caller(a);
  const Factors<T> f =
      load_superlu<T>(&caller.l, &caller.u, caller.perm_r.data(), caller.perm_c.data());
  EXPECT_EQ(static_cast<const void*>(f.lower.panels.value.data()),
            static_cast<const SCformat*>(caller.l.Store)->nzval);
  EXPECT_EQ(f.ordering, "given");
  EXPECT_LT(factor_error<T>(a, f), 4);
  test::expect_well_formed(f);
}

TEST(LoadSuperluRefusals, SayWhatIsWrong) {
  Caller<double> caller(test::random_hermitian<double>(10, 2));
  const auto load = [&]<class T>(T) {
    load_superlu<T>(&caller.l, &caller.u, caller.perm_r.data(), caller.perm_c.data());
  };
  EXPECT_EQ(refusal([&] { load(1.0F); }).text,
            "load_superlu: L and U do not have the requested precision");
  EXPECT_EQ(refusal([&] {
              load_superlu<double>(&caller.l, &caller.u, nullptr, caller.perm_c.data());
            }).code,
            ErrorCode::bad_argument);
  EXPECT_EQ(refusal([&] {
              load_superlu<double>(&caller.u, &caller.l, caller.perm_r.data(),
                                   caller.perm_c.data());
            }).code,
            ErrorCode::bad_argument);
  caller.perm_r[3] = caller.perm_r[4];
  EXPECT_NE(refusal([&] { load(1.0); }).text.find("given twice"), std::string::npos);
}

}  // namespace
}  // namespace echelon
#endif
