#include "isa/text/assemble.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <span>
#include <utility>

#include "isa/base/file_kind.h"
#include "isa/base/read_file.h"
#include "isa/text/directives.h"
#include "isa/text/dump_data.h"
#include "isa/text/dump_frame.h"
#include "isa/text/dump_kernel.h"
#include "isa/text/instruction_reader.h"

namespace heddle::text {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kMostInstructions = 1'000'000;  // and as many labels, in all kernels of a file
constexpr std::size_t kMostMistakenKernels = 1000;    // behind them a file is no kernel file

class Assembler {
 public:
  Assembler(std::string_view text, const std::string& file)
      : file_(file), reader_(text), mistakes_(text, file) {}

  ModuleText run();

 private:
  void read_statement();
  bool read_frame();
  void read_body();
  void read_labels();
  void begin_section(const Token& name);
  void begin_kernel();
  void begin_function(const Token& name);
  void open(const Token& name);
  void open_nameless(const Token& first);
  void end_kernel();
  void add_variables();
  static void count_towards_limit(const Token& at, std::size_t& count);

  const std::string& file_;
  StatementReader reader_;
  Mistakes mistakes_;
  ModuleText read_;
  std::set<std::pair<std::string, unsigned>> names_;  // with the compute capability
  KernelDraft draft_;
  DumpData data_;
  bool is_open_ = false;
  bool is_dump_ = false;     // a line of a disassembly's frame has been seen
  bool is_stopped_ = false;  // nothing more is read
  unsigned capability_ = 0;
  std::size_t instructions_ = 0;
  std::size_t labels_ = 0;
  std::size_t mistaken_ = 0;
};

ModuleText Assembler::run() {
  while (!is_stopped_ && reader_.next_statement()) {
    try {
      read_statement();
    } catch (const Mistake& mistake) {
      mistakes_.add(mistake);
      is_stopped_ = is_stopped_ || mistake.is_last;
    }
  }
  end_kernel();
  data_.end();
  std::vector<ir::Kernel>& kernels = read_.module.functions;
  if (kernels.empty()) {
    throw InputError({file_}, is_dump_ ? "there is no function in this disassembly"
                                       : "there is no kernel in this file; one begins with .kernel NAME");
  }
  for (ir::Kernel& each : kernels) {
    if (each.compute_capability != 0) complete(each, data_.function(each.name));
  }
  read_.module.file = file_;
  read_.module.files = {file_};
  add_variables();
  return std::move(read_);
}

/// Constant bank 3 of a disassembly: its functions share it, and what it was made of has no names.
void Assembler::add_variables() {
  const std::vector<std::uint32_t>& words = data_.constants();
  if (words.empty()) return;
  ir::Variable constants{std::string(kConstantsName), ir::VariableSpace::Constant, 4 * words.size(),
                         ir::kConstantSymbolAlignment, {}, {}};
  const auto bytes = std::as_bytes(std::span(words));
  constants.data.assign(bytes.begin(), bytes.end());
  read_.module.variables.push_back(std::move(constants));
}

void Assembler::read_statement() {
  const Token first = reader_.peek();
  if (first.text == ".kernel" && !reader_.is_label()) return begin_kernel();
  const bool leaves_data = first.text == ".section" || first.text == "Function" || first.text == "Fatbin";
  if (data_.is_open() && !leaves_data) return data_.read(reader_);
  if (read_frame() || mistakes_.is_full()) return;
  read_body();
}

/// A line of a disassembly that is no part of a function's text.
bool Assembler::read_frame() {
  const auto line = take_frame_line(reader_);
  if (!line) return false;
  is_dump_ = true;
  switch (line->kind) {
    case FrameLine::Kind::PassedOver:
      if (is_open_) data_.note(draft_.kernel.name, line->text);
      break;
    case FrameLine::Kind::Machine:
      capability_ = line->capability;
      if (is_open_) set_machine(draft_, capability_);
      break;
    case FrameLine::Kind::Function:
      data_.end();
      begin_function(line->name);
      break;
    case FrameLine::Kind::Section:
      begin_section(line->name);
      break;
    case FrameLine::Kind::End:
      end_kernel();
      break;
  }
  return true;
}

void Assembler::begin_section(const Token& name) {
  end_kernel();
  const std::string_view function = function_of_section(name.text);
  if (function.empty()) return data_.begin(name.text);
  data_.end();
  Token at = name;
  at.column += static_cast<std::uint32_t>(function.data() - name.text.data());
  at.text = function;
  begin_function(at);
}

void Assembler::read_body() {
  reader_.accept('{');  // what issues together is in braces in code for old GPUs
  reader_.accept('}');
  if (reader_.is_over()) return;
  const Token first = reader_.peek();
  if (!is_open_ && is_dump_) {
    open_nameless(first);
  } else if (!is_open_) {
    mistakes_.add(first, "nothing can stand before the first .kernel NAME");
    open(first);
  }
  read_labels();
  if (reader_.is_over()) return;
  if (reader_.peek().text.starts_with('.')) {
    const Token directive = reader_.take();
    read_directive(directive, reader_, draft_);
    if (!reader_.is_over()) fail_expected("the end of the line", reader_.peek());
  } else {
    count_towards_limit(reader_.peek(), instructions_);
    read_instruction(reader_, draft_, mistakes_);
  }
}

void Assembler::read_labels() {
  while (reader_.is_label()) {
    const Token name = reader_.take();
    reader_.expect(':');
    count_towards_limit(name, labels_);
    add_label(draft_, name, mistakes_);
  }
}

/// The kernel is opened under whatever name, so that what follows is checked too.
void Assembler::begin_kernel() {
  reader_.take();
  end_kernel();
  data_.end();
  const Token name = reader_.peek();
  open(name);
  reader_.expect(Token::Kind::Word, "the name of a kernel");
  if (!names_.emplace(name.text, 0).second) {
    fail(name, fmt::format("there is a kernel {} already", quoted(name.text)));
  }
  if (!reader_.is_over()) fail_expected("the end of the line", reader_.peek());
}

/// A function of a disassembly. A file may have it for several compute capabilities.
void Assembler::begin_function(const Token& name) {
  end_kernel();
  open(name);
  set_machine(draft_, capability_);
  set_constants(draft_, data_.constants());
  draft_.kernel.table_data = data_.function(name.text).tables;
  if (!names_.emplace(name.text, capability_).second)
    fail(name, fmt::format("there is a function {} already", quoted(name.text)));
}

void Assembler::open(const Token& name) {
  draft_ = {};
  draft_.name = name;
  draft_.kernel.name = name.text;
  draft_.kernel.file = file_;
  is_open_ = true;
}

/// What nvdisasm makes of bare machine code has no name: the file's stands for it.
void Assembler::open_nameless(const Token& first) {
  open(first);
  draft_.kernel.name = std::filesystem::path(file_).stem().string();
  set_machine(draft_, capability_);
  if (!names_.emplace(draft_.kernel.name, capability_).second)
    mistakes_.add(first, "an instruction stands behind the end of a function");
}

void Assembler::end_kernel() {
  if (!is_open_) return;
  is_open_ = false;
  const bool is_whole = !mistakes_.is_full() && !is_stopped_;
  ir::Kernel kernel = is_whole ? finish(std::move(draft_), mistakes_) : std::move(draft_.kernel);
  read_.module.functions.push_back(std::move(kernel));
  read_.mistakes.push_back(mistakes_.take());
  if (!read_.mistakes.back().empty() && ++mistaken_ == kMostMistakenKernels) is_stopped_ = true;
}

void Assembler::count_towards_limit(const Token& at, std::size_t& count) {
  if (++count <= kMostInstructions) return;
  throw Mistake{at, fmt::format("a file has at most {} instructions and labels", kMostInstructions), true};
}

}  // namespace

