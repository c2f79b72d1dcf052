#include "isa/cubin/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "isa/cubin/control.h"
#include "isa/cubin/decoder.h"
#include "isa/cubin/link.h"
#include "isa/cubin/thunks.h"
#include "isa/ir/system_variables.h"

namespace heddle::cubin {

namespace {

std::string words_text(const std::vector<std::uint32_t>& words) {
  std::string text;
  for (const std::uint32_t word : words) text += fmt::format("        .word 0x{:08x}\n", word);
  return text;
}

/// The attributes that say how many registers each function has, and how much stack.
std::string common_attributes(const Image& image) {
  std::string text = ".section .nv.info,\"\",@\"SHT_CUDA_INFO\"\n";
  for (const Function& function : image.functions) {
    text += fmt::format(
        "        .byte 0x04, 0x2f\n        .short 0x8\n        .word index@({0})\n        .word {1:#x}\n"
        "        .byte 0x04, 0x11\n        .short 0x8\n        .word index@({0})\n        .word {2:#x}\n",
        function.name, function.registers, function.frame_bytes);
  }
  return text;
}

/// The sections of a function that stand before its code.
std::string data_of(const Function& function) {
  std::string text;
  if (!function.params.empty())
    text += fmt::format(".section .nv.info.{},\"\",@\"SHT_CUDA_INFO\"\n", function.name);
  for (std::size_t i = 0; i < function.params.size(); ++i) {
    const ir::ParamSlot& slot = function.params[i];
    const std::uint32_t bytes = slot.bytes << 18 | 0x1f000;
    text += fmt::format(
        "        .byte 0x04, 0x17\n        .short 0xc\n        .word 0x0\n        .short {:#x}\n"
        "        .short {:#x}\n        .byte {:#x}, {:#x}, {:#x}, {:#x}\n",
        i, slot.offset, bytes & 0xff, bytes >> 8 & 0xff, bytes >> 16 & 0xff, bytes >> 24);
  }
  const std::uint32_t shared = function.reserved_shared_bytes + function.shared_bytes;
  if (shared != 0)
    text += fmt::format(".section .nv.shared.{},\"aw\",@nobits\n        .zero {}\n", function.name, shared);
  if (!function.tables.empty())
    text += fmt::format(".section .nv.constant2.{},\"a\",@progbits\n{}", function.name,
                        words_text(function.tables));
  return text;
}

Diagnostic mistake(const std::string& file, std::string message) {
  Diagnostic made;
  made.where.file = file;
  made.message = std::move(message);
  return made;
}

/// The function calls others through registers, of which nobody has the code of these.
Diagnostic unknown_calls(const Function& function, std::uint64_t address,
                         const std::set<std::string_view>& names, const std::string& file) {
  return mistake(
      file, fmt::format(
                "kernel '{}', address {:#06x}: a call through a register of {}, whose code is not in the "
                "file; in machine code {} are there of CUDA's own functions, from PTX more",
                function.name, address, fmt::join(names, ", "), fmt::join(ir::kMachineCodeFunctions, ", ")));
}

/// A symbol whose address nobody knows: one that is no kernel, if there is one, since that tells more. The
/// function must have one.
Diagnostic open_address(const Function& function, const Image& image, const std::string& file) {
  const auto is_no_kernel = [&](const CodeRelocation& each) {
    return std::ranges::none_of(image.functions,
                                [&](const Function& one) { return one.is_entry && one.name == each.symbol; });
  };
  const auto found = std::ranges::find_if(function.relocations, is_no_kernel);
  const CodeRelocation& relocation =
      found == function.relocations.end() ? function.relocations.front() : *found;
  return mistake(
      file,
      fmt::format(
          "kernel '{}', address {:#06x}: the address of '{}' is left open, and there is no code of it in this "
          "file that can be linked (relocation {:#x})",
          function.name, relocation.at, relocation.symbol, relocation.kind));
}

Diagnostic wide_cluster(const Function& function, const std::string& file) {
  return mistake(file, fmt::format("kernel '{}' asks for clusters of {} x {} x {} blocks (__cluster_dims__): clusters of "
                                   "several blocks are not simulated",
                                   function.name, function.cluster.x, function.cluster.y, function.cluster.z));
}

/// Those without code that the function may call.
std::set<std::string_view> unknown_functions(const Function& function, const Image& image) {
  std::set<std::string_view> names(function.called.begin(), function.called.end());
  for (const SystemFunction& known : image.system_functions) names.erase(known.name);
  return names;
}

/// What a function's code comes to.
struct Code {
  std::string text;
  std::vector<Diagnostic> mistakes;
  std::vector<Diagnostic> refusals;
};

class CodeListing {
 public:
  CodeListing(const Function& function, const Decoder& decoder, const Image& image, const std::string& file)
      : function_(function),
        decoder_(decoder),
        image_(image),
        file_(file),
        switched_(function.tables.begin(), function.tables.end()),
        unknown_(unknown_functions(function, image)),
        thunks_(image.code_end) {}

