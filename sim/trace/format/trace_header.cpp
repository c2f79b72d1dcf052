#include "sim/trace/format/trace_header.h"

#include <fmt/format.h>

#include <charconv>

namespace heddle::trace {

unsigned TraceHeader::version() const {
  unsigned whole = 0;
  std::from_chars(tracer_version.data(), tracer_version.data() + tracer_version.size(), whole);
  return whole;
}

bool TraceHeader::has_second_immediate() const { return format.find("immediate2") != std::string::npos; }

std::string to_text(const TraceHeader& header) {
  const auto triple = [](const Dim3& dim) { return fmt::format("({},{},{})", dim.x, dim.y, dim.z); };
  std::string text = fmt::format(
      "-kernel name = {}\n-kernel id = {}\n-grid dim = {}\n-block dim = {}\n-shmem = {}\n-nregs = {}\n"
      "-binary version = {}\n-cuda stream id = {}\n-shmem base_addr = 0x{:016x}\n"
      "-local mem base_addr = 0x{:016x}\n-nvbit version = {}\n",
      header.kernel, header.id, triple(header.grid), triple(header.block), header.shared_bytes,
      header.registers, header.binary_version, header.stream, header.shared_base, header.local_base,
      header.nvbit_version);
  if (!header.tracer_version.empty())
    text += fmt::format("-accelsim tracer version = {}\n", header.tracer_version);
  text += fmt::format("-enable lineinfo = {}\n", header.has_line_numbers ? 1 : 0);
  for (const std::string& line : header.unknown) text += line + '\n';
  return text + fmt::format("\n#traces format = {}\n\n", header.format);
}

}  // namespace heddle::trace
