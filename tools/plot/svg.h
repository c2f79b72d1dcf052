// Writes a picture as SVG. It is one file that needs nothing else: no script, no font, no request.
//
// Lengths are in pixels of the picture; x goes right, y goes down. Texts can contain anything: what XML
// reserves is escaped, and characters that it does not allow are replaced.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::plot {

/// A place in the picture.
struct Point {
  double x = 0;
  double y = 0;
};

/// How a line looks.
struct Stroke {
  std::string_view colour = "#000000";
  double width = 1;
  std::string_view dashes = "";  ///< Lengths of dashes and gaps, "6 3"; empty: a whole line.
};

/// Which part of a text stands at its place.
enum class Anchor { Start, Middle, End };

/// How a text looks.
struct TextLook {
  Anchor anchor = Anchor::Start;
  double size = 12;
  bool is_bold = false;
  bool is_upright = false;  ///< Runs from bottom to top.
  bool is_fixed = false;    ///< All characters have the same width.
  std::string_view colour = "#000000";
};

/// The texts as XML: escaped, and without characters that XML does not allow.
std::string xml_text(std::string_view text);

class Svg {
 public:
  /// The title is for people who cannot see the picture, too.
  Svg(double width, double height, std::string_view title);

  void line(Point from, Point to, const Stroke& stroke);
  void lines(const std::vector<Point>& points, const Stroke& stroke);
  void rectangle(Point corner, double width, double height, std::string_view fill,
                 std::string_view edge = "none");
  void circle(Point middle, double radius, std::string_view fill);
  void polygon(const std::vector<Point>& points, std::string_view fill);
  void text(Point at, std::string_view text, const TextLook& look = {});

  /// The whole file.
  [[nodiscard]] std::string document() const;

 private:
  double width_;
  double height_;
  std::string title_;
  std::string body_;
};

}  // namespace heddle::plot
