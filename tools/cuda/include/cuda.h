// See cuda_runtime.h; the driver API is not declared.
#pragma once
#include "cuda_runtime.h"
