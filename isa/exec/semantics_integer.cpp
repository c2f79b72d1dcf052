// Lane functions of integers, bits and predicates.
#define HEDDLE_LANE_KIND Integer

// Compiles this file once for each vector target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/exec/semantics_integer.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "isa/exec/semantics_bits-inl.h"
#include "isa/exec/semantics_integer-inl.h"
#include "isa/exec/semantics_table-inl.h"
