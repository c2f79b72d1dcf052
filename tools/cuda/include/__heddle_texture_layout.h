// What a texture or surface object points to, for the runtime, which makes it, and for device code, which reads it.
#ifndef HEDDLE_TEXTURE_LAYOUT_H
#define HEDDLE_TEXTURE_LAYOUT_H

struct __heddle_texture {
  unsigned long long data;              // the address of the first texel
  unsigned long long pitch, slice;      // bytes from a row, and from a layer, to the next
  unsigned int width, height, depth;    // in texels; 1 where there are fewer dimensions
  unsigned int channel_bytes, channels; // of a texel
  unsigned int kind;                    // cudaChannelFormatKind
  unsigned int address_modes[3];        // cudaTextureAddressMode
  unsigned int is_linear;               // it is filtered; else the nearest texel is taken
  unsigned int is_normalized_value;     // integers become numbers from 0, or -1, to 1
  unsigned int is_normalized_place;     // coordinates go from 0 to 1
  float border[4];
};

#endif