ModuleText read_module(std::string_view text, const std::string& file) {
  if (text.size() > kMostBytes) {
    throw InputError({file}, fmt::format("is too long; a kernel file has at most {} MiB", kMostBytes >> 20));
  }
  require_role(FileRole::Kernel, file, text);
  return Assembler(text, file).run();
}

ModuleText read_module_file(const std::string& path) {
  return read_module(read_file(path, Pipes::Read, kMostBytes), path);
}

ir::Module without_mistakes(ModuleText read) {
  std::vector<Diagnostic> all;
  for (const std::vector<Diagnostic>& mistakes : read.mistakes) {
    all.insert(all.end(), mistakes.begin(), mistakes.end());
    if (all.size() < Mistakes::kMost) continue;
    all.resize(Mistakes::kMost);
    all.push_back(Mistakes::stopped(read.module.file));
    break;
  }
  if (!all.empty()) throw InputError(std::move(all));
  return std::move(read.module);
}

ir::Module assemble_module(std::string_view text, const std::string& file) {
  return without_mistakes(read_module(text, file));
}

std::vector<ir::Kernel> assemble(std::string_view text, const std::string& file) {
  return assemble_module(text, file).functions;
}

std::vector<ir::Kernel> assemble_file(const std::string& path) {
  return without_mistakes(read_module_file(path)).functions;
}

}  // namespace heddle::text
