#!/bin/sh
# The second checker of certificates, written from docs/certificates.md alone, accepts the certificate of every engine rule. Like affirm-check it rejects
# each certificate with a damaged proof. Skipped with status 77 if python3 is not installed.
#   agree_test.sh AFFIRM AFFIRM-CHECK ROOT
set -eu
affirm=$1 check=$2 root=$3
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$affirm" prove --engine --no-store --certificate "$scratch/certificates" >/dev/null
cat "$root"/core/rules/*.rules >"$scratch/engine.rules"
cat "$scratch"/certificates/* >"$scratch/all"
python3 "$root/proof/second/check.py" "$scratch/engine.rules" "$scratch/all" >"$scratch/said" || { cat "$scratch/said"; exit 1; }
count=$(sort -u "$scratch/said" | grep -c '^accepted ')
[ "$count" -eq "$(ls "$scratch/certificates" | wc -l)" ] || { cat "$scratch/said"; echo "$count certificates are accepted"; exit 1; }

# Removes the first line that starts with a sum or a rounding: both checkers must reject the rest. The second one judges all of them in one process,
# because most of its time is the start of Python. Status 1 is a rejection; a checker that crashes has rejected nothing.
mkdir "$scratch/mutants"
rejected=0
for certificate in "$scratch"/certificates/*; do
  mutant=$scratch/mutants/${certificate##*/}
  awk '!gone && /^ *(sum|round)/ { gone = 1; next } { print }' "$certificate" >"$mutant"
  if cmp -s "$certificate" "$mutant"; then rm "$mutant"; continue; fi
  first=0
  "$check" "$scratch/engine.rules" "$mutant" >/dev/null 2>&1 || first=$?
  [ "$first" -eq 1 ] || { echo "a mutant of $certificate is not rejected: $first"; exit 1; }
  rejected=$((rejected + 1))
done
python3 -B - "$root/proof/second" "$scratch/engine.rules" "$scratch"/mutants/* >"$scratch/second" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import check
sys.setrecursionlimit(20000)
sys.set_int_max_str_digits(0)
for path in sys.argv[3:]:
    print("status", check.main([sys.argv[2], path]), path)
END
[ "$(grep -c '^status 1 ' "$scratch/second")" -eq $rejected ] || { grep '^status [^1]' "$scratch/second"; echo "the second checker does not reject $rejected mutants"; exit 1; }

# Both accept what was written for a file that declares letters; the rule that has one has no certificate.
printf 'constant i; expression s\nrule of-others\n  (i*s) mod i => 0\n  when i > 0\nexpression q1\nrule r\n  (c*x) mod c => 0\n  when c > 0\nconstant i\n' >"$scratch/declared.rules"
status=0
"$affirm" prove --no-store --quiet --certificate "$scratch/declared" "$scratch/declared.rules" >/dev/null || status=$?
[ $status -eq 2 ] && [ "$(ls "$scratch/declared")" = r.cert ] || { echo "status $status: $(ls "$scratch/declared")"; exit 1; }
"$check" "$scratch/declared.rules" "$scratch/declared/r.cert"
python3 "$root/proof/second/check.py" "$scratch/declared.rules" "$scratch/declared/r.cert"
echo "$count certificates accepted, $rejected mutants rejected by both"
[ "$count" -ge 59 ] && [ "$rejected" -gt 0 ]
