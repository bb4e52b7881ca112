#include "sinew/lab/specimens.h"

namespace sinew::lab {

std::vector<NamedSpecimen> make_specimens(const Options& options,
                                          const material::MusculotendonParameters& muscle) {
  std::vector<NamedSpecimen> specimens;
  if (options.line) specimens.push_back({"line", make_line_specimen(muscle)});
  return specimens;
}

}  // namespace sinew::lab
