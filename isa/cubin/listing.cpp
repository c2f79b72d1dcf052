#include "isa/cubin/listing.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "isa/cubin/control.h"
#include "isa/cubin/decoder.h"

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

/// A call of a function whose address is in a register. Neither what CUDA itself has nor a program's own
/// functions have addresses here.
bool is_call_by_address(std::string_view instruction) {
  const std::size_t call = instruction.find("CALL.");
  return call != std::string_view::npos && instruction.find(" R", call) != std::string_view::npos;
}

Diagnostic mistake(const std::string& file, std::string message) {
  Diagnostic made;
  made.where.file = file;
  made.message = std::move(message);
  return made;
}

/// The function calls by address; which functions, the file alone says.
Diagnostic call_by_address(const Function& function, std::uint64_t address, const Image& image,
                           const std::string& file) {
  const std::set<std::string> names(image.called_by_address.begin(), image.called_by_address.end());
  return mistake(
      file,
      fmt::format(
          "kernel '{}', address {:#06x}: a call through a register{}{}; in machine code printf, malloc, assert, "
          "launches by kernels and virtual functions are not there, from PTX they are",
          function.name, address, names.empty() ? "" : " of ", fmt::join(names, ", ")));
}

/// A symbol whose address nobody knows.
Diagnostic open_address(const Function& function, const CodeRelocation& relocation, const std::string& file) {
  return mistake(
      file,
      fmt::format(
          "kernel '{}', address {:#06x}: the address of '{}' is left open, and there is no code of it in this "
          "file that can be linked (relocation {:#x})",
          function.name, relocation.at, relocation.symbol, relocation.kind));
}

/// What a function's code comes to.
struct Code {
  std::string text;
  std::vector<Diagnostic> mistakes;
  std::vector<Diagnostic> refusals;
};

Code code_of(const Function& function, const Decoder& decoder, const Image& image, const std::string& file) {
  Code code;
  code.text = fmt::format(".section .text.{},\"ax\",@progbits\n.sectioninfo @\"SHI_REGISTERS={}\"\n",
                          function.name, function.registers);
  std::uint64_t address = 0;
  const std::set<std::uint32_t> switched(function.tables.begin(), function.tables.end());
  for (const Encoding& encoding : function.code) {
    // Where a switch may lead. Other words of the bank do no harm: nobody jumps there.
    if (switched.count(static_cast<std::uint32_t>(address)) != 0)
      code.text += fmt::format(".L_{:x}:\n", address);
    const auto instruction = decoder.decode(encoding, address);
    const std::string control = to_text(control_of(encoding));
    if (instruction) {
      code.text += fmt::format("        [{}] /*{:04x}*/ {} ;\n", control, address, *instruction);
      if (code.refusals.empty() && is_call_by_address(*instruction))
        code.refusals.push_back(call_by_address(function, address, image, file));
    } else {
      code.text +=
          fmt::format("        // [{}] {:04x}: unknown encoding {}\n", control, address, to_text(encoding));
      code.mistakes.push_back(mistake(
          file, fmt::format("kernel '{}', address {:#06x}: no instruction is known for the encoding {}",
                            function.name, address, to_text(encoding))));
    }
    address += ir::kInstructionBytes;
  }
  return code;
}

}  // namespace

Listing list_image(const Image& image, const std::string& file) {
  const Decoder decoder(image.capability);
  Listing listing;
  listing.text = fmt::format(".target sm_{}\n{}", image.capability, common_attributes(image));
  if (!image.constants.empty())
    listing.text += fmt::format(".section .nv.constant3,\"a\",@progbits\n{}", words_text(image.constants));
  for (const Function& function : image.functions) {
    Code code = code_of(function, decoder, image, file);
    if (code.refusals.empty() && !function.relocations.empty())
      code.refusals.push_back(open_address(function, function.relocations.front(), file));
    listing.text += data_of(function);
    listing.text += code.text;
    listing.mistakes.push_back(std::move(code.mistakes));
    listing.refusals.push_back(std::move(code.refusals));
  }
  return listing;
}

}  // namespace heddle::cubin
