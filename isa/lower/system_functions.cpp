#include "isa/lower/system_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "isa/ir/system_variables.h"
#include "isa/lower/launch_functions.h"

namespace heddle::lower {

namespace {

// The text below says these in numbers.
static_assert(ir::kOutputBytes == 8388608 && ir::kOutputHeader == 16 && ir::kOutputRecordHeader == 16);
static_assert(ir::kTextFormat == 1 && ir::kAssertionFormat == 2);

constexpr std::string_view kOutput = R"(
.global .align 8 .b8 __heddle_output[8388624];
)";

// Takes a place of %total bytes; goes to LOST if there is none. %record is where it begins.
#define HEDDLE_TAKE_RECORD                                     \
  "  atom.global.add.u64 %taken, [__heddle_output], %total;\n" \
  "  add.u64 %end, %taken, %total;\n"                          \
  "  setp.gt.u64 %p, %end, 8388608;\n"                         \
  "  @%p bra LOST;\n"                                          \
  "  mov.u64 %record, __heddle_output;\n"                      \
  "  add.u64 %record, %record, %taken;\n"                      \
  "  add.u64 %record, %record, 16;\n"

// One pass over the format finds how many bytes of arguments there are, and copies strings, whose places it
// puts where their pointers were: a string may lie in memory that only the thread sees.
constexpr std::string_view kPrint =
    R"(
.func (.param .b32 count_of) vprintf (.param .b64 format_of, .param .b64 arguments_of)
{
  .reg .pred %p;
  .reg .b32 %c, %bytes, %count, %wide, %bit, %any, %offset;
  .reg .b64 %format, %arguments, %at, %place, %from, %to, %length, %total, %taken, %end, %record;
  ld.param.u64 %format, [format_of];
  ld.param.u64 %arguments, [arguments_of];
  mov.u64 %at, %format;
  mov.u32 %bytes, 0;
  mov.u32 %count, 0;
TEXT:
  ld.u8 %c, [%at];
  add.u64 %at, %at, 1;
  setp.eq.u32 %p, %c, 0;
  @%p bra PRINT;
  setp.ne.u32 %p, %c, 37;
  @%p bra TEXT;
  mov.u32 %wide, 0;
CONVERSION:
  ld.u8 %c, [%at];
  add.u64 %at, %at, 1;
  setp.eq.u32 %p, %c, 0;
  @%p bra PRINT;
  setp.eq.u32 %p, %c, 37;
  @%p bra TEXT;
  setp.eq.u32 %p, %c, 42;
  @%p bra STAR;
  setp.lt.u32 %p, %c, 65;
  @%p bra CONVERSION;
  and.b32 %bit, %c, 31;
  mov.u32 %any, 1;
  shl.b32 %bit, %any, %bit;
  and.b32 %any, %bit, 0x04101400; // j l t z
  setp.ne.u32 %p, %any, 0;
  @%p mov.u32 %wide, 4;
  @%p bra CONVERSION;
  and.b32 %any, %bit, 0x00000100; // h
  setp.ne.u32 %p, %any, 0;
  @%p bra CONVERSION;
  and.b32 %any, %bit, 0x000900e2; // a e f g p s
  setp.ne.u32 %p, %any, 0;
  @%p mov.u32 %wide, 4;
  add.u32 %offset, %wide, 3;
  add.u32 %bytes, %bytes, %offset;
  not.b32 %offset, %offset;
  and.b32 %offset, %bytes, %offset;
  add.u32 %bytes, %offset, 4;
  add.u32 %bytes, %bytes, %wide;
  add.u32 %count, %count, 1;
  setp.ne.u32 %p, %c, 115;
  @%p bra TEXT;
  cvt.u64.u32 %place, %offset;
  add.u64 %place, %arguments, %place;
  ld.u64 %from, [%place];
  setp.eq.u64 %p, %from, 0;
  @%p bra TEXT;
  mov.u64 %length, 0;
LENGTH:
  add.u64 %to, %from, %length;
  ld.u8 %c, [%to];
  add.u64 %length, %length, 1;
  setp.ne.u32 %p, %c, 0;
  @%p bra LENGTH;
  add.u64 %total, %length, 23;
  and.b64 %total, %total, -8;
)" HEDDLE_TAKE_RECORD R"(
  add.u64 %to, %record, 16;
  cvta.global.u64 %end, %to;
  st.u64 [%place], %end;
COPY:
  ld.u8 %c, [%from];
  st.global.u8 [%to], %c;
  add.u64 %from, %from, 1;
  add.u64 %to, %to, 1;
  setp.ne.u32 %p, %c, 0;
  @%p bra COPY;
  st.global.u64 [%record], 1;
  st.global.u32 [%record+8], %total;
  bra TEXT;
STAR:
  add.u32 %bytes, %bytes, 3;
  and.b32 %bytes, %bytes, -4;
  add.u32 %bytes, %bytes, 4;
  add.u32 %count, %count, 1;
  bra CONVERSION;
PRINT:
  cvt.u64.u32 %total, %bytes;
  add.u64 %total, %total, 23;
  and.b64 %total, %total, -8;
)" HEDDLE_TAKE_RECORD R"(
  st.global.u64 [%record], %format;
  add.u64 %to, %record, 16;
ARGUMENT:
  setp.eq.u32 %p, %bytes, 0;
  @%p bra DONE;
  ld.u32 %c, [%arguments];
  st.global.u32 [%to], %c;
  add.u64 %arguments, %arguments, 4;
  add.u64 %to, %to, 4;
  sub.u32 %bytes, %bytes, 4;
  bra ARGUMENT;
DONE:
  st.global.u32 [%record+8], %total;
  st.param.b32 [count_of], %count;
  ret;
LOST:
  red.global.add.u32 [__heddle_output+8], 1;
  mov.u32 %count, -1;
  st.param.b32 [count_of], %count;
  ret;
}
)";

