#!/bin/sh
# The explorer's WebAssembly module gives the same results as the command on the whole corpus (node). Skipped with status 77 if the module is not
# built or node is not installed.
#   explorer_test.sh AFFIRM ROOT EXPLORER SHARD SHARDS MUTANT
# Tests the texts whose number among their kind is SHARD modulo SHARDS, with AFFIRM_FEW a third of them. MUTANT: the program with a fault in its maps of pads, which the comparison must detect.
set -eu
affirm=$1
root=$2
explorer=$3
shard=$4
shards=$5
mutant=$6
[ -z "${AFFIRM_FEW:-}" ] || { shards=$((shards * 3)); echo "skipped: two thirds of the texts"; }
[ -f "$explorer/index.html" ] || { echo "skipped: the explorer is not built; it wants wasi-libc and libclang-rt-NN-dev-wasm32"; exit 77; }
command -v node >/dev/null || { echo "skipped: node is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir texts modules

# The texts of the corpus: modules, rules, and the blocks and first-line maps of cases. Every SHARDS-th of each kind is taken.
taken() { awk -v n="$shards" -v shard="$shard" 'NR % n == shard'; }
# The page compares the values of two modules instead of listing their maps.
(cd "$root/corpus" && find . -name '*.hlo' ! -path '*/hazards/*' | sort | xargs grep -c '^HloModule') >modules.list || [ $? = 123 ] # 123: some have no such line
sed -n 's/^\(.*\):\([2-9]\|[0-9][0-9][0-9]*\)$/left out: \1 has several modules/p' modules.list
sed -n 's/:[01]$//p' modules.list | taken | while read -r file; do
  name=$(echo "${file#./}" | tr / .)
  cp "$root/corpus/$file" "texts/$name"
  ln "texts/$name" "modules/$name"
done
ls "$root"/corpus/rules/*.rules "$root"/corpus/foreign/*.rules "$root"/core/rules/*.rules | taken | while read -r file; do
  cp "$file" "texts/$(basename "$(dirname "$file")").$(basename "$file")"
done
ls "$root"/corpus/rewrites/values/*.before.hlo | taken | while read -r pair; do
  cat "$pair" "${pair%.before.hlo}.broken.hlo" >"texts/pair.$(basename "$pair")"
done
ls "$root"/corpus/foreign/*.wrong.txt | taken | while read -r printed; do
  module=${printed%.wrong.txt}.hlo
  cat "$module" "$printed" >"texts/printed.$(basename "$module")"
done
(cd "$root/corpus" && find . -name '*.case' | sort | xargs awk -v to="$scratch" -v n="$shards" -v shard="$shard" '
  function put() {
    if (text == "") return
    if (++number % n == shard) {
      path = name "." line (block ? ".hlo" : ".map")
      printf "%s", text >(to "/texts/" path); close(to "/texts/" path)
      # affirm check needs a complete module.
      whole = text ~ /ENTRY|\{\n/ ? text : "ENTRY entry {\n" text "\n}\n"
      if (block) { printf "%s", whole >(to "/modules/" path); close(to "/modules/" path) }
    }
    text = ""
  }
  FNR == 1 { put(); block = map = 0; name = substr(FILENAME, 3); gsub("/", ".", name) }
  /^$/ { put() }
  / ?hlo$/ || $0 == "hlo" { put(); line = FNR; block = 1; next }
  block && $0 == "end" { put(); block = 0; next }
  block { text = text $0 "\n"; next }
  /^(simplify|keeps|parse|canonical|steps) / { put(); line = FNR; sub(/^[a-z]+ /, ""); text = $0 "\n"; map = 1; next }
  map && /^[ \t]/ { text = text $0 "\n"; next }
  map { map = 0; put() }
  END { put() }')
ask() {
  "$1" explore --rows texts/* >rows 2>errors || [ $? -le 3 ] || { cat errors; echo "affirm explore --rows failed"; exit 1; }
  "$1" check --json modules >checked 2>errors || [ $? -le 3 ] || { cat errors; echo "affirm check failed"; exit 1; }
}
compare() { node "$root/cli/test/explorer_test.mjs" "$explorer/module/explorer.wasm" "$root" texts rows checked "$shards"; }
ask "$affirm"
compare

# The comparison detects a program with a fault: once is enough.
[ "$shard" -eq 0 ] || exit 0
rm -f texts/* modules/*
printf 'ENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[] parameter(1)\n  ROOT r = f32[4] pad(p, q), padding=1_-1\n}\n' | tee texts/pad.hlo >modules/pad.hlo
ask "$mutant"
! compare >said || { echo "the mutant passed"; exit 1; }
for words in 'has other maps than affirm check' 'the rows are not those of affirm explore'; do
  grep -q "$words" said || { cat said; echo "of the mutant it is not said: $words"; exit 1; }
done
