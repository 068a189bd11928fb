# cmake/Python.cmake -- whether the Python package is built: it needs the headers of an interpreter and
# nanobind, which is asked for its place.  Python_EXECUTABLE chooses the interpreter.
# A sanitized extension would need a sanitized interpreter.
set(reason "there is no Python 3.9 or newer with its headers (python3-dev)")
set(possible OFF)
if(ECHELON_SANITIZE)
  set(reason "an interpreter without sanitizers cannot load a sanitized extension")
elseif(ECHELON_BUILD_PYTHON)
  find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module
               OPTIONAL_COMPONENTS Development.SABIModule)
  if(Python_FOUND)
    set(reason "${Python_EXECUTABLE} has no nanobind (pip install nanobind)")
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir ERROR_QUIET
                    OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
    find_package(nanobind CONFIG QUIET)
    set(possible ${nanobind_FOUND})
  endif()
endif()
echelon_decide(BUILD_PYTHON python possible "${reason}")
