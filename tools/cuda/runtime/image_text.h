// The PTX or the machine code of an image of device code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cudart {

/// Images are PTX text, as heddle cuda embeds it, or containers of nvcc. From each of these the PTX for a GPU
/// of this compute capability, 80 of 8.0, is taken; what they have of it becomes one text. Throws Failure if
/// there is none.
std::string ptx_of(const std::vector<const void*>& images, unsigned capability);

/// The machine code of the image for a GPU of this compute capability: a .cubin. Throws Failure if it has
/// none that fits.
std::string machine_code_of(const void* image, unsigned capability);

/// The image if it is PTX text; nothing if it is a container or machine code.
std::optional<std::string_view> plain_text_of(const void* image);

/// 80 of PTX whose .target is sm_80; 0 if it says none.
unsigned target_of(std::string_view ptx);

}  // namespace heddle::cudart
