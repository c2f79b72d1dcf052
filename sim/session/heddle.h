// Heddle as a library: a simulated GPU that loads kernels, runs them, and tells where their time went.
//
//   find_package(heddle REQUIRED)
//   target_link_libraries(program PRIVATE heddle::heddle)
//
//   #include <heddle/heddle.h>
//
// device.h has an example. docs/library.md explains all of it.
#pragma once

#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "sim/config/load.h"
#include "sim/session/device.h"
#include "sim/session/error.h"
#include "sim/session/module.h"
