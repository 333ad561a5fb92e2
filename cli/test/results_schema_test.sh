#!/usr/bin/env bash
# Every command with result files writes them for runs that pass and runs that fail; they fit their schemas, agree on how many results are no
# pass, and name what repeats a failure.
#   results_schema_test.sh AFFIRM ROOT
set -euo pipefail
affirm=$1 root=$2
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "results_schema_test: $*"; exit 1; }
runs=0
# run STATUS COUNT TEXT COMMAND...: exit status, results that are no pass, and a text that SARIF and annotations have
run() {
  local wanted=$1 count=$2 text=$3 status=0 found
  shift 3
  "$affirm" "$@" --junit j.xml --sarif s.json --github >github.txt 2>err.txt || status=$?
  [ "$status" = "$wanted" ] || { cat github.txt err.txt; fail "status $status instead of $wanted: $*"; }
  found=$(python3 "$root/cli/test/results_check.py" "$root/cli/report/schema" j.xml s.json github.txt) || fail "$*: $found"
  [ "$found" = "$count" ] || fail "$found results are no pass instead of $count: $*"
  [ -z "$text" ] || grep -qF -- "$text" s.json || { cat s.json; fail "SARIF does not say $text: $*"; }
  [ -z "$text" ] || grep -qF -- "$text" github.txt || { cat github.txt; fail "no annotation says $text: $*"; }
  runs=$((runs + 1))
}
printf 'rule right  x mod c => x  when c > 0, 0 <= lo(x), hi(x) < c\n' >right.rules
printf 'rule wrong  x mod c => x  when c > 0, 0 <= lo(x), hi(x) <= c\n' >wrong.rules
printf 'rule broken  x mod => x\n' >broken.rules
run 0 0 '' prove --no-store right.rules
run 1 1 'replay: affirm prove wrong.rules' prove --no-store right.rules wrong.rules
run 3 1 'expected an expression' prove --no-store right.rules broken.rules
run 3 1 'status 3' prove --no-store right.rules no.rules

same='(d0) -> (d0), domain: d0 in [0, 7]'
printf '%s\t%s\n' '(d0) -> (d0 mod 8), domain: d0 in [0, 7]' "$same" >right.pairs
printf '%s\t%s\n' '(d0) -> (d0 mod 7), domain: d0 in [0, 7]' "$same" >wrong.pairs
run 0 0 '' audit --pairs right.pairs
run 1 1 'd0=7' audit --pairs wrong.pairs 
printf 'HloModule m\nENTRY e {\n  p = f32[4,3] parameter(0)\n  ROOT r = f32[4,3] reverse(p), dimensions={0}\n}\n' >a.hlo
printf 'HloModule m\nENTRY e {\n  p = f32[4,3] parameter(0)\n  ROOT r = f32[4,3] reverse(p), dimensions={1}\n}\n' >b.hlo
printf 'Output 0 operand 0:\n(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 2]\n' >wrong.maps
run 1 1 'replay       affirm audit a.hlo' audit a.hlo --maps wrong.maps
run 0 0 '' equiv a.hlo a.hlo
run 1 1 'replay: affirm equiv a.hlo b.hlo' equiv a.hlo b.hlo
run 1 1 'replay: affirm equiv a.hlo b.hlo --reads' equiv a.hlo b.hlo --reads
run 0 0 '' check a.hlo
run 0 0 '' exhaust --scope reverse --jobs 1
printf '#!/bin/sh\nwhile read -r line; do echo "error no"; done\n' >engine.sh
chmod +x engine.sh
run 0 0 '' score --enumerate a.hlo
[ "$(grep -c '<testcase' j.xml)" -ge 2 ] || fail "score has fewer than two rows"
if [ -x "$(dirname "$affirm")/fuzz_map" ]; then run 0 0 '' fuzz --target map --runs 200 --corpus fuzzed; fi

# The checker sees what is wrong.
"$affirm" equiv a.hlo b.hlo --junit j.xml --sarif s.json --github >github.txt || true
check() { python3 "$root/cli/test/results_check.py" "$root/cli/report/schema" j.xml s.json github.txt >/dev/null 2>&1; }
check || fail "right files do not pass"
broken() { # broken FILE SED
  cp "$1" kept
  sed -i "$2" "$1"
  cmp -s "$1" kept && fail "$2 changes nothing"
  check && fail "$2 in $1 is not seen"
  cp kept "$1"
}
broken s.json 's/"version":"2.1.0"/"version":"2.0"/'
broken s.json 's/"startLine":1/"startLine":0/'
broken s.json 's/,"partialFingerprints":{[^}]*}//'
broken s.json 's|"ruleId":"values/refuted"|"ruleId":"other/refuted"|'
broken j.xml 's/failures="1"/failures="0"/'
broken github.txt 's/^\(::error.*\)$/\1%0A/'
broken github.txt 's/1 refuted/0 refuted/'
if command -v xmllint >/dev/null; then broken j.xml 's/ time="[0-9.]*"/ line="3"/'; fi
echo "$runs runs"
