#include "tools/heddle/cuda/cuda_command.h"

#include "tools/cuda/program.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/cuda/nvcc_options.h"

namespace heddle::command {

Syntax cuda_syntax() {
  Syntax syntax = make_syntax(
      "heddle cuda FILE... [-o PROGRAM]",
      "Compiles a CUDA program, to be run on a simulated GPU: host code by clang, device code as PTX within it. Takes the "
      "usual options of nvcc. The program needs no GPU and nothing of NVIDIA's. HEDDLE_GPU says which GPU it finds, "
      "HEDDLE_SET what is changed in its GPU file, HEDDLE_SMS how many SMs it has; without them it is an H100.",
      "file",
      "  heddle cuda app.cu -o app && ./app\n"
      "  HEDDLE_GPU=a100 ./app\n"
      "  heddle cuda -O3 -std=c++17 -I include main.cpp kernels.cu -o app\n");
  add_nvcc_options(syntax);
  return syntax;
}

int cuda_command(const Arguments& arguments) {
  const auto values = parse_or_help(cuda_syntax(), as_long_options(arguments));
  if (!values) return kDone;
  const std::string warnings = cuda::build_program(program_options_of(*values));
  if (!warnings.empty()) print_error(warnings);
  return kDone;
}

}  // namespace heddle::command
