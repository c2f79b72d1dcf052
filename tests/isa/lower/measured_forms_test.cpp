// PTX forms, lowered and executed, beside what an H200 gave for the same operands: bit by bit, but for
// approximations, which are within the error that NVIDIA documents for them.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>

#include "isa/base/narrow_float.h"
#include "isa/exec/functional.h"
#include "isa/lower/lower.h"
#include "sim/trace/io/byte_stream.h"
#include "tests/support/catch.h"

namespace heddle::test {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

/// What one form gave: operands and, behind them, the result of each thread.
struct Measured {
  std::string statement;  ///< It names %a, %b, %c and %d, the result.
  unsigned result_bits = 0;
  std::vector<unsigned> source_bits;
  std::vector<std::vector<U64>> rows;
};

std::string whole_file(const std::string& path) {
  const auto source = trace::open_source(path);
  std::string text;
  std::string chunk(1 << 16, '\0');
  while (const std::size_t size = source->read(chunk.data(), chunk.size())) text.append(chunk, 0, size);
  return text;
}

Measured form_of(const std::string& line) {
  Measured form;
  std::istringstream fields(line.substr(2));
  std::string field;
  std::getline(fields, form.statement, '|');
  std::getline(fields, field, '|');
  form.result_bits = static_cast<unsigned>(std::stoul(field));
  while (std::getline(fields, field, ','))
    form.source_bits.push_back(static_cast<unsigned>(std::stoul(field)));
  return form;
}

/// Those that the GPU's driver knows.
std::vector<Measured> measured_forms() {
  std::vector<Measured> forms;
  std::istringstream lines(whole_file(HEDDLE_SOURCE_DIR "/tests/validation/measured/h200_ptx_forms.txt.gz"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) {
      forms.push_back(form_of(line));
    } else if (line != "refused") {
      std::istringstream numbers(line);
      std::vector<U64>& row = forms.back().rows.emplace_back();
      for (std::string number; numbers >> number;) row.push_back(std::stoull(number, nullptr, 16));
    }
  }
  std::erase_if(forms, [](const Measured& form) { return form.rows.empty(); });
  return forms;
}

std::string kernel_text(const Measured& form) {
  std::string registers;
  std::string loads;
  for (std::size_t k = 0; k < form.source_bits.size(); ++k) {
    const char name = "abc"[k];
    const unsigned bits = form.source_bits[k];
    registers += fmt::format(".reg .b{} %{};\n", bits, name);
    loads += fmt::format(
        "ld.param.u64 %base, [p{}];\nmad.wide.u32 %at, %t, {}, %base;\nld.global.b{} %{}, [%at];\n", k,
        bits / 8, bits, name);
  }
  return fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 out, .param .u32 n) {{
.reg .b64 %base, %at;
.reg .b32 %t, %block, %n, %c0, %c1;
.reg .pred %past, %z, %y;
.reg .b{0} %d;
{1}
mov.u32 %t, %tid.x;
mov.u32 %block, %ctaid.x;
mad.lo.u32 %t, %block, 256, %t;
ld.param.u32 %n, [n];
setp.ge.u32 %past, %t, %n;
@%past ret;
{2}
{3}
ld.param.u64 %base, [out];
mad.wide.u32 %at, %t, {4}, %base;
st.global.b{0} [%at], %d;
ret;
}}
)",
                     form.result_bits, registers, loads, form.statement, form.result_bits / 8);
}

void append(std::vector<std::byte>& bytes, U64 value, std::size_t size) {
  const std::size_t at = bytes.size();
  bytes.resize(at + size);
  std::memcpy(bytes.data() + at, &value, size);
}

std::vector<U64> results_of(const Measured& form, unsigned most_registers) {
  const std::size_t count = form.rows.size();
  exec::Launch launch;
  launch.kernel =
      lower::lower_kernel(ptx::read_module(kernel_text(form), "form.ptx"), "k", {90}, most_registers);
  launch.block = {256, 1, 1};
  launch.grid = {static_cast<U32>((count + 255) / 256), 1, 1};
  exec::GlobalMemory memory;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t size = k < form.source_bits.size() ? form.source_bits[k] / 8 : 0;
    exec::Buffer& buffer = memory.allocate("operands", std::max<std::size_t>(1, count * size));
    for (std::size_t i = 0; i < count && size != 0; ++i)
      std::memcpy(buffer.bytes().data() + i * size, &form.rows[i][k], size);
    append(launch.params, buffer.address(), 8);
  }
  const std::size_t size = form.result_bits / 8;
  exec::Buffer& out = memory.allocate("results", count * size);
  append(launch.params, out.address(), 8);
  append(launch.params, count, 4);
  exec::LiveKernel kernel(std::move(launch), memory, 32);
  exec::run_functionally(kernel);
  std::vector<U64> results(count);
  for (std::size_t i = 0; i < count; ++i) std::memcpy(&results[i], out.bytes().data() + i * size, size);
  return results;
}

