// The verb `sinew live`: runs a scene on and on, shows it in the browser and lets it be steered.
#pragma once

#include <string>

namespace sinew::app {

struct LiveOptions {
  std::string scene;
  std::string output;      // folder of recordings; empty: out/NAME-live
  int port = 8090;         // the first to try; 0: any free one
  double frame_rate = 60;  // frames a simulated second
};

// Serves until Ctrl-C or SIGTERM; returns the exit code. Throws InputError where the scene cannot
// be read or no port is free.
int live(const LiveOptions& options);

}  // namespace sinew::app
