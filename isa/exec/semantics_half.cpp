// Lane functions of two halves in a register.
#define HEDDLE_LANE_KIND Half

// Compiles this file once for each vector target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/exec/semantics_half.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "isa/exec/semantics_half-inl.h"
#include "isa/exec/semantics_table-inl.h"