  Code run() {
    code_.text = fmt::format(".section .text.{},\"ax\",@progbits\n.sectioninfo @\"SHI_REGISTERS={}\"\n",
                             function_.name, function_.registers);
    auto linked = function_.linked.begin();
    for (std::size_t i = 0; i < function_.code.size(); ++i) {
      // Where a switch, or a call through a register, may lead. Other words of the bank do no harm: nobody
      // jumps there.
      bool is_target = switched_.contains(static_cast<std::uint32_t>(address_));
      if (linked != function_.linked.end() && linked->begin == i) {
        address_ = linked++->address;
        is_target = true;
      }
      if (is_target) add_label();
      add(function_.code[i]);
      address_ += ir::kInstructionBytes;
    }
    for (const std::size_t index : function_.system_functions) add(image_.system_functions[index]);
    code_.text += thunks_.text();
    return std::move(code_);
  }

 private:
  [[nodiscard]] bool is_linked() const { return image_.code_end != 0; }

  void add_label() { code_.text += fmt::format(".L_{:x}:\n", address_); }

  void add(const Encoding& encoding) {
    const auto instruction = decoder_.decode(encoding, address_);
    const ir::ControlCode control = control_of(encoding);
    if (!instruction) {
      code_.text += fmt::format("        // [{}] {:04x}: unknown encoding {}\n", to_text(control), address_,
                                to_text(encoding));
      code_.mistakes.push_back(mistake(
          file_, fmt::format("kernel '{}', address {:#06x}: no instruction is known for the encoding {}",
                             function_.name, address_, to_text(encoding))));
      return;
    }
    if (is_linked() && is_call_through_register(encoding)) check_call();
    const std::string text = is_linked() ? thunks_.executable(*instruction, address_) : *instruction;
    code_.text += instruction_line(control, address_, text);
  }

  void check_call() {
    if (code_.refusals.empty() && !unknown_.empty())
      code_.refusals.push_back(unknown_calls(function_, address_, unknown_, file_));
  }

  void add(const SystemFunction& called) {
    address_ = called.address;
    add_label();
    for (const TextInstruction& each : called.code) {
      if (!each.label.empty()) code_.text += each.label + ":\n";
      code_.text += instruction_line(each.control, address_, each.text);
      address_ += ir::kInstructionBytes;
    }
  }

  const Function& function_;
  const Decoder& decoder_;
  const Image& image_;
  const std::string& file_;
  std::set<std::uint32_t> switched_;
  std::set<std::string_view> unknown_;
  Thunks thunks_;
  std::uint64_t address_ = 0;
  Code code_;
};

}  // namespace

Listing list_image(const Image& image, const std::string& file) {
  const Decoder decoder(image.capability);
  Listing listing;
  listing.text = fmt::format(".target sm_{}\n{}", image.capability, common_attributes(image));
  if (!image.constants.empty())
    listing.text += fmt::format(".section .nv.constant3,\"a\",@progbits\n{}", words_text(image.constants));
  for (const Function& function : image.functions) {
    Code code = CodeListing(function, decoder, image, file).run();
    if (code.refusals.empty() && !function.relocations.empty())
      code.refusals.push_back(open_address(function, image, file));
    if (code.refusals.empty() && function.cluster != Dim3{1, 1, 1})
      code.refusals.push_back(wide_cluster(function, file));
    listing.text += data_of(function);
    listing.text += code.text;
    listing.mistakes.push_back(std::move(code.mistakes));
    listing.refusals.push_back(std::move(code.refusals));
  }
  return listing;
}

}  // namespace heddle::cubin
