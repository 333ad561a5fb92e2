#!/bin/sh
# Every rewrite of this directory: before and after read the same elements, and the broken twin is refuted with an element that differs. It must be
# refuted for exactly the outputs and parameters in its second line, since a twin that is refuted for another reason shows nothing. A disagreement of
# judges and an open question are failures too.
# With AFFIRM_FEW only every fourth rewrite is compared by the command: judge_corpus_rewrites_test and smt_corpus_pairs_test compare them.
#   rewrites_test.sh AFFIRM
set -u
affirm=$1
cd "$(dirname "$0")" || exit 1
out=$(mktemp)
trap 'rm -f "$out" "$out.pairs"' EXIT
rewrites=0
faults=0

fault() { echo "FAULT: $*"; sed 's/^/    | /' "$out"; faults=$((faults + 1)); }
# compare NAME KIND STATUS
compare() {
  # shellcheck disable=SC2046
  timeout 600 "$affirm" equiv --reads "$1.before.hlo" "$1.$2.hlo" $(cat "$1.options" 2>/dev/null) >"$out" 2>&1
  status=$?
  [ $status -eq "$3" ] || fault "$1: $2 ended with $status, not $3"
  if grep -qE '^  (disagree|unknown) ' "$out"; then fault "$1: $2 was not decided"; fi
}

for file in *.hlo; do
  case $file in
  *.before.hlo | *.after.hlo | *.broken.hlo) ;;
  *) out=/dev/null fault "$file belongs to no rewrite" ;;
  esac
  [ -f "${file%.*.hlo}.before.hlo" ] || out=/dev/null fault "$file has no graph before"
done
for before in *.before.hlo; do
  name=${before%.before.hlo}
  rewrites=$((rewrites + 1))
  [ -z "${AFFIRM_FEW:-}" ] || [ $((rewrites % 4)) -eq 0 ] || [ -f "$name.options" ] || continue
  compare "$name" after 0
  grep -q '^  same ' "$out" || fault "$name: nothing was the same"
  compare "$name" broken 1
  grep -qE '^  different .*(before|after) only' "$out" || fault "$name: no element that differs was named"
  sed -nE 's/^  different .*(output [0-9.]+ parameter [0-9.]+).*/\1/p' "$out" | paste -sd, - | sed 's/,/, /g' >"$out.pairs"
  sed -nE '2s,^// Different: (.*)\.$,\1,p' "$name.broken.hlo" | cmp -s - "$out.pairs" || fault "$name: other pairs differ than those that the broken graph names"
done

# Open questions stay open, for exactly the pairs that after names.
opens=0
for before in open/*.before.hlo; do
  name=${before%.before.hlo}
  case $name in
  open/kept_*) compare "$name" after 0 ;;
  *)
    timeout 600 "$affirm" equiv --reads "$before" "$name.after.hlo" >"$out" 2>&1
    status=$?
    [ $status -eq 2 ] || fault "$name ended with $status, not 2"
    sed -nE 's/^  unknown .*(output [0-9.]+ parameter [0-9.]+).* (is between them|depends on how often or which body runs).*/\1/p' "$out" | paste -sd, - | sed 's/,/, /g' >"$out.pairs"
    sed -nE '2s,^// Unknown: (.*)\.$,\1,p' "$name.after.hlo" | cmp -s - "$out.pairs" || fault "$name: other pairs are unknown than those that after names"
    ;;
  esac
  opens=$((opens + 1))
done
[ $opens -ge 9 ] || out=/dev/null fault "open questions are missing: $opens"

# The same with directories, and with files of several modules. run STATUS WHAT ARGUMENT...
run() {
  expected=$1 what=$2
  shift 2
  timeout 600 "$affirm" equiv --reads "$@" >"$out" 2>&1
  status=$?
  [ $status -eq "$expected" ] || fault "$what ended with $status, not $expected"
}
folder=$(mktemp -d)
trap 'rm -rf "$out" "$out.pairs" "$folder"' EXIT
if [ -z "${AFFIRM_FEW:-}" ]; then
  run 0 "the folder" --dir .
  grep -q "^$rewrites graphs, " "$out" || fault "the folder has other pairs"
else
  echo "skipped: three of four rewrites, and the directory of all"
fi
run 3 "a folder without pairs" --dir "$folder"
run 3 "a folder that is not there" --dir "$folder/none"
cp gemm_padding.before.hlo "$folder/a.before.hlo"
cp gemm_padding.broken.hlo "$folder/a.after.hlo"
cp fusion_merging.before.hlo "$folder/b.before.hlo"
cp fusion_merging.after.hlo "$folder/b.after.hlo"
run 1 "a folder with a broken pair" --dir "$folder"
grep -q '^2 graphs, ' "$out" || fault "the pairs of a folder are not all compared"
cat gemm_padding.before.hlo fusion_merging.before.hlo >"$folder/before.txt"
cat gemm_padding.after.hlo fusion_merging.after.hlo >"$folder/after.txt"
cat fusion_merging.after.hlo gemm_padding.after.hlo >"$folder/swapped.txt"
cat gemm_padding.before.hlo gemm_padding.after.hlo fusion_merging.before.hlo fusion_merging.after.hlo >"$folder/pairs.txt"
cat gemm_padding.before.hlo gemm_padding.after.hlo fusion_merging.before.hlo fusion_merging.broken.hlo >"$folder/broken.txt"
run 0 "two files of two modules" "$folder/before.txt" "$folder/after.txt"
grep -q '^2 graphs, ' "$out" || fault "the modules of two files are not all compared"
run 3 "modules in another order" "$folder/before.txt" "$folder/swapped.txt"
run 3 "another number of modules" "$folder/before.txt" gemm_padding.after.hlo
run 0 "pairs in one file" "$folder/pairs.txt"
run 1 "pairs in one file, one broken" "$folder/broken.txt"
run 3 "one module without a partner" gemm_padding.before.hlo

echo "$rewrites rewrites, $faults faults"
[ $rewrites -ge 35 ] && [ $faults -eq 0 ]
