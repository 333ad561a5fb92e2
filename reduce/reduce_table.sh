#!/bin/sh
# The table of all mutants, reduced: reduce_table.sh ROWS AFFIRM. Limits: a median of at most 3 operations and of at most 5 expression nodes, at most 30
# seconds each. Each case is put into the regressions of a scratch corpus unchanged, passes there without the fault, and runs in under a second. Seconds are
# processor time, because these tests run beside others.
set -u
rows=$1 affirm=$2
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/corpus/regressions"
failed=0
number=0

# find PROGRAM SEEDS: writes the report of a seeded target
find_fault() {
  mkdir "$scratch/found_$number"
  "$1" -seed=1 -runs=50000 -max_len=256 -verbosity=0 -artifact_prefix="$scratch/" "$scratch/found_$number" "$2" > "$scratch/report" 2>&1
  grep -aqE '^# fuzz_found_|Assertion' "$scratch/report" || echo "$1 finds nothing"
}

while read -r name program subject rules seeded seeds mlir; do
  number=$((number + 1))
  case=$scratch/corpus/regressions/${name}_$number.case
  [ "$mlir" = - ] && unset AFFIRM_MLIR || export AFFIRM_MLIR="$mlir"
  [ "$rules" != - ] || rules=
  if [ "$seeded" != - ]; then
    find_fault "$seeded" "$seeds"
    if grep -aq Assertion "$scratch/report" && ! grep -aq '^# fuzz_found_' "$scratch/report"; then
      echo "$name: its target ends by an assertion, without a report: reduced as mutants alone"
      continue
    fi
    [ "$subject" != input ] || cat "$scratch"/crash-* | tail -c +2 > "$scratch/input.text"
    [ "$subject" != input ] && subject=$scratch/report || subject=$scratch/input.text
    rm -f "$scratch"/crash-*
  fi
  if "$program" "$name" "$subject" "$case" $rules > "$scratch/row" 2> "$scratch/errors"; then
    cat "$scratch/row" >> "$scratch/table"
    [ -s "$case" ] || { echo "$name: no case says it"; failed=1; }
  else
    echo "failed: $name"
    cat "$scratch/errors"
    failed=1
  fi
  cat "$scratch/row"
done < "$rows"
unset AFFIRM_MLIR
[ "$number" -gt 0 ] || { echo "no rows"; exit 1; }

# median UNIT MOST: checks the median of the rows with this unit
median() {
  awk -v unit="$1" '$3 ~ unit { print $2 }' "$scratch/table" | sort -n | awk -v unit="$1" -v most="$2" '
    { sizes[NR] = $1 }
    END {
      if (NR == 0) { print "no row counts in " unit; exit 1 }
      middle = sizes[int((NR + 1) / 2)]
      printf "median of %d: %d %s, at most %d wanted\n", NR, middle, unit, most
      exit middle > most
    }'
}
median operations 3 || failed=1
median expression 5 || failed=1
awk '{ for (i = 1; i < NF; i++) if ($(i + 1) == "s" && $i + 0 > 30) { print $1 " took " $i " s"; exit 1 } }' "$scratch/table" || failed=1

# between FILE FILE: milliseconds between two outputs of `times`, from their second lines
# (children), such as 0m1.234s
between() {
  awk '{ split($1, u, /[ms]/); split($2, s, /[ms]/); t[FILENAME, FNR] = 60 * u[1] + u[2] + 60 * s[1] + s[2] }
    END { printf "%d\n", 1000 * (t[ARGV[2], 2] - t[ARGV[1], 2]) }' "$1" "$2"
}

for case in "$scratch"/corpus/regressions/*.case; do
  times > "$scratch/before"
  "$affirm" check --quiet "$case" > "$scratch/out" 2>&1 || { echo "$(basename "$case") does not pass without the fault"; cat "$case" "$scratch/out"; failed=1; }
  times > "$scratch/after"
  took=$(between "$scratch/before" "$scratch/after")
  [ -n "${AFFIRM_FEW:-}" ] || [ "$took" -lt 1000 ] || { echo "$(basename "$case") takes $took ms"; failed=1; }
done
exit $failed
