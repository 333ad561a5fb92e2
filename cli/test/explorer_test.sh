#!/bin/sh
# The explorer: its WebAssembly module gives the same answers as the command on the whole corpus (node), and its page shows them (chromium).
# Skipped, with status 77, where the module is not built or node is not installed.
#   explorer_test.sh AFFIRM ROOT EXPLORER SHARD SHARDS    the texts whose number is SHARD modulo SHARDS
set -eu
affirm=$1
root=$2
explorer=$3
shard=$4
shards=$5
[ -f "$explorer/index.html" ] || { echo "skipped: the explorer is not built; it wants wasi-libc and libclang-rt-NN-dev-wasm32"; exit 77; }
command -v node >/dev/null || { echo "skipped: node is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/texts" "$scratch/modules"

# Every text of the corpus: modules, rules, and of cases the blocks and the maps of their first lines.
find "$root/corpus" -name '*.hlo' ! -path '*/hazards/*' | sort | while read -r file; do
  name=$(echo "${file#"$root/corpus/"}" | tr / .)
  cp "$file" "$scratch/texts/$name"
  ln "$scratch/texts/$name" "$scratch/modules/$name"
done
for file in "$root"/corpus/rules/*.rules "$root"/corpus/foreign/*.rules "$root"/core/rules/*.rules; do
  cp "$file" "$scratch/texts/$(basename "$(dirname "$file")").$(basename "$file")"
done
for pair in "$root"/corpus/rewrites/values/*.before.hlo; do
  cat "$pair" "${pair%.before.hlo}.broken.hlo" >"$scratch/texts/pair.$(basename "$pair")"
done
for module in "$root"/corpus/foreign/*.hlo; do
  cat "$module" "${module%.hlo}.wrong.txt" >"$scratch/texts/printed.$(basename "$module")"
done
find "$root/corpus" -name '*.case' | sort | while read -r file; do
  name=$(echo "${file#"$root/corpus/"}" | tr / .)
  awk -v out="$scratch/texts/$name" -v blocks="$scratch/modules/$name" '
    function put() { if (text != "") { printf "%s", text >path; close(path) } text = "" }
    FNR == 1 || /^$/ { put() }
    / ?hlo$/ || $0 == "hlo" { put(); path = out "." FNR ".hlo"; block = 1; next }
    block && $0 == "end" { block = 0; put(); next }
    block { text = text $0 "\n"; next }
    /^(simplify|keeps|parse|canonical|steps) / { put(); path = out "." FNR ".map"; sub(/^[a-z]+ /, ""); text = $0 "\n"; map = 1; next }
    map && /^[ \t]/ { text = text $0 "\n"; next }
    map { map = 0; put() }
    END { put() }' "$file"
done
cd "$scratch"
ls texts | awk -v n="$shards" -v shard="$shard" 'NR % n != shard' | while read -r name; do rm -f "texts/$name" "modules/$name"; done
"$affirm" explore --rows texts/* >rows 2>errors || { cat errors; echo "affirm explore --rows failed"; exit 1; }
"$affirm" check --json modules >checked 2>errors || [ $? -le 2 ] || { cat errors; echo "affirm check failed"; exit 1; }
node "$root/cli/test/explorer_test.mjs" "$explorer/module/explorer.wasm" "$root/docs/explorer/wasm.js" texts rows checked "$shards"
