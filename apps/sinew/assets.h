// The viewer's page as bytes inside the executable: cmake/web.cmake generates the table at build
// time, from the built page or, where it could not be built, from the one that says what is
// missing.
#pragma once

#include <span>
#include <string_view>

namespace sinew::app {

struct Asset {
  std::string_view path;  // as it is asked for, such as "/assets/viewer.js"
  std::span<const unsigned char> bytes;
};

std::span<const Asset> assets();
// False in a build without npm: then the only asset is the page that says so.
bool has_viewer_page();

}  // namespace sinew::app
