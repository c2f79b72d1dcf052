// Traces of a few lines, put together by hand, and what a reader makes of them.
#pragma once

#include <string>
#include <vector>

#include "sim/trace/read/trace_reader.h"

namespace heddle::trace {

inline const std::string kNewFormat =
    "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
    "[adrrescompress?] [mem_addresses] immediate1 immediate2\n";
inline const std::string kOldFormat =
    "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
    "[adrrescompress?] [mem_addresses] immediate\n";

struct SmallHead {
  std::string version = "5";  ///< Empty: no such line.
  std::string grid = "(1,1,1)";
  std::string block = "(32,1,1)";
  std::string more = {};  ///< Further lines.
  std::string format = kOldFormat;
};

std::string text_of(const SmallHead& head);

/// One block of one warp, with these lines and then an EXIT, which has `more_columns` behind its width.
std::string one_warp(const SmallHead& head, const std::vector<std::string>& lines,
                     const std::string& exit = "ff00 ffffffff 0 EXIT 0 0 0 ");
/// "warp = ", "insts = ", lines.
std::string warp_text(unsigned index, const std::vector<std::string>& lines);
/// #BEGIN_TB to #END_TB.
std::string block_text(const std::string& place, const std::string& warps);

/// A copy of a line that stays.
struct SeenLine {
  TraceBlock block;
  TraceWarp warp;
  TraceInstruction instruction;
  TraceLine line;  ///< `instruction` of it is null.
};

struct SeenTrace {
  TraceHeader header;
  std::vector<SeenLine> lines;
  unsigned blocks = 0;
  unsigned warps = 0;
};

SeenTrace read_trace(const std::string& path);
/// Reads a text, which is written to a file first.
SeenTrace read_text(const std::string& text);

/// What a reader without a sink throws: "file:line: message" with the file's name left out; empty if nothing.
std::string first_mistake(const std::string& text, const std::string& name = "t.traceg");
/// What it tells a sink, each in one line.
std::vector<std::string> all_mistakes(const std::string& text, const std::string& name = "t.traceg");
std::vector<std::string> all_mistakes_of(const std::string& path);

/// Up to `EndBlock` of the last, or a failure of the test.
void require_same(const SeenTrace& left, const SeenTrace& right);

}  // namespace heddle::trace
