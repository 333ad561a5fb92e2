#!/bin/sh
# affirm reduce: exit statuses, limits and interrupts, and what it says about a finding that it could not reduce.
#   reduce_test.sh AFFIRM ROOT
set -u
affirm=$1 root=$2
export LC_ALL=C
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 1
runs=0 faults=0

fault() {
  faults=$((faults + 1))
  echo "FAULT: $1"
  sed 's/^/    | /' out | head -8
}

# wants STATUS PATTERN COMMAND...: the command has this exit status, and its output matches the grep pattern
wants() {
  status=$1 words=$2
  shift 2
  runs=$((runs + 1))
  "$@" >out 2>&1
  came=$?
  { [ $came -eq "$status" ] && grep -q -e "$words" out; } || fault "status $came, wanted $status and '$words': $*"
}
lacks() { ! grep -q -e "$1" out || fault "the output has '$1'"; }

right="sh '$root/examples/engine-shell/engine.sh'"

# --- a text that does not parse is bad input, with its position, whatever it looks like and whoever is asked ---
printf '(((((((((' >deep.hlo
printf 'HloModule m\001\n' >bytes.hlo
printf 'rule bad\n  x mod\n' >bad.rules
printf '(d0) -> (d0), domain: d0 in [0, 8]\n(d0) -> (d0\n' >second.maps
wants 3 '^deep.hlo:1:2: error' "$affirm" reduce deep.hlo
wants 3 '^bad.rules:[23]:[0-9]*: error' "$affirm" reduce bad.rules
wants 3 '^second.maps:2:[0-9]*: error' "$affirm" reduce second.maps
for text in deep.hlo bytes.hlo second.maps; do
  wants 3 "^$text:[0-9]*:[0-9]*: error" "$affirm" reduce "$text" --engine-cmd "$right"
  lacks 'no fault'
done

echo "$runs runs, $faults faults"
[ "$faults" -eq 0 ]
