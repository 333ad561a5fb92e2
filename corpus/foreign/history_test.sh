#!/bin/sh
# The lists of witnesses say what is so: a case has the text and the size that its line names, a module of history/ its size, and affirm's verdict about such a module is right.
#   history_test.sh AFFIRM SMALLEST ROOT
set -u
affirm=$1 smallest=$2
cd "$3" || exit 1
modules=0
. corpus/foreign/lists.sh

# is_size SIZE: the text in $scratch/case has this size
is_size() {
  measured=$("$smallest" --size <"$scratch/case")
  [ "$measured" = "$1" ] || fault "$name: the size is $measured, and not $1"
}
# says STATUS WORDS VERB FILE...: affirm ends so and says the words
says() {
  wanted=$1 words=$2
  shift 2
  "$affirm" "$@" >"$scratch/said" 2>&1
  status=$?
  [ $status -eq "$wanted" ] && grep -qE "$words" "$scratch/said" || { fault "$name: affirm $* ended with $status and does not say $words"; cat "$scratch/said"; }
}

judge_module() {
  file=corpus/foreign/history/$1
  modules=$((modules + 1))
  case $1 in
    ../*) file=corpus/foreign/${1#../}.before.hlo ;; # passes_test.sh judges it
    *.hazard) file=$file.hlo && says 1 '^  hazard ' hazard "$file" ;;
    *)
      if [ -e "$file.before.hlo" ]; then
        says 0 '^  same values ' equiv "$file.before.hlo" "$file.right.hlo"
        says 1 '^  different .* before, .* after' equiv "$file.before.hlo" "$file.wrong.hlo"
        file=$file.before.hlo
      else
        file=$file.hlo
        says 0 ' 0 inexact, 0 wrong, 0 disagree, 0 undefined, 0 not judged$' check --exact "$file"
      fi ;;
  esac
  cp "$file" "$scratch/case" && is_size "$2"
}

judge_line() {
  [ -n "$says" ] || fault "$name: says nothing"
  if [ "$scope" != - ]; then
    cases=$((cases + 1))
    if contains "$scope" "$number" "$text"; then is_size "$size"
    else fault "$name: case $number of $scope is not '$text': $(cat "$scratch/case" "$scratch/error")"; fi
  elif [ "$number" != - ]; then judge_module "$number" "$size"
  else others=$((others + 1)); fi
}
for list in corpus/foreign/history.txt corpus/regressions/witnesses.txt; do
  lines $list
  while IFS='|' read -r name date scope number size text says; do judge_line; done <"$scratch/lines"
done

# Mutants: NAME | SCOPE | CASE | SIZE, perhaps with `ended`
for list in corpus/faults/sizes.txt corpus/faults/random.txt; do
  lines $list
  while IFS='|' read -r name scope number size rest; do
    [ "$scope" != - ] || continue
    cases=$((cases + 1))
    contains "$scope" "$number" "" || fault "$name: no case $number of $scope"
    is_size "${size% ended}"
  done <"$scratch/lines"
done
for module in corpus/foreign/history/*.hlo; do
  name=$(basename "$module" .hlo)
  case $name in *.right | *.wrong) continue ;; *.before) name=${name%.before} ;; esac
  grep -qF " | - | $name | " corpus/foreign/history.txt || fault "$name is not in history.txt"
done
grep -E '^[a-z0-9_]+ scope [a-z0-9-]+$' corpus/faults/seen_by.txt | while read -r name kind scope; do
  grep -q "^$name | $scope | " corpus/faults/sizes.txt || { echo "FAULT: $name has no line in sizes.txt"; exit 1; }
done || faults=$((faults + 1))

# The test can fail: another case, and another size.
contains pad 8 'padding=1_0~' && { echo "FAULT: every case passes for a witness"; exit 1; }
before=$faults
name="a wrong size" && is_size "9 9 9 9" >/dev/null
[ $faults -gt $before ] || { echo "FAULT: every size passes"; exit 1; }

echo "$cases cases, $modules modules, $others without a witness, $before faults"
[ $before -eq 0 ] && [ $cases -ge 120 ]
