#!/bin/sh
# size_test.sh DIRECTORY MOST: the directory has at most MOST lines of C, without blank lines and comment lines. No line at all is a failure too.
set -eu
lines=$(cat "$1"/*.c "$1"/*.h | awk '/^ *\/\*/ { inside = 1 } !inside && NF > 0 { lines++ } inside && /\*\// { inside = 0 } END { print lines + 0 }')
echo "$lines lines"
[ "$lines" -gt 0 ] && [ "$lines" -le "$2" ]
