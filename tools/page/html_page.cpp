#include "tools/page/html_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isa/base/cpp_name.h"
#include "isa/base/utf8.h"
#include "tools/page/web_sources.h"

namespace heddle::page {

namespace {

using Json = nlohmann::ordered_json;

unsigned hex_digit(char digit) {
  return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/// The bytes that these hexadecimal digits are, in base 64, as a content security policy names a hash.
std::string base64_of_hex(std::string_view hex) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  unsigned value = 0;
  unsigned count = 0;
  for (const char digit : hex) {
    value = value << 4 | hex_digit(digit);
    count += 4;
    if (count < 6) continue;
    count -= 6;
    text += kDigits[value >> count & 63];
  }
  if (count != 0) text += kDigits[value << (6 - count) & 63];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

std::string policy() {
  return fmt::format(
      "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
      base64_of_hex(kStyle.sha256), base64_of_hex(kProgram.sha256));
}

/// Text between tags.
std::string as_html(std::string_view text) {
  std::string html;
  for (const char c : text) {
    if (c == '<') {
      html += "&lt;";
    } else if (c == '&') {
      html += "&amp;";
    } else if (c == '>') {
      html += "&gt;";
    } else {
      html += c;
    }
  }
  return html;
}

}  // namespace

std::string script_text(const Json& data) {
  const std::string json = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else if (c == '>') {
      text += "\\u003e";
    } else if (c == '&') {
      text += "\\u0026";
    } else {
      text += c;
    }
  }
  return text;
}

std::string html_page(std::string_view title, std::string_view json) {
  constexpr std::size_t kLongestTitle = 120;
  const std::string shown = as_utf8(title.substr(0, kLongestTitle)) + " - Heddle";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{}</style>\n</head>\n"
      "<body>\n<noscript>This page draws its data with a program of its own: allow scripts.</noscript>\n"
      "<main id=\"page\"></main>\n<script type=\"application/json\" id=\"data\">{}</script>\n"
      "<script>{}</script>\n</body>\n</html>\n",
      policy(), as_html(shown), kStyle.text, json, kProgram.text);
}

std::string html_page(const PageFacts& facts) {
  return html_page(demangled(facts.run.kernel), script_text(page_data(facts)));
}

}  // namespace heddle::page
