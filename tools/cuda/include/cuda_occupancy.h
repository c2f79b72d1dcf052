// Included by Thrust and CUB, which call nothing in it. The runtime's cudaOccupancy... functions answer what the
// functions named cudaOcc... of NVIDIA's header compute; those are not here.
#ifndef HEDDLE_CUDA_OCCUPANCY_H
#define HEDDLE_CUDA_OCCUPANCY_H

#include "cuda_runtime_api.h"

#endif
