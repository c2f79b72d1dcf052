#include "tools/cuda/ptxas.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

#include "isa/base/read_number.h"
#include "tools/cuda/process.h"
#include "tools/cuda/scratch_folder.h"

namespace heddle::cuda {

namespace {

/// The 31 of "ptxas info    : Used 31 registers, used 1 barriers"; 0 if there is no such line.
unsigned used_registers(std::string_view printed) {
  constexpr std::string_view kUsed = "Used ";
  const std::size_t found = printed.find(kUsed);
  if (found == std::string_view::npos) return 0;
  printed.remove_prefix(found + kUsed.size());
  return number_in<unsigned>(printed.substr(0, printed.find_first_not_of("0123456789"))).value_or(0);
}

}  // namespace

unsigned registers_of_ptxas(const std::string& ptx, const std::string& kernel, const load::Lowering& lowering,
                            const std::string& option) {
  const std::string program = find_program("ptxas");
  if (program.empty())
    throw InputError({option, 0, 0},
                     "there is no ptxas in $PATH; it comes with NVIDIA's CUDA toolkit. Without "
                     "the option, registers are estimated");
  const ScratchFolder scratch;
  const std::string file = scratch.file("kernels.ptx");
  std::ofstream(file) << ptx;
  std::vector<std::string> command = {program,
                                      "-v",
                                      fmt::format("-arch=sm_{}", lowering.compute_capability),
                                      "--entry",
                                      kernel,
                                      file,
                                      "-o",
                                      scratch.file("kernels.cubin")};
  if (lowering.most_registers <= ir::kMaxRegister)
    command.push_back(fmt::format("--maxrregcount={}", lowering.most_registers));
  const FinishedProgram finished = run_program(command);
  const std::string printed = finished.output + finished.errors;
  const unsigned registers = used_registers(printed);
  if (finished.exit_code != 0 || registers == 0)
    throw InputError(
        {option, 0, 0},
        fmt::format("{} does not take kernel '{}' for compute capability {}.{}:\n{}", program, kernel,
                    lowering.compute_capability / 10, lowering.compute_capability % 10, printed));
  return registers;
}

}  // namespace heddle::cuda
