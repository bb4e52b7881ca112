// Feeds arbitrary bytes to the reader of model files: every text is settings or an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sinew/core/error.h"
#include "sinew/scene/read_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    sinew::scene::parse_model_settings(text, "fuzzed.toml", "");
  } catch (const sinew::InputError&) {
    // The expected answer to nearly every input.
  }
  return 0;
}
