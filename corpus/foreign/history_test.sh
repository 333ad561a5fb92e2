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
  size=$("$smallest" --size <"$scratch/case")
  [ "$size" = "$1" ] || fault "$name: the size is $size, and not $1"
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
  name=$(field 1) scope=$(field 3)
  [ -n "$(field 7)" ] || fault "$name: says nothing"
  if [ "$scope" != - ]; then
    cases=$((cases + 1))
    if contains "$scope" "$(field 4)" "$(field 6)"; then is_size "$(field 5)"
    else fault "$name: case $(field 4) of $scope is not '$(field 6)': $(cat "$scratch/case" "$scratch/error")"; fi
  elif [ "$(field 4)" != - ]; then judge_module "$(field 4)" "$(field 5)"
  else others=$((others + 1)); fi
}
for list in corpus/foreign/history.txt corpus/regressions/witnesses.txt; do
  while read -r line; do
    case $line in '#'*) ;; *) judge_line ;; esac
  done <$list
done

# Mutants: NAME | SCOPE | CASE | SIZE, perhaps with `ended`
for list in corpus/faults/sizes.txt corpus/faults/random.txt; do
  while read -r line; do
    case $line in '#'* | *' | - | '*) continue ;; esac
    name=$(field 1)
    cases=$((cases + 1))
    contains "$(field 2)" "$(field 3)" "" || fault "$name: no case $(field 3) of $(field 2)"
    is_size "$(field 4 | sed 's/ ended$//')"
  done <$list
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
