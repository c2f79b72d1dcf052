#include <fmt/format.h>

#include <deque>
#include <filesystem>
#include <map>

#include "isa/base/new_file.h"
#include "sim/trace/format/facts.h"
#include "sim/trace/format/trace_name.h"
#include "tools/heddle/base/made_folders.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/trace/trace_command.h"
#include "tools/heddle/trace/trace_conversion.h"
#include "tools/heddle/trace/trace_files.h"

namespace heddle::command {

namespace {

namespace fs = std::filesystem;

/// Writes files that appear together when all are complete, or not at all.
class Converter {
 public:
  explicit Converter(std::optional<std::string> version) : version_(std::move(version)) {}

  void convert(const std::string& from, const std::string& to) {
    require_own_places({to}, {from});
    const auto reader = trace::open_trace(from);
    TraceConversion conversion(with_own_facts(reader->header(), to), version_);
    const auto writer = open_trace_writer(conversion.header(), add(to));
    copy(*reader, conversion, *writer);
    writer->finish();
    bring_facts(reader->header(), from, to);
    for (const std::string& loss : conversion.losses()) {
      print_error(fmt::format("{}: note: version {} cannot say {}\n", to, *version_, loss));
    }
  }

  /// All files go to this folder, which is created at the end.
  void set_folder(const std::string& folder) {
    folder_ = folder;
    until_then_ = nearest_folder(folder);
    const MadeFolders tried(folder);
  }
  void write(const std::string& to, const std::string& text) { add(to).write(text); }
  void keep() {
    if (folder_) folders_.emplace(*folder_);
    for (NewFile& file : files_) file.keep();
  }

 private:
  NewFile& add(const std::string& to) {
    return folder_ ? files_.emplace_back(to, until_then_) : files_.emplace_back(to);
  }

  static void copy(trace::TraceReader& reader, TraceConversion& conversion, trace::TraceWriter& writer) {
    for (;;) {
      switch (reader.next()) {
        case trace::TraceReader::Event::Block:
          writer.block(conversion.adapted(reader.block()));
          break;
        case trace::TraceReader::Event::Warp:
          writer.warp(reader.warp());
          break;
        case trace::TraceReader::Event::Line:
          writer.line(conversion.adapted(reader.line()));
          break;
        case trace::TraceReader::Event::EndBlock:
          writer.end_block();
          break;
        case trace::TraceReader::Event::End:
          return;
      }
    }
  }

  /// A facts file is named after its trace, so that two of them in one folder do not overwrite each other.
  static std::string facts_name(const std::string& trace, const std::string& old) {
    const std::size_t ending = old.find(".facts");  // includes the ending of its compression
    return std::string(trace::trace_stem(fs::path(trace).filename().string())) +
           (ending == std::string::npos ? ".facts" : old.substr(ending));
  }

  static trace::TraceHeader with_own_facts(trace::TraceHeader header, const std::string& to) {
    for (std::string& line : header.unknown) {
      if (!line.starts_with(trace::kFactsKey)) continue;
      const std::string old = line.substr(trace::kFactsKey.size());
      line = std::string(trace::kFactsKey) + facts_name(to, old);
    }
    return header;
  }

  /// Copies the facts file of a recorded trace beside the new trace.
  void bring_facts(const trace::TraceHeader& header, const std::string& from, const std::string& to) {
    const fs::path folder = fs::absolute(from).parent_path();
    for (const std::string& line : header.unknown) {
      if (!line.starts_with(trace::kFactsKey)) continue;
      const fs::path old = folder / fs::path(line.substr(trace::kFactsKey.size())).filename();
      const fs::path place = fs::absolute(to).parent_path() / facts_name(to, old.filename().string());
      if (fs::weakly_canonical(old) == fs::weakly_canonical(place)) continue;
      NewFile& file = add(place.string());
      const auto source = trace::open_source(old.string());
      const auto sink = trace::open_sink({file.temporary(), file.path()}, source->compression());
      std::string piece(1 << 16, '\0');
      while (const std::size_t got = source->read(piece.data(), piece.size())) {
        sink->write(std::string_view(piece).substr(0, got));
      }
      sink->finish();
    }
  }

  std::optional<std::string> version_;
  std::optional<std::string> folder_;
  std::string until_then_;              // a folder that exists already
  std::optional<MadeFolders> folders_;  // declared before the files, because these must be destroyed first
  std::deque<NewFile> files_;
};

void convert_list(Converter& converter, const std::string& path, const std::string& folder,
                  const std::string& ending) {
  const trace::KernelsList list = trace::read_kernels_list(path);
  note_passed_over(path, list);
  converter.set_folder(folder);
  std::string text;
  std::map<std::string, std::string> converted;  // source path by new name
  for (trace::ListEntry entry : list.entries) {
    if (entry.kind == trace::ListEntry::Kind::Kernel) {
      entry.name = std::string(trace::trace_stem(fs::path(entry.name).filename().string())) + ending;
      const auto [known, is_new] = converted.emplace(entry.name, entry.path);
      if (is_new) converter.convert(entry.path, fmt::format("{}/{}", folder, entry.name));
      if (known->second != entry.path) {
        throw InputError({path, entry.line, 0}, fmt::format("'{}' and '{}' would both become {}",
                                                            known->second, entry.path, entry.name));
      }
    }
    text += to_text(entry);
  }
  converter.write(fmt::format("{}/{}", folder, fs::path(path).filename().string()), text);
}

}  // namespace

Syntax trace_convert_syntax() {
  Syntax syntax = make_syntax(
      "heddle trace convert FROM TO [--version V] [--as FORM]",
      "Writes a trace in another version or compression: the one that the name TO ends in (.traceg,\n"
      ".traceg.gz, .traceg.xz, .traceg.zst, .tracez). Of a list, all traces, into the folder TO. What an\n"
      "older version cannot say is left out, with a note. All files are written, or none.",
      "trace",
      "  heddle trace convert kernel-1.tracez kernel-1.traceg.zst\n"
      "  heddle trace convert kernel-1.traceg.xz old.traceg --version 3\n"
      "  heddle trace convert kernelslist.g plain/ --as traceg\n");
  auto add = syntax.options.add_options();
  add("version", text_option("1.2|3|4|5|6"), "version of the tracer; the same if not given");
  add("as", text_option("traceg|traceg.gz|traceg.xz|traceg.zst|tracez"),
      "form of a list's traces; traceg.zst if not given");
  return syntax;
}

int trace_convert_command(const Arguments& arguments) {
  const Syntax syntax = trace_convert_syntax();
  const auto values = parse_or_help(syntax, arguments);
  if (!values) return kDone;
  const std::vector<std::string> names = list_of(*values, "trace");
  if (names.size() != 2) throw UsageError("what to convert and where to are needed: FROM TO");
  std::optional<std::string> version;
  if (values->count("version") != 0) version = choice_of(*values, "version", trace_versions());
  Converter converter(version);
  if (trace::is_kernels_list(names[0])) {
    const std::string form =
        choice_of(*values, "as", {"traceg.zst", "traceg", "traceg.gz", "traceg.xz", "tracez"});
    convert_list(converter, names[0], names[1], fmt::format(".{}", form));
  } else {
    if (values->count("as") != 0)
      throw UsageError("--as is for lists; a trace's form is what its name ends in");
    converter.convert(names[0], names[1]);
  }
  converter.keep();
  return kDone;
}

}  // namespace heddle::command
