#include "tests/tools/perfetto/track_reader.h"

#include <cstring>
#include <optional>
#include <stdexcept>

namespace heddle::test {

namespace {

struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;  // a varint, or 64 bits
  std::string_view bytes;   // what has a length
};

std::uint64_t varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (bytes.empty()) throw std::runtime_error("a number breaks off");
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  throw std::runtime_error("a number is too long");
}

std::vector<Field> fields_of(std::string_view bytes) {
  std::vector<Field> fields;
  while (!bytes.empty()) {
    const std::uint64_t tag = varint(bytes);
    Field field{tag >> 3, 0, {}};
    if ((tag & 7) == 0) {
      field.value = varint(bytes);
    } else {
      const std::uint64_t length = (tag & 7) == 1 ? 8 : varint(bytes);
      if (((tag & 7) != 1 && (tag & 7) != 2) || length > bytes.size())
        throw std::runtime_error("a field has no such form");
      field.bytes = bytes.substr(0, length);
      bytes.remove_prefix(length);
      if ((tag & 7) == 1) std::memcpy(&field.value, field.bytes.data(), 8);
    }
    fields.push_back(field);
  }
  return fields;
}

std::optional<Field> find(const std::vector<Field>& fields, std::uint64_t number) {
  for (const Field& field : fields) {
    if (field.number == number) return field;
  }
  return std::nullopt;
}

std::uint64_t number_in(const std::vector<Field>& fields, std::uint64_t number) {
  const auto field = find(fields, number);
  return field ? field->value : 0;
}

std::string text_in(const std::vector<Field>& fields, std::uint64_t number) {
  const auto field = find(fields, number);
  return field ? std::string(field->bytes) : std::string();
}

class Reader {
 public:
  ReadFile read(std::string_view bytes) {
    for (const Field& packet : fields_of(bytes)) {
      if (packet.number == 1) read_packet(fields_of(packet.bytes));
    }
    for (const auto& [id, open] : open_) {
      if (!open.empty()) mistake("a slice of " + file_.tracks[id].name + " does not end");
    }
    return std::move(file_);
  }

 private:
  void mistake(const std::string& what) { file_.mistakes.push_back(what); }

  void read_packet(const std::vector<Field>& packet) {
    const std::uint64_t flags = number_in(packet, 13);
    if (number_in(packet, 10) == 0) mistake("a packet is of no sequence");
    if (is_first_ ? flags != 1 : flags != 2) mistake("the state of a packet is not known");
    is_first_ = false;
    if (const auto names = find(packet, 12)) {
      for (const Field& entry : fields_of(names->bytes)) {
        if (entry.number != 2) continue;
        const auto name = fields_of(entry.bytes);
        names_[number_in(name, 1)] = text_in(name, 2);
      }
    }
    if (const auto descriptor = find(packet, 60)) read_descriptor(fields_of(descriptor->bytes));
    if (const auto event = find(packet, 11)) read_event(number_in(packet, 8), fields_of(event->bytes));
  }

  void read_descriptor(const std::vector<Field>& fields) {
    ReadTrack track;
    track.name = text_in(fields, 2);
    track.parent = number_in(fields, 5);
    if (const auto process = find(fields, 3)) {
      track.is_process = true;
      track.name = text_in(fields_of(process->bytes), 6);
    }
    if (const auto counter = find(fields, 8)) {
      track.is_counter = true;
      track.unit = text_in(fields_of(counter->bytes), 6);
    }
    if (track.parent != 0 && file_.tracks.count(track.parent) == 0) mistake(track.name + " has no parent");
    if (!file_.tracks.emplace(number_in(fields, 1), track).second) mistake(track.name + " comes twice");
  }

  void read_event(std::uint64_t time, const std::vector<Field>& event) {
    const std::uint64_t id = number_in(event, 11);
    const auto found = file_.tracks.find(id);
    if (found == file_.tracks.end()) return mistake("an event is on no track");
    ReadTrack& track = found->second;
    if (time < last_[id]) mistake("time goes back on " + track.name);
    last_[id] = time;
    std::string name;
    if (find(event, 10)) {
      const auto known = names_.find(number_in(event, 10));
      if (known == names_.end()) return mistake("a name is not known");
      name = known->second;
    }
    std::vector<ReadSlice>& open = open_[id];
    switch (number_in(event, 9)) {
      case 1:
        return open.push_back({name, time, 0, open.size()});
      case 2:
        if (open.empty()) return mistake("a slice of " + track.name + " ends without a beginning");
        open.back().until = time;
        track.slices.push_back(open.back());
        return open.pop_back();
      case 3:
        return static_cast<void>(track.marks.emplace_back(time, name));
      case 4: {
        double value = 0;
        const std::uint64_t bits = number_in(event, 44);
        std::memcpy(&value, &bits, sizeof value);
        if (!track.is_counter) mistake(track.name + " is no counter");
        return static_cast<void>(track.values.emplace_back(time, value));
      }
      default:
        return mistake("an event is of no type");
    }
  }

  ReadFile file_;
  bool is_first_ = true;
  std::map<std::uint64_t, std::string> names_;
  std::map<std::uint64_t, std::vector<ReadSlice>> open_;
  std::map<std::uint64_t, std::uint64_t> last_;
};

}  // namespace

const ReadTrack& ReadFile::track(std::string_view name) const {
  for (const auto& [id, track] : tracks) {
    if (track.name == name) return track;
  }
  throw std::runtime_error("no track " + std::string(name));
}

ReadFile read_tracks(std::string_view bytes) { return Reader().read(bytes); }

}  // namespace heddle::test
