// bindings/c/report.hpp -- the fields of reports by name.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "echelon/batch.hpp"
#include "echelon/direct.hpp"
#include "echelon/export.hpp"
#include "echelon/names.hpp"
#include "echelon/smoother.hpp"
#include "echelon/tools/set_by_name.hpp"
#include "guard.hpp"

namespace echelon::c {

// Called with each field of a report; finds the one named.
class ECHELON_EXPORT FieldFinder {
 public:
  explicit FieldFinder(std::string name) : name_(std::move(name)) {}

  template <class Value>
  void operator()(const std::string& name, const Value& value) {
    if constexpr (std::is_same_v<Value, SupernodeReport>) {
      visit_supernodes(name + ".", value);
    } else {
      names_.push_back(name);
      if (name == name_) take(value);
    }
  }
  // The text; `number` is set if it is not null.  Throws bad_argument: no such field, no number.
  std::string result(double* number) const;

 private:
  template <class Value>
  void take(const Value& value) {
    found_ = true;
    if constexpr (std::is_arithmetic_v<Value>) {
      is_number_ = true;
      number_ = static_cast<double>(value);
      char text[32];
      if constexpr (std::is_same_v<Value, bool>)
        text_ = value ? "true" : "false";
      else
        text_.assign(text, std::to_chars(text, text + sizeof text, value).ptr);
    } else if constexpr (HasNames<Value>) {
      text_ = echelon::name(value);
    } else {
      text_ = value;
    }
  }
  void visit_supernodes(const std::string& prefix, const SupernodeReport& r);

  std::string name_, text_;
  double number_ = 0;
  bool found_ = false, is_number_ = false;
  std::vector<std::string> names_;
};

void visit_report(const SolverReport& r, FieldFinder& field);
void visit_report(const DirectReport& r, FieldFinder& field);
void visit_report(const GaussSeidelReport& r, FieldFinder& field);
void visit_report(const BatchReport& r, FieldFinder& field);

template <class Report>
std::string find_field(const Report& report, const std::string& name, double* number) {
  FieldFinder field(name);
  visit_report(report, field);
  return field.result(number);
}

template <class Report>
std::string report_text(const Report& report) {
  std::ostringstream text;
  text << report;
  return text.str();
}

}  // namespace echelon::c
