// tests/adapters/cusparse/no_device.cpp -- shows without a GPU who answers a call: linked first,
// preloaded or found by dlsym.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: test_cusparse_no_device linked|opened
//
// linked: the drop-in or cuSPARSE, whichever the loader finds first.  opened: by dlopen of
// libcusparse.so.12, as Python modules do.  Prints the bytes that bufferSize asks for, by case.
#include <cusparse.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

namespace {

struct Functions {
  decltype(&::cusparseSpSV_createDescr) create = ::cusparseSpSV_createDescr;
  decltype(&::cusparseSpSV_bufferSize) buffer_size = ::cusparseSpSV_bufferSize;
  decltype(&::cusparseSpSV_destroyDescr) destroy = ::cusparseSpSV_destroyDescr;
};

template <class Function>
bool find(void* library, const char* name, Function& found) {
  found = reinterpret_cast<Function>(dlsym(library, name));
  if (found == nullptr) std::printf("%s is not found\n", name);
  return found != nullptr;
}

bool open(Functions& f) {
  void* const library = dlopen("libcusparse.so.12", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return false;
  }
  decltype(&::cusparseGetVersion) other = nullptr;  // of the vendor's library, by the same handle
  return find(library, "cusparseSpSV_createDescr", f.create) &&
         find(library, "cusparseSpSV_bufferSize", f.buffer_size) &&
         find(library, "cusparseSpSV_destroyDescr", f.destroy) &&
         find(library, "cusparseGetVersion", other);
}

// Descriptors can be made and read without a device; the handle and the arrays are never used.
int ask(const Functions& f) {
  static int memory[64];
  cusparseHandle_t const handle = reinterpret_cast<cusparseHandle_t>(memory);
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t b = nullptr, x = nullptr;
  cusparseSpSVDescr_t operation = nullptr;
  const double one = 1;
  size_t bytes = 0;
  if (cusparseCreateCsr(&a, 3, 3, 5, memory, memory, memory, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                        CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F) != 0 ||
      cusparseCreateDnVec(&b, 3, memory, CUDA_R_64F) != 0 ||
      cusparseCreateDnVec(&x, 3, memory, CUDA_R_64F) != 0 || f.create(&operation) != 0)
    return 1;
  const cusparseStatus_t status =
      f.buffer_size(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, b, x, CUDA_R_64F,
                    CUSPARSE_SPSV_ALG_DEFAULT, operation, &bytes);
  std::printf("status %d, %zu bytes\n", static_cast<int>(status), bytes);
  return f.destroy(operation) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Functions f;
  if (argc > 1 && std::strcmp(argv[1], "opened") == 0 && !open(f)) return 1;
  return ask(f);
}
