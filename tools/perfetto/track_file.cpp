#include "tools/perfetto/track_file.h"

namespace heddle::perfetto {

namespace {

// Trace
constexpr unsigned kPacket = 1;

// TracePacket
constexpr unsigned kTimestamp = 8;
constexpr unsigned kSequenceId = 10;
constexpr unsigned kTrackEvent = 11;
constexpr unsigned kInternedData = 12;
constexpr unsigned kSequenceFlags = 13;
constexpr unsigned kTrackDescriptor = 60;
constexpr unsigned kFirstOnSequence = 87;

constexpr std::uint64_t kStateCleared = 1;
constexpr std::uint64_t kNeedsState = 2;

// TrackDescriptor
constexpr unsigned kUuid = 1;
constexpr unsigned kTrackName = 2;
constexpr unsigned kProcess = 3;
constexpr unsigned kParentUuid = 5;
constexpr unsigned kCounter = 8;
constexpr unsigned kChildOrdering = 11;
constexpr unsigned kSiblingRank = 12;

constexpr std::uint64_t kExplicitOrder = 3;

// ProcessDescriptor
constexpr unsigned kPid = 1;
constexpr unsigned kProcessName = 6;

// CounterDescriptor
constexpr unsigned kUnitName = 6;

// TrackEvent
constexpr unsigned kAnnotations = 4;
constexpr unsigned kType = 9;
constexpr unsigned kNameNumber = 10;
constexpr unsigned kTrack = 11;
constexpr unsigned kRealValue = 44;

constexpr unsigned kBegin = 1;
constexpr unsigned kEnd = 2;
constexpr unsigned kInstant = 3;
constexpr unsigned kCount = 4;

// InternedData
constexpr unsigned kEventNames = 2;
constexpr unsigned kAnnotationNames = 3;

// EventName and DebugAnnotationName
constexpr unsigned kIid = 1;
constexpr unsigned kInternedName = 2;

// DebugAnnotation
constexpr unsigned kAnnotationName = 1;
constexpr unsigned kUnsignedValue = 3;

}  // namespace

void TrackFile::add_packet(Message packet) {
  const bool is_first = bytes_.empty();
  packet.number(kSequenceId, 1).number(kSequenceFlags, is_first ? kStateCleared : kNeedsState);
  if (is_first) packet.number(kFirstOnSequence, 1);
  bytes_ += Message().inner(kPacket, packet).bytes();
}

TrackId TrackFile::add_descriptor(Message descriptor) {
  descriptor.number(kChildOrdering, kExplicitOrder).number(kSiblingRank, tracks_);
  add_packet(Message().inner(kTrackDescriptor, descriptor));
  return TrackId{tracks_};
}

TrackId TrackFile::add_process(std::string_view name) {
  Message process;
  process.number(kPid, ++tracks_).text(kProcessName, name);
  return add_descriptor(Message().number(kUuid, tracks_).inner(kProcess, process));
}

TrackId TrackFile::add_track(TrackId parent, std::string_view name) {
  Message track;
  track.number(kUuid, ++tracks_).number(kParentUuid, static_cast<std::uint64_t>(parent));
  return add_descriptor(track.text(kTrackName, name));
}

TrackId TrackFile::add_counter(TrackId parent, std::string_view name, std::string_view unit) {
  Message track;
  track.number(kUuid, ++tracks_).number(kParentUuid, static_cast<std::uint64_t>(parent));
  return add_descriptor(track.text(kTrackName, name).inner(kCounter, Message().text(kUnitName, unit)));
}

std::uint64_t TrackFile::number_of(std::map<std::string, std::uint64_t, std::less<>>& numbers,
                                   std::string_view text, unsigned field) {
  const auto found = numbers.find(text);
  if (found != numbers.end()) return found->second;
  const std::uint64_t number = numbers.size() + 1;
  numbers.emplace(text, number);
  Message entry;
  entry.number(kIid, number).text(kInternedName, text);
  add_packet(Message().inner(kInternedData, Message().inner(field, entry)));
  return number;
}

Message TrackFile::event(TrackId track, unsigned type) const {
  return Message().number(kType, type).number(kTrack, static_cast<std::uint64_t>(track));
}

Message TrackFile::named_event(TrackId track, unsigned type, std::string_view name) {
  return event(track, type).number(kNameNumber, number_of(names_, name, kEventNames));
}

void TrackFile::add_event(Cycle cycle, const Message& event) {
  add_packet(Message().number(kTimestamp, cycle).inner(kTrackEvent, event));
}

void TrackFile::begin(TrackId track, Cycle cycle, std::string_view name) {
  add_event(cycle, named_event(track, kBegin, name));
}

void TrackFile::end(TrackId track, Cycle cycle) { add_event(cycle, event(track, kEnd)); }

void TrackFile::cycle(TrackId track, Cycle cycle, std::string_view name, std::string_view key,
                      std::uint64_t value) {
  Message annotation;
  annotation.number(kAnnotationName, number_of(keys_, key, kAnnotationNames)).number(kUnsignedValue, value);
  add_event(cycle, named_event(track, kBegin, name).inner(kAnnotations, annotation));
  end(track, cycle + 1);
}

void TrackFile::mark(TrackId track, Cycle cycle, std::string_view name) {
  add_event(cycle, named_event(track, kInstant, name));
}

void TrackFile::count(TrackId counter, Cycle cycle, double value) {
  add_event(cycle, event(counter, kCount).real(kRealValue, value));
}

}  // namespace heddle::perfetto
