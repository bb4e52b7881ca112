// Whether a run can go on with a scene: with the one that it began with, or with that scene where
// only its `duration` is another. No frame depends on that, unless activations are computed over
// it.
#pragma once

#include <cstdint>
#include <string>

namespace sinew::scene {

// What a scene's text says apart from `duration`: a fingerprint of it without that line.
// Throws InputError where it is not TOML; `path` is for messages.
std::uint64_t hash_without_duration(const std::string& text, const std::string& path);

}  // namespace sinew::scene
