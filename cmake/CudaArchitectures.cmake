# cmake/CudaArchitectures.cmake -- which GPUs the CUDA code is compiled for.

# The compute capabilities of the GPUs present, e.g. 90;120; empty where there is none.
function(echelon_find_gpus result)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  RESULT_VARIABLE failed OUTPUT_VARIABLE lines ERROR_QUIET)
  set(found "")
  if(failed EQUAL 0)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" found "${lines}")
    list(TRANSFORM found REPLACE "\\." "")
    list(REMOVE_DUPLICATES found)
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# What nvcc says of itself: its version, and the compute capabilities it compiles for.
function(echelon_ask_nvcc nvcc version known)
  execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE text ERROR_QUIET)
  string(REGEX MATCH "release ([0-9.]+)" text "${text}")
  set(${version} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE text ERROR_QUIET)
  string(REGEX MATCHALL "compute_[0-9]+" found "${text}")
  list(TRANSFORM found REPLACE "compute_" "")
  set(${known} "${found}" PARENT_SCOPE)
endfunction()

# echelon_cuda_architectures(RESULT GPUS KNOWN): CMAKE_CUDA_ARCHITECTURES for these GPUs and an nvcc
# that knows those.  Kernels need compute capability 8.0; for a GPU newer than nvcc the driver
# compiles PTX of the newest one below it.  Empty: none of the GPUs will do.
function(echelon_cuda_architectures result gpus known)
  set(chosen "")
  foreach(gpu ${gpus})
    if(gpu LESS 80)
      continue()
    elseif(gpu IN_LIST known)
      list(APPEND chosen ${gpu}-real)
    else()
      set(newest 80)
      foreach(other ${known})
        if(other LESS gpu AND other GREATER newest)
          set(newest ${other})
        endif()
      endforeach()
      list(APPEND chosen ${newest}-virtual)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES chosen)
  set(${result} "${chosen}" PARENT_SCOPE)
endfunction()
