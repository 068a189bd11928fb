// model/machine_file.cpp -- machine descriptions as text: reading, writing, and those embedded in
// the library.
// SPDX-License-Identifier: BSD-3-Clause
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <ostream>
#include <sstream>

#include "echelon/error.hpp"
#include "echelon/tools/machine.hpp"
#include "model/machine_texts.hpp"

namespace echelon {
namespace {

// The plain numbers of a file, listed once for reading and writing.
template <class M, class Visitor>
void visit_numbers(M& m, Visitor&& v) {
  v("task_s", m.task_s);
  v("row_s", m.row_s);
  v("wake_s", m.wake_s);
  v("hop_s", m.hop_s);
  v("barrier_s", m.barrier_s);
  v("block_least", m.block_least);
  v("block_most", m.block_most);
}
template <class M, class Visitor>
void visit_counts(M& m, Visitor&& v) {
  v("node_ranks", m.node_ranks);
  v("blocks", m.blocks);
}
template <class M, class Visitor>
void visit_curves(M& m, Visitor&& v) {
  v("read_alone", m.read_alone);
  v("read_shared", m.read_shared);
}

std::string quoted(std::string_view word) {
  std::string text(1, '\'');
  text.append(word).push_back('\'');
  return text;
}

class Reader {
 public:
  Reader(std::istream& in, std::string file) : in_(in), file_(std::move(file)) {}

  Machine read() {
    for (std::string text; std::getline(in_, text);) {
      ++line_;
      text.resize(std::min(text.find('#'), text.size()));
      words_.clear();
      std::istringstream words(text);
      words.exceptions(std::ios::badbit);  // std::bad_alloc, which a stream keeps to itself
      for (std::string word; words >> word;) words_.push_back(word);
      if (words_.empty()) continue;
      if (!take()) refuse("there is no such key");
    }
    words_.clear();
    if (in_.bad()) refuse("it cannot be read");
    if (machine_.name.empty()) refuse("it has no line 'name'");
    if (machine_.read_alone.empty()) refuse("it has no line 'read_alone'");
    return std::move(machine_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    std::string place = file_;
    if (!words_.empty())
      place.append(":").append(std::to_string(line_)).append(": ").append(quoted(words_[0]));
    throw Error(ErrorCode::bad_file, place + ": " + what);
  }

  bool take() {
    const std::string& key = words_[0];
    if (key == "name" || key == "source") {
      need(2, "wants a text");
      std::string& text = key == "name" ? machine_.name : machine_.source;
      for (std::size_t k = 1; k < words_.size(); ++k) text += (text.empty() ? "" : " ") + words_[k];
      return true;
    }
    if (key == "kind") return take_kind();
    if (key == "message" || key == "busy") return take_message(key == "busy");
    bool taken = false;
    visit_numbers(machine_, [&](const char* name, double& value) {
      if (key != name) return;
      only(2, "wants one number");
      value = number(words_[1]);
      taken = true;
    });
    visit_counts(machine_, [&](const char* name, Index& value) {
      if (key != name) return;
      only(2, "wants one whole number");
      const double count = number(words_[1]);
      if (count < 1 || count > 1e9 || count != std::floor(count)) refuse("wants a whole number");
      value = static_cast<Index>(count);
      taken = true;
    });
    visit_curves(machine_, [&](const char* name, Curve& value) {
      if (key != name) return;
      value = curve(1);
      taken = true;
    });
    return taken;
  }
  bool take_kind() {
    const std::string wanted = "wants " + join_names(list_names<MachineKind>());
    only(2, wanted.c_str());
    for (const Named<MachineKind>& row : names_of<MachineKind>)
      if (words_[1] == row.name) {
        machine_.kind = row.value;
        return true;
      }
    refuse(wanted);
    return true;
  }
  bool take_message(bool busy) {
    need(4, "wants an engine, node or network, and numbers");
    if (words_[2] != "node" && words_[2] != "network") refuse("wants node or network after engine");
    Messages& both = machine_.messages[words_[1]];
    MessageCost& cost = words_[2] == "node" ? both.node : both.network;
    if (!busy) {
      cost.seconds = curve(3);
      return true;
    }
    if (words_.size() != 6) only(5, "wants seconds of the sender, of the receiver and of a poll");
    cost.send_s = number(words_[3]);
    cost.receive_s = number(words_[4]);
    if (words_.size() == 6) cost.poll_s = number(words_[5]);
    return true;
  }

  void need(std::size_t words, const char* what) const {
    if (words_.size() < words) refuse(what);
  }
  void only(std::size_t words, const char* what) const {
    if (words_.size() != words) refuse(what);
  }
  double number(std::string_view text) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
        value < 0)
      refuse(quoted(text) + " is no number from 0 on");
    return value;
  }
  Curve curve(std::size_t from) const {
    need(from + 1, "wants pairs such as 1024:2e-6");
    Curve curve;
    for (std::size_t k = from; k < words_.size(); ++k) {
      const std::string_view word = words_[k];
      const std::size_t colon = word.find(':');
      if (colon == word.npos) refuse("wants pairs such as 1024:2e-6, not " + quoted(word));
      const double x = number(word.substr(0, colon)), y = number(word.substr(colon + 1));
      if (!(x > 0) || !(y > 0)) refuse(quoted(word) + ": both must be more than 0");
      if (!curve.x.empty() && x <= curve.x.back()) refuse(quoted(word) + ": must rise");
      curve.x.push_back(x);
      curve.y.push_back(y);
    }
    return curve;
  }

