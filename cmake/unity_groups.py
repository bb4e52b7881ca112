#!/usr/bin/env python3
"""Says which sources may be compiled as one unit, so that a build from nothing reads each header a few
times instead of once a file. Two files share a unit only where neither knows a name that is private to
the other, from its own text or from a header of ours: names in unnamed namespaces would meet there.

usage: unity_groups.py SOURCE...     prints a line a source: its path, and the number of its unit
"""
import functools
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "src"
MOST = 8  # files in a unit: more gain little, and make the last units of a build long

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
WORD = re.compile(r"[A-Za-z_]\w*")
# A declaration begins in the first column (as clang-format writes them). It declares what stands before
# its first parenthesis, brace, bracket, equals sign or semicolon.
NO_NAME = ("template", "TEST", "INSTANTIATE_TEST", "using ::")
DECLARED = re.compile(r"(\w+)\s*(?:[({\[=;]|$)")


def declared_name(line):
    """What a line declares, or nothing."""
    if not line[:1].isalpha() or line.startswith(NO_NAME):
        return None
    found = DECLARED.search(re.sub(r"<[^<>]*>", "", line))
    return found and found.group(1)


def private_names(text):
    """The names in a source's unnamed namespaces."""
    names, inside = set(), False
    for line in text.splitlines():
        if line == "namespace {":
            inside = True
        elif line.startswith("}  // namespace"):
            inside = False
        elif inside:
            names.add(declared_name(line))
    return names - {None}


@functools.cache
def header_names(header):
    """The names that a header and those it includes declare."""
    text = header.read_text(encoding="utf-8")
    return frozenset(map(declared_name, text.splitlines())) | included_names(header, text)


def included_names(path, text):
    names = frozenset()
    for include in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
        header = next((f / include for f in (path.parent, SOURCES) if (f / include).exists()), None)
        if header is not None and header != path:
            names |= header_names(header)
    return names


class Unit:
    """Sources that are compiled together."""

    def __init__(self):
        self.sources, self.private, self.words = [], set(), set()

    def takes(self, private, words):
        return len(self.sources) < MOST and not self.private & words and not private & self.words

    def add(self, source, private, words):
        self.sources.append(source)
        self.private |= private
        self.words |= words


def main():
    units = []
    for source in sys.argv[1:]:
        original = pathlib.Path(source).read_text(encoding="utf-8")
        private = private_names(original)
        text = COMMENT.sub("", original)
        words = set(WORD.findall(text)) | included_names(pathlib.Path(source), original)
        # A macro, or a whole namespace that is used, would reach into what comes after it.
        alone = re.search(r"^(#define|using namespace)", text, re.MULTILINE)
        unit = None if alone else next((u for u in units if u.takes(private, words)), None)
        if unit is None:
            unit = Unit()
            units.append(unit)
        unit.add(source, private, words)
        if alone:
            unit.sources += [None] * MOST  # full
    for number, unit in enumerate(units):
        for source in filter(None, unit.sources):
            print(f"{source};{number}")


main()
