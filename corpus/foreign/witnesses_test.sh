#!/bin/sh
# The gate's scopes contain the smallest witness of every finding about which a scope can ask: witnesses.txt names a case of each, and where the
# engine is installed it is wrong about the case.
#   witnesses_test.sh AFFIRM DIRECTORY_OF_ENGINES ROOT
set -u
affirm=$1 engines=$2
cd "$3" || exit 1
list=corpus/foreign/witnesses.txt
asked=0 skipped=
. corpus/foreign/lists.sh

# ask NAME VERSIONS OPTION VALUE: a version that is named is wrong about the case at hand. Another one need not be.
ask() {
  "$affirm" score "$scratch/case" --json --show 0 "$3" "$4" --engine-memory 0 >"$scratch/score" 2>&1
  version=$(sed -n "s/.*\"engine\":\"${2%% *} \([^\"]*\)\",\"verb\":\"simplify\".*/\1/p" "$scratch/score")
  case "${2#* }, " in
    *"$version, "*) ;;
    *) skipped="$skipped $1 (${2%% *} $version)"; return ;;
  esac
  asked=$((asked + 1))
  grep -q "\"engine\":\"${2%% *} $version\",\"verb\":\"simplify\",.*\"wrong\":1," "$scratch/score" || fault "$1: ${2%% *} $version is not wrong about its case"
}
ask_engine() {
  library=$engines/libengine_${2%% *}.so
  if [ -z "$2" ]; then return
  elif [ -e "$library" ]; then ask "$1" "$2" --engine "$library"
  elif [ "${2%% *}" = sympy ] && python3 -c 'import sympy' 2>/dev/null; then ask "$1" "$2" --engine-cmd 'python3 examples/engine-sympy/engine.py'
  else skipped="$skipped $1"; fi
}

lines $list
while IFS='|' read -r name scope number text versions; do
  if [ "$scope" = - ]; then
    [ -n "$number" ] || fault "$name: no reason"
    others=$((others + 1))
  elif contains "$scope" "$number" "$text"; then
    cases=$((cases + 1))
    ask_engine "$name" "$versions"
  else fault "$name: case $number of $scope is not '$text': $(cat "$scratch/case" "$scratch/error")"; fi
done <"$scratch/lines"

for file in corpus/foreign/*/*.md corpus/foreign/*.hlo; do
  name=${file#corpus/foreign/} name=${name%.md} name=${name%.hlo}
  case $name in
    *.wrong | *.right) continue ;;
    *.before) name=${name%.before} ;;
  esac
  grep -q "^$name | " $list || fault "$name is not in $list"
done

# The test can fail: another case of the same scope.
contains maps-edges 874 '(((d0 mod 2) * 9223372036854775806) floordiv 4)' && { echo "FAULT: every case passes for a witness"; exit 1; }

[ -z "$skipped" ] || echo "SKIPPED: not asked, because no version that is wrong is here:$skipped"
echo "$((cases + others)) findings: $cases are cases of the gate's scopes, about $others no scope asks; $asked engines asked, $faults faults"
[ $faults -eq 0 ] && [ $cases -ge 16 ]
