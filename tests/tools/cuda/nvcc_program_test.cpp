// Programs as nvcc makes them with -cudart shared. A C compiler builds them here from what nvcc's own stubs
// consist of: the wrapper of a container, registrations, and the calls for a launch. That of nvcc itself is
// [heavy].
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cuda/cuda_program.h"
#include "tests/tools/cuda/texture_program.h"
#include "tools/cuda/image/host_program.h"
#include "tools/cuda/process.h"

namespace heddle::cuda {

namespace {

const std::string kFatbins = HEDDLE_SOURCE_DIR "/tests/tools/cuda/fatbins/";
const std::string kLibraries = HEDDLE_BUILD_DIR "/lib/heddle/";

/// The device code of `files`, and the prototypes that nvcc's stubs use. {0} is the files' .incbin lines.
constexpr const char* kProlog = R"(
#include <stdio.h>
#include <stdlib.h>
typedef struct {{ unsigned x, y, z; }} dim3;
typedef struct {{ int magic, version; const void* data; const void* linked_of; }} Wrapper;
__asm__(".section .nv_fatbin,\"a\"\n.balign 8\n.globl code\ncode:\n{}.previous\n");
extern const char code[];
void** __cudaRegisterFatBinary(const Wrapper*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
char __cudaInitModule(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int);
void __cudaRegisterManagedVar(void**, void**, char*, const char*, int, size_t, int, int);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, void*);
int __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*);
int __cudaGetKernel(void**, const void*);
int __cudaLaunchKernel(void*, dim3, dim3, void**, size_t, void*);
int cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, void*);
int cudaMalloc(void**, size_t);
int cudaMemcpy(void*, const void*, size_t, int);
int cudaMemcpyToSymbol(const void*, const void*, size_t, size_t, int);
int cudaMemcpyFromSymbol(void*, const void*, size_t, size_t, int);
int cudaDeviceSynchronize(void);
int cudaRuntimeGetVersion(int*);
)";

/// scale<<<8, 128>>>(values, 1) with factor 2, of fatbins/kernels.cu: value i becomes 2 * i + 1.
constexpr const char* kProgram = R"(
static Wrapper wrapper = {0x466243b1, 1, code, 0};
static void** handle;
static char factor[4], calls[4];
static int* last;
static void scale(float* values, float offset) {
  void* arguments[] = {&values, &offset};
  dim3 grid, block;
  size_t shared;
  void* stream;
  if (__cudaPopCallConfiguration(&grid, &block, &shared, &stream) != 0) return;
#ifdef LEGACY
  cudaLaunchKernel((const void*)scale, grid, block, arguments, shared, stream);
#else
  void* kernel;
  __cudaGetKernel(&kernel, (const void*)scale);
  __cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
#endif
}
static void end(void) { __cudaUnregisterFatBinary(handle); }
__attribute__((constructor)) static void begin(void) {
  handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, (const char*)scale, "scale", "scale", -1, 0, 0, 0, 0, 0);
  __cudaRegisterVar(handle, factor, factor, "factor", 0, 4, 1, 0);
  __cudaRegisterVar(handle, calls, calls, "calls", 0, 4, 0, 0);
  __cudaRegisterManagedVar(handle, (void**)&last, "last", "last", 0, 4, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
  atexit(end);
}
int main(void) {
  float values[1024], two = 2, *device;
  int wrong = 0, called = 0, version = 0;
  const dim3 grid = {8, 1, 1}, block = {128, 1, 1};
  for (int i = 0; i < 1024; ++i) values[i] = i;
  cudaRuntimeGetVersion(&version);
  cudaMalloc((void**)&device, sizeof values);
  cudaMemcpy(device, values, sizeof values, 1);
  cudaMemcpyToSymbol(factor, &two, 4, 0, 1);
  __cudaInitModule(handle);
  const int before = *last;
  if (!__cudaPushCallConfiguration(grid, block, 0, 0)) scale(device, 1);
  cudaMemcpy(values, device, sizeof values, 2);
  cudaMemcpyFromSymbol(&called, calls, 4, 0, 2);
  for (int i = 0; i < 1024; ++i) wrong += values[i] != 2 * i + 1;
  printf("%d: %d wrong, %d calls, %d then %d\n", version, wrong, called, before, *last);
  return 0;
}
)";

/// A program in a folder of its own.
class NvccProgram {
 public:
  /// The containers are put where nvcc puts them. `options` of the compiler come behind the source.
  NvccProgram(const std::vector<std::string>& containers, const std::string& body,
              const std::vector<std::string>& options) {
    std::string lines;
    for (const std::string& container : containers)
      lines += fmt::format(".incbin \\\"{}\\\"\\n.balign 8\\n", container);
    const std::string source = folder.write("program.c", fmt::format(kProlog, lines) + body);
    std::vector<std::string> command = {"cc", "-w", "-o", path(), source};
    command.insert(command.end(), options.begin(), options.end());
    const FinishedProgram compiled = run_program(command);
    INFO(compiled.errors);
    REQUIRE(compiled.exit_code == 0);
  }

