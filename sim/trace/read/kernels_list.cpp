#include "sim/trace/read/kernels_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "isa/base/diagnostic.h"
#include "isa/base/file_kind.h"
#include "sim/trace/format/address_end.h"
#include "sim/trace/format/trace_name.h"
#include "sim/trace/read/column_scan.h"
#include "sim/trace/read/line_window.h"
#include "sim/trace/read/trimmed.h"

namespace heddle::trace {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 1 << 20;
constexpr std::size_t kMostMistakes = 1000;
constexpr std::string_view kCopy = "MemcpyHtoD";
constexpr std::string_view kFlush = "FlushCaches";

/// Prefixes of the commands that are ignored, in lower case.
constexpr std::string_view kPassedOver[] = {"memcpy", "memset", "nccl", "cuda", "#"};

bool is_passed_over(std::string_view text) {
  const auto is_same = [](char a, char b) {
    return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
  };
  return std::any_of(std::begin(kPassedOver), std::end(kPassedOver), [&](std::string_view word) {
    return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), is_same);
  });
}

bool names_trace(std::string_view text) {
  const std::string_view file = text.substr(text.find_last_of('/') + 1);
  return file.starts_with("kernel") || !trace_ending(file).empty();
}

class ListReader {
 public:
  explicit ListReader(const std::string& path) : path_(path), window_(open_source(path)) {}

  KernelsList read() {
    for (;;) {
      switch (window_.next()) {
        case LineWindow::Found::End:
          require_kernel();
          mistakes_.throw_if_any();
          return std::move(list_);
        case LineWindow::Found::TooLong:
          mistake("the line is longer than 1 MiB");
          break;
        default:
          line(trimmed(window_.text()));
      }
    }
  }

 private:
  void require_kernel() {
    const auto is_kernel = [](const ListEntry& entry) { return entry.kind == ListEntry::Kind::Kernel; };
    if (!mistakes_.empty() || std::any_of(list_.entries.begin(), list_.entries.end(), is_kernel)) return;
    mistakes_.add({path_, 0, 0}, "names no kernel: a line for one begins with 'kernel'");
  }

  void line(std::string_view text) {
    if (text.empty()) return;
    if (text.starts_with(kCopy)) return copy(text);
    if (text == kFlush) return add({.kind = ListEntry::Kind::FlushCaches});
    if (names_trace(text)) return kernel(text);
    if (!is_passed_over(text)) {
      return mistake(fmt::format("{} is neither a trace nor a command: a list has names of traces, MemcpyHtoD, "
                                 "FlushCaches, and commands of copies, fills and NCCL that are passed over",
                                 quoted(text.substr(0, kShown))));
    }
    if (list_.passed_over++ != 0) return;
    list_.first_passed_over = where().line;
    list_.passed_over_text = text.substr(0, kShown);
  }

  void kernel(std::string_view name) {
    const fs::path file = fs::path(path_).parent_path() / name;
    std::error_code error;
    if (!fs::exists(file, error)) return mistake(fmt::format("there is no trace {} here", quoted(name)));
    ListEntry entry;
    entry.name = name;
    entry.path = file.string();
    add(std::move(entry));
  }

  void copy(std::string_view text) {
    std::string columns(text);  // scans stop at spaces
    for (char& c : columns) c = c == ',' ? ' ' : c;
    columns += '\n';
    columns.append(kScanRoom, '\0');
    const char* at = columns.data() + kCopy.size();
    ListEntry entry{.kind = ListEntry::Kind::Copy};
    try {
      skip_spaces(at);
      if (at[0] != '0' || at[1] != 'x') throw_malformed(at, "a hexadecimal address");
      entry.address = scan_hex(at, "a hexadecimal address");
      entry.bytes = scan_decimal(at, "a number of bytes");
      if (*at != '\n') throw_malformed(at, "the end of the line");
      if (entry.address > kAddressEnd || entry.bytes > kAddressEnd - entry.address)
        return mistake(fmt::format("the copy ends behind {:#x}, where addresses end", kAddressEnd));
    } catch (const Malformed& error) {
      return mistake(fmt::format("{}; a copy is 'MemcpyHtoD,0x<address>,<bytes>'", error.message));
    }
    add(std::move(entry));
  }

  void add(ListEntry entry) {
    if (list_.entries.size() == kMostEntries) {
      mistake("the list has more than a million lines");
      mistakes_.throw_if_any();
    }
    entry.line = where().line;
    list_.entries.push_back(std::move(entry));
  }

  void mistake(std::string message) {
    mistakes_.add(where(), std::move(message));
    if (mistakes_.list().size() == kMostMistakes) mistakes_.throw_if_any();
  }
  [[nodiscard]] SourceLocation where() const {
    return {path_, static_cast<std::uint32_t>(window_.number()), 0};
  }

  static constexpr std::size_t kShown = 80;

  std::string path_;
  LineWindow window_;
  KernelsList list_;
  Diagnostics mistakes_;
};

}  // namespace

KernelsList read_kernels_list(const std::string& path) {
  require_role_of_file(FileRole::Trace, path);
  return ListReader(path).read();
}

bool is_kernels_list(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return name.ends_with(".g") || name.starts_with("kernelslist");
}

std::string to_text(const ListEntry& entry) {
  switch (entry.kind) {
    case ListEntry::Kind::Kernel:
      return fmt::format("{}\n", entry.name);
    case ListEntry::Kind::Copy:
      return fmt::format("{},0x{:016x},{}\n", kCopy, entry.address, entry.bytes);
    case ListEntry::Kind::FlushCaches:
      break;
  }
  return fmt::format("{}\n", kFlush);
}

}  // namespace heddle::trace
