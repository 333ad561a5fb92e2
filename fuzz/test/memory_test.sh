#!/bin/sh
# Checks that memory does not grow: a target that runs its seeds twelve times takes at most 4 MiB more than one that
# runs them twice.
#   fuzz/test/memory_test.sh REPLAY SEEDS
set -eu
peak() { # peak TIMES: prints the peak memory in KiB
  directories=
  i=0
  while [ $i -lt "$1" ]; do directories="$directories $2"; i=$((i + 1)); done
  "$3" $directories 2>/dev/null | sed -n 's/.*, peak \([0-9]*\) KiB$/\1/p'
}
few=$(peak 2 "$2" "$1")
many=$(peak 12 "$2" "$1")
echo "$(basename "$1"): $few KiB after 2 rounds, $many KiB after 12"
[ -n "$few" ] && [ "$many" -le $((few + 4096)) ]
