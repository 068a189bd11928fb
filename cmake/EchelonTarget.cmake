# cmake/EchelonTarget.cmake -- what every target of ours has in common: warnings,
# sanitizers, optimization, and how a room's test is declared.

# Inside another project the build type is theirs, and may be none at all: a solve without
# optimization takes ten times as long.
function(echelon_optimize target)
  if(ECHELON_OPTIMIZE)
    target_compile_options(${target} PRIVATE -O3)
    target_compile_definitions(${target} PRIVATE NDEBUG)
  endif()
endfunction()

# Our libraries: all symbols are hidden but those of public headers (include/echelon/export.hpp), and
# a minor version may change the interface.  Objects are the same for a static and a shared library.
function(echelon_library target)
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    CUDA_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INSTALL_RPATH "$ORIGIN"
    INSTALL_RPATH_USE_LINK_PATH ON)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    target_link_options(${target} PRIVATE LINKER:--exclude-libs,ALL)
    if(NOT ECHELON_SANITIZE)  # whose runtime is in the program
      target_link_options(${target} PRIVATE LINKER:-z,defs)
    endif()
  endif()
endfunction()

# echelon_unit(TARGET NAME FILE...): these files are compiled as one.  The headers they share are
# read once, and templates are instantiated once; names in unnamed namespaces have to differ.
# ECHELON_UNITY_BUILD=OFF compiles each file alone: quicker for who edits one again and again.
function(echelon_unit target name)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${name})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ECHELON_UNITY_BUILD}
                                             UNITY_BUILD_MODE GROUP)
  if(ECHELON_UNITY_BUILD)  # types of unnamed namespaces, taken for those of a header
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# Our own code only; headers of others come as system headers.
function(echelon_target target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                           -Woverloaded-virtual)
  if(ECHELON_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  echelon_optimize(${target})
  if(ECHELON_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ECHELON_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${ECHELON_SANITIZE})
  endif()
endfunction()

# echelon_test(ROOM SOURCES file... [ALONE file...] [LABELS label] [TIMING]): one program of tests for
# a room, label LABELS (default: unit).  TIMING: tests of suites named ...Timing, whose result depends
# on the speed of the machine, get the label timing and run alone.  The files of SOURCES are compiled as one, those of ALONE each alone:
# because names clash, or because they take long.  Tests may look inside the house: src/ is on their
# include path.  They check answers, not speed: -O1 takes two thirds of the time to compile.
function(echelon_test room)
  cmake_parse_arguments(ARG "TIMING" "" "SOURCES;ALONE;LABELS" ${ARGN})
  add_executable(test_${room} ${ARG_SOURCES} ${ARG_ALONE})
  target_link_libraries(test_${room} PRIVATE echelon echelon_test_support GTest::gtest_main)
  target_include_directories(test_${room} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  echelon_target(test_${room})
  if(ARG_SOURCES)
    echelon_unit(test_${room} tests ${ARG_SOURCES})
  endif()
  target_compile_options(test_${room} PRIVATE -O1)
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  gtest_discover_tests(test_${room} DISCOVERY_TIMEOUT 120 TEST_FILTER -*Timing.*
                       PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600)
  if(ARG_TIMING)
    gtest_discover_tests(test_${room} DISCOVERY_TIMEOUT 120 TEST_FILTER *Timing.*
                         PROPERTIES LABELS timing TIMEOUT 600 RUN_SERIAL TRUE)
  endif()
endfunction()

# echelon_vector_units(STEM): compiles src/STEM_text.hpp once per vector unit of the processor family
# (as in base/vector_unit.hpp); which one runs is decided at run time.  The files are generated.
# Multiplications and additions are fused where the text says so (base/unit_vectors.hpp) only.
function(echelon_vector_units stem)
  set(flags -O3 -ffp-contract=off -Wno-psabi)
  if(ECHELON_SANITIZE)  # instrumented loops take minutes to unroll
    set(flags -O1 -ffp-contract=off -Wno-psabi -DECHELON_SANITIZED)
  endif()
  set(flags_plain ${flags})
  # GCC would load early and run out of registers.
  set(flags_neon ${flags} $<$<CXX_COMPILER_ID:GNU>:-fno-schedule-insns>)
  set(flags_avx2 ${flags} -mavx2 -mfma)
  set(flags_avx512 ${flags} -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
  set(units plain)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND units avx2 avx512)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(units neon)
  endif()
  foreach(unit ${units})
    set(file ${PROJECT_BINARY_DIR}/src/${stem}_${unit}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "#define ECHELON_UNIT ${unit}\n#include \"${stem}_text.hpp\"\n")
    target_sources(echelon PRIVATE ${file})
    set_source_files_properties(${file} TARGET_DIRECTORY echelon
                                PROPERTIES COMPILE_OPTIONS "${flags_${unit}}")
  endforeach()
endfunction()
