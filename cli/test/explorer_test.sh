#!/bin/sh
# The explorer's WebAssembly module gives the same results as the command on the whole corpus (node). Skipped with status 77 if the module is not
# built or node is not installed.
#   explorer_test.sh AFFIRM ROOT EXPLORER SHARD SHARDS MUTANT
# Tests the texts whose number is SHARD modulo SHARDS. MUTANT: the program with a fault in its maps of pads, which the comparison must detect.
set -eu
affirm=$1
root=$2
explorer=$3
shard=$4
shards=$5
mutant=$6
[ -f "$explorer/index.html" ] || { echo "skipped: the explorer is not built; it wants wasi-libc and libclang-rt-NN-dev-wasm32"; exit 77; }
command -v node >/dev/null || { echo "skipped: node is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir texts modules

# Every text of the corpus: modules, rules, and the blocks and first-line maps of cases.
find "$root/corpus" -name '*.hlo' ! -path '*/hazards/*' | sort | while read -r file; do
  name=$(echo "${file#"$root/corpus/"}" | tr / .)
  # The page compares the values of two modules instead of listing their maps.
  [ "$(grep -c '^HloModule' "$file")" -le 1 ] || { echo "left out: $name has several modules"; continue; }
  cp "$file" "texts/$name"
  ln "texts/$name" "modules/$name"
done
for file in "$root"/corpus/rules/*.rules "$root"/corpus/foreign/*.rules "$root"/core/rules/*.rules; do
  cp "$file" "texts/$(basename "$(dirname "$file")").$(basename "$file")"
done
for pair in "$root"/corpus/rewrites/values/*.before.hlo; do
  cat "$pair" "${pair%.before.hlo}.broken.hlo" >"texts/pair.$(basename "$pair")"
done
for printed in "$root"/corpus/foreign/*.wrong.txt; do
  module=${printed%.wrong.txt}.hlo
  cat "$module" "$printed" >"texts/printed.$(basename "$module")"
done
find "$root/corpus" -name '*.case' | sort | while read -r file; do
  name=$(echo "${file#"$root/corpus/"}" | tr / .)
  awk -v name="$name" '
    function put() {
      if (text == "") return
      path = name "." line (block ? ".hlo" : ".map")
      printf "%s", text >("texts/" path); close("texts/" path)
      # affirm check needs a complete module.
      whole = text ~ /ENTRY|\{\n/ ? text : "ENTRY entry {\n" text "\n}\n"
      if (block) { printf "%s", whole >("modules/" path); close("modules/" path) }
      text = ""
    }
    FNR == 1 || /^$/ { put() }
    / ?hlo$/ || $0 == "hlo" { put(); line = FNR; block = 1; next }
    block && $0 == "end" { put(); block = 0; next }
    block { text = text $0 "\n"; next }
    /^(simplify|keeps|parse|canonical|steps) / { put(); line = FNR; sub(/^[a-z]+ /, ""); text = $0 "\n"; map = 1; next }
    map && /^[ \t]/ { text = text $0 "\n"; next }
    map { map = 0; put() }
    END { put() }' "$file"
done
ls texts | awk -v n="$shards" -v shard="$shard" 'NR % n != shard' | while read -r name; do rm -f "texts/$name" "modules/$name"; done
ask() {
  "$1" explore --rows texts/* >rows 2>errors || [ $? = 3 ] || { cat errors; echo "affirm explore --rows failed"; exit 1; }
  "$1" check --json modules >checked 2>errors || [ $? -le 3 ] || { cat errors; echo "affirm check failed"; exit 1; }
}
compare() { node "$root/cli/test/explorer_test.mjs" "$explorer/module/explorer.wasm" "$root" texts rows checked "$shards"; }
ask "$affirm"
compare

# The comparison detects a program with a fault.
rm -f texts/* modules/*
printf 'ENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[] parameter(1)\n  ROOT r = f32[4] pad(p, q), padding=1_-1\n}\n' | tee texts/pad.hlo >modules/pad.hlo
ask "$mutant"
! compare >said || { echo "the mutant passed"; exit 1; }
for words in 'has other maps than affirm check' 'the rows are not those of affirm explore'; do
  grep -q "$words" said || { cat said; echo "of the mutant it is not said: $words"; exit 1; }
done
