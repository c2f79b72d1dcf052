// The part of a launch file that names the kernel and says how it is compiled.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "isa/base/cpp_name.h"
#include "isa/base/cuda_limits.h"
#include "isa/base/read_number.h"
#include "isa/exec/variables.h"
#include "isa/ir/entry.h"
#include "isa/ir/launched_kernels.h"
#include "isa/ir/system_variables.h"
#include "tools/cuda/kernel_file.h"
#include "tools/cuda/ptxas.h"
#include "tools/launch/launch_reader.h"

namespace heddle::launch {

namespace {

constexpr std::uint32_t kFewestRegisters = 16;  // as of nvcc's -maxrregcount

std::string name_of_define(const std::string& define) { return define.substr(0, define.find('=')); }

}  // namespace

void LaunchReader::read_kernel() {
  const auto kernel = root_.require("kernel");
  const auto entry = root_.find("entry");
  const auto name = kernel ? kernel->as_string(problems_) : std::nullopt;
  const cuda::CompileOptions compile = compile_options();
  const load::Lowering how = lowering();
  if (!name) return;
  name_defines(compile);
  try {
    if (*name == "-" && options_.kernel_text) {
      source_.name = "<stdin>";
      source_.text = *options_.kernel_text;
      return choose_kernel(cuda::kernel_file_of_text(*options_.kernel_text, compile), *kernel, entry, how);
    }
    const std::string path = kernel_path(*name);
    file_.sources.push_back(path);
    source_.name = path;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
      return kernel->error(problems_, fmt::format("there is no kernel file '{}'", path));
    choose_kernel(cuda::open_kernel_file(path, compile), *kernel, entry, how);
  } catch (const cuda::CompileError&) {
    throw;  // what the compiler prints stays as it is
  } catch (const InputError& error) {
    problems_.add(error);
  }
}

std::string LaunchReader::kernel_path(const std::string& name) const {
  const std::string path = filler_.resolve(name);
  return options_.code ? std::filesystem::path(path).replace_extension(*options_.code).string() : path;
}

/// Macros of the command line come after those of the file, so that they win.
cuda::CompileOptions LaunchReader::compile_options() {
  cuda::CompileOptions options = options_.cuda;
  options.compute_capability = options_.compute_capability;
  if (const auto fast = root_.find("fast_math"))
    options.fast_math = fast->as_bool(problems_).value_or(false) || options.fast_math;
  if (const auto defines = root_.find("defines")) read_defines(*defines, options);
  return options;
}

void LaunchReader::read_defines(const sim::YamlValue& defines, cuda::CompileOptions& options) {
  if (!defines.is_map()) return defines.must_be(problems_, "a map of macros and values");
  std::vector<std::string> words;
  for (const sim::YamlValue& define : defines.items()) {
    const bool is_given = std::ranges::any_of(
        options.defines, [&](const std::string& other) { return name_of_define(other) == define.key(); });
    if (is_given) continue;
    if (define.is_null()) {
      words.push_back(define.key());
    } else if (const auto text = define.as_string(problems_)) {
      words.push_back(fmt::format("{}={}", define.key(), *text));
    }
  }
  options.defines.insert(options.defines.begin(), words.begin(), words.end());
}

/// A macro that stands for a whole number is a name for the launch file's expressions, too, so that a grid
/// follows it. Values of the same name replace it.
void LaunchReader::name_defines(const cuda::CompileOptions& options) {
  for (const std::string& define : options.defines) {
    const std::string name = name_of_define(define);
    if (name.size() == define.size() || !is_usable_name(name)) continue;
    const auto number = number_in<std::int64_t>(std::string_view(define).substr(name.size() + 1));
    if (!number) continue;
    interpreter_.set_number(name, *number);
    file_.macros.emplace_back(name, *number);
  }
}

load::Lowering LaunchReader::lowering() {
  load::Lowering how = {options_.compute_capability};
  if (const auto most = root_.find("maxrregcount"))
    how.most_registers = static_cast<unsigned>(
        evaluator_.integer(*most, kFewestRegisters, kMostRegistersPerThread).value_or(how.most_registers));
  how.most_registers = options_.most_registers.value_or(how.most_registers);
  return how;
}

void LaunchReader::choose_kernel(const load::KernelFile& read, const sim::YamlValue& file,
                                 const std::optional<sim::YamlValue>& entry, const load::Lowering& lowering) {
  const auto option = options_.entry ? options_.entry : std::nullopt;
  const auto named = entry ? entry->as_string(problems_) : std::nullopt;
  const auto wanted = option ? option : named;
  if (entry && !wanted) return;
  if (const auto found = ir::find_entry(read.names(), wanted)) {
    return lower(read, *found, lowering);
  }
  if (option) {
    return problems_.add(
        {fmt::format("--entry {}", *option), 0, 0},
        fmt::format("there is no such kernel in {}; {}", file.text(), ir::choices(read.names())));
  }
  if (wanted) {
    entry->error(problems_, fmt::format("there is no kernel '{}' in {}; {}", *wanted, file.text(),
                                        ir::choices(read.names())));
  } else {
    file.error(problems_,
               fmt::format("'entry' must name one kernel of {}; {}", file.text(), ir::choices(read.names())));
  }
}

/// Text with mnemonics is read when it is asked for.
void LaunchReader::note_text(const load::KernelFile& read) {
  if (read.is_machine_code()) {
    source_.kind = KernelSource::Kind::Machine;
    source_.files = read.names().files;
  }
  if (read.ptx() == nullptr) return;
  const bool is_file = source_.text.empty();
  const bool is_compiled = is_file ? cuda::is_cuda_source(source_.name) : source_.text != *read.ptx();
  if (is_compiled && !is_file) source_.standard_input = source_.text;
  source_.kind = is_compiled ? KernelSource::Kind::Cuda : KernelSource::Kind::Ptx;
  source_.text = *read.ptx();
}

/// Where ptxas is asked, the code fits into the registers that it says, and is charged for them.
void LaunchReader::lower(const load::KernelFile& read, std::size_t index, load::Lowering lowering) {
  if (options_.ask_ptxas) {
    constexpr const char* kOption = "--registers ptxas";
    if (read.ptx() == nullptr)
      throw InputError({kOption, 0, 0}, fmt::format("goes with PTX and CUDA C++; {} says itself what it uses",
                                                    read.names().file));
    lowering.most_registers =
        cuda::registers_of_ptxas(*read.ptx(), read.names().functions[index].name, lowering, kOption);
  }
  note_text(read);
  ir::Kernel& kernel = file_.launch.kernel = read.kernel(index, lowering);
  if (ir::launches_kernels(kernel))
    throw InputError({source_.name},
                     fmt::format("kernel {} launches kernels; a launch file has one. Make a program of it, by "
                                 "heddle cuda",
                                 qualified_name(demangled(kernel.name))));
  parameters_ = read.parameters(index);
  if (options_.ask_ptxas) {
    kernel.registers = std::max(kernel.registers, lowering.most_registers);
    kernel.is_estimated = false;
  }
  has_kernel_ = true;
}

/// Global variables of the kernel's file are buffers behind those of the launch file.
void LaunchReader::place_variables() {
  exec::bind_variables(file_.launch.kernel, file_.memory);
  for (const ir::UsedVariable& used : file_.launch.kernel.variables) {
    if (used.variable.space == ir::VariableSpace::Global)
      file_.buffers.push_back({used.variable.name, ElementType::U8, used.variable.bytes});
  }
  make_heap();
}

/// What malloc in the kernel takes from, if it does.
void LaunchReader::make_heap() {
  exec::Buffer* variable = file_.memory.find_variable(ir::kHeapVariable);
  if (variable == nullptr) return;
  const exec::Buffer& heap = file_.memory.allocate("the heap of malloc", ir::kHeapBytes);
  file_.buffers.push_back({heap.name(), ElementType::U8, ir::kHeapBytes});
  const std::uint64_t place[] = {heap.address(), ir::kHeapBytes};
  std::memcpy(variable->bytes().data(), place, sizeof place);
}

}  // namespace heddle::launch
