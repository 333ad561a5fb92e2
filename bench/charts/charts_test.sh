#!/bin/sh
# Checks that every chart of bench/ is drawn from its table, and that a changed table is noticed. Skipped, with status 77, if node is not installed.
#   charts_test.sh ROOT
set -eu
root=$1
command -v node >/dev/null || { echo "skipped: node is not installed"; exit 77; }
node "$root/bench/charts/charts.mjs" "$root" --check
# charts.mjs draws every chart, and a document shows each.
for chart in $(find "$root/bench" "$root/docs" -name '*.svg'); do
  grep -q "\"chart\": \"$(basename "$chart" .svg)\"" "$root/bench/charts/charts.json" || { echo "$chart is not drawn from a table"; exit 1; }
  grep -qF "](charts/$(basename "$chart"))" "$root"/bench/*.md || { echo "$chart is shown nowhere"; exit 1; }
done
# Only pictures of pages may be bitmaps.
pictures=$(find "$root/bench" "$root/docs" \( -name '*.png' -o -name '*.jpg' -o -name '*.jpeg' -o -name '*.gif' -o -name '*.webp' \) ! -path "$root/docs/pictures/*")
[ -z "$pictures" ] || { echo "no chart of a table: $pictures"; exit 1; }
grep -lE '!\[[^]]*\]\([^)]*\)|<svg|<img' "$root"/bench/*.md "$root"/docs/*.md | while read -r text; do
  grep -oE '!\[[^]]*\]\([^)]*\)|<svg|<img' "$text" | grep -vE '\]\((charts/[a-z-]+\.svg|(\.\./)*(docs/)?pictures/[a-z-]+\.png)\)$' && { echo "$text shows what charts.mjs does not draw"; exit 1; }
  true
done || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/cli/report" "$scratch/bench"
cp -r "$root/cli/report/page" "$scratch/cli/report/page"
cp -r "$root/bench/charts" "$root"/bench/*.md "$scratch/bench/"
sed -i 's/^\(| layout | [0-9,]* | \)19,324/\129,324/' "$scratch/bench/fuzz.md"
! node "$root/bench/charts/charts.mjs" "$scratch" --check >"$scratch/said" || { echo "a changed figure was not noticed"; exit 1; }
grep -q '^memory.svg is not the chart of its table' "$scratch/said" && [ "$(wc -l <"$scratch/said")" -eq 1 ] || { cat "$scratch/said"; exit 1; }
