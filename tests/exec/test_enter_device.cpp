// tests/exec/test_enter_device.cpp -- switching to another device and back, with a mock machine of
// several devices.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <stdexcept>

#include "echelon/device.hpp"
#include "exec/cuda/runtime/enter_device.hpp"

namespace echelon {
namespace {

struct Machine {
  int now = 0, calls = 0, devices = 4;

  int current() const { return now; }
  void use(int device) {
    if (device >= devices) throw std::runtime_error("no such device");
    now = device;
    ++calls;
  }
  void go_back(int device) noexcept {
    now = device;
    ++calls;
  }
};

struct Scope {
  Scope(Machine& m, int device) : machine(m), before(enter_device(m, device)) {}
  ~Scope() { leave_device(machine, before); }
  Machine& machine;
  int before;
};

TEST(EnterDevice, GoesThereAndBack) {
  Machine m{.now = 1};
  {
    const Scope two(m, 2);
    EXPECT_EQ(m.now, 2);
    {
      const Scope again(m, 2);
      const Scope other(m, 3);
      EXPECT_EQ(m.now, 3);
    }
    EXPECT_EQ(m.now, 2);
  }
  EXPECT_EQ(m.now, 1);
  EXPECT_EQ(m.calls, 4) << "nobody asks for the device that is current";
}

TEST(EnterDevice, ComesBackWhenSomethingIsThrown) {
  Machine m;
  try {
    const Scope two(m, 2);
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(m.now, 0);
  EXPECT_THROW(Scope(m, 7), std::runtime_error);
  EXPECT_EQ(m.now, 0);
}

TEST(EnterDevice, StaysWhereItIsWithoutADevice) {
  Machine m{.now = 3};
  {
    const Scope any(m, nowhere);
    EXPECT_EQ(m.now, 3);
  }
  EXPECT_EQ(m.calls, 0);
}

TEST(ChooseDevice, HasNoneWhereThereIsNone) {
  if (count_devices() > 0) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_EQ(choose_device(), -1);
  EXPECT_NO_THROW(DeviceScope(-1));
}

}  // namespace
}  // namespace echelon
