#!/bin/sh
# affirm snapshot: records, compares, finds a changed input and a changed engine, judges before it records, and leaves the record as it was on every
# failure. The mutant is an engine with a wrong map of `pad`.
#   snapshot_test.sh AFFIRM MUTANT ROOT
set -u
affirm=$1 mutant=$2 root=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
faults=0
fault() { echo "FAULT: $*"; faults=$((faults + 1)); }
# run STATUS PROGRAM ARGUMENT...: its output is in out and err
run() {
  wanted=$1
  shift
  timeout 300 "$@" >out 2>err </dev/null
  got=$?
  [ $got -eq "$wanted" ] || { fault "$*: exit status $got, not $wanted"; sed 's/^/    | /' out err | head -8; }
}
prints() { grep -qF -- "$1" out || { fault "the output lacks: $1"; head -5 out; }; }
complains() { grep -qF -- "$1" err || { fault "the errors lack: $1"; head -5 err; }; }

mkdir corpus
{ cat "$root/corpus/faults/pad_excess_off_by_one.case"; echo; awk '/^# / && n++ == 2 { exit } { print }' "$root/corpus/reference/rearranging.case"; } >corpus/a.case
run 3 "$affirm" snapshot
complains 'answers.snapshot does not exist; affirm snapshot --update writes it'
run 0 "$affirm" snapshot --update --stream a.case
rows=$(awk '/^a.case/ { print $2 }' corpus/answers.snapshot)
[ "${rows:-0}" -ge 16 ] || fault "the record has $rows rows of a.case"
prints "0 rows the same, 0 changed, $rows new, 0 gone"
prints ' 0 refuted'
run 0 "$affirm" snapshot --stream a.case
prints "$rows rows the same, 0 changed, 0 new, 0 gone"
run 1 "$affirm" snapshot --stream scope/
prints ' new, 0 gone'

# Another engine.
cp corpus/answers.snapshot kept
run 1 "$mutant" snapshot --stream a.case
row=$(sed -n 's/.*--show \(a.case:[0-9]*\)$/\1/p' out | head -1)
"$affirm" snapshot --show "$row" >right
"$mutant" snapshot --show "$row" >wrong
cmp -s right wrong && fault "row $row has the same answers"
cp -r corpus "my corpus"
run 1 "$mutant" snapshot --stream a.case 'my corpus'
prints "  affirm snapshot --show $row 'my corpus'"
rm -r 'my corpus'
[ "$(sed '/^$/,$d' right)" = "$(sed '/^$/,$d' wrong)" ] || fault "row $row has two inputs"
run 1 "$mutant" snapshot --stream a.case --update
prints ': refuted: '
complains 'answers.snapshot is as it was'
cmp -s corpus/answers.snapshot kept || fault "a refuted answer was recorded"

# Another input: the first case alone.
awk '/^# /&&n++==1 { exit } { print }' corpus/a.case >b && mv b corpus/a.case
run 1 "$affirm" snapshot --stream a.case
prints "$((rows - 16)) gone"
run 0 "$affirm" snapshot --stream a.case --update
run 0 "$affirm" snapshot --stream a.case
prints '16 rows the same, 0 changed, 0 new, 0 gone'

# A changed answer that an interrupted run has found: the first row of a stream that takes seconds. On a busy machine the interrupt may come before the
# program handles it (130), and on a fast one after the end.
mkdir long
awk '/^maps [0-9]/ { print; getline; sub(/^..../, "0000"); print; on = 1; next } / / { on = 0 } on' "$root/corpus/answers.snapshot" >long/answers.snapshot
cp corpus/a.case long/
for wait in 0.2 0.5 1 2 4 8; do
  timeout --foreground --preserve-status -s INT $wait "$affirm" snapshot --stream maps long >out 2>err
  got=$?
  if grep -q 'interrupted at' err; then break; fi
done
grep -q 'interrupted at' err || fault "no run was interrupted"
prints ' 1 changed'
[ $got -eq 1 ] || fault "status $got of an interrupted run with a changed answer"

# Damage, and failures to write.
cp corpus/answers.snapshot kept
printf 'a.case 16\n0123\n' >corpus/answers.snapshot
run 3 "$affirm" snapshot --stream a.case
complains 'four hexadecimal digits for each row'
: >corpus/answers.snapshot
run 3 "$affirm" snapshot --stream a.case
cp kept corpus/answers.snapshot
[ -w /dev/full ] && { "$affirm" snapshot --stream a.case >/dev/full 2>err; [ $? -eq 3 ] || fault "a full disk is not noticed"; }
printf 'simplify (d0) -> (\n' >corpus/broken.case
run 3 "$affirm" snapshot --stream a.case
rm corpus/broken.case
run 3 "$affirm" snapshot nowhere
run 3 "$affirm" snapshot --stream b.case corpus
complains "no stream 'b.case'; affirm snapshot --list corpus lists them"
run 3 "$affirm" snapshot --stream b.case
complains "no stream 'b.case'"
for show in maps maps: maps:x maps:9999999 b.case:0; do run 3 "$affirm" snapshot --show "$show"; done
run 0 "$affirm" snapshot --list
prints ' maps  random maps'

# The gate of a corpus with a record has a row for it.
cp "$root/corpus/answers.snapshot" corpus
run 0 "$affirm" snapshot --update --stream a.case
printf 'law commutes: add(x, y) => add(y, x) on integral grade exact\n' >few.laws # all laws and rules take seconds: cli_gate
printf 'rule mine\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n  near-miss: c > 0, 0 <= lo(x), hi(x) <= c\n  order: weight\n' >few.rules
if [ -z "${AFFIRM_FEW:-}" ]; then # the comparison of all streams takes half a minute with a sanitizer
  run 0 "$affirm" gate --laws few.laws --rules few.rules --fuzz 0 --exhaust 0 corpus
  grep -q '^snapshot  *[1-9][0-9]* *0 *0 *0' out || fault "the gate has no row of the snapshot"
  run 1 "$mutant" gate --laws few.laws --rules few.rules --fuzz 0 --exhaust 0 corpus
  grep -q '^snapshot  *[1-9][0-9]* *[1-9]' out || fault "the gate of the mutant has no failed row of the snapshot"
  # A command to paste names a corpus with a blank in quotes.
  cp -r corpus 'my corpus'
  awk '{ print } /^a.case [0-9]/ { getline; sub(/^..../, "0000"); print }' corpus/answers.snapshot >'my corpus/answers.snapshot'
  run 1 "$affirm" gate --laws few.laws --rules few.rules --fuzz 0 --exhaust 0 'my corpus'
  prints "affirm snapshot --show a.case:0 'my corpus'"
  prints "Wanted: affirm snapshot --update 'my corpus' judges"
else echo "skipped: the gate's row of the snapshot"; fi

run 0 "$affirm" snapshot --stream a.case --json
prints '"unchanged":16,"changed":0,"new":0,"gone":0'
[ $faults -eq 0 ]
