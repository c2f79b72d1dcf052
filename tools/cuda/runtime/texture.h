// Texture objects: descriptions in device memory, which device code reads.
#pragma once

#include "tools/cuda/runtime/gpu.h"

namespace heddle::cudart {

/// The object's handle, which is the address of its description. Throws Failure.
cudaTextureObject_t create_texture(Gpu& gpu, const cudaResourceDesc& resource, const cudaTextureDesc& how);

/// Throws Failure if there is no such texture or surface object; 0 is passed over.
void destroy_texture(Gpu& gpu, unsigned long long object);

}  // namespace heddle::cudart
