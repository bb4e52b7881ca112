#include "sinew/core/available_memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include <sys/resource.h>
#include <unistd.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr double kKibibyte = 1024;

// The number of the line "NAME: 123 kB" or "name 123".
std::optional<double> find_entry(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    double value = 0;
    if (word == name && file >> value) return value;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return {};
}

// A file with one number; none where it says "max".
std::optional<double> read_number(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  if (file >> value) return value;
  return {};
}

void lower(AvailableMemory& least, double bytes, const char* bound) {
  if (bytes < least.bytes) least = {std::max(bytes, 0.0), bound};
}

// Of a group and those above it. Its use counts the disk's cache, which gives way.
void lower_to_group(const std::string& base, fs::path group, const char* limit, const char* use,
                    const char* cache, AvailableMemory& least) {
  while (true) {
    const std::string folder = base + group.string() + "/";
    const auto most = read_number(folder + limit);
    const auto used = read_number(folder + use);
    if (most && used) {
      const double idle = find_entry(folder + "memory.stat", cache).value_or(0);
      lower(least, *most - std::max(*used - idle, 0.0), "the limit of its control group");
    }
    if (!group.has_relative_path()) return;
    group = group.parent_path();
  }
}

void lower_to_groups(const std::string& root, AvailableMemory& least) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (kinds == ",,") {
      lower_to_group(root + "/sys/fs/cgroup", group, "memory.max", "memory.current",
                     "inactive_file", least);
    } else if (kinds.find(",memory,") != std::string::npos) {
      lower_to_group(root + "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                     "memory.usage_in_bytes", "total_inactive_file", least);
    }
  }
}

void lower_to_limits(const std::string& root, AvailableMemory& least) {
  // Pages: the whole address space, then, as the sixth number, data and stack.
  std::ifstream file(root + "/proc/self/statm");
  double total = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  if (!(file >> total >> resident >> shared >> text >> library >> data)) return;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    lower(least, static_cast<double>(limit.rlim_cur) - total * page, "ulimit -v");
  if (::getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    lower(least, static_cast<double>(limit.rlim_cur) - data * page, "ulimit -d");
}

}  // namespace

AvailableMemory find_available_memory(const std::string& root) {
  AvailableMemory least{std::numeric_limits<double>::infinity(), ""};
  if (const auto free = find_entry(root + "/proc/meminfo", "MemAvailable:"))
    lower(least, *free * kKibibyte, "what the machine has free");
  lower_to_groups(root, least);
  lower_to_limits(root, least);
  return least;
}

}  // namespace sinew
