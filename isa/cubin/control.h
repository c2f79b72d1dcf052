// What a compiler says of each instruction to the scheduler, in bits 105 to 125 of its encoding since compute
// capability 7.0. The fields are those that Jia and others measured ("Dissecting the NVIDIA Volta GPU
// Architecture via Microbenchmarking", 2018).
#pragma once

#include "isa/cubin/image.h"
#include "isa/ir/control_code.h"

namespace heddle::cubin {

ir::ControlCode control_of(const Encoding& encoding);

}  // namespace heddle::cubin
