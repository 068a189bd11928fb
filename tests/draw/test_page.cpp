// tests/draw/test_page.cpp -- a page without external references.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/error.hpp"
#include "read_picture.hpp"
#include "support/refusal.hpp"

namespace echelon::test {
namespace {

HtmlPage small_page() {
  HtmlPage page("L of <A>");
  page.add_heading("Facts & figures");
  page.add_text("Some words.");
  page.add_table({{"", "lower", "upper"}, {"levels", "3", "4"}});
  Canvas c(30, 20);
  c.text({3, 10}, "a<b");
  page.add_figure(c, "A picture.");
  return page;
}

TEST(Pages, HoldWhatWasAddedInTurn) {
  const std::string text = small_page().text();
  std::string names;
  for (const Element& e : read_elements(text, {"meta"}))
    if (e.name != "meta" && e.name != "style") names += e.name + " ";
  EXPECT_EQ(
      names,
      "html head title body main h1 h2 p div table tr th th th tr td td td figure svg path text "
      "figcaption ");
  EXPECT_NE(text.find("<h1>L of &lt;A&gt;</h1>"), std::string::npos);
  EXPECT_NE(text.find("<h2>Facts &amp; figures</h2>"), std::string::npos);
  EXPECT_NE(text.find("<td>levels</td><td>3</td><td>4</td>"), std::string::npos);
}

TEST(Pages, AskForNothingElse) {
  const std::string text = small_page().text();
  for (const char* part : {"http:", "https:", "src=", "href=", "<script", "@import", "url("})
    EXPECT_EQ(text.find(part), std::string::npos) << part;
}

TEST(Pages, AreNotWrittenWhereTheyCannotBe) {
  const auto r = refusal([] { small_page().write("/no/such/folder/page.html"); });
  EXPECT_EQ(r.code, ErrorCode::bad_file);
  EXPECT_NE(r.text.find("/no/such/folder/page.html"), std::string::npos);
}

}  // namespace
}  // namespace echelon::test
