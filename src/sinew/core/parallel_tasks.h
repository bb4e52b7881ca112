// Few tasks of very unequal size on all threads: the muscles of a model. Which thread runs which
// changes no bit as long as each task writes only what is its own.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace sinew {

// Calls body(i) once for each of the tasks, on any thread. Costs need only be proportional to time:
// the dearest begin first, and each thread takes the next as soon as it is free, so that none is
// left with a large one at the end. The first exception of a body ends the rest and is thrown on.
void parallel_tasks(const std::vector<double>& costs, const std::function<void(std::size_t)>& body);

}  // namespace sinew
