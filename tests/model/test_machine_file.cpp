// tests/model/test_machine_file.cpp -- machines as text: valid files, errors with line and key, and
// the meaning of the numbers.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <sstream>

#include "echelon/tools/machine.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;

const std::string good = R"(# a machine
name         Some   Machine   # with blanks
source       a paper, page 3
kind         gpu
node_ranks   4
read_alone   1024:8e9 4096:4e9
read_shared  1024:6e9 4096:1e9
task_s       3e-7
row_s        2e-9
wake_s       1e-5
hop_s        1e-6
barrier_s    2e-6
block_least  1.3e9
block_most   5.2e9
blocks       160

message      payload network 8:1e-6 64:2e-6 256:4e-6
busy         payload network 3e-7 2e-7
message      payload node    8:5e-7
message      counter node    8:7e-7
)";

Machine read_text(const std::string& text) {
  std::istringstream in(text);
  return read_machine(in, "some.txt");
}

TEST(MachineFile, IsReadKeyByKey) {
  const Machine m = read_text(good);
  EXPECT_EQ(m.name, "Some Machine");
  EXPECT_EQ(m.source, "a paper, page 3");
  EXPECT_EQ(m.kind, MachineKind::gpu);
  EXPECT_EQ(m.node_ranks, 4);
  EXPECT_EQ(m.read_alone.x, (std::vector<double>{1024, 4096}));
  EXPECT_EQ(m.read_shared.y, (std::vector<double>{6e9, 1e9}));
  EXPECT_EQ(m.task_s, 3e-7);
  EXPECT_EQ(m.row_s, 2e-9);
  EXPECT_EQ(m.wake_s, 1e-5);
  EXPECT_EQ(m.hop_s, 1e-6);
  EXPECT_EQ(m.barrier_s, 2e-6);
  EXPECT_EQ(m.block_least, 1.3e9);
  EXPECT_EQ(m.block_most, 5.2e9);
  EXPECT_EQ(m.blocks, 160);
  EXPECT_EQ(m.message("payload", false).send_s, 3e-7);
  EXPECT_EQ(m.message("payload", false).receive_s, 2e-7);
  EXPECT_EQ(m.message("payload", true).latency_s(), 5e-7);
}

TEST(MachineFile, IsWrittenAsItIsRead) {
  std::ostringstream once, twice;
  write_machine(once, read_text(good));
  write_machine(twice, read_text(once.str()));
  EXPECT_EQ(once.str(), twice.str());
  EXPECT_EQ(read_text(once.str()).message("counter", true).latency_s(), 7e-7);
}

TEST(MachineFile, RefusesByLineAndKey) {
  struct Case {
    std::string line, part;
  };
  const Case cases[] = {
      {"speed 3", "'speed': there is no such key"},
      {"name", "'name': wants a text"},
      {"kind tpu", "'kind': wants cpu or gpu"},
      {"kind cpu gpu", "'kind': wants cpu or gpu"},
      {"task_s", "'task_s': wants one number"},
      {"task_s 1 2", "'task_s': wants one number"},
      {"task_s fast", "'task_s': 'fast' is no number from 0 on"},
      {"task_s 1e-7s", "'1e-7s' is no number"},
      {"task_s -1", "'-1' is no number"},
      {"task_s inf", "'inf' is no number"},
      {"node_ranks 2.5", "'node_ranks': wants a whole number"},
      {"blocks 0", "'blocks': wants a whole number"},
      {"read_alone", "'read_alone': wants pairs"},
      {"read_alone 1024", "not '1024'"},
      {"read_alone 1024:0", "'read_alone': '1024:0': both must be more than 0"},
      {"read_alone 4096:1 1024:1", "'1024:1': must rise"},
      {"message payload", "'message': wants an engine"},
      {"message payload wire 8:1", "'message': wants node or network"},
      {"message payload node 8", "'message': wants pairs"},
      {"busy payload node 1", "'busy': wants seconds of the sender, of the receiver and of a poll"},
  };
  for (const Case& c : cases) {
    const auto r = refusal([&] { read_text("name x\nread_alone 1:1\n" + c.line + "\n"); });
    EXPECT_EQ(r.code, ErrorCode::bad_file) << c.line;
    EXPECT_EQ(r.text.rfind("some.txt:3: ", 0), 0U) << r.text;
    EXPECT_NE(r.text.find(c.part), std::string::npos) << "'" << c.part << "' in: " << r.text;
  }
}

