// The verb `sinew view`: shows a recording, also one that is still being written, or a built model
// in the browser.
#pragma once

#include <string>

namespace sinew::app {

struct ViewOptions {
  std::string path;  // the folder of a run or model, or its recording
  int port = 8090;   // the first to try; 0: any free one
};

// Serves until Ctrl-C or SIGTERM; returns the exit code. Throws InputError where the recording or
// model cannot be read or no port is free.
int view(const ViewOptions& options);

}  // namespace sinew::app
