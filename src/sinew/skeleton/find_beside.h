// Where a file that another one names is: for setups and loads, which often hold another machine's
// paths.
#pragma once

#include <string>

namespace sinew::skeleton {

// Beside `owner`: by the path as it is named there, or by its last part; or else where it says.
// Empty where it is in none of these places. Both kinds of slashes are understood.
std::string find_beside(const std::string& owner, const std::string& named);

// The last part of a path of this or another machine, or of a component.
std::string last_part(const std::string& path);

}  // namespace sinew::skeleton
