#!/bin/sh
# What gates, campaigns and checks of a foreign engine say about answers that are missing, late or too large: over-approximations, refusals, an engine that
# hangs, an interrupt, and the known faults of a baseline.
#   engine_gate_test.sh AFFIRM
set -u
affirm=$1
export LC_ALL=C
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 1
export XDG_CACHE_HOME=$here/cache
runs=0 faults=0
fault() {
  faults=$((faults + 1))
  echo "FAULT: $1"
  sed 's/^/    | /' out | tail -8
}
# wants STATUS PATTERN COMMAND...: the command has this exit status, and its output matches the pattern
wants() {
  status=$1 words=$2
  shift 2
  runs=$((runs + 1))
  "$@" >out 2>&1
  came=$?
  [ $came -eq "$status" ] && grep -q -e "$words" out || fault "status $came, wanted $status and '$words': $*"
}
says() { grep -q -e "$1" out || fault "not said: $1"; }
lacks() { grep -q -e "$1" out && fault "said: $1"; }

# An engine over a pipe: $1 is what it does with a question about a module, `sent` counts the requests.
cat >engine.sh <<'SH'
tab=$(printf '\t') sent=0
# The map from each element of the root %v0 to all elements of an operand of the same shape.
everything() {
  shape=${rest#*ROOT %v0 = f32\[} d='' s='' results='' bounds='' more='' at=0
  shape=${shape%%]*}
  old=$IFS IFS=,
  for size in $shape; do
    d="$d${d:+, }d$at" s="$s${s:+, }s$at"
    bounds="$bounds${bounds:+, }d$at in [0, $((size - 1))]" more="$more${more:+, }s$at in [0, $((size - 1))]"
    at=$((at + 1))
  done
  IFS=$old
  printf '%s\tanswer\t(%s)[%s] -> (%s), domain: %s, %s\n' "$number" "$d" "$s" "$s" "$bounds" "$more"
}
while IFS=$tab read -r number verb rest; do
  if [ "$verb" = hello ]; then printf '%s\tengine\t1\t%s\tanalyse\n' "$number" "$1"; continue; fi
  sent=$((sent + 1))
  case $1 in
    everything) everything ;;
    refuses) printf '%s\tundefined\tlazy\n' "$number" ;;
    hangs) exec sleep 3000 ;;
    # Garbage, until the third request of all processes hangs.
    late)
      echo >>requests
      if [ "$(wc -l <requests)" -gt 2 ]; then echo >asked; exec sleep 3000; fi
      printf 'garbage\n' ;;
  esac
done
SH
scope='--no-corpus --scope cholesky --fuzz 0'

# --- an engine that hangs ---
printf 'HloModule one\nENTRY e {\n  p0 = f32[4] parameter(0)\n  ROOT %%v0 = f32[4] reverse(p0), dimensions={0}\n}\n' >one.hlo
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 80]\n' >one.maps
# The time of the command is also that of an answer, and the engine is not called hung for it.
wants 2 '^out of time; left out: 2 operands of one.hlo' "$affirm" check one.hlo --seconds 2 --engine-time 3000000 --engine-cmd 'exec sh engine.sh hangs'
lacks hung
cat >never.sh <<'SH'
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  [ "$verb" = hello ] || exec sleep 3000
  printf '%s\tengine\t1\tnever\tsimplify\n' "$number"
done
SH
wants 2 '^out of time; left out: the rest of one.maps' "$affirm" check one.maps --seconds 2 --engine-time 3000000 --engine-cmd 'exec sh never.sh'
lacks hung
# With --fail-fast a scope ends soon after its first failure, not with its last case.
# shellcheck disable=SC2086
wants 1 '^small scopes  *0  *[1-9]  *2[0-9][0-9] ' "$affirm" gate $scope --fail-fast --exhaust 1 --engine-time 300 --engine-cmd 'exec sh engine.sh hangs'
says 'ended at the first failure'
# An interrupt keeps the failures: status, totals and results.
# shellcheck disable=SC2086
"$affirm" gate $scope --exhaust 1 --engine-time 3000000 --json --junit ended.xml --engine-cmd 'exec sh engine.sh late' >out 2>err &
until [ -s asked ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
kill -TERM $!
wait $!
came=$? runs=$((runs + 1))
[ $came -eq 1 ] || fault "status $came of an interrupted gate with a failure"
says '"part":"small scopes","passed":0,"failed":1,'
says '"verdict":"REFUTED"'
says '"totals":.*"status":1,"interrupted":1}$'
grep -q '<testcase classname="gate" name="small scopes" .*<failure ' ended.xml || fault 'the results of an interrupted gate lack its failure'

echo "$runs runs, $faults faults"
[ $faults -eq 0 ]
