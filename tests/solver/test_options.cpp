// tests/solver/test_options.cpp -- names of methods, options by name, near misses.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/solver.hpp"

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

TEST(Method, NamesGoBothWaysAndThePapersNamesWorkToo) {
  for (const Method m : {Method::automatic, Method::serial, Method::level_row, Method::level_column,
                         Method::element_row, Method::element_column, Method::superstep})
    EXPECT_EQ(parse_method(name(m)), m);
  EXPECT_EQ(parse_method("LEVR"), Method::level_row);
  EXPECT_EQ(parse_method("ELMC"), Method::element_column);
  EXPECT_THROW(parse_method("fast"), Error);
  EXPECT_THROW(parse_method(""), Error);
}

TEST(SetOption, ReachesEveryRoom) {
  Options o;
  set_option(o, "method", "element_row");
  set_option(o, "cpu.threads", "3");
  set_option(o, "schedule.hop", "12.5");
  set_option(o, "deterministic", "true");
  EXPECT_EQ(o.method, Method::element_row);
  EXPECT_EQ(o.cpu.threads, 3);
  EXPECT_EQ(o.schedule.hop, 12.5);
  EXPECT_TRUE(o.deterministic);
}

TEST(SetOption, ListsNearNamesWhenThereIsNoSuchOption) {
  EXPECT_EQ(complaint("cpu.thread", "3"),
            "there is no option 'cpu.thread'; near it are: cpu.threads");
  EXPECT_NE(complaint("zzzzzzzzzzzzzz", "3").find("method, expected_solves"), std::string::npos);
}

TEST(SetOption, RefusesWhatIsNoSuchValue) {
  EXPECT_EQ(complaint("cpu.threads", "two"), "option cpu.threads is a number, not 'two'");
  EXPECT_EQ(complaint("cpu.threads", "2x"), "option cpu.threads is a number, not '2x'");
  EXPECT_EQ(complaint("deterministic", "maybe"),
            "option deterministic is true or false, not 'maybe'");
}

}  // namespace
}  // namespace echelon
