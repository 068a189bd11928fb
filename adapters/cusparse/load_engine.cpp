// adapters/cusparse/load_engine.cpp -- finds the vendor's library in this process and loads the
// engine.
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "front.hpp"

namespace echelon::dropin {
namespace {

constexpr const char* engine_file = "libechelon_cusparse_engine.so";

void log(const char* text, const char* detail) {
  const char* const wanted = std::getenv("ECHELON_CUSPARSE_LOG");
  if (wanted != nullptr && std::strcmp(wanted, "0") != 0)
    std::fprintf(stderr, "echelon_cusparse: %s%s\n", text, detail);
}

bool is_switched_off() {
  const char* const wanted = std::getenv("ECHELON_CUSPARSE");
  return wanted != nullptr && (std::strcmp(wanted, "off") == 0 || std::strcmp(wanted, "0") == 0);
}

// The object that an address belongs to, or null.
const void* object_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

// Addresses of this library are no answer: it may bear the vendor's SONAME.
void* find_in(void* library, const char* name) {
  void* const found = dlsym(library, name);
  static const int here = 0;
  return found != nullptr && object_of(found) == object_of(&here) ? nullptr : found;
}

// The library that the process itself uses: next in the global order, or loaded by a module under
// one of these names.  The last resort loads it.
void* find_vendor(const char* name) {
  if (void* const next = find_in(RTLD_NEXT, name)) return next;
  for (const int flags : {RTLD_LAZY | RTLD_NOLOAD, RTLD_LAZY})
    for (const char* const file : {"libcusparse_real.so", "libcusparse.so.12", "libcusparse.so"})
      if (void* const library = dlopen(file, flags))
        if (void* const found = find_in(library, name)) return found;
  return nullptr;
}

Vendor find_vendor() {
  Vendor vendor;
#define ECHELON_CUSPARSE_FIND(name) \
  vendor.name = reinterpret_cast<decltype(&::name)>(find_vendor(#name));
  ECHELON_CUSPARSE_OPERATIONS(ECHELON_CUSPARSE_FIND)
  ECHELON_CUSPARSE_QUERIES(ECHELON_CUSPARSE_FIND)
#undef ECHELON_CUSPARSE_FIND
  return vendor;
}

bool has_queries(const Vendor& vendor) {
  bool all = true;
#define ECHELON_CUSPARSE_HAS(name) all = all && vendor.name != nullptr;
  ECHELON_CUSPARSE_QUERIES(ECHELON_CUSPARSE_HAS)
#undef ECHELON_CUSPARSE_HAS
  return all;
}

// The engine lies beside this library; a link to this library is followed first.
void* open_engine() {
  Dl_info info;
  static const int here = 0;
  char path[PATH_MAX + sizeof "libechelon_cusparse_engine.so"];
  if (dladdr(&here, &info) == 0 || realpath(info.dli_fname, path) == nullptr) return nullptr;
  char* const slash = std::strrchr(path, '/');
  if (slash == nullptr) return nullptr;
  std::strcpy(slash + 1, engine_file);  // fits: there is room for it after PATH_MAX
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

const Operations* start_engine(const Vendor& vendor) {
  if (is_switched_off()) {
    log("switched off by ECHELON_CUSPARSE", "");
    return nullptr;
  }
  if (!has_queries(vendor)) {
    log("no libcusparse.so.12 in this process that has what is needed (CUDA 12 or newer)", "");
    return nullptr;
  }
  void* const engine = open_engine();
  if (engine == nullptr) {
    const char* const why = dlerror();
    log("the engine cannot be loaded, cuSPARSE solves: ", why == nullptr ? engine_file : why);
    return nullptr;
  }
  const auto start = reinterpret_cast<StartEngine>(dlsym(engine, start_engine_name));
  const Operations* const found = start == nullptr ? nullptr : start(&vendor, sizeof(Vendor));
  if (found == nullptr) log("the engine is of another build, cuSPARSE solves: ", engine_file);
  return found;
}

}  // namespace

const Operations& operations() {
  static const Vendor vendor = find_vendor();
  static const Operations* const engine = start_engine(vendor);
  return engine == nullptr ? vendor : *engine;
}

}  // namespace echelon::dropin
