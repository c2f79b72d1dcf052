// Texture and surface functions. The GPU's texture units are not simulated: a fetch is the loads and the arithmetic that
// they would do, with their rules for coordinates, borders and filters (CUDA C++ Programming Guide, Texture Fetching).
#ifndef HEDDLE_TEXTURES_H
#define HEDDLE_TEXTURES_H

#include "__heddle_texture_layout.h"

#define HEDDLE_TEXTURE static __inline__ __device__

// The components of a type: how many, and of which type.
template <class T>
struct __heddle_texel {
  using component = T;
  static constexpr unsigned int count = 1;
};
#define HEDDLE_TEXEL(name, type, number)          \
  template <>                                     \
  struct __heddle_texel<name##number> {           \
    using component = type;                       \
    static constexpr unsigned int count = number; \
  };
#define HEDDLE_TEXELS(name, type) HEDDLE_TEXEL(name, type, 1) HEDDLE_TEXEL(name, type, 2) HEDDLE_TEXEL(name, type, 4)
HEDDLE_TEXELS(char, signed char)
HEDDLE_TEXELS(uchar, unsigned char)
HEDDLE_TEXELS(short, short)
HEDDLE_TEXELS(ushort, unsigned short)
HEDDLE_TEXELS(int, int)
HEDDLE_TEXELS(uint, unsigned int)
HEDDLE_TEXELS(float, float)
#undef HEDDLE_TEXELS
#undef HEDDLE_TEXEL

// Where a texel lies in one dimension; -1: outside, where the border is.
HEDDLE_TEXTURE int __heddle_place(int at, unsigned int size, unsigned int mode, unsigned int is_normalized) {
  const int n = (int)size;
  if (is_normalized && mode == cudaAddressModeWrap) {
    const int rest = at % n;
    return rest < 0 ? rest + n : rest;
  }
  if (is_normalized && mode == cudaAddressModeMirror) {
    int rest = at % (2 * n);
    rest = rest < 0 ? rest + 2 * n : rest;
    return rest < n ? rest : 2 * n - 1 - rest;
  }
  if (mode == cudaAddressModeBorder) return at < 0 || at >= n ? -1 : at;
  return at < 0 ? 0 : at >= n ? n - 1 : at;
}

// One channel of a texel: an integer as it is, or the bits of a float.
HEDDLE_TEXTURE int __heddle_channel_bits(const __heddle_texture& t, unsigned long long at) {
  const bool is_signed = t.kind == cudaChannelFormatKindSigned;
  if (t.channel_bytes == 1) return is_signed ? *(const signed char*)at : *(const unsigned char*)at;
  if (t.channel_bytes == 2) return is_signed ? *(const short*)at : *(const unsigned short*)at;
  return *(const int*)at;
}

HEDDLE_TEXTURE float __heddle_channel_float(const __heddle_texture& t, int bits) {
  if (t.kind == cudaChannelFormatKindFloat) {
    if (t.channel_bytes == 4) return __int_as_float(bits);
    float wide;
    asm("{ .reg .b16 h; cvt.u16.u32 h, %1; cvt.f32.f16 %0, h; }" : "=f"(wide) : "r"(bits));
    return wide;
  }
  if (t.kind == cudaChannelFormatKindSigned) return fmaxf((float)bits / (t.channel_bytes == 1 ? 127.0f : 32767.0f), -1.0f);
  return (float)(unsigned int)bits / (t.channel_bytes == 1 ? 255.0f : 65535.0f);
}

// A texel by its number in each dimension, as components of C.
template <class C>
HEDDLE_TEXTURE void __heddle_read(const __heddle_texture& t, int x, int y, int z, C* out, unsigned int count) {
  const bool is_outside = x < 0 || y < 0 || z < 0;
  const unsigned long long at = t.data + (is_outside ? 0 : z * t.slice + y * t.pitch +
                                                             (unsigned long long)x * t.channels * t.channel_bytes);
  for (unsigned int c = 0; c < count; ++c) {
    if (is_outside) {
      out[c] = (C)t.border[c];
      continue;
    }
    const int bits = c < t.channels ? __heddle_channel_bits(t, at + c * t.channel_bytes) : 0;
    out[c] = C(0.5f) != C(0) ? (C)__heddle_channel_float(t, bits) : (C)bits;
  }
}

template <class T>
HEDDLE_TEXTURE T __heddle_made(const typename __heddle_texel<T>::component* components) {
  T made;
  __builtin_memcpy(&made, components, sizeof(T));
  return made;
}

