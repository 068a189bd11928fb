// tests/adapters/cusparse/main.cpp -- runs all cases.  Exits with 0, 1 if one failed, 77 without a
// GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "program.hpp"

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("SKIP all: there is no GPU\n");
    return 77;
  }
  program::vector_cases();
  program::matrix_cases();
  program::life_cases();
  std::printf("%d cases failed\n", program::failures());
  return program::failures() == 0 ? 0 : 1;
}