/// How far from the exact value an approximation may be, as the PTX ISA and, for div, the CUDA programming
/// guide say. So far may the GPU and the simulator be from it, both.
struct Approximation {
  const char* name;
  double relative;
  double absolute;
  double most = HUGE_VAL;  ///< Nothing is documented for greater arguments.
};

constexpr double kUlp = 0x1p-23;
constexpr double kPi = 3.14159265358979;

// Before a line comes what begins like it.
constexpr Approximation kApproximations[] = {
    {"ex2.approx.ftz.bf16", 0x1p-7, 0},
    {"tanh.approx.bf16", 0x1p-8, 0x1p-8},
    {"ex2.approx.f16", 0x1.13p-10, 0},   // 2^-9.9
    {"tanh.approx.f16", 0, 0x1.03p-11},  // 2^-10.987
    {"rcp.approx", kUlp, 0},
    {"sqrt.approx", kUlp, 0},
    {"rsqrt.approx", 0x1.12p-23, 0},  // 2^-22.9
    {"ex2.approx", 2 * kUlp, 0},
    {"lg2.approx", 0x1p-22, 0x1.52p-23},  // 2^-22.6
    {"sin.approx", 0, 0x1.6bp-21, kPi},   // 2^-20.5
    {"cos.approx", 0, 0x1.6bp-21, kPi},
    {"tanh.approx.f32", 0x1p-11, 0},
    {"div.full", 2 * kUlp, 0},
    {"div.approx", 2 * kUlp, 0},
};

const Approximation* approximation_of(const std::string& statement) {
  for (const Approximation& one : kApproximations) {
    const bool is_double =
        statement.find(".f64") != std::string::npos;  // of which the high words are exact enough
    if (!is_double && statement.starts_with(one.name)) return &one;
  }
  return nullptr;
}

double value_of(const Measured& form, U64 bits) {
  if (form.result_bits == 32) return static_cast<double>(std::bit_cast<float>(static_cast<U32>(bits)));
  const bool is_bfloat = form.statement.find("bf16") != std::string::npos;
  return is_bfloat ? Bfloat::value(static_cast<U32>(bits)) : Half::value(static_cast<U32>(bits));
}

/// div.approx is documented for divisors from 2^-126 to 2^126 alone.
bool is_documented(const Measured& form, const Approximation& one, const std::vector<U64>& row) {
  const double divisor = std::fabs(value_of(form, row[row.size() - 2]));
  if (form.statement.starts_with("div.approx")) return divisor >= 0x1p-126 && divisor <= 0x1p126;
  return divisor <= one.most;
}

bool is_near(const Measured& form, const Approximation& one, const std::vector<U64>& row, U64 found) {
  if (found == row.back() || !is_documented(form, one, row)) return true;
  const double theirs = value_of(form, row.back());
  const double ours = value_of(form, found);
  const double least = form.result_bits == 32 ? 0x1p-149 : 0;  // the step between denormal numbers
  return std::fabs(ours - theirs) <= 2 * std::max({one.relative * std::fabs(theirs), one.absolute, least});
}

TEST_CASE("PTX forms give what an H200 gives for the same operands") {
  const std::vector<Measured> forms = measured_forms();
  CHECK(forms.size() == 506);
  for (const Measured& form : forms) {
    const Approximation* approximation = approximation_of(form.statement);
    for (const unsigned most_registers : {255U, 16U}) {
      const std::vector<U64> found = results_of(form, most_registers);
      unsigned wrong = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::vector<U64>& row = form.rows[i];
        const bool is_right =
            approximation != nullptr ? is_near(form, *approximation, row, found[i]) : found[i] == row.back();
        if (is_right || ++wrong > 3) continue;
        FAIL_CHECK(fmt::format("{} (at most {} registers): of {:#x}, {:#x} {:#x} instead of {:#x}",
                               form.statement, most_registers, row[0], row.size() > 2 ? row[1] : 0, found[i],
                               row.back()));
      }
      CHECK(wrong == 0);
    }
  }
}

}  // namespace
}  // namespace heddle::test
