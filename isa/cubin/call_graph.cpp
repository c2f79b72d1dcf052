#include "isa/cubin/call_graph.h"

#include <map>
#include <set>
#include <utility>

namespace heddle::cubin {

namespace {

/// Functions by their names.
using Functions = std::map<std::string_view, Function*>;

/// The function in whose section the symbol lies; null if there is none.
Function* function_around(const Elf& elf, const Symbol& symbol, const Functions& functions) {
  if (symbol.section >= elf.sections.size()) return nullptr;
  const std::string_view section = elf.sections[symbol.section].name;
  if (!section.starts_with(kCodePrefix)) return nullptr;
  const auto found = functions.find(section.substr(kCodePrefix.size()));
  return found == functions.end() ? nullptr : found->second;
}

/// Any function may call those whose addresses the file has.
void add_all(const Functions& functions, const Image& image) {
  std::set<std::string_view> names;
  for (const FunctionPointer& pointer : image.function_pointers) {
    if (!functions.contains(pointer.function)) names.insert(pointer.function);
  }
  for (const auto& [name, function] : functions) function->called.assign(names.begin(), names.end());
}

}  // namespace

void read_call_graph(const Elf& elf, Image& image) {
  constexpr std::uint32_t kCalls = ~std::uint32_t{0};
  constexpr std::uint32_t kFirstList = ~std::uint32_t{0} - 0xff;
  constexpr std::uint64_t kEntryBytes = 8;
  Functions functions;
  for (Function& function : image.functions) functions[function.name] = &function;
  const Section* graph = elf.find(".nv.callgraph");
  if (graph == nullptr) return add_all(functions, image);
  std::set<std::pair<const Function*, std::string_view>> known;
  std::uint32_t list = 0;
  for (std::uint64_t at = 0; at + kEntryBytes <= graph->bytes.size(); at += kEntryBytes) {
    const std::uint32_t caller = graph->bytes.u32(at);
    const std::uint32_t called = graph->bytes.u32(at + 4);
    if (called >= kFirstList) {
      list = called;
      continue;
    }
    if (list != kCalls || caller >= elf.symbols.size() || called >= elf.symbols.size()) continue;
    Function* function = function_around(elf, elf.symbols[caller], functions);
    const std::string_view name = elf.symbols[called].name;
    const bool is_outside = elf.symbols[called].section == 0 && !functions.contains(name);
    if (function != nullptr && is_outside && known.emplace(function, name).second)
      function->called.emplace_back(name);
  }
}

}  // namespace heddle::cubin
