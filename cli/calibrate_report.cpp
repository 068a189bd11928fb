// cli/calibrate_report.cpp -- reports a measured machine as a machine file, a table or JSON.
// SPDX-License-Identifier: BSD-3-Clause
#include "calibrate_report.hpp"

#include <iostream>
#include <sstream>

#include "echelon/tools/whole_files.hpp"
#include "echelon/version.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

// Measurements have at most four significant digits.
void round_number(double& value) { value = std::stod(digits(value, 4)); }
void round_numbers(Machine& m) {
  const auto round_cost = [](MessageCost& cost) {
    for (double& seconds : cost.seconds.y) round_number(seconds);
    round_number(cost.send_s);
    round_number(cost.receive_s);
    round_number(cost.poll_s);
  };
  for (Curve* const curve : {&m.read_alone, &m.read_shared})
    for (double& speed : curve->y) round_number(speed);
  for (double* const value :
       {&m.task_s, &m.row_s, &m.wake_s, &m.hop_s, &m.barrier_s, &m.block_least, &m.block_most})
    round_number(*value);
  for (auto& [engine, both] : m.messages) {
    round_cost(both.node);
    round_cost(both.network);
  }
}

std::string bytes_text(double bytes) {
  if (bytes < 1024) return digits(bytes) + " B";
  if (bytes < 1024 * 1024) return digits(bytes / 1024) + " KiB";
  return digits(bytes / (1024 * 1024)) + " MiB";
}
std::string speed_text(double bytes) { return bytes > 0 ? fixed(bytes * 1e-9, 1) : "-"; }
std::string measured_text(double seconds) {
  return seconds > 0 ? time_text(seconds) : "not measured";
}

void print_reading(std::ostream& out, const Machine& m) {
  Table table({"bytes read repeatedly", "GB/s alone", "GB/s, all at once"});
  for (std::size_t k = 0; k < m.read_alone.x.size(); ++k) {
    const bool both = k < m.read_shared.x.size();
    table.add({bytes_text(m.read_alone.x[k]), speed_text(m.read_alone.y[k]),
               speed_text(both ? m.read_shared.y[k] : 0)});
  }
  table.print(out);
}

void print_messages(std::ostream& out, const Machine& m) {
  if (m.messages.empty()) return;
  Table table({"messages", "", "8 B", "1 KiB", "64 KiB", "sender", "receiver"}, 2);
  for (const auto& [engine, both] : m.messages)
    for (const bool node : {true, false}) {
      const MessageCost& c = node ? both.node : both.network;
      if (c.seconds.empty()) continue;
      table.add({engine, node ? "node" : "network", time_text(c.time(8)), time_text(c.time(1024)),
                 time_text(c.time(65536)), time_text(c.send_s), time_text(c.receive_s)});
    }
  table.print(out);
}

void print_table(std::ostream& out, const Machine& m) {
  out << m.name << '\n';
  print_reading(out, m);
  print_fact(out, "a task", measured_text(m.task_s));
  print_fact(out, "a row", measured_text(m.row_s));
  print_fact(out, m.kind == MachineKind::gpu ? "a launch" : "waking a team",
             measured_text(m.wake_s));
  print_fact(out, "a hop", measured_text(m.hop_s));
  print_fact(out, m.kind == MachineKind::gpu ? "a level" : "a barrier", measured_text(m.barrier_s));
  if (m.kind == MachineKind::gpu)
    print_fact(out, "a thread block",
               speed_text(m.block_least) + " to " + speed_text(m.block_most) + " GB/s; " +
                   grouped(m.blocks) + " reach full bandwidth");
  print_messages(out, m);
}

Json to_json(const Curve& curve) {
  Json points = Json::array();
  for (std::size_t k = 0; k < curve.x.size(); ++k)
    points.push(Json::array().push(curve.x[k]).push(curve.y[k]));
  return points;
}

Json message_costs(const Machine& m) {
  Json list = Json::array();
  for (const auto& [engine, both] : m.messages)
    for (const bool node : {true, false}) {
      const MessageCost& c = node ? both.node : both.network;
      if (c.seconds.empty()) continue;
      list.push(Json::object()
                    .set("engine", engine)
                    .set("where", node ? "node" : "network")
                    .set("message_s", to_json(c.seconds))
                    .set("send_s", c.send_s)
                    .set("receive_s", c.receive_s)
                    .set("poll_s", c.poll_s));
    }
  return list;
}

Json to_json(const Machine& m, const std::string& program, const std::string& out) {
  Json document = begin_document(program, "calibrate");
  document.set("name", m.name)
      .set("source", m.source)
      .set("backend", m.kind == MachineKind::gpu ? "cuda" : "cpu")
      .set("node_ranks", m.node_ranks)
      .set("read_alone", to_json(m.read_alone))
      .set("read_shared", to_json(m.read_shared))
      .set("task_s", m.task_s)
      .set("row_s", m.row_s)
      .set("wake_s", m.wake_s)
      .set("hop_s", m.hop_s)
      .set("barrier_s", m.barrier_s);
  if (m.kind == MachineKind::gpu)
    document.set("block_min", m.block_least)
        .set("block_max", m.block_most)
        .set("thread_blocks", m.blocks);
  return document.set("message_costs", message_costs(m)).set("out", or_null(out));
}

}  // namespace

Machine calibrate_cores(const CalibrateRequest& request) {
  Progress progress("calibrating");
  CalibrateOptions options = request.options();
  options.progress = [&](double share) { progress.update(share); };
  return calibrate_cpu(options);
}

void add_calibrate_flags(CLI::App& app, CalibrateRequest& request) {
  add_out(app, request.out, "the machine file to write [standard output]");
  app.add_flag("--quick", request.quick, "take one or two seconds; less accurate");
  add_json(app, request.json);
}

std::string name_machine(const std::string& model, Index count, const std::string& unit) {
  // Single blanks only, and no character that begins a comment.
  std::istringstream words(model);
  std::string text;
  for (std::string word; words >> word;) {
    std::erase(word, '#');
    if (!word.empty()) text += (text.empty() ? "" : " ") + word;
  }
  if (text.empty()) text = "unknown processor";
  return text + ", " + std::to_string(count) + " " + unit + (count == 1 ? "" : "s");
}

void report_machine(const CalibrateRequest& request, Machine machine, const std::string& program) {
  round_numbers(machine);
  machine.source = program + " calibrate, " + date_now() + ", " ECHELON_VERSION;
  if (!request.out.empty()) {
    std::ostringstream text;
    write_machine(text, machine);
    write_text(request.out, text.str());
  }
  if (request.json) return print(to_json(machine, program, request.out));
  if (request.out.empty()) write_machine(std::cout, machine);
  std::cout.flush();
  print_table(std::cerr, machine);
}

}  // namespace echelon::cli
