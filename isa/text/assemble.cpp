#include "isa/text/assemble.h"

#include <fmt/format.h>

#include <set>

#include "isa/base/file_kind.h"
#include "isa/base/read_file.h"
#include "isa/text/directives.h"
#include "isa/text/instruction_reader.h"

namespace heddle::text {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kMostInstructions = 1'000'000;  // and as many labels, in all kernels of a file

class Assembler {
 public:
  Assembler(std::string_view text, const std::string& file)
      : file_(file), reader_(text), mistakes_(text, file) {}

  std::vector<ir::Kernel> run();

 private:
  void read_statement();
  void read_labels();
  void begin_kernel();
  void open(const Token& name);
  void end_kernel();
  static void count_towards_limit(const Token& at, std::size_t& count);

  const std::string& file_;
  StatementReader reader_;
  Mistakes mistakes_;
  std::vector<ir::Kernel> kernels_;
  std::set<std::string_view> names_;
  KernelDraft draft_;
  bool is_open_ = false;
  std::size_t instructions_ = 0;
  std::size_t labels_ = 0;
};

std::vector<ir::Kernel> Assembler::run() {
  while (!mistakes_.is_full() && reader_.next_statement()) {
    try {
      read_statement();
    } catch (const Mistake& mistake) {
      mistakes_.add(mistake);
    }
  }
  end_kernel();
  mistakes_.throw_if_any();
  if (kernels_.empty()) {
    throw InputError({file_}, "there is no kernel in this file; one begins with .kernel NAME");
  }
  return std::move(kernels_);
}

void Assembler::read_statement() {
  const Token first = reader_.peek();
  if (first.text == ".kernel" && !reader_.is_label()) return begin_kernel();
  if (!is_open_) {
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
  const Token name = reader_.peek();
  open(name);
  reader_.expect(Token::Kind::Word, "the name of a kernel");
  if (!names_.insert(name.text).second) {
    fail(name, fmt::format("there is a kernel {} already", quoted(name.text)));
  }
  if (!reader_.is_over()) fail_expected("the end of the line", reader_.peek());
}

void Assembler::open(const Token& name) {
  draft_ = {};
  draft_.name = name;
  draft_.kernel.name = name.text;
  draft_.kernel.file = file_;
  is_open_ = true;
}

void Assembler::end_kernel() {
  if (is_open_ && !mistakes_.is_full()) kernels_.push_back(finish(std::move(draft_), mistakes_));
  is_open_ = false;
}

void Assembler::count_towards_limit(const Token& at, std::size_t& count) {
  if (++count <= kMostInstructions) return;
  throw Mistake{at, fmt::format("a file has at most {} instructions and labels", kMostInstructions), true};
}

}  // namespace

std::vector<ir::Kernel> assemble(std::string_view text, const std::string& file) {
  if (text.size() > kMostBytes) {
    throw InputError({file}, fmt::format("is too long; a kernel file has at most {} MiB", kMostBytes >> 20));
  }
  require_role(FileRole::Kernel, file, text);
  return Assembler(text, file).run();
}

std::vector<ir::Kernel> assemble_file(const std::string& path) {
  return assemble(read_file(path, Pipes::Read, kMostBytes), path);
}

}  // namespace heddle::text
