// tests/sequence/call.cpp -- settings and calls as C++ text.
// SPDX-License-Identifier: BSD-3-Clause
#include "sequence/call.hpp"

#include <sstream>

namespace echelon::test {
namespace {

template <class E>
struct Names;  // the type's name, and its enumerators in turn

#define ECHELON_NAMES(type, ...)                              \
  template <>                                                 \
  struct Names<type> {                                        \
    static constexpr const char* of_type = #type;             \
    static constexpr const char* of_values[] = {__VA_ARGS__}; \
  }
ECHELON_NAMES(Kind, "solver", "direct", "smoother", "batch", "ranks", "bands", "tiles", "lists",
              "shares");
ECHELON_NAMES(Precision, "float32", "float64", "complex64", "complex128");
ECHELON_NAMES(Shape, "diagonal", "chain", "random", "dense", "grid", "blocks", "arrow");
ECHELON_NAMES(Method, "automatic", "serial", "level_row", "level_column", "element_row",
              "element_column", "superstep", "plain", "stream", "team", "merge", "invert_diag",
              "invert_off", "spmv", "dynamic", "invert_full", "tree");
ECHELON_NAMES(VectorUnit, "automatic", "plain", "avx2", "avx512", "neon");
ECHELON_NAMES(Backend, "cpu", "cuda");
ECHELON_NAMES(Uplo, "lower", "upper");
ECHELON_NAMES(Op, "none", "transpose", "conjugate");
ECHELON_NAMES(Diagonal, "stored", "unit");
ECHELON_NAMES(Order, "rows", "columns");
ECHELON_NAMES(Sweep, "forward", "backward", "symmetric");
ECHELON_NAMES(SweepForm, "automatic", "row", "column");
ECHELON_NAMES(BatchForm, "automatic", "interleaved", "separate");
ECHELON_NAMES(Layout, "column_major", "row_major");
ECHELON_NAMES(Action, "solve", "at_once", "update", "bad_update", "misuse", "move", "swap",
              "rebuild", "workspace", "check", "profile");
ECHELON_NAMES(Part, "plain", "transposed", "conjugated", "and_back", "lower", "upper", "triangles",
              "lower_transposed", "upper_transposed", "refined", "residual", "norms");
#undef ECHELON_NAMES

template <class V>
std::string value_text(const V& v) {
  std::ostringstream text;
  if constexpr (std::is_enum_v<V>)
    text << Names<V>::of_type << "::" << Names<V>::of_values[static_cast<std::size_t>(v)];
  else if constexpr (std::is_same_v<V, bool>)
    text << (v ? "true" : "false");
  else if constexpr (std::is_same_v<V, std::string>)
    text << '"' << v << '"';
  else
    text << v;
  return text.str();
}

template <class Record>
std::string fields_text(const Record& record) {
  std::string text;
  const Record plain;
  Record::visit(record, plain, [&](const char* name, const auto& value, const auto& other) {
    if (value == other) return;
    text += (text.empty() ? "." : ", .") + std::string(name) + " = " + value_text(value);
  });
  return '{' + text + '}';
}

}  // namespace

std::string text_of(const Setting& setting) { return fields_text(setting); }
std::string text_of(const Call& call) { return fields_text(call); }

std::string text_of(const Setting& setting, const Calls& calls) {
  static constexpr const char* subjects[] = {"solver", "direct", "smoother", "batch", "rank",
                                             "band",   "tile",   "list",     "share"};
  std::string text = std::string("expect_right(make_") +
                     subjects[static_cast<std::size_t>(setting.kind)] + "_subject, " +
                     text_of(setting) + ", {\n";
  for (const Call& call : calls) text += "    " + text_of(call) + ",\n";
  return text + "});";
}

}  // namespace echelon::test
