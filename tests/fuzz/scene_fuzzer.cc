// Feeds arbitrary bytes to the readers of scenes, DH tables and goals: every text is either one of
// them or an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sinew/core/error.h"
#include "sinew/scene/read_dh_table.h"
#include "sinew/scene/read_goals.h"
#include "sinew/scene/scene.h"
#include "sinew/skeleton/denavit_hartenberg.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = [](const auto& parse) {
    try {
      parse();
    } catch (const sinew::InputError&) {
      // The expected answer to nearly every input.
    }
  };
  read([&] { sinew::scene::parse_scene(text, "fuzzed.toml"); });
  read([&] { sinew::scene::parse_dh_table(text, "fuzzed.toml"); });
  static const sinew::skeleton::Skeleton arm =
      sinew::skeleton::make_dh_skeleton({{"arm"}}, sinew::skeleton::kIdentityFrame, "arm");
  read([&] { sinew::scene::parse_goals(text, "fuzzed.toml", arm); });
  return 0;
}
