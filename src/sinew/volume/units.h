// Units of length that volume files name, in metres. For the parsers of headers, and for phantoms.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace sinew::volume {

inline constexpr double kMillimetre = 1e-3;  // m; what scans are measured in where none is named
inline constexpr std::string_view kUnitNames = "m, cm, mm, um";

// m per unit; the empty name is mm. None where the name is not known.
inline std::optional<double> find_unit(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, double>, 12> kUnits = {{
      {"", kMillimetre},
      {"?", kMillimetre},
      {"mm", kMillimetre},
      {"millimeter", kMillimetre},
      {"millimetre", kMillimetre},
      {"m", 1},
      {"meter", 1},
      {"metre", 1},
      {"cm", 1e-2},
      {"um", 1e-6},
      {"\u00b5m", 1e-6},
      {"micron", 1e-6},
  }};
  for (const auto& [known, metres] : kUnits)
    if (known == name) return metres;
  return std::nullopt;
}

}  // namespace sinew::volume
