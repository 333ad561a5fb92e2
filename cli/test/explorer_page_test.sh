#!/bin/sh
# The page of `affirm explore` in a real browser. Skipped with status 77 if the explorer is not built, or if node or chromium is not installed.
#   explorer_page_test.sh AFFIRM ROOT EXPLORER
set -eu
affirm=$1
root=$2
explorer=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
printf 'ENTRY e {\n  p = f32[2,3] parameter(0)\n  ROOT t = f32[3,2] transpose(p), dimensions={1,0}\n}\n' >given.hlo
# The page of another version has another engine.
mkdir -p old/explorer
cp "$affirm" old/affirm
echo '<!-- given to affirm 0.0.1 -->' >old/explorer/index.html
status=0
old/affirm explore given.hlo --page page.html 2>said || status=$?
[ $status -eq 3 ] && [ ! -e page.html ] && grep -q 'is no page of affirm' said || { echo "a page of another version: status $status"; cat said; exit 1; }
if [ ! -f "$explorer/index.html" ]; then
  # Without the explorer the command reports what is missing and writes no page.
  status=0
  "$affirm" explore given.hlo --page page.html 2>said || status=$?
  [ $status -eq 3 ] && [ ! -e page.html ] && grep -q wasi-libc said || { echo "without the explorer: status $status"; cat said; exit 1; }
  echo "skipped: the explorer is not built; it wants wasi-libc and libclang-rt-NN-dev-wasm32"
  exit 77
fi
for program in node chromium; do
  command -v $program >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
[ "$("$affirm" explore given.hlo --page page.html)" = page.html ] || { echo "the path of the page is not printed"; exit 1; }
timeout 300 node "$root/cli/test/explorer_page_test.mjs" page.html given.hlo