// The two texels between which a coordinate lies, and how much the second one counts: in 256ths, as on a GPU.
struct __heddle_between {
  int first;
  float weight;
};
HEDDLE_TEXTURE __heddle_between __heddle_neighbours(float at) {
  const float below = floorf(at - 0.5f);
  return {(int)below, rintf((at - 0.5f - below) * 256.0f) / 256.0f};
}

HEDDLE_TEXTURE float __heddle_scaled(float at, unsigned int size, unsigned int is_normalized) {
  return is_normalized ? at * (float)size : at;
}

// The texel at a place, by the rules of the texture. `dimensions`: of those which are filtered; z is a layer if there are
// fewer than three.
template <class T>
HEDDLE_TEXTURE T __heddle_sample(unsigned long long object, unsigned int dimensions, float x, float y, float z,
                                 int layer) {
  using C = typename __heddle_texel<T>::component;
  constexpr unsigned int count = __heddle_texel<T>::count;
  const __heddle_texture& t = *(const __heddle_texture*)object;
  const unsigned int normalized = t.is_normalized_place;
  x = __heddle_scaled(x, t.width, normalized);
  y = __heddle_scaled(y, t.height, normalized);
  z = __heddle_scaled(z, t.depth, normalized);
  const int last = (int)t.depth - 1;
  layer = layer < 0 || layer > last ? last : layer;  // layers are unsigned
  C out[count];
  if (!t.is_linear || C(0.5f) == C(0)) {
    const int px = __heddle_place((int)floorf(x), t.width, t.address_modes[0], normalized);
    const int py = dimensions < 2 ? 0 : __heddle_place((int)floorf(y), t.height, t.address_modes[1], normalized);
    const int pz = dimensions < 3 ? layer : __heddle_place((int)floorf(z), t.depth, t.address_modes[2], normalized);
    __heddle_read(t, px, py, pz, out, count);
    return __heddle_made<T>(out);
  }
  const __heddle_between bx = __heddle_neighbours(x), by = __heddle_neighbours(y), bz = __heddle_neighbours(z);
  float sums[count] = {};
  for (unsigned int corner = 0; corner < 1u << dimensions; ++corner) {
    const unsigned int ix = corner & 1, iy = corner >> 1 & 1, iz = corner >> 2 & 1;
    const int px = __heddle_place(bx.first + (int)ix, t.width, t.address_modes[0], normalized);
    const int py = dimensions < 2 ? 0 : __heddle_place(by.first + (int)iy, t.height, t.address_modes[1], normalized);
    const int pz = dimensions < 3 ? layer : __heddle_place(bz.first + (int)iz, t.depth, t.address_modes[2], normalized);
    float weight = ix ? bx.weight : 1.0f - bx.weight;
    if (dimensions > 1) weight *= iy ? by.weight : 1.0f - by.weight;
    if (dimensions > 2) weight *= iz ? bz.weight : 1.0f - bz.weight;
    float texel[count];
    __heddle_read(t, px, py, pz, texel, count);
    for (unsigned int c = 0; c < count; ++c) sums[c] += weight * texel[c];
  }
  for (unsigned int c = 0; c < count; ++c) out[c] = (C)sums[c];
  return __heddle_made<T>(out);
}

// The face of a cube that a direction meets, and where.
struct __heddle_on_cube {
  int face;
  float x, y;
};
HEDDLE_TEXTURE __heddle_on_cube __heddle_meet_cube(float x, float y, float z) {
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  int face;
  float s, t, m;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1, s = x >= 0 ? -z : z, t = -y, m = ax;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3, s = x, t = y >= 0 ? z : -z, m = ay;
  } else {
    face = z >= 0 ? 4 : 5, s = z >= 0 ? x : -x, t = -y, m = az;
  }
  return {face, (s / m + 1.0f) * 0.5f, (t / m + 1.0f) * 0.5f};
}

template <class T>
HEDDLE_TEXTURE T tex1Dfetch(cudaTextureObject_t object, int x) {
  using C = typename __heddle_texel<T>::component;
  const __heddle_texture& t = *(const __heddle_texture*)object;
  C out[__heddle_texel<T>::count];
  __heddle_read(t, x < (int)t.width ? x : -1, 0, 0, out, __heddle_texel<T>::count);
  return __heddle_made<T>(out);
}

// Each function also takes where the result goes, and takes levels of detail, of which there is one.
#define HEDDLE_FETCH(name, parameters, arguments, body)                         \
  template <class T>                                                            \
  HEDDLE_TEXTURE T name(cudaTextureObject_t object, HEDDLE_LIST parameters) {   \
    body                                                                        \
  }                                                                             \
  template <class T>                                                            \
  HEDDLE_TEXTURE void name(T* out, cudaTextureObject_t object, HEDDLE_LIST parameters) { \
    *out = name<T>(object, HEDDLE_LIST arguments);                              \
  }
