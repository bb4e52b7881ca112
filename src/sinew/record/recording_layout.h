// Names inside a recording, as docs/recording.md tells them: for its writer and its reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sinew::record::layout {

inline constexpr std::string_view kFormat = "sinew-recording";
// 2: bodies may be rigid. Files of version 1 are read, too.
inline constexpr std::uint64_t kFormatVersion = 2;

inline constexpr const char* kSceneText = "/scene_text";
inline constexpr const char* kFrames = "/frames";
inline constexpr const char* kTime = "/frames/time";
inline constexpr const char* kStateHash = "/frames/state_hash";
inline constexpr const char* kEnd = "/frames/end";
inline constexpr const char* kFinished = "/frames/finished";
inline constexpr const char* kCertificate = "/certificate";
inline constexpr const char* kBodies = "/bodies";
// Of a group: what it holds, in order.
inline constexpr const char* kNames = "names";
inline constexpr const char* kUnit = "unit";
// Of a body's group: there where the body has a pose in the place of a surface.
inline constexpr const char* kRigid = "rigid";

// Attributes of the certificate, one a limit: this and its name.
inline constexpr const char* kLimit = "limit_";

inline constexpr std::size_t kMaxNameBytes = 255;

inline std::string join(const std::string& group, const std::string& name) {
  return group + "/" + name;
}

// [A-Za-z0-9_-]+: what may become the name of a file.
bool is_body_name(std::string_view name);
// What HDF5 takes for one step of a path: printable, no slash, not "." or "..".
bool is_measure_name(std::string_view name);

}  // namespace sinew::record::layout
