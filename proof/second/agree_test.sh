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
count=0 rejected=0
for certificate in "$scratch"/certificates/*; do
  python3 "$root/proof/second/check.py" "$scratch/engine.rules" "$certificate" >"$scratch/said" || { cat "$scratch/said"; exit 1; }
  count=$((count + 1))
  # Removes the first line that starts with a sum or a rounding: both checkers must reject the
  # rest.
  awk '!gone && /^ *(sum|round)/ { gone = 1; next } { print }' "$certificate" >"$scratch/mutant"
  cmp -s "$certificate" "$scratch/mutant" && continue
  first=0 second=0
  "$check" "$scratch/engine.rules" "$scratch/mutant" >/dev/null 2>&1 || first=$?
  python3 "$root/proof/second/check.py" "$scratch/engine.rules" "$scratch/mutant" >/dev/null 2>&1 || second=$?
  # Status 1 is a rejection. A checker that crashes has rejected nothing.
  [ "$first" -eq 1 ] && [ "$second" -eq 1 ] || { echo "a mutant of $certificate is not rejected: $first, $second"; exit 1; }
  rejected=$((rejected + 1))
done
echo "$count certificates accepted, $rejected mutants rejected by both"
[ "$count" -ge 59 ] && [ "$rejected" -gt 0 ]
