// echelon/shared_library.hpp -- a library of others that is looked for when it is first needed.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  A program starts where the library is not there, and whoever needs it says so.
#pragma once

#include <initializer_list>
#include <string>

#pragma GCC visibility push(default)
namespace echelon {

// Loaded for as long as the program runs; its names stay its own.
class SharedLibrary {
 public:
  // The first of the files that the loader finds.  Throws backend_missing with what needs it and
  // the last of their names.
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
#pragma GCC visibility pop
