// The asynchronous copies __pipeline_*, which cuda_runtime.h declares.
#pragma once
#include "cuda_runtime.h"
