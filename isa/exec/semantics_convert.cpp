// Lane functions of conversions.
#define HEDDLE_LANE_KIND Convert

// Compiles this file once for each vector target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/exec/semantics_convert.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "isa/exec/semantics_convert-inl.h"
#include "isa/exec/semantics_table-inl.h"
