#!/bin/sh
# The findings are what their texts say: every line of NAME.wrong.pairs is refuted, every line of NAME.right.pairs holds, and each text names its tracker and its replay.
#   findings_test.sh AFFIRM ROOT
set -u
affirm=$1
cd "$2" || exit 1
faults=0 findings=0

fault() {
  echo "FAULT: $*"
  faults=$((faults + 1))
}
# judged FILE WORDS: every line of the pairs in FILE has an answer that begins so
judged() {
  lines=$(grep -c . "$1")
  answers=$("$affirm" audit --pairs "$1" 2>/dev/null | grep -c "^$2")
  [ "$lines" -gt 0 ] && [ "$lines" -eq "$answers" ] || fault "$1: $answers of $lines lines are '$2'"
}
# proved FILE RESULT: every rule of the file ends so
proved() {
  rules=$(grep -c '^rule ' "$1")
  ends=$("$affirm" prove --no-store "$1" 2>/dev/null | grep -c "$2")
  [ "$rules" -gt 0 ] && [ "$rules" -eq "$ends" ] || fault "$1: $ends of $rules rules are $2"
}
maps() {
  "$affirm" audit "$1.hlo" --maps "$1.$2.txt" 2>/dev/null | grep -q "operands .* $3 wrong" || fault "$1.$2.txt has not $3 wrong"
}

for text in corpus/foreign/*/*.md; do
  name=${text%.md} findings=$((findings + 1))
  grep -q '^Tracker: \|Tracker: not reported' "$text" || fault "$text names no tracker"
  grep -q '^Replay: ' "$text" || fault "$text names no replay"
  for field in Function Since 'Their tests'; do
    grep -q "^$field: ." "$text" || fault "$text has no line '$field:', be it that it was not looked up"
  done
  row=$(grep -F "](${text#corpus/foreign/})" corpus/foreign/README.md)
  [ -n "$row" ] || fault "$text is not in the table of corpus/foreign/README.md"
  case $row in
    *'not reported'*) grep -q 'Tracker: .*not reported' "$text" || fault "$text has a tracker, and the table says that it has none" ;;
    *) grep -q '^Tracker: .*#[0-9]' "$text" || fault "$text names no thread, and the table does" ;;
  esac
  if [ -e "$name.wrong.pairs" ]; then
    judged "$name.wrong.pairs" different
    judged "$name.right.pairs" same
  elif [ -e "$name.right.rules" ]; then
    [ ! -e "$name.wrong.rules" ] || proved "$name.wrong.rules" REFUTED
    proved "$name.right.rules" PROVED
  elif [ -e "$name.wrong.txt" ]; then
    maps "$name" wrong 1
    maps "$name" exact 0
  elif [ -e "$name.maps" ]; then
    "$affirm" check "$name.maps" >/dev/null 2>&1 || fault "$name.maps: our own engine does not answer it"
  else
    "$affirm" check "$name.hlo" >/dev/null 2>&1 || fault "$name.hlo: our own engine does not answer it"
  fi
done
[ $findings -ge 27 ] || fault "only $findings findings"

# The test can fail: a right answer among the wrong ones, and a text without a replay.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat corpus/foreign/pycute/left_inverse.right.pairs corpus/foreign/pycute/left_inverse.wrong.pairs >"$scratch/mixed.pairs"
counted=$faults
judged "$scratch/mixed.pairs" different >/dev/null
proved corpus/foreign/mlir/divides_twice.right.rules REFUTED >/dev/null
[ $faults -eq $((counted + 2)) ] || { echo "FAULT: a right answer passes for a wrong one"; exit 1; }
faults=$counted

echo "$findings findings, $faults faults"
[ $faults -eq 0 ]
