// Calls of functions that keep a place of their own in the kernel: what is passed lies in variables that all
// functions share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "isa/lower/append_function.h"
#include "isa/lower/call_graph.h"
#include "isa/lower/refusals.h"

namespace heddle::lower {

/// The n-th argument of all functions where it has so many bytes is one variable of space .param, and so is
/// the n-th result. Functions that are appended to one another name it alike; this makes it one.
void unify_passed(ptx::Function& function);

/// What the variable of the n-th argument, or result, is called where it has so many bytes, and so the
/// register that promote_params() makes of it.
std::string argument_name(std::size_t n, std::uint64_t bytes);
std::string result_name(std::size_t n, std::uint64_t bytes);

/// Whether a register or a variable has been made for what is passed.
bool is_passed(std::string_view name);

/// Appends a call to `into`: arguments are stored, the function is called, results are loaded. What is called
/// is `Call` with the function's symbol as only operand. An indirect call compares the address with that of
/// each function that it can lead to, and traps where it is none of them. The call's own guard is not looked
/// at.
void append_call(ptx::Function& into, const ptx::Module& module, const ptx::Instruction& call,
                 const std::vector<std::uint32_t>& callees);

/// What a function that is called so needs around it: its parameters and results as variables of its own,
/// which are copied from and to what is passed.
struct CalledFrame {
  ptx::Function function;  ///< Without parameters; its body holds the copies of arguments.
  ptx::Instruction call;   ///< What calls the function itself, to be inlined behind them.
};

CalledFrame begin_called(const ptx::Function& function);
/// Appends the copies of results and the return.
void end_called(CalledFrame& frame, const ptx::Function& function);

}  // namespace heddle::lower
