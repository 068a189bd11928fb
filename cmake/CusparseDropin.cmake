# cmake/CusparseDropin.cmake -- whether the drop-in for cuSPARSE's SpSV and SpSM is built.  It needs the
# GPU backend and cusparse.h (Debian: libcusparse-dev-13-0), not the library itself.
echelon_choice(WITH_CUSPARSE_DROPIN "build the drop-in for cuSPARSE's SpSV and SpSM" AUTO)
set(possible OFF)
set(reason "it needs the GPU backend (ECHELON_WITH_CUDA)")
if(ECHELON_WITH_CUDA AND ECHELON_WITH_CUSPARSE_DROPIN)
  find_file(ECHELON_DROPIN_HEADER cusparse.h PATHS ${CUDAToolkit_INCLUDE_DIRS} NO_DEFAULT_PATH)
  mark_as_advanced(ECHELON_DROPIN_HEADER)
  set(reason "cusparse.h of CUDA 12 or newer is not found (libcusparse-dev)")
  if(ECHELON_DROPIN_HEADER)
    set(possible ON)
  endif()
endif()
echelon_decide(WITH_CUSPARSE_DROPIN "cusparse drop-in" possible "${reason}")
