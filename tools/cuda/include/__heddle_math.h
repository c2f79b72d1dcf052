// The device mathematics that clang's CUDA headers call: __nv_sinf and so on, which NVIDIA's libdevice has.
#ifndef HEDDLE_MATH_H
#define HEDDLE_MATH_H

#include "__heddle_math_float.h"
#include "__heddle_math_double.h"
#include "__heddle_math_plain.h"
#include "__heddle_math_special.h"
#if defined(__CUDA__)
#include "__heddle_math_device.h"
#endif

#endif
