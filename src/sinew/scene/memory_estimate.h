// What a run of a scene will take, told before anything is built: from the bodies' counts of
// elements, which are sampled, and bytes an element, which were measured.
#pragma once

#include <string>
#include <vector>

#include "sinew/scene/scene.h"

namespace sinew::scene {

struct BodyMemory {
  std::string name;
  double count;      // of its elements
  const char* kind;  // of elements, in words
  double bytes;
  double spacing;  // of its elements, m; 0: it has a mesh of its own
};

struct MemoryEstimate {
  double bytes = 0;  // of the whole run, the program itself included
  std::vector<BodyMemory> bodies;
};

// Departs from what runs take by at most a third (docs/architecture.md, "Memory").
MemoryEstimate estimate_memory(const Scene& scene);

// Throws InputError where the run takes more than `available` bytes: names the largest body, how
// many elements it has, what the run would take and what would fit. `bound` is what sets the limit.
void check_memory(const Scene& scene, double available, const std::string& bound);
// The same against what this process may take now.
void check_memory(const Scene& scene);

}  // namespace sinew::scene
