// A header of the CUDA toolkit. What it declares is in cuda_runtime.h.
#pragma once
#include "cuda_runtime.h"
