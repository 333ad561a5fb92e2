#!/bin/sh
# Every triple of this directory: after computes the same values as before, and broken is refuted with both values. Each takes at most two seconds of
# processor time; one second if nothing else runs (`bench/run --only=folds`).
# With AFFIRM_FEW only every fourth triple is compared by the command: judge_corpus_rewrites_test and smt_corpus_pairs_test compare them.
#   values_test.sh AFFIRM [SECONDS]     SECONDS: another limit, for builds that are slower
set -u
affirm=$1
seconds=${2:-2}
cd "$(dirname "$0")" || exit 1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
triples=0
faults=0
fault() { echo "FAULT: $*"; sed 's/^/    | /' "$out"; faults=$((faults + 1)); }
# compare NAME KIND STATUS WORDS
compare() {
  (ulimit -t "$seconds"; exec "$affirm" equiv "$1.before.hlo" "$1.$2.hlo") >"$out" 2>&1
  status=$?
  [ $status -eq "$3" ] || fault "$1: $2 ended with $status, not $3"
  grep -qE "$4" "$out" || fault "$1: $2 does not say $4"
}
for before in *.before.hlo; do
  name=${before%.before.hlo}
  triples=$((triples + 1))
  [ -z "${AFFIRM_FEW:-}" ] || [ $((triples % 4)) -eq 0 ] || continue
  compare "$name" after 0 '^  same values '
  compare "$name" broken 1 '^  different .* before, .* after, where '
done
for file in *.hlo; do
  [ -f "${file%.*.hlo}.before.hlo" ] || out=/dev/null fault "$file has no graph before"
done
[ -z "${AFFIRM_FEW:-}" ] || echo "skipped: three of four triples"
echo "$triples triples, $faults faults"
[ $triples -ge 62 ] && [ $faults -eq 0 ]
