#include "recording_api.h"

#include <cstdint>
#include <ctime>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "sinew/core/error.h"
#include "sinew/record/recording.h"

#include "bodies_json.h"

namespace sinew::app {

namespace {

using nlohmann::json;
using record::RecordingReader;

// What stands at a path. A new run in the same folder replaces the file, and a reader would go on
// showing the old one; HDF5 reads zeros where a file was cut short under it.
struct FileState {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  timespec changed{};
};

FileState look_at(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    throw InputError(path, "", "the recording is gone; run the scene again, the page will follow");
  }
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim};
}

bool is_same_file(const FileState& a, const FileState& b) {
  return a.device == b.device && a.inode == b.inode;
}

bool is_unchanged(const FileState& a, const FileState& b) {
  return a.size == b.size && a.changed.tv_sec == b.changed.tv_sec &&
         a.changed.tv_nsec == b.changed.tv_nsec;
}

json describe(const RecordingReader& reader) {
  const record::RecordingInfo& info = reader.info();
  return {{"scene_name", info.scene_name},
          {"version", info.version},
          {"up", info.up},
          {"frame_rate", info.frame_rate},
          {"planned_frames", info.planned_frames},
          {"num_frames", reader.num_frames()},
          {"finished", reader.finished()},
          {"bodies", describe_bodies(info.bodies)},
          {"certificate", describe_fields(info.certificate)}};
}

Reply body_frame(const RecordingReader& reader, std::size_t body, std::size_t frame) {
  const engine::BodyFrame values = reader.read_body(frame, body);
  Reply reply{200, kBinaryType, {}};
  append_frame(reply.body, values);
  return reply;
}

Reply certificate(const RecordingReader& reader, std::size_t from) {
  json times = json::array();
  for (std::size_t k = from; k < reader.num_frames(); ++k) times.push_back(reader.read_time(k));
  json columns = json::array();
  for (std::size_t c = 0; c < reader.info().certificate.size(); ++c) {
    columns.push_back(reader.read_measure(c, from));
  }
  return json_reply({{"from", from}, {"times", std::move(times)}, {"columns", std::move(columns)}});
}

}  // namespace

struct RecordingApi::Impl {
  explicit Impl(const std::string& run) : path(run) { open(); }

  void open() {
    reader.reset();
    reader.emplace(path);
    const FileState now = look_at(reader->path());
    if (generation == 0 || !is_same_file(now, file)) ++generation;
    file = now;
  }

  // Follows the file: a new one in its place, one that came back or was changed. A run that is
  // being written only grows; a finished one stays as it is.
  void follow() {
    if (!reader) return open();
    const FileState now = look_at(reader->path());
    const bool is_sound = is_same_file(now, file) && now.size >= file.size &&
                          (!reader->finished() || is_unchanged(now, file));
    if (!is_sound) return open();
    file = now;
  }

  Reply answer(std::string_view asked, std::string_view from) {
    const auto parts = split_path(asked);
    follow();
    if (parts.size() == 2 && parts[1] == "recording") {
      reader->refresh();
      json document = describe(*reader);
      document["generation"] = generation;
      document["idle_seconds"] = std::time(nullptr) - file.changed.tv_sec;
      return json_reply(document);
    }
    if (parts.size() == 2 && parts[1] == "certificate") {
      const std::size_t limit = reader->num_frames() + 1;
      return certificate(*reader, from.empty() ? 0 : parse_index(from, limit, "frame"));
    }
    if (parts.size() >= 4 && parts[1] == "body") {
      const std::size_t body = parse_index(parts[2], reader->info().bodies.size(), "body");
      if (parts.size() == 4 && parts[3] == "topology")
        return topology_reply(reader->info().bodies[body]);
      if (parts.size() == 5 && parts[3] == "frame") {
        return body_frame(*reader, body, parse_index(parts[4], reader->num_frames(), "frame"));
      }
    }
    throw NotFound{"no such page"};
  }

  const std::string path;
  std::mutex mutex;
  std::optional<RecordingReader> reader;  // absent after a failure to open it again
  FileState file;                         // as it was when it was last looked at
  std::uint64_t generation = 0;  // how many files there were: the page starts anew when it grows
};

RecordingApi::RecordingApi(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
RecordingApi::~RecordingApi() = default;

Reply RecordingApi::answer(const std::string& path, const std::string& from) {
  const std::lock_guard lock(impl_->mutex);
  try {
    return impl_->answer(path, from);
  } catch (const NotFound& absent) {
    return {404, "text/plain", absent.message + "\n"};
  } catch (const InputError& damage) {
    return {503, "text/plain", std::string(damage.what()) + "\n"};
  }
}

}  // namespace sinew::app
