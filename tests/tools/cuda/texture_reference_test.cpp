// Texture references of programs for CUDA 11 and older: texture<float, 2> name. What needs clang says so and
// passes where there is none.
#include <algorithm>

#include "tests/tools/cuda/cuda_program.h"
#include "tools/cuda/clang_arguments.h"

namespace heddle::cuda {

TEST_CASE("Texture references are bound to memory and arrays, and fetched by name") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(R"(
texture<float, 1> line;
static texture<float4, 1, cudaReadModeElementType> wide;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours;
texture<float, 2> plane;
struct Reader {
  __device__ float operator()(int i) const { return tex1Dfetch(line, i); }
};
__global__ void fetch(float* out) {
  out[0] = Reader()(3);
  out[1] = tex1Dfetch(wide, 1).y;
  out[2] = tex2D(colours, 1.5f, 1.5f).x;
  out[3] = tex2D(plane, 2, 1);
}
__global__ void next(float* out) { out[4] = tex1Dfetch(line, 1); }
)",
                                                     R"(
  float* memory;
  check(cudaMallocManaged(&memory, 16 * sizeof(float)));
  for (int i = 0; i < 16; ++i) memory[i] = i;
  uchar4* rows;
  size_t pitch, offset = 1;
  check(cudaMallocPitch(&rows, &pitch, 2 * sizeof(uchar4), 2));
  const uchar4 texels[4] = {{}, {}, {}, {51, 0, 0, 255}};
  check(cudaMemcpy2D(rows, pitch, texels, 8, 8, 2, cudaMemcpyHostToDevice));
  // Texel (x, y) of 4 x 2 is x + 10 y.
  const float numbers[8] = {0, 1, 2, 3, 10, 11, 12, 13};
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  check(cudaMallocArray(&array, &format, 4, 2));
  check(cudaMemcpyToArray(array, 0, 0, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  plane.filterMode = cudaFilterModeLinear;
  plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
  check(cudaBindTexture(&offset, line, memory, 16 * sizeof(float)));
  check(cudaBindTexture(0, &wide, memory, &wide.channelDesc));
  check(cudaBindTexture2D(0, colours, rows, cudaCreateChannelDesc<uchar4>(), 2, 2, pitch));
  check(cudaBindTextureToArray(plane, array));
  float* out;
  check(cudaMallocManaged(&out, 5 * sizeof(float)));
  fetch<<<1, 1>>>(out);
  check(cudaBindTexture(0, line, memory + 8, 16));  // what was launched has read what was bound then
  next<<<1, 1>>>(out);
  check(cudaUnbindTexture(line));
  check(cudaDeviceSynchronize());
  for (int i = 0; i < 5; ++i) std::printf("%g ", out[i]);
  std::printf("%zu ", offset);
  next<<<1, 1>>>(out);
  std::printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
)"))
                                  .run();
  INFO(run.errors);
  CHECK(run.output == "3 5 0.2 6.5 9 0 cudaErrorIllegalAddress");
}

TEST_CASE("The name texture is CUDA's in files that use it as such, and a program's own in others") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  const auto asks_for_references = [&](const std::string& name) {
    const Arguments arguments = clang_language(find_compiler({}), folder.path(name), {});
    return std::ranges::count(arguments, "-DHEDDLE_TEXTURE_REFERENCES") == 1;
  };
  folder.write("kernels.h", "#include \"main.cu\"\nstatic texture < const float, 1 > t;\n");
  folder.write("main.cu", "#include <vector>\n#  include \"kernels.h\"\n");
  folder.write("own.cu", "struct texture {};\nbool f(int texture, int n) { return texture < n && n > 1; }\n");
  folder.write("other.cu", "template <class T> struct my_texture {};\nmy_texture<int> t;\n");
  CHECK(asks_for_references("main.cu"));
  CHECK_FALSE(asks_for_references("own.cu"));
  CHECK_FALSE(asks_for_references("other.cu"));
}

}  // namespace heddle::cuda
