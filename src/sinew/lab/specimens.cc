#include "sinew/lab/specimens.h"

#include <memory>

#include "sinew/lab/brick_specimen.h"
#include "sinew/lab/tet_specimen.h"

namespace sinew::lab {

std::vector<NamedSpecimen> make_specimens(const Options& options,
                                          const material::MusculotendonParameters& muscle) {
  std::vector<NamedSpecimen> specimens;
  if (options.line) specimens.push_back({"line", make_line_specimen(muscle)});
  if (options.tets) {
    specimens.push_back({"tets", std::make_unique<TetSpecimen>(muscle, TetSettings{})});
  }
  if (options.bricks) {
    specimens.push_back({"bricks", std::make_unique<BrickSpecimen>(muscle, BrickSettings{})});
  }
  return specimens;
}

}  // namespace sinew::lab
