#include "tools/plot/svg.h"

#include <fmt/format.h>

namespace heddle::plot {

namespace {

constexpr std::string_view kFont = "system-ui, 'DejaVu Sans', Helvetica, Arial, sans-serif";
constexpr std::string_view kFixedFont = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// Bytes of the UTF-8 character that begins here; 0 if none does.
std::size_t character_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = first < 0x80                     ? 1
                            : first >= 0xc2 && first <= 0xdf ? 2
                            : first >= 0xe0 && first <= 0xef ? 3
                            : first >= 0xf0 && first <= 0xf4 ? 4
                                                             : 0;
  if (bytes == 0 || bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  const auto second = bytes > 1 ? static_cast<unsigned char>(text[1]) : 0;
  const bool is_overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool is_no_character = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  // U+FFFE and U+FFFF are no XML.
  const bool is_mark = text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf");
  return is_overlong || is_no_character || is_mark ? 0 : bytes;
}

std::string escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      constexpr char kFirstPrintable = 0x20;
      constexpr char kDelete = 0x7f;
      if (c == '\t' || c == '\n') return " ";
      return c < kFirstPrintable || c == kDelete ? std::string(kReplacement) : std::string(1, c);
  }
}

std::string points_text(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points)
    text += fmt::format("{}{:.1f},{:.1f}", text.empty() ? "" : " ", point.x, point.y);
  return text;
}

std::string stroke_text(const Stroke& stroke) {
  std::string text = fmt::format("stroke=\"{}\" stroke-width=\"{:.3g}\"", stroke.colour, stroke.width);
  if (!stroke.dashes.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
  return text;
}

std::string_view anchor_text(Anchor anchor) {
  if (anchor == Anchor::Middle) return "middle";
  return anchor == Anchor::End ? "end" : "start";
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) {
      result += kReplacement;
    } else {
      result += bytes == 1 ? escaped(text[0]) : std::string(text.substr(0, bytes));
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return result;
}

Svg::Svg(double width, double height, std::string_view title)
    : width_(width), height_(height), title_(xml_text(title)) {}

void Svg::line(Point from, Point to, const Stroke& stroke) {
  body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", from.x, from.y,
                       to.x, to.y, stroke_text(stroke));
}

void Svg::lines(const std::vector<Point>& points, const Stroke& stroke) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {}/>\n",
                       points_text(points), stroke_text(stroke));
}

void Svg::rectangle(Point corner, double width, double height, std::string_view fill, std::string_view edge) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"{}\"/>\n",
      corner.x, corner.y, width, height, fill, edge);
}

void Svg::circle(Point middle, double radius, std::string_view fill) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", middle.x, middle.y,
                       radius, fill);
}

void Svg::polygon(const std::vector<Point>& points, std::string_view fill) {
  body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", points_text(points), fill);
}

void Svg::text(Point at, std::string_view text, const TextLook& look) {
  std::string style =
      fmt::format("text-anchor=\"{}\" font-size=\"{:.3g}\"", anchor_text(look.anchor), look.size);
  if (look.is_bold) style += " font-weight=\"bold\"";
  if (look.is_fixed) style += fmt::format(" font-family=\"{}\" xml:space=\"preserve\"", kFixedFont);
  if (look.is_upright) style += fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", at.x, at.y);
  body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" {}>{}</text>\n", at.x, at.y, look.colour,
                       style, xml_text(text));
}

std::string Svg::document() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"{2}\">\n<title>{3}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{4}</svg>\n",
      width_, height_, kFont, title_, body_);
}

}  // namespace heddle::plot
