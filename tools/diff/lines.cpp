#include "tools/diff/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tools/diff/matching.h"

namespace heddle::diff {

namespace {

/// The lines of a file, by their indices in the run.
struct File {
  std::string name;
  std::vector<std::size_t> lines;
};

std::vector<File> files_of(const RunLines& run) {
  std::vector<File> files;
  for (std::size_t i = 0; i < run.lines.size(); ++i) {
    const std::string& name = run.lines[i].file;
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const File& file) { return file.name == name; });
    File& file = found != files.end() ? *found : files.emplace_back(File{name, {}});
    file.lines.push_back(i);
  }
  return files;
}

std::string_view short_name(const std::string& name) {
  return std::string_view(name).substr(name.find_last_of('/') + 1);
}

/// Which file is which: those of the same name, then those of the same name without folders, then the others
/// in their order. What belongs to no line is only that of the other run.
std::vector<std::pair<const File*, const File*>> pairs_of(const std::vector<File>& before,
                                                          const std::vector<File>& after) {
  std::vector<std::pair<const File*, const File*>> pairs;
  std::vector<const File*> left;
  for (const File& file : before) left.push_back(&file);
  std::vector<const File*> right;
  for (const File& file : after) right.push_back(&file);
  const auto pair_if = [&](auto are_same) {
    for (const File*& file : left) {
      const auto found = std::find_if(right.begin(), right.end(), [&](const File* other) {
        return other != nullptr && file != nullptr && are_same(*file, *other);
      });
      if (found == right.end()) continue;
      pairs.emplace_back(std::exchange(file, nullptr), std::exchange(*found, nullptr));
    }
  };
  pair_if([](const File& a, const File& b) { return a.name == b.name; });
  pair_if([](const File& a, const File& b) {
    return !a.name.empty() && !b.name.empty() && short_name(a.name) == short_name(b.name);
  });
  pair_if([](const File& a, const File& b) { return a.name.empty() == b.name.empty(); });
  for (const File* file : left)
    if (file != nullptr) pairs.emplace_back(file, nullptr);
  for (const File* file : right)
    if (file != nullptr) pairs.emplace_back(nullptr, file);
  return pairs;
}

/// What lines are paired by. A line whose text is not known is only that of its number.
std::vector<std::string> texts_of(const RunLines& run, const File& file) {
  std::vector<std::string> texts;
  for (const std::size_t index : file.lines) {
    const RunLine& line = run.lines[index];
    texts.push_back(line.text.empty() ? fmt::format("\n{}", line.number) : line.text);
  }
  return texts;
}

LineChange change_of(const RunLine* before, const RunLine* after) {
  const RunLine& line = after != nullptr ? *after : *before;
  LineChange change;
  change.file = line.file;
  change.text = line.text;
  if (before != nullptr) {
    change.number_before = before->number;
    for (const auto& [part, slots] : before->slots) change.parts[part].before = slots;
  }
  if (after != nullptr) {
    change.number_after = after->number;
    for (const auto& [part, slots] : after->slots) change.parts[part].after = slots;
  }
  for (const auto& [part, slots] : change.parts) {
    change.all.before += slots.before;
    change.all.after += slots.after;
  }
  return change;
}

void add_file(const RunLines& before, const RunLines& after, const File* left, const File* right,
              LineComparison& comparison) {
  const File none;
  const File& old = left != nullptr ? *left : none;
  const File& now = right != nullptr ? *right : none;
  const auto found = partners(texts_of(before, old), texts_of(after, now));
  std::vector<bool> is_paired(now.lines.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const RunLine* partner = nullptr;
    if (found[i]) {
      is_paired[*found[i]] = true;
      partner = &after.lines[now.lines[*found[i]]];
      if (partner->number != 0) ++comparison.matched;
    }
    comparison.lines.push_back(change_of(&before.lines[old.lines[i]], partner));
  }
  for (std::size_t i = 0; i < now.lines.size(); ++i)
    if (!is_paired[i]) comparison.lines.push_back(change_of(nullptr, &after.lines[now.lines[i]]));
}

}  // namespace

double LineComparison::amount_before(std::uint64_t slots) const {
  return in_cycles() ? static_cast<double>(slots) / static_cast<double>(schedulers_before)
                     : static_cast<double>(slots);
}

double LineComparison::amount_after(std::uint64_t slots) const {
  return in_cycles() ? static_cast<double>(slots) / static_cast<double>(schedulers_after)
                     : static_cast<double>(slots);
}

double LineComparison::change(const SlotChange& slots) const {
  return amount_after(slots.after) - amount_before(slots.before);
}

std::string LineComparison::greatest_part(const LineChange& line) const {
  const auto moves_less = [&](const auto& a, const auto& b) {
    return std::abs(change(a.second)) < std::abs(change(b.second));
  };
  const auto greatest = std::max_element(line.parts.begin(), line.parts.end(), moves_less);
  return greatest == line.parts.end() || change(greatest->second) == 0 ? "" : greatest->first;
}

std::optional<LineComparison> compare_lines(const RunFile& before, const RunFile& after,
                                            const CycleChange& cycles) {
  if (!before.lines || !after.lines) return std::nullopt;
  LineComparison comparison;
  comparison.level_before = before.lines->level;
  comparison.level_after = after.lines->level;
  if (comparison.level_before != comparison.level_after) return comparison;
  if (!cycles.parts.empty()) {
    comparison.schedulers_before = cycles.before.schedulers;
    comparison.schedulers_after = cycles.after.schedulers;
  }
  comparison.without_warp = {before.lines->without_warp, after.lines->without_warp};
  const std::vector<File> old = files_of(*before.lines);
  const std::vector<File> now = files_of(*after.lines);
  for (const auto& [left, right] : pairs_of(old, now))
    add_file(*before.lines, *after.lines, left, right, comparison);
  std::stable_sort(comparison.lines.begin(), comparison.lines.end(),
                   [&](const LineChange& a, const LineChange& b) {
                     return std::abs(comparison.change(a.all)) > std::abs(comparison.change(b.all));
                   });
  return comparison;
}

}  // namespace heddle::diff