  [[nodiscard]] std::string path() const { return folder.path("program"); }

  [[nodiscard]] FinishedProgram exec() const { return exec_on("tiny", {}); }

  [[nodiscard]] FinishedProgram exec_on(const std::string& gpu,
                                        const std::vector<std::string>& options) const {
    std::vector<std::string> command = {HEDDLE_COMMAND, "exec", "--gpu",     gpu,
                                        "--threads",    "1",    "--summary", folder.path("summary")};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", path()});
    return run_program(command);
  }

  test::ScratchFolder folder;
};

/// A library of this name with these functions, of this version, that does nothing.
std::string stub(const test::ScratchFolder& folder, const std::string& name,
                 const std::vector<std::string>& functions) {
  std::string text;
  for (const std::string& function : functions) text += fmt::format("int {}() {{ return 0; }}\n", function);
  const std::string source = folder.write("stub.c", text);
  const std::string map = folder.write("stub.map", fmt::format("{} {{ *; }};\n", name));
  const FinishedProgram made = run_program({"cc", "-w", "-shared", "-fPIC", "-o", folder.path(name), source,
                                            "-Wl,-soname," + name, "-Wl,--version-script=" + map});
  INFO(made.errors);
  REQUIRE(made.exit_code == 0);
  return folder.path(name);
}

}  // namespace

TEST_CASE("A program of nvcc, linked with the shared runtime of CUDA 12 or 13, runs under heddle exec") {
  if (!has_plain_library()) return;
  const std::string plain = "0 wrong, 41 calls, 7 then 1023\n";
  const NvccProgram packed_by_lz4({kFatbins + "speed.fatbin"}, kProgram,
                                  {kLibraries + "libcudart.so.12", "-DLEGACY"});
  const FinishedProgram of_12 = packed_by_lz4.exec();
  CHECK(of_12.errors == "");
  CHECK(of_12.output == "12040: " + plain);
  CHECK_THAT(read_file(packed_by_lz4.folder.path("summary")), Catch::Contains("scale"));

  const FinishedProgram of_13 =
      NvccProgram({kFatbins + "size.fatbin"}, kProgram, {kLibraries + "libcudart.so.13"}).exec();
  CHECK(of_13.errors == "");
  CHECK(of_13.output == "13000: " + plain);
}

