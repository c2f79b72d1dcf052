// A launch without a launch file: `--args "x=f32[1024]:random, y=f32[1024], 1024"` as the text of one.
#pragma once

#include <string>

namespace heddle::launch {

/// The launch file that launches the kernel of this file with these arguments, in the kernel's order,
/// separated by commas. Each is a buffer NAME=TYPE[COUNT] or NAME=TYPE[COUNT]:FILL, the name of one that came
/// before, or a value as launch files have it: a number, an expression, {f32: 1.5}. The fill is zeros, ramp,
/// random, sorted, a number, FILE.npy, or what launch files have. Names of buffers may be left out. `grid`
/// and `block` are expressions. Throws InputError, which names `--args`.
std::string launch_text_of_arguments(const std::string& kernel, const std::string& arguments,
                                     const std::string& grid, const std::string& block);

}  // namespace heddle::launch
