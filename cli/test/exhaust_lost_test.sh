#!/bin/sh
# affirm exhaust with an engine that hangs on one case, ends the process on another, and exhausts the memory on a third
# (corpus/faults/reverse_loses_its_process.fault). Each is counted and named by its kind, every other case is judged, and shards and killed runs add
# up to the whole.
#   exhaust_lost_test.sh AFFIRM MUTANT
set -u
affirm=$1 seeded=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
fault() { echo "FAULT: $*"; faults=$((faults + 1)); }

options="--scope reverse --all-judges 0 --case-seconds 2 --case-memory 300"
# run STATUS PROGRAM ARGUMENT...: its output is in out
run() {
  wanted=$1
  shift
  timeout 600 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
  got=$?
  [ $got -eq "$wanted" ] || { fault "$*: exit status $got, not $wanted"; sed 's/^/    | /' "$scratch/out" "$scratch/err" | head -8; }
}
says() { grep -qF -- "$1" "$scratch/out" || { fault "not said: $1"; sed 's/^/    | /' "$scratch/out" | head -8; }; }
silent() { ! grep -qF -- "$1" "$scratch/out" || fault "said: $1"; }
# whole JOURNAL...: together they give the result of the first run
whole() {
  run 1 "$seeded" merge "$@"
  grep -v '^not counted: ' "$scratch/out" | sort >"$scratch/merged"
  [ -s "$scratch/whole" ] || cp "$scratch/merged" "$scratch/whole"
  cmp -s "$scratch/merged" "$scratch/whole" || { fault "$* is not the whole"; diff "$scratch/merged" "$scratch/whole"; }
}

run 1 "$seeded" exhaust $options --jobs 2 --journal "$scratch/first"
says "crashed 1, hung 1, out of memory 1"
silent INCOMPLETE
for kind in crashed hung "out of memory"; do
  number=$(sed -n "s/^case \([0-9]*\): $kind .*/\1/p" "$scratch/out")
  [ -n "$number" ] || { fault "no case is named as $kind"; continue; }
  "$seeded" exhaust --scope reverse --case "$number" | grep -q 'reverse(.*dimensions={0,1}' || fault "case $number ($kind) is another one"
done
whole "$scratch/first"
says "3 failed"
says "# lost: hung"
if [ -z "${AFFIRM_FEW:-}" ]; then
  run 1 "$seeded" exhaust $options --jobs 1 --journal "$scratch/alone"
  whole "$scratch/alone"
  for shard in 0 1 2; do
    timeout 600 "$seeded" exhaust $options --jobs 2 --shard $shard/3 --journal "$scratch/shard.$shard" >"$scratch/out"
  done
  whole "$scratch/shard.2" "$scratch/shard.0" "$scratch/shard.1"
else echo "skipped: lost cases of one process and of shards"; fi

# Killed at random times, later each time, until the run ends by itself.
i=0
while :; do
  i=$((i + 1))
  [ $i -lt 20 ] || { fault "it does not end"; break; }
  wait=$(awk -v seed="$i$$" -v round="$i" 'BEGIN { srand(seed); most = round < 8 ? round : 2 ^ (round - 5); printf "%.3f", 0.02 + rand() * 0.4 * most }')
  timeout -s KILL "$wait" "$seeded" exhaust $options --jobs 2 --quiet --journal "$scratch/killed" --resume >"$scratch/out" 2>"$scratch/err" </dev/null
  [ $? -eq 137 ] || break
done
[ $i -gt 1 ] || fault "no run was killed before its end"
whole "$scratch/killed"

# An interrupted run ends while a case hangs, and that case is not blamed. The case hangs once the worker has used a second of
# processor time.
"$seeded" exhaust --scope reverse --all-judges 0 --case-seconds 1000 --jobs 1 >"$scratch/out" 2>"$scratch/err" </dev/null &
run=$!
ticks() {
  for child in $(cat /proc/$run/task/*/children 2>"$scratch/err"); do
    awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$child/stat" 2>"$scratch/err"
  done | sort -n | tail -n 1
}
while used=$(ticks) && [ "${used:-0}" -lt "$(getconf CLK_TCK)" ] && kill -0 $run; do sleep 0.1; done
kill -INT $run
tenths=0
while kill -0 $run 2>"$scratch/err" && [ $tenths -lt 600 ]; do tenths=$((tenths + 1)); sleep 0.1; done
kill -0 $run 2>"$scratch/err" && { fault "a run that is asked to end does not"; kill -KILL $run; }
wait $run
[ $? -eq 2 ] || fault "a run that is asked to end has another status than 2"
silent hung
says INCOMPLETE
says "exact "

# If a process of the run is killed from outside, at its start or at work, nothing is blamed, and another process judges its case.
ended() { # TICKS: kill the process once it has used them
  "$affirm" exhaust --scope maps --all-judges 0 --jobs 1 --shard 0/8 >"$scratch/out" 2>"$scratch/err" </dev/null &
  run=$!
  while used=$(ticks) && [ "${used:--1}" -lt "$1" ] && kill -0 $run; do :; done
  for child in $(cat /proc/$run/task/*/children); do kill -TERM "$child"; done
  wait $run
  [ $? -eq 0 ] || { fault "a run of which a process is ended from outside after $1 ticks has another status than 0"; sed 's/^/    | /' "$scratch/out" "$scratch/err"; }
  says "1 process ended from outside and replaced"
  silent crashed
  silent INCOMPLETE
}
ended 0
ended 5

# If many cases have to be killed, the run ends and reports this. Without a fault nothing is lost.
run 1 "$affirm" exhaust --scope maps --all-judges 0 --jobs 2 --case-memory 1
says "out of memory 1"
says "ended after too many that were lost"
run 0 "$affirm" exhaust $options --jobs 2

[ $faults -eq 0 ] || { echo "$faults faults"; exit 1; }
echo "lost cases are named and counted; killed $((i - 1)) times"