TEST_CASE("heddle exec --code machine runs the machine code that fits the GPU") {
  if (!has_plain_library()) return;
  const NvccProgram program({kFatbins + "machine.fatbin"}, kProgram, {kLibraries + "libcudart.so.13"});
  const std::string right = "13000: 0 wrong, 41 calls, 7 then 1023\n";
  for (const char* gpu : {"a100", "a40"}) {  // 8.0 and 8.6, which code for 8.0 fits, too
    INFO(gpu);
    const FinishedProgram ran = program.exec_on(gpu, {"--code", "machine", "--sms", "2"});
    INFO(ran.errors);
    CHECK(ran.exit_code == 0);
    CHECK(ran.output == right);
  }
  CHECK(program.exec_on("a100", {"--code", "ptx", "--sms", "2"}).output == right);
  for (const char* gpu : {"h100", "t4"}) {
    INFO(gpu);
    const FinishedProgram ran = program.exec_on(gpu, {"--code", "machine", "--sms", "2"});
    CHECK(ran.output != right);
    CHECK_THAT(ran.errors, Catch::Contains("no machine code for compute capability"));
  }
  const FinishedProgram unknown = program.exec_on("a100", {"--code", "sass"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.errors, Catch::Contains("--code sass: there are ptx and machine"));
}

TEST_CASE("Heddle's runtime comes before another that the program itself says where to find") {
  if (!has_plain_library()) return;
  const test::ScratchFolder other;
  stub(other, "libcudart.so.13", {"cudaMalloc"});
  const NvccProgram program(
      {kFatbins + "none.fatbin"}, kProgram,
      {kLibraries + "libcudart.so.13", "-Wl,--disable-new-dtags,-rpath," + other.path()});
  CHECK(program.exec().output == "13000: 0 wrong, 41 calls, 7 then 1023\n");
}

TEST_CASE("A program with a default stream for each thread finds the functions under their other names") {
  if (!has_plain_library()) return;
  const NvccProgram program({kFatbins + "none.fatbin"}, kProgram,
                            {kLibraries + "libcudart.so.12", "-DcudaMemcpy=cudaMemcpy_ptds",
                             "-D__cudaLaunchKernel=__cudaLaunchKernel_ptsz"});
  CHECK(program.exec().output == "12040: 0 wrong, 41 calls, 7 then 1023\n");
}

TEST_CASE("Symbols of the shared runtime are CUDA's alone, and have CUDA's version") {
  const FinishedProgram listed = run_program({"nm", "-D", "--defined-only", kLibraries + "libcudart.so.13"});
  REQUIRE(listed.exit_code == 0);
  std::size_t functions = 0;
  for (std::size_t begin = 0; begin < listed.output.size();) {
    const std::string line = listed.output.substr(begin, listed.output.find('\n', begin) - begin);
    begin += line.size() + 1;
    const bool is_the_version = line.ends_with(" A libcudart.so.13");
    const bool is_of_cuda =
        line.find(" cu") != std::string::npos || line.find(" __cuda") != std::string::npos;
    INFO(line);
    CHECK((is_the_version || (is_of_cuda && line.ends_with("@@libcudart.so.13"))));
    ++functions;
  }
  CHECK(functions > 150);
}

TEST_CASE(
    "What a program needs and offers is read from its file, and of a file that is cut off nothing is made up") {
  const test::ScratchFolder folder;
  const std::string newer = stub(folder, "libcudart.so.13", {"cudaMalloc", "cudaFree"});
  const std::string main_file =
      folder.write("main.c", "int main(void) { return cudaFree(0); }\nint f(void) { return 1; }\n");
  const std::string program = folder.path("main");
  REQUIRE(run_program({"cc", "-w", "-rdynamic", "-o", program, main_file, newer}).exit_code == 0);
  const std::string bytes = read_file(program);
  const image::HostProgram read = image::read_host_program(bytes, program);
  CHECK(std::ranges::find(read.libraries, "libcudart.so.13") != read.libraries.end());
  CHECK(std::ranges::find(read.offered, "f") != read.offered.end());
  std::vector<std::string> wanted;
  for (const image::WantedSymbol& each : read.wanted)
    if (each.library == "libcudart.so.13") wanted.push_back(each.name);
  CHECK(wanted == std::vector<std::string>{"cudaFree"});
  CHECK(read.device_code.empty());
  for (std::size_t left = 0; left < bytes.size(); left += 89) {
    INFO(left << " bytes of " << bytes.size());
    CHECK_THROWS_AS(image::read_host_program(std::string_view(bytes).substr(0, left), program), InputError);
  }
}

TEST_CASE("What cannot run is told of before it starts, with what to do") {
  const std::string main_alone = "int main(void) { puts(\"started\"); return code[0]; }\n";
  const auto refused = [](const NvccProgram& program, const std::vector<std::string>& words) {
    const FinishedProgram run = program.exec();
    CHECK(run.exit_code == 2);
    CHECK(run.output == "");
    for (const std::string& word : words) CHECK_THAT(run.errors, Catch::Contains(word));
  };
  refused(NvccProgram({kFatbins + "size.fatbin"}, main_alone, {}),
          {"has NVIDIA's runtime inside", "nvcc -cudart shared", "heddle cuda"});

  const test::ScratchFolder stubs;
  const std::string old = stub(stubs, "libcudart.so.11.0", {"cudaMalloc"});
  const std::string calls = "int main(void) { return cudaMalloc(0, 0) + code[0]; }\n";
  refused(NvccProgram({kFatbins + "size.fatbin"}, calls, {old}), {"libcudart.so.11.0", "CUDA 12 and 13"});

  const std::string newer = stub(stubs, "libcudart.so.13", {"cudaMalloc", "cudaFlyToTheMoon"});
  const std::string flies = "int main(void) { return cudaFlyToTheMoon() + cudaMalloc(0, 0) + code[0]; }\n";
  refused(NvccProgram({kFatbins + "size.fatbin"}, flies, {newer}),
          {"runtime does not have: cudaFlyToTheMoon\n"});

  const std::string foreign = stub(stubs, "libcublas.so.13", {"cublasCreate_v2"});
  const std::string both = "int main(void) { return cublasCreate_v2() + cudaMalloc(0, 0) + code[0]; }\n";
  refused(NvccProgram({kFatbins + "size.fatbin"}, both, {newer, foreign}), {"needs libcublas.so.13"});

  // A container with one entry of kind 2 (machine code) for 8.0.
  const std::string cubin = read_file(HEDDLE_SOURCE_DIR "/tests/isa/cubins/reduce_v1.80.cubin");
  std::string header(80, '\0');
  const auto put = [&](std::size_t at, std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) header[at + i] = static_cast<char>(value >> (8 * i));
  };
  put(0, 0xba55ed50, 4), put(4, 1, 2), put(6, 16, 2), put(8, 64 + cubin.size(), 8);
  put(16, 2, 2), put(18, 0x101, 2), put(20, 64, 4), put(24, cubin.size(), 8), put(44, 80, 4),
      put(56, 0x11, 8);
  const std::string machine_code = stubs.write("machine.fatbin", header + cubin);
  refused(NvccProgram({kFatbins + "size.fatbin", machine_code}, calls, {newer}),
          {"machine code (sm_80) without PTX", "arch=compute_80,code=compute_80"});
}

