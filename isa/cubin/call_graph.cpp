#include "isa/cubin/call_graph.h"

#include <algorithm>

namespace heddle::cubin {

namespace {

/// The function in whose section the symbol lies; null if there is none.
Function* function_around(const Elf& elf, const Symbol& symbol, Image& image) {
  if (symbol.section >= elf.sections.size()) return nullptr;
  const std::string_view section = elf.sections[symbol.section].name;
  if (!section.starts_with(kCodePrefix)) return nullptr;
  const auto found = std::ranges::find(image.functions, section.substr(kCodePrefix.size()), &Function::name);
  return found == image.functions.end() ? nullptr : &*found;
}

void add_once(std::vector<std::string>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
}

/// Any function may call those whose addresses the file has.
void add_all(Image& image) {
  for (const FunctionPointer& pointer : image.function_pointers) {
    if (has_code(image, pointer.function)) continue;
    for (Function& function : image.functions) add_once(function.called, pointer.function);
  }
}

}  // namespace

void read_call_graph(const Elf& elf, Image& image) {
  constexpr std::uint32_t kCalls = ~std::uint32_t{0};
  constexpr std::uint32_t kFirstList = ~std::uint32_t{0} - 0xff;
  constexpr std::uint64_t kEntryBytes = 8;
  const Section* graph = elf.find(".nv.callgraph");
  if (graph == nullptr) return add_all(image);
  std::uint32_t list = 0;
  for (std::uint64_t at = 0; at + kEntryBytes <= graph->bytes.size(); at += kEntryBytes) {
    const std::uint32_t caller = graph->bytes.u32(at);
    const std::uint32_t called = graph->bytes.u32(at + 4);
    if (called >= kFirstList) {
      list = called;
      continue;
    }
    if (list != kCalls || caller >= elf.symbols.size() || called >= elf.symbols.size()) continue;
    Function* function = function_around(elf, elf.symbols[caller], image);
    const std::string_view name = elf.symbols[called].name;
    if (function != nullptr && !has_code(image, name) && elf.symbols[called].section == 0)
      add_once(function->called, name);
  }
}

}  // namespace heddle::cubin
