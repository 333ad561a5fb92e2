#!/bin/sh
# size_test.sh DIRECTORY MOST: the lines of C in the directory, blank ones and those of comments alone left out, are at most MOST. 0 lines are a fault too.
set -eu
lines=$(cat "$1"/*.c "$1"/*.h | awk '/^ *\/\*/ { inside = 1 } !inside && NF > 0 { lines++ } inside && /\*\// { inside = 0 } END { print lines + 0 }')
echo "$lines lines"
[ "$lines" -gt 0 ] && [ "$lines" -le "$2" ]
