#!/bin/bash
# MLIR's wrong folds are what the corpus says they are: each is refuted, and the MLIR that is installed still makes each of them.
#   folds_test.sh FOLDS-MLIR AFFIRM LLVM-VERSION SOURCE
# Another LLVM than 22 may have mended some: what differs is then said, and is no failure.
set -u
folds=$1 affirm=$2 version=$3
cd "$4/corpus/foreign" || exit 1
failures=0

fail() {
  echo "folds_test: $*"
  failures=$((failures + 1))
}

rules_of() { grep -v '^#' | grep .; }

expect_mlir() {
  local what=$1
  [ "$version" = 22 ] && { fail "$what"; return; }
  echo "LLVM $version: $what"
}

"$affirm" prove --no-store mlir_folds.rules | tee /dev/stderr | grep -c REFUTED | grep -qx "$(grep -c '^rule ' mlir_folds.rules)" || fail "not every fold is refuted"
diff <("$folds" rewrite mlir_folds.rules | rules_of) <(rules_of <mlir_folds.rules) || expect_mlir "MLIR makes other right sides"
[ "$("$folds" rewrite mlir_crashes.rules | grep -c '^# MLIR ends with')" = "$(grep -c '^rule ' mlir_crashes.rules)" ] || expect_mlir "MLIR lives through some of the crashes"

# The whole campaign, in small: what is generated is what the seed says, and a rule that MLIR leaves alone is not printed.
cmp <("$folds" generate --seed 7 --count 500) <("$folds" generate --seed 7 --count 500) || fail "the same seed gives other rules"
"$folds" generate --affine --seed 7 --count 500 | "$folds" rewrite - | "$affirm" prove --quiet --no-store - || fail "a fold without symbols and large constants is refuted"
printf 'rule left-alone\n  x floordiv a => 0\n  when a > 0\n' | "$folds" rewrite - | grep . && fail "a rule that MLIR leaves alone is printed"
printf 'rule broken\n  x floordiv => 0\n' | "$folds" rewrite - 2>/dev/null
[ $? = 3 ] || fail "a rule that does not parse is not exit status 3"

exit $((failures > 0))
