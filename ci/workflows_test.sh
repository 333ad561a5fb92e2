#!/bin/sh
# Tests that ci/workflows passes on the tree and detects each of these faults: ci/workflows_test.sh
# AFFIRM
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
"$root/ci/workflows" "$1"
status=$?
[ $status -ne 77 ] || exit 77
[ $status -eq 0 ] || exit 1
failed=0

break_it() { # break_it FILE SED WORDS: after this change, a fault with these words is reported
  rm -rf "$scratch/tree"
  mkdir "$scratch/tree"
  cp -r "$root/.github" "$root/.clusterfuzzlite" "$root/ci" "$root/CMakeLists.txt" "$scratch/tree/"
  for room in bench cli core exhaust fuzz judge oracle proof smt; do ln -s "$root/$room" "$scratch/tree/$room"; done
  sed -i "$2" "$scratch/tree/$1"
  cmp -s "$root/$1" "$scratch/tree/$1" && { echo "failed: $2 changes nothing in $1"; failed=1; }
  "$root/ci/workflows" "$affirm" "$scratch/tree" > "$scratch/out" && { echo "failed: $2 in $1 is not seen"; failed=1; }
  [ "$(grep -cv '^workflows: ' "$scratch/out")" -le 4 ] && grep -q -- "$3" "$scratch/out" || { echo "failed: of $2 in $1 it says"; cat "$scratch/out"; failed=1; }
}
affirm=$1
break_it .github/workflows/gate.yml 's/checkout@v4/checkout@main/' 'not pinned'
break_it .github/workflows/gate.yml 's/checkout@v4/checkout/' 'not pinned'
break_it .github/workflows/gate.yml 's/--sarif/--sarin/' 'no option --sarin'
break_it .github/workflows/gate.yml 's,run: ci/gate,run: ci/gait,' 'ci/gait is not there'
break_it .github/workflows/gate.yml 's/^jobs:/jobs: [/' 'gate.yml'
break_it .github/workflows/gate.yml '/^permissions/d' 'permissions is missing'
break_it .github/workflows/gate.yml 's/^permissions.*/&\npermissions: write-all/' 'stands twice'
break_it .github/workflows/fuzz-batch.yml 's/--jobs/--job/' 'no option --job'
break_it .github/workflows/fuzz-batch.yml 's/affirm fuzz/affirm fuss/' 'no command fuss'
break_it .github/workflows/fuzz-batch.yml 's/AFFIRM_SANITIZE/AFFIRM_SANITISE/' 'no option of the project'
break_it .github/workflows/fuzz-batch.yml '0,/path: fuzz-corpus,/s//path: corpus,/' 'different directories'
break_it .github/workflows/fuzz-service.yml 's/mode: \[address/mode: [adress/' 'no mode adress'
break_it .github/workflows/fuzz-service.yml 's/matrix\.mode/matrix.engine/' 'not in the matrix'
break_it .github/workflows/clusterfuzzlite.yml 's/needs: prune/needs: pruning/' 'no job'
break_it .github/workflows/clusterfuzzlite.yml '0,/43 6/s//44 6/' 'no schedule'
break_it .github/workflows/fuzz-prune.yml 's/cron: "17 5/cron: "17/' 'cron'
break_it .github/workflows/tidy.yml 's,run: ci/tidy build$,& core,' 'limited to some directories'
break_it .github/workflows/tidy.yml '/run: ci.tidy build$/d' 'not run over all sources'
break_it .github/workflows/certify-nightly.yml 's,ci/certified_maps,ci/certified_mops,' 'ci/certified_mops is not there'
break_it .github/workflows/certify-nightly.yml 's/ laws_test/ lows_test/' 'oracle_tests has no test lows_test'
break_it .github/workflows/certify-nightly.yml 's,build/oracle_tests,build/oracel_tests,' 'no program oracel_tests'
break_it .github/workflows/score-nightly.yml 's/ smt_tests/ solver_tests/' 'no program solver_tests'
break_it .clusterfuzzlite/Dockerfile 's,ci/setup,ci/set-up,' 'not there'
break_it ci/oss-fuzz/project.yaml 's/undefined/undefind/' 'undefind'
exit $failed
