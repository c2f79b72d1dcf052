#include "tools/heddle/asm/asm_command.h"

#include <fmt/format.h>

#include <utility>

#include "isa/load/kernel_file.h"
#include "sim/config/compute_capabilities.h"
#include "tools/cuda/kernel_file.h"
#include "tools/heddle/asm/asm_listing.h"
#include "tools/heddle/asm/instruction_list.h"
#include "tools/heddle/base/cuda_options.h"
#include "tools/heddle/base/input.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/provenance.h"
#include "tools/report/provenance_section.h"

namespace heddle::command {

Syntax asm_syntax() {
  Syntax syntax = make_syntax(
      "heddle asm FILE.sass|FILE.cubin|FILE.ptx|FILE.cu|- [--entry NAME] [--sm CAPABILITY] [--source] [--format text|json]\n       heddle asm FILE.cubin --dependences GPU|FILE\n       heddle asm --instructions",
      "Checks a kernel file, be it written for Heddle, what cuobjdump -sass and nvdisasm\n"
      "print, machine code (a .cubin), PTX, or CUDA C++, and prints what its kernels, or the one of that name,\n"
      "need and do. The text can be assembled again. Machine code is printed as nvdisasm prints it, with what\n"
      "each instruction tells the scheduler in front: [barriers it waits for:set until read:set until written:\n"
      "yield:stall cycles]. Or lists all instructions of kernels. - is standard input.",
      "file",
      "  heddle asm traces/vecadd.sass\n"
      "  heddle asm traces/divergent.sass --format json\n"
      "  heddle asm traces/saxpy.cu --source\n"
      "  heddle asm --instructions | grep -A1 IMAD\n"
      "  heddle asm kernels.cubin --dependences a100\n");
  syntax.options.add_options()("entry", boost::program_options::value<std::string>()->value_name("NAME"),
                               "only this kernel, by its name or its source's; others are not judged")(
      "sm", boost::program_options::value<std::string>()->value_name("CAPABILITY"),
      "the compute capability that PTX is lowered for, such as 9.0; otherwise 8.0")(
      "source",
      "shows each line of CUDA C++ with the PTX that the compiler made of it, and each line of PTX with its instructions")(
      "format", boost::program_options::value<std::string>()->value_name("text|json"), "form of the listing")(
      "dependences", boost::program_options::value<std::string>()->value_name("GPU|FILE"),
      "how far apart the compiler put dependent instructions of machine code, beside the latencies of this GPU")(
      "instructions", "lists the instructions: how each is written, and what it does");
  add_cuda_options(syntax);
  return syntax;
}

namespace {

unsigned capability_of(const OptionValues& values) {
  const auto given = text_of(values, "sm");
  if (!given) return load::kUsualCapability;
  const unsigned number = sim::compute_capability_number(sim::compute_capability_version(*given), 0);
  if (number == 0)
    throw UsageError(
        fmt::format("--sm {}: no compute capability that is known; 8.0 or sm_90 is one", *given));
  return number;
}

std::vector<ir::Kernel> kernels_of(const load::KernelFile& file, const OptionValues& values,
                                   const load::Lowering& lowering) {
  if (const auto entry = text_of(values, "entry")) return {file.choose(entry, "--entry", lowering)};
  return file.all("--entry", lowering);
}

}  // namespace

int asm_command(const Arguments& arguments) {
  auto command = read_reported(asm_syntax(), "asm", arguments);
  if (!command) return kDone;
  const OptionValues* values = &command->values;
  const std::string format = choice_of(*values, "format", {"text", "json"});
  const std::vector<std::string> files = list_of(*values, "file");
  const bool has_source = values->count("source") != 0;
  if (has_source && (format == "json" || values->count("dependences") != 0))
    throw UsageError("--source is of the listing as text");
  if (values->count("instructions") != 0) {
    const bool is_alone = files.empty() && format == "text" && !text_of(*values, "entry");
    if (!is_alone) throw UsageError("--instructions stands alone");
    write_output(instruction_list());
    return kDone;
  }
  if (files.size() != 1) throw UsageError("one kernel file must be given");
  if (files[0].ends_with(".yaml"))
    throw UsageError(
        fmt::format("{} is a launch file; asm takes a kernel, such as traces/vecadd.sass", files[0]));
  const std::string file = read_input(files[0]);
  add_input(command->provenance, files[0], file);
  if (const auto gpu = text_of(*values, "dependences")) {
    const load::KernelFile read = load::KernelFile::from_text(file, files[0]);
    write_output(
        dependences_as_text(files[0], kernels_of(read, *values, {}), *gpu, std::move(command->provenance)));
    return kDone;
  }
  if (format == "text" && !has_source && is_machine_code(file)) {
    write_output(fmt::format("{}\n{}", machine_code_as_text(file, files[0], text_of(*values, "entry")),
                             report::provenance_comment(command->provenance, "", "// ")));
    return kDone;
  }
  const unsigned capability = capability_of(*values);
  cuda::CompileOptions options = cuda_options_of(*values);
  options.compute_capability = capability;
  load::Lowering lowering = {capability};
  lowering.most_registers = most_registers_of(*values).value_or(lowering.most_registers);
  const load::KernelFile read = files[0] == kStandardInput ? cuda::kernel_file_of_text(file, options)
                                : cuda::is_cuda_source(files[0])
                                    ? cuda::open_kernel_file(files[0], options)
                                    : load::KernelFile::from_text(file, files[0]);
  const std::vector<ir::Kernel> kernels = kernels_of(read, *values, lowering);
  const report::Provenance& made = command->provenance;
  if (format == "json") {
    write_output(kernels_as_json(kernels, made));
    return kDone;
  }
  const std::string listing =
      has_source ? kernels_beside_source(kernels, read, {files[0], file}) : kernels_as_text(kernels);
  write_output(fmt::format("{}\n{}", listing, report::provenance_comment(made, "", "// ")));
  return kDone;
}

}  // namespace heddle::command