// The count of failures is waited for: what was written before has arrived when the launch ends.
constexpr std::string_view kAssertion =
    R"(
.func __assertfail (.param .b64 message_of, .param .b64 file_of, .param .b32 line_of, .param .b64 function_of,
                    .param .b64 size_of)
{
  .reg .pred %p;
  .reg .b32 %word;
  .reg .b64 %wide, %total, %taken, %end, %record;
  mov.u64 %total, 72;
)" HEDDLE_TAKE_RECORD R"(
  st.global.u64 [%record], 2;
  ld.param.u64 %wide, [message_of];
  st.global.u64 [%record+16], %wide;
  ld.param.u64 %wide, [file_of];
  st.global.u64 [%record+24], %wide;
  ld.param.u64 %wide, [function_of];
  st.global.u64 [%record+32], %wide;
  ld.param.u32 %word, [line_of];
  st.global.u32 [%record+40], %word;
  mov.u32 %word, %ctaid.x;
  st.global.u32 [%record+44], %word;
  mov.u32 %word, %ctaid.y;
  st.global.u32 [%record+48], %word;
  mov.u32 %word, %ctaid.z;
  st.global.u32 [%record+52], %word;
  mov.u32 %word, %tid.x;
  st.global.u32 [%record+56], %word;
  mov.u32 %word, %tid.y;
  st.global.u32 [%record+60], %word;
  mov.u32 %word, %tid.z;
  st.global.u32 [%record+64], %word;
  st.global.u32 [%record+8], 72;
LOST:
  membar.gl;
  atom.global.add.u32 %word, [__heddle_output+12], 1;
  setp.ne.u32 %p, %word, -1;
  @%p trap;
  ret;
}
)";

constexpr std::string_view kHeap = R"(
.global .align 8 .b8 __heddle_heap[536];
)";

// Memory is taken by powers of two. In front of what malloc answers, 16 bytes keep the power; what is given
// back keeps the one that was given back before it there, and a head counts in its upper half how often it
// has changed, so that nobody takes what others have taken and given back meanwhile.
constexpr std::string_view kTake = R"(
.func (.param .b64 pointer_of) malloc (.param .b64 bytes_of)
{
  .reg .pred %p;
  .reg .b32 %power;
  .reg .b64 %bytes, %size, %heap, %head, %old, %next, %made, %most;
  ld.param.u64 %bytes, [bytes_of];
  mov.u64 %made, 0;
  ld.global.u64 %most, [__heddle_heap+8];
  setp.gt.u64 %p, %bytes, %most;
  @%p bra DONE;
  or.b64 %bytes, %bytes, 1;
  add.u64 %bytes, %bytes, 15;
  clz.b64 %power, %bytes;
  sub.u32 %power, 64, %power;
  mov.u64 %size, 1;
  shl.b64 %size, %size, %power;
  ld.global.u64 %heap, [__heddle_heap];
  cvt.u64.u32 %head, %power;
  shl.b64 %head, %head, 3;
  mov.u64 %next, __heddle_heap;
  add.u64 %head, %head, %next;
  ld.volatile.global.u64 %old, [%head+24];
AGAIN:
  and.b64 %made, %old, 0xffffffff;
  setp.eq.u64 %p, %made, 0;
  @%p bra FRESH;
  add.u64 %made, %made, %heap;
  ld.volatile.global.u32 %next, [%made+-8];
  and.b64 %bytes, %old, 0xffffffff00000000;
  add.u64 %bytes, %bytes, 0x100000000;
  or.b64 %bytes, %bytes, %next;
  mov.u64 %next, %old;
  atom.global.cas.b64 %old, [%head+24], %next, %bytes;
  setp.ne.u64 %p, %old, %next;
  @%p bra AGAIN;
  bra DONE;
FRESH:
  atom.global.add.u64 %next, [__heddle_heap+16], %size;
  add.u64 %old, %next, %size;
  mov.u64 %made, 0;
  setp.gt.u64 %p, %old, %most;
  @%p bra DONE;
  add.u64 %made, %heap, %next;
  add.u64 %made, %made, 16;
  st.global.u32 [%made+-16], %power;
DONE:
  st.param.b64 [pointer_of], %made;
  ret;
}
)";

