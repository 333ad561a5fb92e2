#!/bin/sh
# Checks that memory does not grow: a target that runs its seeds twelve times takes at most 4 MiB more than one that
# runs them twice. Each round judges every seed again; a round that skips what was judged before would show no leak.
#   fuzz/test/memory_test.sh REPLAY SEEDS
set -eu
peak() { # peak TIMES: prints the peak memory in KiB
  directories=
  i=0
  while [ $i -lt "$1" ]; do directories="$directories $2"; i=$((i + 1)); done
  "$3" --again $directories 2>"$log" | sed -n 's/.*, peak \([0-9]*\) KiB$/\1/p'
  if grep -q 'judged before: [1-9]' "$log"; then echo "a round judged nothing: $(cat "$log")" >&2; exit 1; fi
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
few=$(peak 2 "$2" "$1")
many=$(peak 12 "$2" "$1")
echo "$(basename "$1"): $few KiB after 2 rounds, $many KiB after 12"
[ -n "$few" ] && [ "$many" -le $((few + 4096)) ]
