// Lane functions of double precision.
#define HEDDLE_LANE_KIND Double

// Compiles this file once for each vector target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/exec/semantics_double.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "isa/exec/semantics_double-inl.h"
#include "isa/exec/semantics_table-inl.h"