constexpr std::string_view kGiveBack = R"(
.func free (.param .b64 pointer_of)
{
  .reg .pred %p;
  .reg .b32 %power;
  .reg .b64 %pointer, %heap, %head, %old, %seen, %made;
  ld.param.u64 %pointer, [pointer_of];
  setp.eq.u64 %p, %pointer, 0;
  @%p bra DONE;
  ld.global.u64 %heap, [__heddle_heap];
  ld.u32 %power, [%pointer+-16];
  cvt.u64.u32 %head, %power;
  shl.b64 %head, %head, 3;
  mov.u64 %made, __heddle_heap;
  add.u64 %head, %head, %made;
  ld.volatile.global.u64 %old, [%head+24];
AGAIN:
  mov.u64 %seen, %old;
  st.volatile.u32 [%pointer+-8], %seen;
  membar.gl;
  sub.u64 %made, %pointer, %heap;
  and.b64 %old, %seen, 0xffffffff00000000;
  add.u64 %old, %old, 0x100000000;
  or.b64 %made, %made, %old;
  atom.global.cas.b64 %old, [%head+24], %seen, %made;
  setp.ne.u64 %p, %old, %seen;
  @%p bra AGAIN;
DONE:
  ret;
}
)";

struct SystemFunction {
  std::string_view name;
  std::string_view variable;  // which it shares with others
  std::string_view text;
  std::string_view called = {};  // the system function that it calls
};

constexpr SystemFunction kFunctions[] = {
    {"vprintf", kOutput, kPrint},
    {"__assertfail", kOutput, kAssertion},
    {"malloc", kHeap, kTake},
    {"free", kHeap, kGiveBack},
    {"cudaMalloc", kHeap, kDeviceMalloc, "malloc"},
    {"cudaFree", kHeap, kDeviceFree, "free"},
    {"cudaGetDevice", {}, kGetDevice},
    {"cudaGetLastError", kLaunches, kGetLastError},
    {"cudaPeekAtLastError", kLaunches, kPeekAtLastError},
    {"cudaStreamCreateWithFlags", kLaunches, kCreateStream},
    {"cudaStreamDestroy", {}, kDestroyStream},
    {"cudaGetParameterBufferV2", kLaunches, kGetParameterBuffer},
    {"cudaLaunchDeviceV2", kLaunches, kLaunchDevice},
};

/// In machine code no structure is passed.
constexpr SystemFunction kByWords = {"__cudaCDP2GetParameterBufferV2", kLaunches, kGetParameterBufferByWords,
                                     "cudaGetParameterBufferV2"};

static_assert(std::ranges::equal(kFunctions, ir::kSystemFunctions, {}, &SystemFunction::name));

/// By the name that code has for it; null if there is none.
const SystemFunction* find_function(std::string_view in_code) {
  const auto* found = std::ranges::find_if(
      kFunctions, [&](const SystemFunction& each) { return ir::is_named(in_code, each.name); });
  return found == std::end(kFunctions) ? nullptr : found;
}

bool is_workspace_address(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::SpecialRegister &&
         operand.special == ptx::SpecialRegister::EnvReg && (operand.number == 1 || operand.number == 2);
}

template <typename Module, typename Visit>
void for_each_operand(Module& module, const Visit& visit) {
  for (auto& function : module.functions) {
    for (auto& instruction : function.body) {
      for (auto& operand : instruction.operands) visit(operand);
    }
  }
}

