// tests/direct/test_profile.cpp -- the profile of a solve with factors on a GPU, by step and by
// level.
// SPDX-License-Identifier: BSD-3-Clause
#include "direct/direct_cases.hpp"
#include "support/device.hpp"

namespace echelon {
namespace {

using test::refusal;

Options on_device(Method method) {
  Options o = test::direct_options(method);
  o.backend = Backend::cuda;
  o.cuda = test::cuda_options();
  return o;
}

template <class T>
class ProfileOnDevice : public test::OnDevice {};
TYPED_TEST_SUITE(ProfileOnDevice, test::Scalars);

TYPED_TEST(ProfileOnDevice, HasEveryStepOfASolve) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    const DirectSolver<T> solver(c.factor(c.a), on_device(Method::automatic));
    const Index n = c.a.rows, count = 19;  // several passes
    const auto size = static_cast<std::size_t>(n) * count;
    const auto b = test::random_vector<T>(size);
    std::vector<T> expected(size), x(size);
    solver.solve(Vectors<const T>(b.data(), n, count), Vectors<T>(expected.data(), n, count));
    const DirectProfile p = solver.profile({b.data(), n, count}, {x.data(), n, count});
    EXPECT_EQ(x, expected) << c.name;
    for (const double seconds :
         {p.copy_in_s, p.permute_in_s, p.lower_s, p.upper_s, p.permute_out_s, p.copy_out_s})
      EXPECT_GT(seconds, 0) << c.name;
    const DeviceVector<T> given{std::span<const T>(b)}, found(size);
    const DirectProfile there = solver.profile({given.data(), n, count}, {found.data(), n, count});
    EXPECT_EQ(found.to_host(), expected) << c.name;
    EXPECT_EQ(there.copy_in_s, 0) << c.name;
    EXPECT_EQ(there.copy_out_s, 0) << c.name;
  }
}

TYPED_TEST(ProfileOnDevice, HasEveryLevelThatIsLaunched) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>())
    for (const Method method : {Method::team, Method::merge, Method::invert_diag,
                                Method::invert_off, Method::spmv, Method::tree}) {
      const DirectSolver<T> solver(c.factor(c.a), on_device(method));
      const Index n = c.a.rows;
      for (const Index count : {1, 19}) {
        const auto b = test::random_vector<T>(static_cast<std::size_t>(n) * count);
        const DeviceVector<T> given{std::span<const T>(b)}, found(b.size()), plain(b.size());
        for (const Uplo part : {Uplo::lower, Uplo::upper}) {
          SCOPED_TRACE(c.name + " " + name(method));
          const Vectors<const T> from(given.data(), n, count);
          const Vectors<T> to(plain.data(), n, count);
          part == Uplo::lower ? solver.solve(from, to, {.part = Part::lower})
                              : solver.solve(from, to, {.part = Part::upper});
          const auto levels = solver.profile_levels(part, from, {found.data(), n, count});
          if (method == Method::tree) {
            EXPECT_TRUE(levels.empty()) << "one launch for all";
            continue;
          }
          EXPECT_EQ(found.to_host(), plain.to_host());
          ASSERT_FALSE(levels.empty());
          for (const LevelTime& level : levels) {
            if (level.work.blocks == 0) continue;  // a sparse matrix without rows
            EXPECT_GT(level.work.bytes, 0);
            EXPECT_GT(level.seconds, 0);
          }
        }
      }
    }
}

TEST(ProfileOnTheCpu, IsRefused) {
  const auto a = test::tridiagonal<double>(5);
  const DirectSolver<double> solver(factor_ilu0<double>(a));
  std::vector<double> x(5, 1.0);
  const Vectors<const double> b(x.data(), 5);
  const Vectors<double> to(x.data(), 5);
  for (const auto& refused : {refusal([&] { solver.profile(b, to); }),
                              refusal([&] { solver.profile_levels(Uplo::lower, b, to); })}) {
    EXPECT_EQ(refused.code, ErrorCode::bad_argument);
    EXPECT_NE(refused.text.find("backend cuda"), std::string::npos);
  }
}

}  // namespace
}  // namespace echelon
