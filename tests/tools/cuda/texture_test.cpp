// Textures, surfaces, arrays and memory pools of CUDA programs. What needs clang says so and passes where
// there is none.
#include "tests/tools/cuda/cuda_program.h"
#include "tests/tools/cuda/texture_program.h"

namespace heddle::cuda {

TEST_CASE(
    "Textures are read by nearest texel and between texels, clamped, wrapped, mirrored and with borders",
    "[.heavy]") {
  if (!has_clang()) return;
  const FinishedProgram run =
      CudaProgram(program_of(std::string(kTextures) + kPlaneKernel, kPlaneMain)).run({"HEDDLE_TIMED=none"});
  CHECK(run.output == "cudaErrorInvalidResourceHandle\n");
}

TEST_CASE("Textures of memory, of layers, cubes and volumes, and of bytes that become fractions",
          "[.heavy]") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(std::string(kTextures) + R"(
__global__ void fetch(cudaTextureObject_t line, cudaTextureObject_t rows, cudaTextureObject_t layers,
                      cudaTextureObject_t cube, cudaTextureObject_t volume, float* out) {
  out[0] = tex1Dfetch<int>(line, 3);
  out[1] = tex1Dfetch<int>(line, 100);  // behind its end
  const float4 colour = tex2D<float4>(rows, 1.5f, 1.5f);
  out[2] = colour.x;
  out[3] = colour.w;
  out[4] = tex2DLayered<float>(layers, 1.5f, 0.5f, 2);
  for (int face = 0; face < 6; ++face) {
    const float way = face % 2 ? -1 : 1;
    out[5 + face] = texCubemap<float>(cube, face / 2 == 0 ? way : 0, face / 2 == 1 ? way : 0, face / 2 == 2 ? way : 0);
  }
  out[11] = tex3D<float>(volume, 1, 1, 1);  // the middle of all eight
}
)",
                                                     R"(
  int* line;
  check(cudaMallocManaged(&line, 8 * sizeof(int)));
  for (int i = 0; i < 8; ++i) line[i] = -i;
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = line;
  linear.res.linear.desc = cudaCreateChannelDesc<int>();
  linear.res.linear.sizeInBytes = 8 * sizeof(int);

  uchar4* rows;
  size_t pitch;
  check(cudaMallocPitch(&rows, &pitch, 2 * sizeof(uchar4), 2));
  const uchar4 colours[4] = {{}, {}, {}, {51, 0, 0, 255}};
  check(cudaMemcpy2D(rows, pitch, colours, 8, 8, 2, cudaMemcpyHostToDevice));
  cudaResourceDesc pitched = {};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D = {rows, cudaCreateChannelDesc<uchar4>(), 2, 2, pitch};

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  float numbers[24];
  for (int i = 0; i < 24; ++i) numbers[i] = i;
  cudaArray_t arrays[3];
  const cudaExtent extents[3] = {{2, 2, 3}, {2, 2, 6}, {2, 2, 2}};
  const unsigned flags[3] = {cudaArrayLayered, cudaArrayCubemap, 0};
  for (int i = 0; i < 3; ++i) {
    check(cudaMalloc3DArray(&arrays[i], &format, extents[i], flags[i]));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(numbers, 2 * sizeof(float), 2, 2);
    copy.dstArray = arrays[i];
    copy.extent = extents[i];
    copy.kind = cudaMemcpyHostToDevice;
    check(cudaMemcpy3D(&copy));
  }
  float* out;
  check(cudaMallocManaged(&out, 12 * sizeof(float)));
  fetch<<<1, 1>>>(texture_of(linear, cudaAddressModeClamp, false, false),
                  texture_of(pitched, cudaAddressModeClamp, false, false, cudaReadModeNormalizedFloat),
                  texture_of(resource_of(arrays[0]), cudaAddressModeClamp, true, false),
                  texture_of(resource_of(arrays[1]), cudaAddressModeClamp, true, true),
                  texture_of(resource_of(arrays[2]), cudaAddressModeClamp, true, false), out);
  check(cudaDeviceSynchronize());
  for (int i = 0; i < 12; ++i) std::printf("%g ", out[i]);
)"))
                                  .run({"HEDDLE_TIMED=none"});
  // Layer 2 begins with 8; face f has 4 f to 4 f + 3, whose mean is in its middle.
  CHECK(run.output == "-3 0 0.2 1 9 1.5 5.5 9.5 13.5 17.5 21.5 3.5 ");
}

