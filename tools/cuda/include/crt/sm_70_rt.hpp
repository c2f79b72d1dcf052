// clang includes this header of the CUDA toolkit; what it defines is in cuda_runtime.h.
#pragma once
