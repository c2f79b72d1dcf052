#include "tests/support/written_trace.h"

#include <fmt/format.h>

#include <sstream>

namespace heddle::test {

namespace {

trace::TraceRegister read_register(const std::string& name) {
  const std::size_t digits = name.find_first_of("0123456789");
  const std::string file = name.substr(0, digits);
  trace::TraceRegister reg;
  if (file == "UR") reg.file = trace::RegisterFile::Uniform;
  if (file == "P") reg.file = trace::RegisterFile::Predicate;
  if (file == "UP") reg.file = trace::RegisterFile::UniformPredicate;
  reg.index = static_cast<std::uint8_t>(std::stoul(name.substr(digits)));
  return reg;
}

void read_addresses(std::istringstream& text, trace::TraceLine& line) {
  int format = 0;
  text >> format;
  line.format = static_cast<trace::AddressFormat>(format);
  line.addresses.fill(0);
  Addr address = 0;
  long long stride = 0;
  bool is_first = true;
  for (unsigned lane = 0; lane < trace::kLanes; ++lane) {
    if ((line.mask >> lane & 1) == 0) continue;
    if (format == 0 || is_first) {
      text >> std::hex >> address >> std::dec;
      if (format == 1) text >> stride;
    } else {
      if (format == 2) text >> stride;
      address += static_cast<Addr>(stride);
    }
    is_first = false;
    line.addresses[lane] = address;
  }
  if (line.mask == 0) text >> std::hex >> address >> std::dec >> stride;
}

}  // namespace

trace::TraceHeader written_header(Dim3 block, Dim3 grid, std::uint32_t registers) {
  trace::TraceHeader header;
  header.kernel = "written";
  header.grid = grid;
  header.block = block;
  header.registers = registers;
  header.tracer_version.assign(1, '5');
  header.format = "[mem_addresses] immediate1 immediate2";
  return header;
}

WrittenTrace::WrittenTrace(trace::TraceHeader header, std::string_view body) : header_(std::move(header)) {
  std::istringstream text{std::string(body)};
  for (std::string line; std::getline(text, line);) lines_.push_back(line);
}

bool WrittenTrace::stands(std::size_t at, std::string_view word) const {
  return at < lines_.size() && lines_[at].starts_with(word);
}

trace::TraceReader::Event WrittenTrace::next() {
  if (in_block_ && (at_ == lines_.size() || stands(at_, "block "))) {
    in_block_ = false;
    return Event::EndBlock;
  }
  if (at_ == lines_.size()) return Event::End;
  const std::string& text = lines_[at_++];
  if (text.starts_with("block ")) {
    char comma = 0;
    std::istringstream(text.substr(6)) >> block_.id[0] >> comma >> block_.id[1] >> comma >> block_.id[2];
    in_block_ = true;
    return Event::Block;
  }
  if (text.starts_with("warp ")) {
    warp_.index = static_cast<std::uint32_t>(std::stoul(text.substr(5)));
    warp_.instructions = 0;
    for (std::size_t i = at_; i < lines_.size() && !stands(i, "warp ") && !stands(i, "block "); ++i) {
      ++warp_.instructions;
    }
    return Event::Warp;
  }
  read_line(text);
  return Event::Line;
}

void WrittenTrace::read_line(const std::string& text) {
  std::istringstream in(text);
  trace::TraceInstruction found;
  unsigned destinations = 0;
  unsigned sources = 0;
  std::string word;
  in >> std::hex >> found.pc >> line_.mask >> std::dec >> destinations;
  found.has_destination = destinations != 0;
  if (destinations != 0) {
    in >> word;
    found.destination = read_register(word);
  }
  in >> found.opcode >> sources;
  found.sources = static_cast<std::uint8_t>(sources);
  for (unsigned i = 0; i < sources; ++i) {
    in >> word;
    found.source[i] = read_register(word);
  }
  const auto static_end = static_cast<std::size_t>(in.tellg());
  const std::string name = fmt::format("{}{}", text.substr(0, 5), text.substr(13, static_end - 13));
  in >> line_.width;
  if (line_.width != 0) read_addresses(in, line_);
  line_.immediate = line_.second_immediate = 0;
  in >> line_.immediate >> line_.second_immediate;
  const auto [known, is_new] = known_.emplace(name, nullptr);
  if (is_new) {
    found.index = instructions();
    instructions_.push_back(found);
    known->second = &instructions_.back();
  }
  line_.instruction = known->second;
}

}  // namespace heddle::test
