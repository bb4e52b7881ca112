// Words for messages: what a person probably meant, and how to show what a file said. For every
// reader that refuses input.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

// `word` with 'A' to 'Z' made small.
std::string to_lower(std::string_view word);

// Insertions, deletions, replacements and swaps of neighbours that turn a into b, the fewest.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, letter case aside; empty where none is near enough to be meant
// (at most a third of the letters may differ, and always one). The first of equals wins.
std::string_view find_nearest(std::string_view word, std::span<const std::string_view> candidates);

// `; did you mean "x"?` for the nearest candidate, or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

// At most 40 bytes of a word that came from a file, with '?' for what is not printable ASCII.
std::string printable(std::string_view word);

// Whether names of bodies, colliders and scenes may hold this: A-Z, a-z, 0-9, '_' or '-'.
bool is_name_letter(char c);

// The words with ", " between.
std::string join(std::span<const std::string_view> words);
// The first five of them, made printable, and how many more there are.
std::string join_some(std::span<const std::string_view> words);

}  // namespace sinew
