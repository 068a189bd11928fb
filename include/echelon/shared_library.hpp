// echelon/shared_library.hpp -- a third-party shared library that is loaded when first needed.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  A program can start without the library; the first use throws if it is missing.
#pragma once

#include <initializer_list>
#include <string>

namespace echelon {

// Stays loaded until the program ends; its symbols are not visible to other libraries.
class SharedLibrary {
 public:
  // Loads the first of the files that the loader finds.  Throws backend_missing with `need` (the
  // feature that uses it) and the last file name.
  SharedLibrary(const std::string& need, std::initializer_list<const char*> files);

  // Throws backend_missing if the library has no such function.
  template <class Function>
  Function* find(const std::string& name) const {
    return reinterpret_cast<Function*>(address_of(name));
  }

 private:
  void* address_of(const std::string& name) const;
  std::string file_;
  void* library_ = nullptr;
};

}  // namespace echelon