  std::istream& in_;
  std::string file_;
  Machine machine_;
  Index line_ = 0;
  std::vector<std::string> words_;
};

std::string text_of(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return {text, end};
}
std::string text_of(const Curve& curve) {
  std::string text;
  for (std::size_t k = 0; k < curve.x.size(); ++k)
    text.append(1, ' ').append(text_of(curve.x[k])).append(1, ':').append(text_of(curve.y[k]));
  return text;
}

}  // namespace

Machine read_machine(std::istream& in, const std::string& name) { return Reader(in, name).read(); }

Machine read_machine(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw Error(ErrorCode::bad_file, path + ": cannot be opened");
  return read_machine(in, path);
}

void write_machine(std::ostream& out, const Machine& m) {
  out << "name " << m.name << '\n';
  if (!m.source.empty()) out << "source " << m.source << '\n';
  out << "kind " << name(m.kind) << '\n';
  visit_counts(m, [&](const char* key, const Index& value) {
    if (value != 1) out << key << ' ' << value << '\n';
  });
  visit_curves(m, [&](const char* key, const Curve& value) {
    if (!value.empty()) out << key << text_of(value) << '\n';
  });
  visit_numbers(m, [&](const char* key, const double& value) {
    if (value != 0) out << key << ' ' << text_of(value) << '\n';
  });
  for (const auto& [engine, both] : m.messages)
    for (const bool node : {true, false}) {
      const MessageCost& cost = node ? both.node : both.network;
      if (cost.seconds.empty()) continue;
      const std::string whose = engine + (node ? " node" : " network");
      out << "message " << whose << text_of(cost.seconds) << "\nbusy " << whose << ' '
          << text_of(cost.send_s) << ' ' << text_of(cost.receive_s) << ' ' << text_of(cost.poll_s)
          << '\n';
    }
}

std::vector<std::string> known_machines() {
  std::vector<std::string> names;
  for (const MachineText& text : machine_texts()) names.emplace_back(text.name);
  return names;
}

Machine known_machine(const std::string& name) {
  std::string known;
  for (const MachineText& text : machine_texts()) {
    if (name == text.name) {
      std::istringstream in{std::string(text.text)};
      in.exceptions(std::ios::badbit);  // std::bad_alloc, which a stream keeps to itself
      return read_machine(in, name);
    }
    known += (known.empty() ? "" : ", ") + std::string(text.name);
  }
  throw Error(ErrorCode::bad_argument,
              "there is no machine '" + name + "' here; known are " + known);
}

}  // namespace echelon
