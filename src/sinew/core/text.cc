#include "sinew/core/text.h"

#include <algorithm>
#include <vector>

namespace sinew {
namespace {

// Longer words are never misspelt keys, and comparing them would cost their product.
constexpr std::size_t kMaxCompared = 64;

}  // namespace

std::string to_lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between prefixes: the present one and the two before.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) now[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(now);
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
  }
  return now[b.size()];
}

std::string_view find_nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kMaxCompared) return {};
  const std::string lower = to_lower(word);
  std::string_view nearest;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kMaxCompared) continue;
    const std::size_t distance = edit_distance(lower, to_lower(candidate));
    if (distance >= fewest) continue;
    fewest = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view nearest = find_nearest(word, candidates);
  return nearest.empty() ? "" : "; did you mean \"" + std::string(nearest) + "\"?";
}

std::string printable(std::string_view word) {
  constexpr std::size_t kMaxShown = 40;
  std::string shown(word.substr(0, kMaxShown));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  return word.size() > kMaxShown ? shown + "..." : shown;
}

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

std::string join(std::span<const std::string_view> words) {
  std::string all;
  for (const std::string_view word : words) {
    if (!all.empty()) all += ", ";
    all += word;
  }
  return all;
}

std::string join_some(std::span<const std::string_view> words) {
  constexpr std::size_t kMostShown = 5;
  std::string all;
  for (std::size_t i = 0; i < words.size() && i < kMostShown; ++i) {
    if (i > 0) all += ", ";
    all += printable(words[i]);
  }
  if (words.size() > kMostShown)
    all += " and " + std::to_string(words.size() - kMostShown) + " more";
  return all;
}

}  // namespace sinew