TEST_CASE("Surfaces are written and read by bytes", "[.heavy]") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(std::string(kTextures) + R"(
__global__ void write(cudaSurfaceObject_t surface) {
  surf2Dwrite(make_short2(threadIdx.x, threadIdx.y), surface, threadIdx.x * sizeof(short2), threadIdx.y);
  surf2Dwrite(make_short2(7, 7), surface, 400, 0, cudaBoundaryModeZero);
}
__global__ void read(cudaSurfaceObject_t surface, int* out) {
  const short2 value = surf2Dread<short2>(surface, 400, threadIdx.x, cudaBoundaryModeClamp);
  out[threadIdx.x] = 10 * value.x + value.y + surf2Dread<short2>(surface, -4, 0, cudaBoundaryModeZero).x;
}
)",
                                                     R"(
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>();
  check(cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t surface;
  const cudaResourceDesc resource = resource_of(array);
  check(cudaCreateSurfaceObject(&surface, &resource));
  int* out;
  check(cudaMallocManaged(&out, 4 * sizeof(int)));
  write<<<1, dim3(8, 4)>>>(surface);
  read<<<1, 4>>>(surface, out);
  short2 row[8];
  check(cudaMemcpy2DFromArray(row, sizeof row, array, 0, 2, sizeof row, 1, cudaMemcpyDeviceToHost));
  check(cudaDestroySurfaceObject(surface));
  std::printf("%d %d %d %d, %d %d\n", out[0], out[1], out[2], out[3], row[5].x, row[5].y);
)"))
                                  .run({"HEDDLE_TIMED=none"});
  CHECK(run.output == "70 71 72 73, 5 2\n");
}

TEST_CASE("Memory pools count what they have given, and graphs take memory of their own", "[.heavy]") {
  if (!has_clang()) return;
  const FinishedProgram run =
      CudaProgram(program_of("__global__ void set(int* p) { p[threadIdx.x] = threadIdx.x; }\n",
                             R"(
  cudaMemPool_t usual, own;
  check(cudaDeviceGetDefaultMemPool(&usual, 0));
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  check(cudaMemPoolCreate(&own, &properties));
  unsigned long long threshold = ~0ULL, used = 0, most = 0;
  check(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold));
  int *a, *b;
  check(cudaMallocAsync(&a, 4096, 0));
  check(cudaMallocFromPoolAsync(&b, 512, own, 0));
  set<<<1, 32>>>(b);
  check(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
  check(cudaFreeAsync(b, 0));
  check(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemHigh, &most));
  std::printf("%llu %llu ", used, most);
  check(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
  check(cudaMemPoolGetAttribute(usual, cudaMemPoolAttrUsedMemCurrent, &most));
  std::printf("%llu %llu\n", used, most);
  check(cudaMemPoolDestroy(own));

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t take, launch, give;
  check(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams taken = {};
  taken.poolProps = properties;
  taken.bytesize = 32 * sizeof(int);
  check(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &taken));
  void* arguments[] = {&taken.dptr};
  cudaKernelNodeParams kernel = {(void*)set, dim3(1), dim3(32), 0, arguments, nullptr};
  check(cudaGraphAddKernelNode(&launch, graph, &take, 1, &kernel));
  int out[32];
  cudaGraphNode_t copy;
  check(cudaGraphAddMemcpyNode1D(&copy, graph, &launch, 1, out, taken.dptr, sizeof out, cudaMemcpyDeviceToHost));
  check(cudaGraphAddMemFreeNode(&give, graph, &copy, 1, taken.dptr));
  check(cudaGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < 2; ++round) {
    out[31] = 0;
    check(cudaGraphLaunch(executable, 0));
    check(cudaDeviceSynchronize());
    std::printf("%d\n", out[31]);
  }
)"))
          .run({"HEDDLE_TIMED=none"});
  CHECK(run.errors == "");
  CHECK(run.output == "512 512 0 4096\n31\n31\n");
}

}  // namespace heddle::cuda
