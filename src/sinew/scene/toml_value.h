// A TOML document as a plain tree that knows its lines. It keeps the TOML library out of every
// other file; toml_table.h reads it.
#pragma once

#include <string>
#include <vector>

namespace sinew::scene {

struct Member;

struct Value {
  enum class Kind { kBoolean, kInteger, kNumber, kText, kDate, kArray, kTable };
  Kind kind = Kind::kTable;
  unsigned line = 1;            // where it begins, counted from 1
  double number = 0;            // kNumber, kInteger
  long long integer = 0;        // kInteger; kBoolean: 1 is true
  std::string text;             // kText
  std::vector<Value> items;     // kArray
  std::vector<Member> members;  // kTable, in the order of the file
};

struct Member {
  std::string key;
  unsigned line;  // of the key
  Value value;
};

// "a number", "a text": the kind in words, for messages.
const char* describe(Value::Kind kind);

// Parses a document. Throws InputError naming `path`, line and column where it is not TOML, and
// the line where clean_syntax refuses it.
Value parse_toml(const std::string& text, const std::string& path);

// The text with comments in plain ASCII. Throws InputError where it is TOML that no scene needs and
// that harms the library: brackets nested more than 32 deep or dotted keys of more than 16 parts
// (it frees nested tables by recursion, so that "a.a.a..." of some kilobytes would exhaust the
// stack), and bytes outside ASCII (its test for blanks is undefined for some letters). Texts in
// three quotes are refused to keep this simple.
std::string clean_syntax(const std::string& text, const std::string& path);

}  // namespace sinew::scene
