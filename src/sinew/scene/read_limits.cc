// The limits that a run is held to.
#include "sinew/scene/read_parts.h"

namespace sinew::scene {

record::Limits read_limits(const Table& scene, double duration) {
  record::Limits limits;
  std::optional<Table> table = scene.table_if("limits");
  if (!table) return limits;
  table->allow({"from", "inverted", "volume", "unconverged_steps", "tamed_steps", "halved_steps"});
  for (const record::LimitKey& key : record::kLimitKeys)
    limits.*key.value = table->number_or(key.name, {0, key.high}, limits.*key.value);
  // Else no frame would be held to them.
  limits.from = table->number_or("from", {0, duration, "s"}, limits.from);
  return limits;
}

}  // namespace sinew::scene