TEST_CASE("nvcc's own programs run under heddle exec: whole, linked of several files, cooperative",
          "[.heavy]") {
  const std::string nvcc = nvcc_for_programs();
  if (nvcc.empty()) return;
  const test::ScratchFolder folder;
  const std::string main_file = folder.write("main.cu", R"(
#include <cooperative_groups.h>
#include <cstdio>
extern __device__ float twice(float x);
extern __device__ int counter;
__managed__ int last = 7;
__constant__ float offset;
__global__ void scale(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = twice(x[blockIdx.x * blockDim.x + threadIdx.x]) + offset;
  atomicAdd(&counter, 1);
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    last = counter;
    printf("of the kernel: %d\n", counter);
  }
}
int main() {
  float *x, one = 1;
  cudaMallocManaged(&x, 256 * sizeof(float));
  for (int i = 0; i < 256; ++i) x[i] = i;
  cudaMemcpyToSymbol(offset, &one, sizeof one);
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel((const void*)scale, 4, 64, arguments, 0, 0);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 256; ++i) wrong += x[i] != 2 * i + 1;
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::printf("%d wrong, %d, %d SMs\n", wrong, last, properties.multiProcessorCount);
}
)");
  const std::string other_file = folder.write("other.cu",
                                              "__device__ int counter = 10;\n"
                                              "__device__ float twice(float x) { return 2 * x; }\n");
  const auto compiled = [&](std::vector<std::string> arguments) {
    const std::string program = folder.path("program");
    arguments.insert(arguments.begin(), {nvcc, "-cudart", "shared", "-o", program});
    const FinishedProgram made = run_program(arguments);
    INFO(made.errors);
    REQUIRE(made.exit_code == 0);
    return run_program(
        {HEDDLE_COMMAND, "exec", "--gpu", "tiny", "--summary", folder.path("summary"), "--", program});
  };
  const std::string expected = "of the kernel: 266\n0 wrong, 266, ";
  const FinishedProgram linked = compiled({"-rdc=true", main_file, other_file});
  CHECK(linked.errors == "");
  CHECK_THAT(linked.output, Catch::StartsWith(expected));
  const FinishedProgram without_ptx = compiled({"-gencode", "arch=compute_80,code=sm_80",
                                                HEDDLE_SOURCE_DIR "/tests/tools/cuda/fatbins/kernels.cu",
                                                folder.write("empty.cpp", "int main() {}\n")});
  CHECK(without_ptx.exit_code == 2);
  CHECK_THAT(without_ptx.errors, Catch::Contains("machine code (sm_80) without PTX"));
}

TEST_CASE("Textures are fetched by nvcc's machine code as CUDA's guide says", "[.heavy]") {
  const std::string nvcc = nvcc_for_programs();
  if (nvcc.empty()) return;
  const test::ScratchFolder folder;
  const std::string source =
      folder.write("main.cu", program_of(std::string(kTextures) + kPlaneKernel, kPlaneMain));
  for (const auto& [architecture, gpu] : {std::pair{"75", "t4"}, {"80", "a100"}, {"86", "a40"}, {"90", "h100"}}) {
    CAPTURE(architecture, gpu);
    const std::string program = folder.path("program");
    const FinishedProgram made =
        run_program({nvcc, "-cudart", "shared", "-gencode",
                     fmt::format("arch=compute_{0},code=sm_{0}", architecture), "-o", program, source});
    INFO(made.errors);
    REQUIRE(made.exit_code == 0);
    const FinishedProgram ran =
        run_program({HEDDLE_COMMAND, "exec", "--gpu", gpu, "--code", "machine", "--timed", "none", "--summary",
                     folder.path("summary"), "--", program});
    INFO(ran.errors);
    CHECK(ran.output == "cudaErrorInvalidResourceHandle\n");
  }
}

TEST_CASE("Programs without CUDA and scripts are started as they are") {
  const test::ScratchFolder folder;
  const std::string script = folder.write("script.sh", "#!/bin/sh\necho $LD_LIBRARY_PATH\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const FinishedProgram run = run_program({HEDDLE_COMMAND, "exec", "--", script});
  CHECK_THAT(run.output, Catch::StartsWith(std::filesystem::canonical(kLibraries + ".").string()));
  CHECK(run_program({HEDDLE_COMMAND, "exec", "--", "sh", "-c", "exit 7"}).exit_code == 7);
}

}  // namespace heddle::cuda
