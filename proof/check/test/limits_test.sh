#!/usr/bin/env bash
# Certificates beyond the limits of docs/certificates.md and docs/map_certificates.md are rejected with the limit and the line, before they take much
# time or memory.
#   limits_test.sh AFFIRM-CHECK     affirm-check-map is beside it
set -u
check=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
# says NAME STATUS TEXT: judges "$scratch/cert" by "$scratch/rules".
says() {
  status=0
  (cd "$scratch" && timeout 60 "$check" rules cert) >"$scratch/out" 2>&1 || status=$?
  [ $status -eq "$2" ] && grep -qF -- "$3" "$scratch/out" && return
  echo "$1: status $status, not $2 with '$3': $(head -c 300 "$scratch/out")"
  faults=$((faults + 1))
}
# repeated COUNT TEXT SEPARATOR
repeated() { printf -v all '%*s' "$1" ''; all=${all// /$2$3}; printf '%s' "${all%"$3"}"; }

# certificate LINE...: the lines stand between a certificate's name and the proof of x = x; the first one is line 3.
certificate() {
  { printf 'certificate 1\nrule r\n'; printf '%s\n' "$@"; printf 'refute left %s goal: -1 >= 0 sum 1*goal\n' above below; echo end; } >"$scratch/cert"
}
sum8='(x + y + z + u + v + w + a + b)'
printf 'rule r\n  x => x\n' >"$scratch/rules"
certificate "define h1 = poly (x)" "define h2 = poly ($(repeated 60 "$sum8" '*'))"
says 'a power of a sum' 1 'cert:4: rejected at *: a polynomial of more than 10000 terms'
certificate "define h1 = poly (x)" "1 product ($(repeated 3 "$sum8" '*')) ($(repeated 3 '(x1 + y1 + z1 + u1 + v1 + w1 + a1 + b1)' '*')): x >= 0"
says 'a product of two operands' 1 'cert:4: rejected at >=: a polynomial of more than 10000 terms'
# Many factors, few terms.
certificate "define h1 = poly ((x + y) * $(repeated 999 1 '*') * (x - y) * $(repeated 8 '(x + 1)' '*') * $(repeated 8 '(y + 1)' '*'))"
says 'a product of few terms' 0 r
printf 'rule r\n  x => x\n  when %s > 0\n' "$(repeated 60 "$sum8" '*')" >"$scratch/rules"
certificate
says 'a power in a rule' 1 'rules:3: rejected at *: a polynomial of more than 10000 terms'
printf 'rule r\n  x => x\n' >"$scratch/rules"

# Beyond a limit of names the limit is named, not a clash of two names.
many() { seq 10000 12000 | sed "$1"; }
certificate "$(many 's/.*/& integer (x): x >= 0 | -x - 1 >= 0/')"
says 'many labels' 1 'cert:2004: rejected at refute: more than 2000 labels'
certificate "$(many 's/.*/define h& = poly (1)/')"
says 'many definitions' 1 'cert:2003: rejected at h12000: more than 2000 definitions'
certificate "1 integer ($(many 's/.*/x& +/') 0): x >= 0 | x >= 0"
says 'many atoms' 1 'cert:2002: rejected at +: more than 2000 atoms'
printf 'rule r\n  x => x\n  when %s x > 0\n' "$(many 's/.*/c& > 0,/')" >"$scratch/rules"
certificate
says 'many guards' 1 'rules:2002: rejected at >: more than 2000 atoms'
printf 'rule r\n  x => x\n  when %s x > 0\n' "$(many 's/.*/c > 0,/')" >"$scratch/rules"
certificate
says 'many guards of one letter' 1 'rules:2003: rejected at ,: more than 2000 labels or hypotheses'
printf 'rule r\n  x %s => x\n' "$(many 's/.*/floordiv 1/')" >"$scratch/rules"
certificate
says 'many divisors' 1 'rules:2002: rejected at =>: more than 2000 divisors'
printf 'rule r\n  x => x\n' >"$scratch/rules"

# within KILOBYTES COMMAND...: in so little address space
within() { (ulimit -v "$1" && shift && "$@" && exit $faults; exit $faults); faults=$?; }
# Numbers of up to 4 million digits: GMP gets no memory for them, and the program ends as at any other limit.
long=$(repeated 200 "$(repeated 20000 9 '')" '*')
if (ulimit -v 300000; exec "$check" --help) >/dev/null 2>&1; then
  certificate "define h1 = poly (x)" "define h2 = poly ($long*x)"
  within 300000 says 'a product of long numbers' 1 'cert:4: rejected at '
  within 300000 says 'a product of long numbers' 1 'out of memory'
else echo 'skipped: the build cannot run in 300 MB of address space'
fi

# state POLYNOMIAL: of a certificate of a map
state() {
  state="(x, y, z, u, v, w, a, b) -> ($1), domain: $(for x in x y z u v w a b; do printf '%s in [0, 9], ' $x; done)x + y in [0, 9]"
  printf 'map certificate 1\nstate %s\nkeep\nstate %s\nend\n' "$state" "$state" >"$scratch/cert"
}
state "$(repeated 60 "$sum8" '*')"
says 'a power in a map' 1 'rejected: line 2: a polynomial of more than 10000 terms'
state "$(repeated 7 "$sum8" '*')"
says 'a smaller power in a map' 0 '1 accepted, 0 rejected'
if (ulimit -v 150000; exec "$check-map" --help) >/dev/null 2>&1; then
  within 150000 says 'a map of one state' 0 '1 accepted, 0 rejected'
  state "$long*x"
  within 150000 says 'a product of long numbers in a map' 1 'rejected: line 2: out of memory'
fi
echo "$faults faults"
exit $((faults > 0))
