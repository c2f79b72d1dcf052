// Texture and surface instructions, as nvcc writes them: they are given to clang as assembly, and are to find
// what the functions of CUDA C++ find, whose rules texture_test.cpp tests. What needs clang says so and
// passes where there is none.
#include "tests/tools/cuda/cuda_program.h"
#include "tests/tools/cuda/texture_program.h"

namespace heddle::cuda {

TEST_CASE(
    "Texture instructions of PTX find what the functions of CUDA C++ do, in each mode, geometry and format") {
  if (!has_clang() || !has_plain_library()) return;
  const FinishedProgram run = CudaProgram(program_of(std::string(kTextures) + R"(
#include <cstring>
struct Textures { cudaTextureObject_t line, plane, volume, lines, planes, cube, cubes, bytes, shorts, whole, row; };
#define TEX(name, place, ...) asm("tex." name " {%0,%1,%2,%3}, [%4, " place "];" \
    : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w) : "l"(t), __VA_ARGS__)
__device__ float4 line(cudaTextureObject_t t, float x) { float4 r; TEX("1d.v4.f32.f32", "{%5}", "f"(x)); return r; }
__device__ float4 plane(cudaTextureObject_t t, float x, float y) {
  float4 r;
  TEX("2d.v4.f32.f32", "{%5,%6}", "f"(x), "f"(y));
  return r;
}
__device__ float4 level(cudaTextureObject_t t, float x, float y) {
  float4 r;
  asm("tex.level.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], %5;"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w) : "l"(t), "f"(x), "f"(y));
  return r;
}
__device__ float4 volume(cudaTextureObject_t t, float x, float y, float z) {
  float4 r;
  TEX("3d.v4.f32.f32", "{%5,%6,%7,%7}", "f"(x), "f"(y), "f"(z));
  return r;
}
__device__ float4 lines(cudaTextureObject_t t, float x, int l) {
  float4 r;
  TEX("a1d.v4.f32.f32", "{%6,%5}", "f"(x), "r"(l));
  return r;
}
__device__ float4 planes(cudaTextureObject_t t, float x, float y, int l) {
  float4 r;
  TEX("a2d.v4.f32.f32", "{%7,%5,%6,%6}", "f"(x), "f"(y), "r"(l));
  return r;
}
__device__ float4 cube(cudaTextureObject_t t, float x, float y, float z) {
  float4 r;
  TEX("cube.v4.f32.f32", "{%5,%6,%7,%7}", "f"(x), "f"(y), "f"(z));
  return r;
}
__device__ float4 cubes(cudaTextureObject_t t, float x, float y, float z, int l) {
  float4 r;
  TEX("acube.v4.f32.f32", "{%8,%5,%6,%7}", "f"(x), "f"(y), "f"(z), "r"(l));
  return r;
}
__device__ int4 whole(cudaTextureObject_t t, float x, float y) {
  int4 r;
  asm("tex.2d.v4.s32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];"
      : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w) : "l"(t), "f"(x), "f"(y));
  return r;
}
__device__ float4 numbered(cudaTextureObject_t t, int x) {
  float4 r;
  TEX("1d.v4.f32.s32", "{%5}", "r"(x));
  return r;
}
__device__ bool differ(float4 a, float4 b) {
  return __float_as_int(a.x) != __float_as_int(b.x) || __float_as_int(a.y) != __float_as_int(b.y) ||
         __float_as_int(a.z) != __float_as_int(b.z) || __float_as_int(a.w) != __float_as_int(b.w);
}
// The functions do not tell of channels that their type has not.
__device__ bool differ(float4 a, float b) { return differ(a, make_float4(b, a.y, a.z, a.w)); }
__device__ bool differ(float4 a, float2 b) { return differ(a, make_float4(b.x, b.y, a.z, a.w)); }
__device__ bool differ(int4 a, short2 b) { return a.x != b.x || a.y != b.y; }
__global__ void compare(Textures t, const float* places, int* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = places[3 * i], y = places[3 * i + 1], z = places[3 * i + 2];
  const int l = i % 5 - 1;
  const bool differs[] = {differ(line(t.line, x), tex1D<float4>(t.line, x)),
                          differ(plane(t.plane, x, y), tex2D<float4>(t.plane, x, y)),
                          differ(level(t.plane, x, y), tex2DLod<float4>(t.plane, x, y, 0)),
                          differ(volume(t.volume, x, y, z), tex3D<float4>(t.volume, x, y, z)),
                          differ(lines(t.lines, x, l), tex1DLayered<float4>(t.lines, x, l)),
                          differ(planes(t.planes, x, y, l), tex2DLayered<float4>(t.planes, x, y, l)),
                          differ(cube(t.cube, x, y, z), texCubemap<float4>(t.cube, x, y, z)),
                          differ(cubes(t.cubes, x, y, z, i % 2), texCubemapLayered<float4>(t.cubes, x, y, z, i % 2)),
                          differ(plane(t.bytes, x, y), tex2D<float4>(t.bytes, x, y)),
                          differ(plane(t.shorts, x, y), tex2D<float2>(t.shorts, x, y)),
                          differ(whole(t.whole, x, y), tex2D<short2>(t.whole, x, y)),
                          differ(numbered(t.row, l * 9), tex1Dfetch<float>(t.row, l * 9))};
  for (int k = 0; k < 12; ++k)
    if (differs[k]) atomicAdd(&found[k], 1);
}
unsigned state = 20260101;
unsigned any() { return state = state * 1664525u + 1013904223u; }
cudaArray_t array_of(cudaChannelFormatDesc format, cudaExtent extent, unsigned flags, bool is_float) {
  cudaArray_t array;
  cudaMalloc3DArray(&array, &format, extent, flags);
  const size_t rows = extent.height ? extent.height : 1, layers = extent.depth ? extent.depth : 1;
  const size_t bytes = (format.x + format.y + format.z + format.w) / 8;
  static unsigned texels[4096];
  for (unsigned& each : texels) {
    const float number = (int)(any() >> 8) / 65536.0f - 100.0f;
    each = any() >> 3;
    if (is_float) memcpy(&each, &number, 4);
  }
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels, extent.width * bytes, extent.width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, rows, layers);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  return array;
}
)",
                                                     R"(
  const auto four = cudaCreateChannelDesc<float4>();
  const cudaArray_t arrays[] = {
      array_of(four, {13, 0, 0}, 0, true), array_of(four, {9, 7, 0}, 0, true), array_of(four, {5, 4, 3}, 0, true),
      array_of(four, {6, 0, 3}, cudaArrayLayered, true), array_of(four, {6, 5, 3}, cudaArrayLayered, true),
      array_of(four, {4, 4, 6}, cudaArrayCubemap, true),
      array_of(four, {4, 4, 12}, cudaArrayCubemap | cudaArrayLayered, true),
      array_of(cudaCreateChannelDesc<uchar4>(), {9, 7, 0}, 0, false),
      array_of(cudaCreateChannelDesc<short2>(), {9, 7, 0}, 0, false)};
  const int threads = 128, blocks = 2;
  float *places, *row;
  int* found;
  check(cudaMallocManaged(&places, 3 * threads * blocks * sizeof(float)));
  check(cudaMallocManaged(&row, 20 * sizeof(float)));
  check(cudaMallocManaged(&found, 12 * sizeof(int)));
  for (int i = 0; i < 20; ++i) row[i] = i + 0.5f;
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = row;
  linear.res.linear.desc = cudaCreateChannelDesc<float>();
  linear.res.linear.sizeInBytes = 20 * sizeof(float);
  int done = 0;
  for (int mode = 0; mode < 4; ++mode)
    for (int is_linear = 0; is_linear < 2; ++is_linear)
      for (int is_normalized = mode % 2 == 0; is_normalized < 2; ++is_normalized) {
        const auto made = [&](cudaArray_t array, bool is_fraction = false) {
          return texture_of(resource_of(array), (cudaTextureAddressMode)mode, is_linear, is_normalized,
                            is_fraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType, 7);
        };
        Textures t = {made(arrays[0]), made(arrays[1]), made(arrays[2]), made(arrays[3]), made(arrays[4]),
                      0, 0, made(arrays[7], true), made(arrays[8], true), 0, 0};
        t.cube = texture_of(resource_of(arrays[5]), cudaAddressModeClamp, is_linear, true);
        t.cubes = texture_of(resource_of(arrays[6]), cudaAddressModeClamp, is_linear, true);
        t.whole = texture_of(resource_of(arrays[8]), (cudaTextureAddressMode)mode, false, is_normalized);
        t.row = texture_of(linear, cudaAddressModeClamp, false, false);
        for (int i = 0; i < 3 * threads * blocks; ++i)
          places[i] = ((int)(any() >> 8) / 16777216.0f * 3 - 1) * (is_normalized ? 1 : 8);
        compare<<<blocks, threads>>>(t, places, found);
        check(cudaDeviceSynchronize());
        ++done;
      }
  for (int k = 0; k < 12; ++k)
    if (found[k] != 0) std::printf("%d: %d\n", k, found[k]);
  std::printf("%d\n", done);
)"))
                                  .run({"HEDDLE_TIMED=none"});
  CHECK(run.errors == "");
  CHECK(run.output == "12\n");
}