TEST(MachineFile, MustHaveANameAndASpeed) {
  const auto no_name = refusal([] { read_text("read_alone 1:1\n"); });
  EXPECT_EQ(no_name.code, ErrorCode::bad_file);
  EXPECT_EQ(no_name.text, "some.txt: it has no line 'name'");
  EXPECT_EQ(refusal([] { read_text("name x\n"); }).text, "some.txt: it has no line 'read_alone'");
  const auto nowhere = refusal([] { read_machine("no/such/machine.txt"); });
  EXPECT_EQ(nowhere.code, ErrorCode::bad_file);
  EXPECT_EQ(nowhere.text, "no/such/machine.txt: cannot be opened");
}

TEST(KnownMachines, AreAllRead) {
  ASSERT_GE(known_machines().size(), 3U);
  for (const std::string& name : known_machines()) {
    const Machine m = known_machine(name);
    EXPECT_FALSE(m.source.empty()) << name;
    EXPECT_FALSE(m.read_alone.empty()) << name;
    EXPECT_GT(m.wake_s + m.task_s + m.row_s, 0) << name;
  }
  const auto r = refusal([] { known_machine("abacus"); });
  EXPECT_EQ(r.code, ErrorCode::bad_argument);
  EXPECT_NE(r.text.find("cori-haswell, cori-knl"), std::string::npos) << r.text;
}

TEST(Machines, NameTheEnginesTheyHave) {
  const auto r = refusal([] { read_text(good).message("pigeon", true); });
  EXPECT_EQ(r.code, ErrorCode::bad_argument);
  EXPECT_NE(r.text.find("'pigeon'; it has counter, payload"), std::string::npos) << r.text;
  Machine none;
  none.name = "bare";
  EXPECT_NE(refusal([&] { none.message("payload", true); }).text.find("it has none"),
            std::string::npos);
}

TEST(Machines, TakeTheOtherPlaceWhereOneIsNotKnown) {
  const Machine m = read_text(good);
  EXPECT_EQ(&m.message("counter", false), &m.message("counter", true));
  EXPECT_NE(&m.message("payload", false), &m.message("payload", true));
}

TEST(Messages, CountAsTheNextPowerOfTwo) {
  const MessageCost c{{{8, 64, 256}, {1e-6, 2e-6, 4e-6}}, 0, 0};
  EXPECT_DOUBLE_EQ(c.latency_s(), 1e-6);
  EXPECT_DOUBLE_EQ(c.transfer_s(1), 0);
  EXPECT_DOUBLE_EQ(c.transfer_s(8), 0);
  EXPECT_DOUBLE_EQ(c.transfer_s(33), c.transfer_s(64));
  EXPECT_DOUBLE_EQ(c.transfer_s(64), 1e-6);
  EXPECT_DOUBLE_EQ(c.transfer_s(65), c.transfer_s(128));
  EXPECT_DOUBLE_EQ(c.transfer_s(128), 2e-6);  // halfway between 64 and 256, by the logarithm
  EXPECT_DOUBLE_EQ(c.time(256), 4e-6);
  // Beyond the last size, at the speed between the last two: 2 us for 192 bytes.
  EXPECT_DOUBLE_EQ(c.time(512), 4e-6 + 256 * (2e-6 / 192));
  EXPECT_DOUBLE_EQ(MessageCost{}.time(100), 0);
}

TEST(Curves, AreStraightInTheLogarithm) {
  const Curve c{{1, 16}, {10, 50}};
  EXPECT_DOUBLE_EQ(c.at(0.5), 10);
  EXPECT_DOUBLE_EQ(c.at(2), 20);
  EXPECT_DOUBLE_EQ(c.at(4), 30);
  EXPECT_DOUBLE_EQ(c.at(100), 50);
}

TEST(Machines, ReadBetweenAloneAndShared) {
  const Machine m = read_text(good);  // four ranks: 4e9 alone, 1e9 with all four, for 4096 bytes
  EXPECT_DOUBLE_EQ(m.read_speed(4096, 1), 4e9);
  EXPECT_DOUBLE_EQ(m.read_speed(4096, 2), 2e9);
  EXPECT_DOUBLE_EQ(m.read_speed(4096, 4), 1e9);
  EXPECT_DOUBLE_EQ(m.read_speed(4096, 9), 1e9);
  EXPECT_DOUBLE_EQ(m.read_speed(1024, 2), 8e9);  // 12e9 in total, but no more than alone
  for (const double bytes : {512.0, 1024.0, 2000.0, 4096.0, 1e6})
    for (Index ranks = 1; ranks <= 4; ++ranks) {
      EXPECT_LE(m.read_speed(bytes, ranks), m.read_alone.at(bytes));
      EXPECT_GE(m.read_speed(bytes, ranks), m.read_shared.at(bytes));
    }
}

}  // namespace
}  // namespace echelon
