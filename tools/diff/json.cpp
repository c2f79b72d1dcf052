#include "tools/report/json.h"

#include "tools/diff/leaves.h"
#include "tools/diff/reports.h"

namespace heddle::diff {

namespace {

using Object = nlohmann::ordered_json;

Object value(const std::optional<Number>& number) {
  if (!number) return nullptr;
  return std::visit([](auto each) { return Object(each); }, *number);
}

Object value(const std::optional<std::string>& text) { return text ? Object(*text) : Object(nullptr); }

/// Whole if both are.
Object difference(const FigureChange& figure) {
  if (!figure.before || !figure.after) return nullptr;
  const auto* before = std::get_if<std::int64_t>(&*figure.before);
  const auto* after = std::get_if<std::int64_t>(&*figure.after);
  std::int64_t whole = 0;
  if (before != nullptr && after != nullptr && !__builtin_sub_overflow(*after, *before, &whole)) return whole;
  return as_double(*figure.after) - as_double(*figure.before);
}

Object ratio(const FigureChange& figure) {
  if (!figure.before || !figure.after || as_double(*figure.before) == 0) return nullptr;
  return as_double(*figure.after) / as_double(*figure.before);
}

Object run_object(const RunFile& run) {
  Object object = {{"file", run.path}};
  for (const char* key : {"kernel", "gpu"}) object[key] = run.report.at(key).get<std::string>();
  if (const Json* provenance = look_up(run.report, "provenance")) {
    const Json* command = look_up(*provenance, "command");
    // Only a list of texts is taken over: copies of deeply nested values could exhaust the stack.
    if (command != nullptr && command->is_array()) {
      object["command"] = Object::array();
      for (const Json& word : *command) object["command"].push_back(value_text(word));
    }
  }
  return object;
}

Object settings_array(const Comparison& comparison) {
  Object array = Object::array();
  for (const SettingChange& setting : comparison.settings)
    array.push_back(
        {{"name", setting.name}, {"before", value(setting.before)}, {"after", value(setting.after)}});
  return array;
}

Object figures_array(const Comparison& comparison) {
  Object array = Object::array();
  for (const FigureChange& figure : comparison.figures)
    array.push_back({{"name", figure.name},
                     {"unit", figure.unit},
                     {"before", value(figure.before)},
                     {"after", value(figure.after)},
                     {"difference", difference(figure)},
                     {"ratio", ratio(figure)}});
  return array;
}

Object cycles_object(const CycleChange& change) {
  Object parts = Object::array();
  for (const CyclePart& part : change.parts)
    parts.push_back({{"part", part.key},
                     {"turns_before", part.before},
                     {"turns_after", part.after},
                     {"before", change.cycles_before(part)},
                     {"after", change.cycles_after(part)},
                     {"difference", change.cycles_after(part) - change.cycles_before(part)}});
  return {{"before", change.before.cycles},
          {"after", change.after.cycles},
          {"schedulers_before", change.before.schedulers},
          {"schedulers_after", change.after.schedulers},
          {"parts", parts}};
}

Object number(const std::optional<std::uint64_t>& line) {
  return line && *line != 0 ? Object(*line) : Object(nullptr);
}

Object lines_object(const LineComparison& lines) {
  const auto slots = [&](const SlotChange& change) {
    return Object{{"slots_before", change.before},
                  {"slots_after", change.after},
                  {"difference", static_cast<std::int64_t>(change.after - change.before)}};
  };
  Object list = Object::array();
  for (const LineChange& line : lines.lines) {
    Object object = {{"file", line.file.empty() ? Object(nullptr) : Object(line.file)},
                     {"line_before", number(line.number_before)},
                     {"line_after", number(line.number_after)},
                     {"is_new", !line.number_before.has_value()},
                     {"is_gone", !line.number_after.has_value()},
                     {"text", line.text}};
    object.update(slots(line.all));
    object["parts"] = Object::object();
    for (const auto& [part, change] : line.parts) object["parts"][part] = slots(change);
    list.push_back(std::move(object));
  }
  return {{"level", lines.level_after},
          {"matched", lines.matched},
          {"without_warp", slots(lines.without_warp)},
          {"lines", list}};
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  Object document = {
      {"schema_version", report::kSchemaVersion}, {"before", run_object(comparison.before)},
      {"after", run_object(comparison.after)},    {"settings", settings_array(comparison)},
      {"figures", figures_array(comparison)},     {"cycles", cycles_object(comparison.cycles)}};
  if (comparison.lines && comparison.lines->level_before == comparison.lines->level_after)
    document["lines"] = lines_object(*comparison.lines);
  constexpr int kIndent = 2;
  return document.dump(kIndent, ' ', false, Object::error_handler_t::replace) + '\n';
}

}  // namespace heddle::diff
