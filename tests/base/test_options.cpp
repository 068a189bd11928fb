// tests/base/test_options.cpp -- options by name, near misses, what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/options.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

std::string complaint(std::string_view path, std::string_view text) {
  Options o;
  try {
    set_option(o, path, text);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_argument);
    return e.what();
  }
  return "";
}

TEST(SetOption, ReachesEveryRoom) {
  Options o;
  set_option(o, "method", "element_row");
  set_option(o, "cpu.threads", "3");
  set_option(o, "schedule.hop", "12.5");
  set_option(o, "deterministic", "true");
  set_option(o, "measure", "false");
  set_option(o, "supernode.level_work", "5e4");
  set_option(o, "cpu.vector_unit", "avx2");
  EXPECT_EQ(o.method, Method::element_row);
  EXPECT_EQ(o.cpu.threads, 3);
  EXPECT_EQ(o.schedule.hop, 12.5);
  EXPECT_TRUE(o.deterministic);
  EXPECT_FALSE(o.measure);
  EXPECT_EQ(o.supernode.level_work, 5e4);
  EXPECT_EQ(o.cpu.vector_unit, VectorUnit::avx2);
}

TEST(SetOption, ListsNearNamesWhenThereIsNoSuchOption) {
  EXPECT_EQ(complaint("cpu.thread", "3"),
            "there is no option 'cpu.thread'; near it are: cpu.threads");
  EXPECT_NE(complaint("zzzzzzzzzzzzzz", "3").find("method, backend, expected_solves"),
            std::string::npos);
}

TEST(SetOption, RefusesWhatIsNoSuchValue) {
  EXPECT_EQ(complaint("cpu.threads", "two"), "option cpu.threads is a number, not 'two'");
  EXPECT_EQ(complaint("cpu.threads", "2x"), "option cpu.threads is a number, not '2x'");
  EXPECT_EQ(complaint("deterministic", "maybe"),
            "option deterministic is true or false, not 'maybe'");
  EXPECT_EQ(complaint("cpu.vector_unit", "sse"),
            "option cpu.vector_unit is automatic, plain, avx2, avx512 or neon, not 'sse'");
  EXPECT_EQ(complaint("backend", "gpu"), "option backend is cpu or cuda, not 'gpu'");
  EXPECT_EQ(complaint("supernode.direction", "up"),
            "option supernode.direction is automatic, push or pull, not 'up'");
}

TEST(Backend, CudaTakesAllMethodsButSerial) {
  const auto refused = [](const Options& o) { return test::refusal([&] { check_options(o); }); };
  const auto r = refused({.method = Method::serial, .backend = Backend::cuda});
  EXPECT_EQ(r.code, ErrorCode::bad_argument);
  EXPECT_EQ(r.text, "method serial runs on the CPU alone; backend cuda takes all others");
  for (const Method method : {Method::level_column, Method::element_column}) {
    EXPECT_EQ(refused({.method = method, .backend = Backend::cuda}).code, ErrorCode{});
    EXPECT_NE(refused({.method = method, .backend = Backend::cuda, .deterministic = true})
                  .text.find("not deterministic"),
              std::string::npos);
  }
  for (const Method method : {Method::automatic, Method::level_row, Method::element_row,
                              Method::superstep, Method::plain, Method::spmv, Method::tree})
    EXPECT_EQ(refused({.method = method, .backend = Backend::cuda, .deterministic = true}).code,
              ErrorCode{});
  EXPECT_EQ(refused({.cuda = {.watchdog_ms = -1}}).code, ErrorCode::bad_argument);
  EXPECT_EQ(refused({.cuda = {.blocks = -1}}).code, ErrorCode::bad_argument);
}

TEST(Backend, CudaHasItsOwnSupernodesForTree) {
  const SupernodeOptions usual;
  EXPECT_EQ(supernode_options({}, Method::tree).max_panel_columns, usual.max_panel_columns);
  Options o{.backend = Backend::cuda};
  EXPECT_EQ(supernode_options(o, Method::invert_off).panel_work, usual.panel_work);
  EXPECT_GT(supernode_options(o, Method::tree).panel_work, usual.panel_work);
  EXPECT_GT(supernode_options(o, Method::tree).max_panel_columns, usual.max_panel_columns);
  o.supernode.max_panel_columns = 100;
  EXPECT_EQ(supernode_options(o, Method::tree).max_panel_columns, 100);
  EXPECT_EQ(supernode_options(o, Method::tree).subtree_share, 0);
  EXPECT_TRUE(supernode_options(o, Method::tree).merge_siblings);
}

TEST(Backend, BandOptionsAreChecked) {
  const auto text = [](const CudaOptions& o) {
    return test::refusal([&] { check_options({.backend = Backend::cuda, .cuda = o}); }).text;
  };
  EXPECT_EQ(text({.bands = -1}), "cuda.bands and cuda.band_levels cannot be negative");
  EXPECT_EQ(text({.band_levels = -1}), "cuda.bands and cuda.band_levels cannot be negative");
  EXPECT_EQ(text({.band_threads = 48}),
            "cuda.band_threads is 0, to be chosen, or 32, 64, 96, ... up to 256");
  EXPECT_EQ(text({.shared_memory = 16}),
            "cuda.shared_memory is 0, for all the device has, or KiB from 48 on, which all have");
  EXPECT_EQ(text({.shared_memory = 48}), "");
  EXPECT_EQ(text({.right_sides = 0}), "cuda.right_sides must be at least 1");
  EXPECT_EQ(text({.rhs_per_pass = 257}), "cuda.rhs_per_pass is a number from 0 to 256");
}

}  // namespace
}  // namespace echelon
