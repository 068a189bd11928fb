// bench/model/one_machine.cpp -- prints the estimates of the one-machine model, and the choices
// made from them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reads requests from standard input, replies with one JSON object per line, for one_machine.py:
//   rows MATRIX                                     both triangles of a recipe or a file, by rows
//   panels METHOD cpu|gpu THREADS N PANELS LEVELS BYTES VALUE_BYTES   a triangle in panels
#include <array>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "echelon/echelon.hpp"

namespace echelon {
namespace {

constexpr std::array by_rows{Method::serial,       Method::superstep,   Method::level_row,
                             Method::level_column, Method::element_row, Method::element_column};
constexpr Index most_threads = 2;  // of the machine of the CPU results

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string text_of(const Estimate& e) {
  return "{\"total_s\":" + text_of(e.total_s) + ",\"read_s\":" + text_of(e.read_s) +
         ",\"path_s\":" + text_of(e.path_s) + ",\"task_s\":" + text_of(e.task_s) + ",\"limit\":\"" +
         e.limit + "\"}";
}

std::string estimates_of(const RowFacts& facts, MachineKind kind) {
  std::string text;
  for (const Method method : by_rows) {
    if (kind == MachineKind::gpu && method == Method::serial) continue;
    const Estimate e = estimate_rows(method, facts, default_machine(kind));
    text += (text.empty() ? "{\"" : ",\"") + std::string(name(method)) + "\":" + text_of(e);
  }
  return text + "}";
}

void answer_triangle(const Csr<double>& a, const std::string& matrix, Uplo uplo) {
  const TrianglePattern t{a.pattern(), uplo, Op::none, Diagonal::stored, OutsideEntries::ignore};
  const DependencyGraph g = find_dependency_graph(t, Order::rows, 1);
  const Levels levels = find_levels(g);
  RowFacts facts = find_row_facts(g, levels);
  facts.bands_s = choose_bands(g, levels, {}, 1).seconds;
  const Choice on_gpu = choose_on_device({facts, count_near_entries(g)});

  std::string cpu, chosen;
  for (Index threads = 1; threads <= most_threads; ++threads) {
    Workload w{g.n, g.nonzeros, levels.count, threads, 1000, 1};
    Choice choice;
    facts.threads = threads;
    facts.superstep_speedup = 1;
    if (threads > 1 && g.n > levels.count) {
      const LevelSets sets = find_level_sets(g, levels);
      facts.superstep_speedup = find_supersteps(g, sets, threads, {}, 1).speedup();
    }
    if (worth_a_schedule(w, choice)) {
      w.superstep_speedup = facts.superstep_speedup;
      choice = choose_method(w);
    }
    const std::string key = (threads > 1 ? ",\"" : "\"") + std::to_string(threads) + "\":";
    cpu += key + estimates_of(facts, MachineKind::cpu);
    chosen += key + "\"" + name(choice.method) + "\"";
  }
  std::cout << "{\"input\":\"" << matrix << "\",\"part\":\""
            << (uplo == Uplo::lower ? "lower" : "upper") << "\",\"n\":" << facts.n
            << ",\"nonzeros\":" << facts.nonzeros << ",\"levels\":" << facts.levels
            << ",\"wide_levels\":" << facts.wide_levels
            << ",\"superstep_speedup\":" << text_of(facts.superstep_speedup)
            << ",\"bands_s\":" << text_of(facts.bands_s) << ",\"bytes\":" << text_of(facts.bytes())
            << ",\"chosen\":{" << chosen << ",\"gpu\":\"" << name(on_gpu.method) << "\"},\"cpu\":{"
            << cpu << "},\"gpu\":" << estimates_of(facts, MachineKind::gpu) << "}" << std::endl;
}

void answer_rows(std::istream& words) {
  std::string matrix;
  words >> matrix;
  const Csr<double> a =
      is_spec(matrix) ? generate<double>(matrix) : read_matrix_market<double>(matrix);
  answer_triangle(a, matrix, Uplo::lower);
  answer_triangle(a, matrix, Uplo::upper);
}

void answer_panels(std::istream& words) {
  std::string method, kind;
  PanelFacts facts;
  words >> method >> kind >> facts.threads >> facts.n >> facts.panels >> facts.levels >>
      facts.stored_bytes >> facts.value_bytes;
  if (!words) throw Error(ErrorCode::bad_argument, "a line 'panels' wants eight words");
  const Machine& m = default_machine(kind == "gpu" ? MachineKind::gpu : MachineKind::cpu);
  std::cout << text_of(estimate_panels(parse_method(method), facts, m)) << std::endl;
}

}  // namespace
}  // namespace echelon

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string what;
      words >> what;
      if (what == "rows")
        echelon::answer_rows(words);
      else if (what == "panels")
        echelon::answer_panels(words);
      else
        throw echelon::Error(echelon::ErrorCode::bad_argument, "no such line: " + line);
    }
  } catch (const std::exception& error) {
    std::cerr << "one_machine: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
