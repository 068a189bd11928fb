// bench/support/mkl.cpp -- loads MKL and configures its threads.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/mkl.hpp"

#include <array>

namespace echelon::bench {
namespace {

constexpr int interface_32_bits = 0;
constexpr int layer_sequential = 1;
constexpr int layer_gnu = 3;

void* open_library(const std::string& path, std::string& error) {
  const std::array<const char*, 4> usual{"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1",
                                         "libmkl_rt.so"};
  const auto open = [](const char* file) { return dlopen(file, RTLD_NOW | RTLD_GLOBAL); };
  if (!path.empty()) {
    void* library = open(path.c_str());
    if (library == nullptr) error = dlerror();
    return library;
  }
  for (const char* file : usual)
    if (void* library = open(file)) return library;
  error = "no libmkl_rt found; --mkl-library FILE names one";
  return nullptr;
}

Mkl load(const std::string& path) {
  Mkl mkl;
  mkl.library = open_library(path, mkl.error);
  if (mkl.library == nullptr) return mkl;
  int (*set_interface)(int) = nullptr;
  int (*set_layer)(int) = nullptr;
  void (*set_dynamic)(int) = nullptr;
  mkl.find(set_interface, "MKL_Set_Interface_Layer");
  mkl.find(set_layer, "MKL_Set_Threading_Layer");
  mkl.find(set_dynamic, "MKL_Set_Dynamic");
  mkl.find(mkl.set_threads, "MKL_Set_Num_Threads");
  if (!mkl.error.empty()) return mkl;
  set_interface(interface_32_bits);
  if (set_layer(layer_gnu) != layer_gnu) set_layer(layer_sequential);
  set_dynamic(0);
  return mkl;
}

}  // namespace

Mkl& load_mkl(const std::string& path) {
  static Mkl mkl = load(path);
  return mkl;
}

}  // namespace echelon::bench