#define HEDDLE_LIST(...) __VA_ARGS__

HEDDLE_FETCH(tex1D, (float x), (x), return __heddle_sample<T>(object, 1, x, 0, 0, 0);)
HEDDLE_FETCH(tex1DLod, (float x, float), (x, 0), return tex1D<T>(object, x);)
HEDDLE_FETCH(tex1DLayered, (float x, int layer), (x, layer), return __heddle_sample<T>(object, 1, x, 0, 0, layer);)
HEDDLE_FETCH(tex2D, (float x, float y), (x, y), return __heddle_sample<T>(object, 2, x, y, 0, 0);)
HEDDLE_FETCH(tex2DLod, (float x, float y, float), (x, y, 0), return tex2D<T>(object, x, y);)
HEDDLE_FETCH(tex2DLayered, (float x, float y, int layer), (x, y, layer),
             return __heddle_sample<T>(object, 2, x, y, 0, layer);)
HEDDLE_FETCH(tex3D, (float x, float y, float z), (x, y, z), return __heddle_sample<T>(object, 3, x, y, z, 0);)
HEDDLE_FETCH(tex3DLod, (float x, float y, float z, float), (x, y, z, 0), return tex3D<T>(object, x, y, z);)
HEDDLE_FETCH(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
             const __heddle_on_cube met = __heddle_meet_cube(x, y, z);
             const int last = (int)((const __heddle_texture*)object)->depth / 6 - 1;
             const int cube = layer < 0 || layer > last ? last : layer;
             return __heddle_sample<T>(object, 2, met.x, met.y, 0, 6 * cube + met.face);)
HEDDLE_FETCH(texCubemap, (float x, float y, float z), (x, y, z), return texCubemapLayered<T>(object, x, y, z, 0);)

// Surfaces: x counts bytes. Null: nothing is read or written.
template <class T>
HEDDLE_TEXTURE T* __heddle_on_surface(unsigned long long object, int bytes, int y, int z,
                                      cudaSurfaceBoundaryMode mode) {
  const __heddle_texture& t = *(const __heddle_texture*)object;
  const int texel = (int)(t.channels * t.channel_bytes);
  int x = bytes / texel;
  const int w = (int)t.width, h = (int)t.height, d = (int)t.depth;
  if (bytes < 0 || x >= w || y < 0 || y >= h || z < 0 || z >= d) {
    if (mode == cudaBoundaryModeTrap) __trap();
    if (mode != cudaBoundaryModeClamp) return nullptr;
    x = bytes < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    z = z < 0 ? 0 : z >= d ? d - 1 : z;
  }
  return (T*)(t.data + z * t.slice + y * t.pitch + (unsigned long long)x * texel);
}

#define HEDDLE_SURFACE(name, parameters, y, z)                                                              \
  template <class T>                                                                                        \
  HEDDLE_TEXTURE T name##read(cudaSurfaceObject_t object, HEDDLE_LIST parameters,                           \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                        \
    const T* at = __heddle_on_surface<T>(object, x_bytes, y, z, mode);                                      \
    return at == nullptr ? T() : *at;                                                                       \
  }                                                                                                         \
  template <class T>                                                                                        \
  HEDDLE_TEXTURE void name##read(T* out, cudaSurfaceObject_t object, HEDDLE_LIST parameters,                \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                     \
    const T* at = __heddle_on_surface<T>(object, x_bytes, y, z, mode);                                      \
    *out = at == nullptr ? T() : *at;                                                                       \
  }                                                                                                         \
  template <class T>                                                                                        \
  HEDDLE_TEXTURE void name##write(T value, cudaSurfaceObject_t object, HEDDLE_LIST parameters,              \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                    \
    T* at = __heddle_on_surface<T>(object, x_bytes, y, z, mode);                                            \
    if (at != nullptr) *at = value;                                                                         \
  }
HEDDLE_SURFACE(surf1D, (int x_bytes), 0, 0)
HEDDLE_SURFACE(surf2D, (int x_bytes, int y), y, 0)
HEDDLE_SURFACE(surf3D, (int x_bytes, int y, int z), y, z)
HEDDLE_SURFACE(surf1DLayered, (int x_bytes, int layer), 0, layer)
HEDDLE_SURFACE(surf2DLayered, (int x_bytes, int y, int layer), y, layer)

#undef HEDDLE_SURFACE
#undef HEDDLE_FETCH
#undef HEDDLE_LIST
#undef HEDDLE_TEXTURE

#endif
