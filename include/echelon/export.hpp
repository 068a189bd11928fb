// echelon/export.hpp -- marks what a shared library exports.
// SPDX-License-Identifier: BSD-3-Clause
//
// All files are compiled with hidden visibility.  A public header opens default visibility for all
// its declarations (#pragma GCC visibility).  GCC does not pass that on from the declaration of a
// function template to its definition in a source file: those need the attribute itself.
// tools/check_exports.py finds what is missing and adds it (--write).  Private headers that another
// of our libraries uses do the same.
#pragma once

#define ECHELON_EXPORT __attribute__((visibility("default")))
