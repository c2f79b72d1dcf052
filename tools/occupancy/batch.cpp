#include "tools/occupancy/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include "isa/base/cuda_limits.h"
#include "isa/base/diagnostic.h"
#include "isa/base/read_bytes.h"
#include "isa/base/read_extents.h"
#include "isa/base/read_number.h"
#include "sim/config/suggest.h"
#include "sim/occupancy/refusals.h"

namespace heddle::occupancy {

namespace {

enum class Column { Cc, Gpu, Block, Registers, Static, Dynamic, Carveout, Barriers, Label };

struct ColumnName {
  std::string_view name;
  Column column;
};

constexpr ColumnName kColumns[] = {
    {"cc", Column::Cc},
    {"gpu", Column::Gpu},
    {"block", Column::Block},
    {"regs", Column::Registers},
    {"registers", Column::Registers},
    {"smem", Column::Static},
    {"dynamic_smem", Column::Dynamic},
    {"carveout", Column::Carveout},
    {"barriers", Column::Barriers},
    {"kernel", Column::Label},
    {"name", Column::Label},
    {"id", Column::Label},
    {"label", Column::Label},
};

constexpr std::string_view kAnswers = ",blocks_per_sm,warps_per_sm,occupancy,limiters,refused";
constexpr std::size_t kMostProblems = 20;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return text.substr(0, 0);  // an empty view at this position
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Splits a line into cells. Quotes around cells stay; commas inside quotes do not separate.
void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') quoted = !quoted;
    if (i < line.size() && (line[i] != ',' || quoted)) continue;
    cells.push_back(trimmed(line.substr(begin, i - begin)));
    begin = i + 1;
  }
}

class Batch {
 public:
  Batch(const std::string& file, const Question& defaults, const FindDevice& find_device,
        const RowEndings& endings)
      : file_(file),
        defaults_({defaults.device, endings.given}),
        resources_(defaults.resources),
        has_block_(defaults.has_block),
        find_device_(find_device),
        endings_(endings) {}

  std::string answer(std::string_view csv) {
    while (!csv.empty() && problems_.list().size() < kMostProblems) {
      const std::size_t end = std::min(csv.find('\n'), csv.size());
      std::string_view line = csv.substr(0, end);
      csv.remove_prefix(std::min(end + 1, csv.size()));
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (trimmed(line).empty()) continue;
      line_begin_ = line.data();
      columns_.empty() ? read_header(line) : answer_row(line);
    }
    if (columns_.empty()) problems_.add({file_, 0, 0}, "there is no line with the names of the columns");
    problems_.throw_if_any();
    return fmt::to_string(out_);
  }

 private:
  void read_header(std::string_view line) {
    split(line, cells_);
    for (const std::string_view cell : cells_) {
      const auto* found = std::find_if(std::begin(kColumns), std::end(kColumns),
                                       [&](const ColumnName& known) { return known.name == cell; });
      if (found == std::end(kColumns)) {
        std::vector<std::string> names;
        for (const ColumnName& known : kColumns) names.emplace_back(known.name);
        complain(cell,
                 fmt::format("unknown column '{}'; {}", cell, sim::suggestion(std::string(cell), names)));
      }
      const Column column = found == std::end(kColumns) ? Column::Label : found->column;
      if (const auto* rival = rival_of(column))
        complain(cell, fmt::format("column '{}' says what '{}' has said", cell, *rival));
      columns_.push_back(column);
      names_.push_back(cell);
    }
    if (!has_block_ &&
        std::find(columns_.begin(), columns_.end(), Column::Block) == columns_.end()) {
      problems_.add({file_, line_, 0}, "there is no column 'block'; --block gives one size for all");
    }
    fmt::format_to(std::back_inserter(out_), "{}{}{}\n", line, kAnswers, endings_.columns);
  }

  /// The earlier column with the same meaning.
  [[nodiscard]] const std::string_view* rival_of(Column column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    return column == Column::Label || found == columns_.end()
               ? nullptr
               : &names_[static_cast<std::size_t>(found - columns_.begin())];
  }