bool reads_workspace_address(const ptx::Module& module) {
  bool reads = false;
  for_each_operand(module, [&](const ptx::Operand& operand) { reads |= is_workspace_address(operand); });
  return reads;
}

/// Whether it is the address of a kernel.
bool names_kernel(const ptx::Module& module, const ptx::Operand& operand) {
  return operand.symbol.kind == ptx::SymbolRef::Kind::Function &&
         module.functions[operand.symbol.index].is_entry;
}

/// The kernels whose addresses instructions name: by their places in the module.
std::set<std::uint32_t> named_kernels(const ptx::Module& module) {
  std::set<std::uint32_t> kernels;
  for_each_operand(module, [&](const ptx::Operand& operand) {
    if (names_kernel(module, operand)) kernels.insert(operand.symbol.index);
  });
  return kernels;
}

std::uint32_t variable_index(const ptx::Module& module, std::string_view name) {
  const auto found = std::ranges::find(module.variables, name, &ptx::Variable::name);
  return found == module.variables.end() ? ptx::kNone
                                         : static_cast<std::uint32_t>(found - module.variables.begin());
}

void connect_grid_workspace(ptx::Module& module) {
  const std::uint32_t index = variable_index(module, ir::kGridWorkspaceVariable);
  if (index == ptx::kNone) return;
  for_each_operand(module, [index](ptx::Operand& operand) {
    if (is_workspace_address(operand)) operand.symbol = {ptx::SymbolRef::Kind::ModuleVariable, index};
  });
}

void connect_kernels(ptx::Module& module) {
  for_each_operand(module, [&module](ptx::Operand& operand) {
    if (!names_kernel(module, operand)) return;
    const std::string variable = ir::kernel_variable(module.functions[operand.symbol.index].name);
    operand.symbol = {ptx::SymbolRef::Kind::ModuleVariable, variable_index(module, variable)};
  });
}

/// The text of functions, each with the variable that it needs, once.
class FunctionTexts {
 public:
  explicit FunctionTexts(const ptx::Module& module) : module_(module) {}

  void add(std::string_view in_ptx, const SystemFunction& function) {
    if (is_there(in_ptx)) return;
    added_.push_back(in_ptx);
    if (!function.called.empty())
      add(function.called, *std::ranges::find(kFunctions, function.called, &SystemFunction::name));
    if (std::ranges::find(variables_, function.variable) == variables_.end()) {
      variables_.push_back(function.variable);
      text_ += function.variable;
    }
    constexpr std::string_view kName = "NAME";
    std::string text(function.text);
    if (const std::size_t at = text.find(kName); at != std::string::npos)
      text.replace(at, kName.size(), in_ptx);
    text_ += text;
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  [[nodiscard]] bool is_there(std::string_view in_ptx) const {
    if (std::ranges::find(added_, in_ptx) != added_.end()) return true;
    const auto found = std::ranges::find(module_.functions, in_ptx, &ptx::Function::name);
    return found != module_.functions.end() && found->has_body;
  }

  const ptx::Module& module_;
  std::vector<std::string_view> added_;
  std::vector<std::string_view> variables_;
  std::string text_;
};

}  // namespace

void connect_system_variables(ptx::Module& module) {
  connect_grid_workspace(module);
  connect_kernels(module);
}

std::string system_function(std::string_view name) {
  const auto* function = name == kByWords.name ? &kByWords : find_function(name);
  if (function == nullptr) return {};
  const ptx::Module nothing;
  FunctionTexts texts(nothing);
  texts.add(name, *function);
  return fmt::format(".version 8.0\n.target sm_70\n.address_size 64\n{}", texts.text());
}

std::string system_functions(const ptx::Module& module) {
  std::string variables;
  if (reads_workspace_address(module))
    variables +=
        fmt::format(".global .align 8 .b8 {}[{}];\n", ir::kGridWorkspaceVariable, ir::kGridWorkspaceBytes);
  for (const std::uint32_t kernel : named_kernels(module))
    variables +=
        fmt::format(".global .align {0} .b8 {1}[{0}];\n", ir::kKernelVariableBytes,
                    ir::kernel_variable(module.functions[kernel].name));
  FunctionTexts texts(module);
  for (const ptx::Function& declared : module.functions) {
    const SystemFunction* function = find_function(declared.name);
    if (function != nullptr && !declared.has_body) texts.add(declared.name, *function);
  }
  return variables + texts.text();
}

}  // namespace heddle::lower
