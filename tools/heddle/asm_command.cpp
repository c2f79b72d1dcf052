#include "isa/text/assemble.h"
#include "tools/heddle/asm_listing.h"
#include "tools/heddle/options.h"
#include "tools/heddle/output.h"

namespace heddle::command {

namespace {

Syntax asm_syntax() {
  Syntax syntax = make_syntax(
      "heddle asm FILE.sass [--format text|json]",
      "Checks a kernel file, and prints what each of its kernels needs and does. The text can be\n"
      "assembled again.",
      "file",
      "  heddle asm traces/vecadd.sass\n"
      "  heddle asm traces/divergent.sass --format json\n");
  syntax.options.add_options()(
      "format", boost::program_options::value<std::string>()->value_name("text|json"), "form of the listing");
  return syntax;
}

}  // namespace

int asm_command(const Arguments& arguments) {
  const Syntax syntax = asm_syntax();
  const OptionValues values = parse(syntax, arguments);
  if (values.count("help") != 0) {
    write_output(help_text(syntax));
    return kDone;
  }
  const std::string format = choice_of(values, "format", {"text", "json"});
  const std::vector<std::string> files = list_of(values, "file");
  if (files.size() != 1) throw UsageError("one kernel file must be given");
  const std::vector<ir::Kernel> kernels = text::assemble_file(files[0]);
  write_output(format == "json" ? kernels_as_json(kernels) : kernels_as_text(kernels));
  return kDone;
}

}  // namespace heddle::command
