#!/bin/sh
# Every mutant is detected: corpus/faults/seen_by.txt has one line per mutant. The line names a scope of the gate or existing tests; mutants of the engine need
# a scope. The check also runs on spoiled lists and must reject them.
#   exhaust_seen.sh AFFIRM TESTS     TESTS: a file with the test names, one per line
set -eu
affirm=$1 tests=$2
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$affirm" exhaust --list | awk 'NF == 4 && $2 ~ /^[0-9]+$/ && $2 > 0 { print $1 }' >"$scratch/scopes"
for fault in "$root"/corpus/faults/*.fault; do
  printf '%s %s\n' "$(basename "$fault" .fault)" "$("$root/ci/seed_mutant" "$fault" --file)"
done >"$scratch/faults"
[ -s "$tests" ] && [ -s "$scratch/scopes" ] && [ -s "$scratch/faults" ] || { echo "nothing to compare with"; exit 1; }

# check LIST: prints the errors of the list.
check() {
  awk '
    FILENAME == tests { is_test[$1] = 1; next }
    FILENAME == scopes { is_scope[$1] = 1; next }
    FILENAME == faults { file[$1] = $2; next }
    /^#/ || NF == 0 { next }
    {
      if (!($1 in file)) say($1 ": there is no such fault")
      if (seen[$1]++) say($1 ": stands twice")
    }
    $2 == "scope" && NF == 3 {
      if (!($3 in is_scope)) say($1 ": the gate has no scope " $3)
      if (!(("exhaust_fault_" $1) in is_test)) say($1 ": no test runs the scope on it")
      next
    }
    $2 == "test" && $3 ~ /:$/ && NF > 3 {
      name = substr($3, 1, length($3) - 1)
      if (!(name in is_test)) say($1 ": there is no test " name)
      if (file[$1] ~ /^core\// && $1 !~ /^match_letter_lacks_nothing$/ && file[$1] !~ /^core\/(base\/(process|command|stack|verdict)|hlo\/(verify\/verify_(rearranging|batch_norm|devices)|stateful|bounded|namesakes)|simplify\/(trace\/trace|match\/parts)|map\/parse|index\/(mesh\/replica_groups|fusion\/exchange))[.]c$/) say($1 ": a fault of the engine (" file[$1] ") that no scope sees")
      next
    }
    { say("not understood: " $0) }
    function say(what) { print what; wrong = 1 }
    END {
      for (name in file) if (!seen[name]) say(name ": a fault that nothing is said to see")
      exit wrong
    }' tests="$tests" scopes="$scratch/scopes" faults="$scratch/faults" "$tests" "$scratch/scopes" "$scratch/faults" "$1"
}

list=$root/corpus/faults/seen_by.txt
check "$list" || exit 1

# rejects WORDS SED: checks that the list, changed by SED, is rejected with WORDS in the message.
rejects() {
  sed -E "$2" "$list" >"$scratch/list"
  if check "$scratch/list" >"$scratch/said"; then
    echo "a list in which $1 passes"
    exit 1
  fi
  grep -qF "$1" "$scratch/said" || { echo "not said: $1"; cat "$scratch/said"; exit 1; }
}
rejects "reverse_off_by_one: a fault that nothing is said to see" '/^reverse_off_by_one /d'
rejects "reverse_off_by_none: there is no such fault" 's/^reverse_off_by_one /reverse_off_by_none /'
rejects "the gate has no scope reverses" 's/scope reverse$/scope reverses/'
rejects "a fault of the engine (core/index/ops/permute.c) that no scope sees" 's/^reverse_off_by_one .*/reverse_off_by_one test ci_style: a try/'
rejects "there is no test fault_nowhere" 's/^(equiv_forgets_devices test) [a-z_]+:/\1 fault_nowhere:/'
rejects "not understood: equiv_forgets_devices test fault_equiv_forgets_devices:" 's/^(equiv_forgets_devices test [a-z_]+:).*/\1/'
rejects "reverse_off_by_one: stands twice" 's/^(reverse_off_by_one .*)/\1\
\1/'
echo "$(grep -c ' scope ' "$list") faults are seen by scopes, $(grep -c ' test ' "$list") by tests"