  void answer_row(std::string_view line) {
    split(line, cells_);
    if (cells_.size() != columns_.size()) {
      complain(line, fmt::format("{} cells, but there are {} columns", cells_.size(), columns_.size()));
      return;
    }
    chosen_ = &defaults_;
    kernel_ = resources_;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (!cells_[i].empty()) {
        read_cell(columns_[i], cells_[i]);
      } else if (columns_[i] == Column::Block && !has_block_) {
        complain(cells_[i], "no block size; --block gives one for such rows");
      }
    }
    write_row(line);
  }

  void read_cell(Column column, std::string_view cell) {
    switch (column) {
      case Column::Cc:
      case Column::Gpu:
        return choose_device(column, cell);
      case Column::Block:
        return read_block(cell);
      case Column::Registers:
        return read_amount(cell, kernel_.registers_per_thread);
      case Column::Static:
        return read_size(cell, kernel_.static_shared);
      case Column::Dynamic:
        return read_size(cell, kernel_.dynamic_shared);
      case Column::Carveout:
        kernel_.carveout_percent = 0;
        return read_amount(cell, *kernel_.carveout_percent, 100);
      case Column::Barriers:
        return read_amount(cell, kernel_.barriers, kMostBarriersPerBlock);
      case Column::Label:
        return;
    }
  }

  void read_block(std::string_view cell) {
    if (const auto block = extents_in(cell)) {
      kernel_.block = *block;
    } else {
      complain(cell, fmt::format("'{}' is no block size: X, XxY or XxYxZ", cell));
    }
  }

  void read_amount(std::string_view cell, std::uint32_t& amount,
                   std::uint32_t most = std::numeric_limits<std::uint32_t>::max()) {
    if (read_number(cell, amount) && amount <= most) return;
    complain(cell, fmt::format("'{}' must be a whole number, at most {}", cell, most));
  }

  /// Reads bytes, also in the form 8KiB.
  void read_size(std::string_view cell, std::uint32_t& amount) {
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    const auto bytes = count_in(cell);
    if (!bytes || *bytes > kMost)
      return complain(
          cell, fmt::format("'{}' must be a number of bytes, or of KiB as 8KiB, at most {}", cell, kMost));
    amount = static_cast<std::uint32_t>(*bytes);
  }

  void choose_device(Column column, std::string_view cell) {
    if (chosen_ != &defaults_) return complain(cell, "'gpu' and 'cc' name the GPU twice");
    const auto known = devices_.find({column, cell});
    if (known != devices_.end()) {
      chosen_ = &known->second;
      return;
    }
    try {
      const std::string name(column == Column::Cc ? std::string_view() : cell);
      Device device = column == Column::Cc ? device_of_version(cell) : find_device_(name);
      Chosen chosen{std::move(device), endings_.others(name)};
      chosen_ = &devices_.emplace(std::pair(column, cell), std::move(chosen)).first->second;
    } catch (const InputError& error) {
      complain(cell, error.list().front().message);
    }
  }

  void write_row(std::string_view line) {
    const sim::Occupancy found = sim::occupancy_of(chosen_->device.limits, kernel_);
    auto end = std::back_inserter(out_);
    fmt::format_to(end, "{},{},{},{},", line, found.blocks_per_sm, found.warps_per_sm, found.occupancy);
    bool is_first = true;
    for (std::size_t i = 0; i < sim::kResources; ++i) {
      if (found.limits[i] != found.blocks_per_sm) continue;
      fmt::format_to(end, "{}{}", is_first ? "" : " ", sim::kResourceTable[i].key);
      is_first = false;
    }
    out_.push_back(',');
    if (found.blocks_per_sm == 0) write_reasons();
    fmt::format_to(end, "{}\n", chosen_->ending);
  }

  void write_reasons() {
    std::string_view separator = "\"";
    for (const std::string& reason : sim::refusals(chosen_->device.limits, kernel_)) {
      fmt::format_to(std::back_inserter(out_), "{}{}", separator, reason);
      separator = "; ";
    }
    out_.push_back('"');
  }

  /// Reports a mistake at the cell, which is a view of the line.
  void complain(std::string_view cell, std::string message) {
    const auto column = static_cast<std::uint32_t>(cell.data() - line_begin_ + 1);
    problems_.add({file_, line_, column}, std::move(message));
  }

  /// A GPU and the cells at the end of its rows.
  struct Chosen {
    Device device;
    std::string ending;
  };

  std::string file_;
  Chosen defaults_;
  const sim::KernelResources& resources_;  // used for columns that a row lacks
  bool has_block_;
  const FindDevice& find_device_;
  const RowEndings& endings_;
  Diagnostics problems_;
  std::uint32_t line_ = 0;
  const char* line_begin_ = nullptr;
  std::vector<Column> columns_;
  std::vector<std::string_view> names_;  // parallel to columns_
  std::vector<std::string_view> cells_;
  /// By name; the names are views of the text.
  std::map<std::pair<Column, std::string_view>, Chosen> devices_;
  const Chosen* chosen_ = nullptr;
  sim::KernelResources kernel_;
  fmt::memory_buffer out_;
};

}  // namespace

std::string answer_batch(std::string_view csv, const std::string& file, const Question& defaults,
                         const FindDevice& find_device, const RowEndings& endings) {
  return Batch(file, defaults, find_device, endings).answer(csv);
}

}  // namespace heddle::occupancy
