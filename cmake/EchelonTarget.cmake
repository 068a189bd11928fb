# cmake/EchelonTarget.cmake -- what every target of ours has in common: warnings,
# sanitizers, and how a room's test is declared.

# Our own code only; headers of others come as system headers.
function(echelon_target target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                           -Woverloaded-virtual)
  if(ECHELON_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(ECHELON_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ECHELON_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${ECHELON_SANITIZE})
  endif()
endfunction()

# echelon_test(ROOM file...): one program of tests for a room, label LABELS (default: unit).
# Tests may look inside the house: src/ is on their include path.
function(echelon_test room)
  cmake_parse_arguments(ARG "" "" "SOURCES;LABELS" ${ARGN})
  add_executable(test_${room} ${ARG_SOURCES})
  target_link_libraries(test_${room} PRIVATE echelon echelon_test_support GTest::gtest_main)
  target_include_directories(test_${room} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  echelon_target(test_${room})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  gtest_discover_tests(test_${room} DISCOVERY_TIMEOUT 120
                       PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600)
endfunction()

# echelon_vector_units(STEM): STEM_plain.cpp, STEM_avx2.cpp and STEM_avx512.cpp, one text compiled
# for each vector unit; which runs is decided at run time.  They may fuse multiplications and
# additions, all of them alike.
function(echelon_vector_units stem)
  set(flags -O3 -ffp-contract=fast -Wno-psabi)
  if(ECHELON_SANITIZE)
    # Instrumented loops are not fused everywhere, and one right-hand side would differ from many;
    # and unrolled they take minutes to compile.
    set(flags -O1 -ffp-contract=off -Wno-psabi)
  endif()
  set(flags_plain ${flags})
  set(flags_avx2 ${flags} -mavx2 -mfma)
  set(flags_avx512 ${flags} -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
  set(units plain)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND units avx2 avx512)
  endif()
  foreach(unit ${units})
    target_sources(echelon PRIVATE ${stem}_${unit}.cpp)
    set_source_files_properties(${stem}_${unit}.cpp TARGET_DIRECTORY echelon
                                PROPERTIES COMPILE_OPTIONS "${flags_${unit}}")
  endforeach()
endfunction()