TEST_CASE("Surface instructions of PTX read and write texels, at the border by their mode") {
  if (!has_clang() || !has_plain_library()) return;
  const FinishedProgram run = CudaProgram(program_of(R"(
__global__ void fill(cudaSurfaceObject_t s) {
  const int x = threadIdx.x, y = threadIdx.y, l = threadIdx.z;
  const unsigned value = 100 * l + 10 * y + x;
  asm volatile("sust.b.a2d.v2.b32.trap [%0, {%1,%2,%3,%3}], {%4,%5};" :: "l"(s), "r"(l), "r"(8 * x), "r"(y), "r"(value), "r"(~value));
}
__global__ void use(cudaSurfaceObject_t s, unsigned* out) {
  int k = 0;
  unsigned a, b;
  unsigned short h;
  const auto pair = surf2DLayeredread<uint2>(s, 8, 1, 1);
  out[k++] = pair.x == 111 && pair.y == ~111u;
  asm volatile("suld.b.a2d.v2.b32.clamp {%0,%1}, [%2, {%3,%4,%5,%5}];" : "=r"(a), "=r"(b) : "l"(s), "r"(9), "r"(-8), "r"(7));
  out[k++] = a, out[k++] = ~b;  // layer 2, x 0, y 2
  asm volatile("suld.b.a2d.v2.b32.zero {%0,%1}, [%2, {%3,%4,%5,%5}];" : "=r"(a), "=r"(b) : "l"(s), "r"(0), "r"(32), "r"(0));
  out[k++] = a + b;
  asm volatile("suld.b.a2d.b8.trap {%0}, [%1, {%2,%3,%4,%4}];" : "=h"(h) : "l"(s), "r"(1), "r"(24), "r"(2));
  out[k++] = h;
  asm volatile("sust.b.a2d.b16.clamp [%0, {%1,%2,%3,%3}], {%4};" :: "l"(s), "r"(-1), "r"(-1), "r"(-1), "h"((short)77));
  out[k++] = surf2DLayeredread<unsigned short>(s, 0, 0, 0);
}
__global__ void beyond(cudaSurfaceObject_t s) {
  asm volatile("sust.b.a2d.b32.trap [%0, {%1,%2,%3,%3}], {%1};" :: "l"(s), "r"(0), "r"(0), "r"(3));
}
)",
                                                     R"(
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uint2>();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  check(cudaMalloc3DArray(&resource.res.array.array, &format, make_cudaExtent(4, 3, 3), cudaArrayLayered | cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t surface;
  check(cudaCreateSurfaceObject(&surface, &resource));
  unsigned* out;
  check(cudaMallocManaged(&out, 64));
  fill<<<1, dim3(4, 3, 3)>>>(surface);
  use<<<1, 1>>>(surface, out);
  check(cudaDeviceSynchronize());
  for (int k = 0; k < 6; ++k) std::printf("%u ", out[k]);
  beyond<<<1, 1>>>(surface);
  std::printf("%d\n", cudaDeviceSynchronize() != cudaSuccess);
)"))
                                  .run({"HEDDLE_TIMED=none"});
  CHECK(run.output == "1 220 220 0 123 77 1\n");
}

}  // namespace heddle::cuda
