#!/usr/bin/env bash
# rejected_test.sh CHECKER: certificates that prove nothing are rejected, each for a different reason; valid ones are accepted.
set -u
checker=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/rules" <<'RULES'
rule mod-known
  x mod c  =>  x - c*(lo(x) floordiv c)
  when c > 0, lo(x) floordiv c == hi(x) floordiv c
rule constraint-implied
  x in [a, b]  =>  0 in [0, 0]
  when a <= lo(x), hi(x) <= b
rule single-value
  u  =>  lo(u)
  when lo(u) == hi(u)
rule max-by-bounds
  max(x, y)  =>  y
  when hi(x) <= lo(y)
rule single-width
  v  =>  lo(v)
  when hi(v) - lo(v) == 0
RULES
failed=0
# judge NAME STATUS STATE STEP STATE
judge() {
  printf 'map certificate 1\nstate %s\n%s\nstate %s\nend\n' "$3" "$4" "$5" >"$scratch/map"
  "$checker" "$scratch/rules" "$scratch/map" >"$scratch/said"
  status=$?
  [ $status = "$2" ] && return
  [ $status = 0 ] && echo "accepted: $1" || echo "rejected: $1: $(head -n 1 "$scratch/said")"
  failed=1
}
judge good 0 '(d0) -> (d0 mod 8), domain: d0 in [0, 7]' 'rule mod-known with c = 8, x = d0; lo(x) = 0, hi(x) = 7' '(d0) -> (d0), domain: d0 in [0, 7]'
judge guard 1 '(d0) -> (d0 mod 8), domain: d0 in [0, 9]' 'rule mod-known with c = 8, x = d0; lo(x) = 0, hi(x) = 9' '(d0) -> (d0), domain: d0 in [0, 9]'
judge bounds 1 '(d0) -> (d0 mod 8), domain: d0 in [0, 9]' 'rule mod-known with c = 8, x = d0; lo(x) = 0, hi(x) = 7' '(d0) -> (d0), domain: d0 in [0, 9]'
judge box 1 '(d0) -> (d0 mod 8), domain: d0 in [0, 7]' 'rule mod-known with c = 8, x = d0; lo(x) = 0, hi(x) = 7' '(d0) -> (d0), domain: d0 in [0, 6]'
judge itself 1 '(d0) -> (d0), domain: d0 in [0, 9], d0*2 in [0, 4]' 'rule constraint-implied with a = 0, b = 4, x = d0*2; lo(x) = 0, hi(x) = 4' '(d0) -> (d0), domain: d0 in [0, 9], 0 in [0, 0]'
judge results 1 '(d0) -> (d0 mod 8, d0 mod 4), domain: d0 in [0, 7]' 'rule mod-known with c = 8, x = d0; lo(x) = 0, hi(x) = 7' '(d0) -> (d0, d0), domain: d0 in [0, 7]'
judge letter 1 '(d0) -> (d0 mod 8), domain: d0 in [0, 7]' 'rule mod-known with x = d0; lo(x) = 0, hi(x) = 7' '(d0) -> (d0), domain: d0 in [0, 7]'
# A call has a parenthesis; without it, a name of a call is a variable.
judge named_as_calls 0 '(min, max)[gcd] -> (min(min, max, gcd) + gcd mod 8), domain: min in [0, 3], max in [0, 3], gcd in [0, 7]' 'rule mod-known with c = 8, x = gcd; lo(x) = 0, hi(x) = 7' '(min, max)[gcd] -> (min (min, max, gcd) + gcd), domain: min in [0, 3], max in [0, 3], gcd in [0, 7]'
judge call_of_one 1 '(min) -> (min(min)), domain: min in [0, 3]' keep '(min) -> (min), domain: min in [0, 3]'
# Nesting is limited by operators, not by parentheses.
nested() { printf "%0.s$1" $(seq "$3"); printf d0; printf "%0.s$2" $(seq "$3"); }
judge deep_signs 0 "(d0) -> ($(nested '-(' ')' 7990)), domain: d0 in [0, 9]" keep '(d0) -> (d0), domain: d0 in [0, 9]'
judge deep_calls 0 "(d0) -> ($(nested 'min(' ', 4)' 2000)), domain: d0 in [0, 9]" keep '(d0) -> (min(d0, 4)), domain: d0 in [0, 9]'
judge deeper_parentheses 1 "(d0) -> ($(nested '(' ')' 16100)), domain: d0 in [0, 9]" keep '(d0) -> (d0), domain: d0 in [0, 9]'
# The results differ by a multiple of an instance whose atoms are each in two monomials.
zero='rule single-value with u = d0*(d1 - 3); lo(u) = 0, hi(u) = 0'
box='domain: d0 in [0, 0], d1 in [0, 5]'
judge multiple 0 "(d0, d1) -> (d0*d1*2 - 6*d0, d1), $box" "$zero" "(d0, d1) -> (0, d1), $box"
judge multiple_of_one_result 0 "(d0, d1) -> (7 + d1 - d0*d1 + 3*d0, d0*d1), $box" "$zero" "(d0, d1) -> (7 + d1, d0*d1), $box"
judge multiple_back 0 "(d0, d1) -> (d1), $box" "$zero" "(d0, d1) -> (d1 + 5*d0*(3 - d1)), $box"
judge multiple_and_one 1 "(d0, d1) -> (d0*d1*2 - 6*d0 + 1), $box" "$zero" "(d0, d1) -> (0), $box"
judge no_multiple 1 "(d0, d1) -> (d0*d1 - 2*d0), $box" "$zero" "(d0, d1) -> (0), $box"
judge multiple_of_a_half 1 "(d0, d1) -> (d0*d1), $box" 'rule single-value with u = d0*d1*2 - 6*d0; lo(u) = 0, hi(u) = 0' "(d0, d1) -> (d0), $box"
judge multiple_without_bounds 1 "(d0, d1) -> (d0*d1*2 - 6*d0), domain: d0 in [0, 1], d1 in [0, 5]" "$zero" "(d0, d1) -> (0), domain: d0 in [0, 1], d1 in [0, 5]"
judge multiple_in_another_box 1 "(d0, d1) -> (d0*d1*2 - 6*d0), $box" "$zero" '(d0, d1) -> (0), domain: d0 in [0, 0], d1 in [0, 6]'
judge multiple_in_a_constraint 1 "(d0, d1) -> (d0), $box, d0*d1 - 3*d0 + d1 in [0, 4]" "$zero" "(d0, d1) -> (d0), $box, d1 in [0, 4]"
judge narrower 1 '(d0) -> (d0), domain: d0 in [0, 9]' keep '(d0) -> (d0), domain: d0 in [0, 8]'
judge wider 1 '(d0) -> (d0), domain: d0 in [0, 9]' keep '(d0) -> (d0), domain: d0 in [0, 10]'
judge empty 1 '(d0) -> (d0), domain: d0 in [0, 9]' keep 'KNOWN EMPTY'
judge emptied 0 '(d0) -> (d0), domain: d0 in [0, 9], d0 in [10, 12]' keep 'KNOWN EMPTY'
judge by_one 0 '(d0) -> ((d0 ceildiv 1)*3 + d0 floordiv 1), domain: d0 in [0, 9]' keep '(d0) -> (4*d0), domain: d0 in [0, 9]'
judge by_two 1 '(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]' keep '(d0) -> (d0), domain: d0 in [0, 9]'
judge mod_one 1 '(d0) -> (d0 mod 1), domain: d0 in [0, 9]' keep '(d0) -> (d0), domain: d0 in [0, 9]'
judge stated 0 '(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 + max(5, -3) in [6, 8]' keep '(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 + 5 in [6, 8]'
judge stated_narrower 1 '(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 + max(5, -3) in [6, 8]' keep '(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 + 5 in [6, 7]'
judge stated_wider 1 '(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 + max(5, -3) in [6, 7]' keep '(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 + 5 in [6, 8]'
judge kind 1 '(d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, 4]' keep '(d0, s0) -> (d0), domain: d0 in [0, 3], s0 in [0, 4]'
judge runtime_kind 1 '(d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, 4]' keep '(d0){s0} -> (d0), domain: d0 in [0, 3], s0 in [0, 4]'
judge more_than_empty 1 '(d0) -> (1), domain: d0 in [1, 0]' keep 'KNOWN EMPTY and more'
judge variables_later 1 '() -> (5)' keep '(d0) -> (5), domain: d0 in [1, 0]'
judge variables_of_points 1 '() -> (5)' keep '(d0) -> (5), domain: d0 in [7, 9]'
judge commas 1 '(d0) -> (d0 d0 d0 d0 d0 d0 d0 d0 d0 d0 d0 d0), domain: d0 in [0, 9]' keep '(d0) -> (d0 d0 d0 d0 d0 d0 d0 d0 d0 d0 d0 d0), domain: d0 in [0, 9]'
# Across KNOWN EMPTY the variables and the number of results stay the same.
judge through_empty 0 '(d0) -> (1), domain: d0 in [1, 0]' "keep
state KNOWN EMPTY
keep" '(d0) -> (2), domain: d0 in [1, 0]'
judge results_through_empty 1 '(d0) -> (1), domain: d0 in [1, 0]' "keep
state KNOWN EMPTY
keep" '(d0) -> (1, 2), domain: d0 in [1, 0]'
judge variables_through_empty 1 '() -> (5)' "keep
state (d0) -> (5), domain: d0 in [1, 0]
keep" 'KNOWN EMPTY'
box='domain: d0 in [1, 9], d1 in [0, 0], d2 in [1, 9]'
judge product 0 "(d0, d1, d2) -> (2*d2*d1*d0), $box" 'rule single-value with u = 6*d0*d1; lo(u) = 0, hi(u) = 0' "(d0, d1, d2) -> (0), $box"
judge another_product 1 "(d0, d1, d2) -> (d0*d2), $box" 'rule single-value with u = d0*d1; lo(u) = 0, hi(u) = 0' "(d0, d1, d2) -> (0), $box"
judge square 1 "(d0, d1, d2) -> (d0*d0), $box" 'rule single-value with u = d0*d1; lo(u) = 0, hi(u) = 0' "(d0, d1, d2) -> (0), $box"
judge product_bounds 1 "(d0, d1, d2) -> (d0*d2), $box" 'rule single-value with u = d0*d2; lo(u) = 0, hi(u) = 0' "(d0, d1, d2) -> (0), $box"
box='domain: d0 in [0, 9], d1 in [20, 30], d2 in [-9, 40]'
judge left_argument 0 "(d0, d1, d2) -> (max(d0, max(d1, d2))), $box" 'rule max-by-bounds with x = d0, y = d1; lo(x) = 0, hi(x) = 9, lo(y) = 20, hi(y) = 30' "(d0, d1, d2) -> (max(d1, d2)), $box"
judge kept_argument 0 "(d0, d1, d2) -> (max(d0, max(d1, d2)) + max(d0, d1)), $box" 'rule max-by-bounds with x = d0, y = d1; lo(x) = 0, hi(x) = 9, lo(y) = 20, hi(y) = 30' "(d0, d1, d2) -> (max(max(d0, d1), d2) + d1), $box"
judge one_argument 1 "(d0, d1, d2) -> (max(d0, d2)), $box" 'rule max-by-bounds with x = d0, y = d1; lo(x) = 0, hi(x) = 9, lo(y) = 20, hi(y) = 30' "(d0, d1, d2) -> (max(d1, d2)), $box"
# A bound that a step does not state has no value, not even in a difference.
box='domain: d0 in [0, 9], d1 in [0, 9]'
judge width 0 "(d0) -> (d0), domain: d0 in [4, 4]" 'rule single-width with v = d0; lo(v) = 4, hi(v) = 4' '(d0) -> (4), domain: d0 in [4, 4]'
judge unstated 1 "(d0, d1) -> (d0), $box" "rule single-width with v = d0;
state (d0, d1) -> (d0), $box
rule single-width with v = d1;
state (d0, d1) -> (d0), $box
again" "(d0, d1) -> (d1), $box"
# Of two rules with one name, neither is meant.
printf 'rule twice\n  x  =>  5\nrule twice\n  x  =>  x + 0\n' >>"$scratch/rules"
judge twice 1 '(d0) -> (d0), domain: d0 in [0, 9]' 'rule twice with x = d0;' '(d0) -> (5), domain: d0 in [0, 9]'
# Parentheses that rejected certificates left open do not count for the next one.
for _ in $(seq 140); do printf 'map certificate 1\nstate (d0) -> (((((e0, domain: d0 in [0, 9]\nend\n'; done >"$scratch/map"
printf 'map certificate 1\nstate (d0) -> ((d0)), domain: d0 in [0, 9]\nend\n' >>"$scratch/map"
"$checker" "$scratch/rules" "$scratch/map" | grep -q '^1 accepted, 140 rejected$' || { echo "after rejected ones: not accepted"; failed=1; }
# A sum that is too long for the walks over it is rejected and does not end the program.
judge long 1 "(d0) -> ($(printf 'd0 + %.0s' $(seq 300000))0), domain: d0 in [0, 9]" keep '(d0) -> (300000*d0), domain: d0 in [0, 9]'
judge shorter 0 "(d0) -> ($(printf 'd0 + %.0s' $(seq 4000))0), domain: d0 in [0, 9]" keep '(d0) -> (4000*d0), domain: d0 in [0, 9]'
# ends NAME STATUS ACTUAL: a file that cannot be read, or output that cannot be written, is no
# verdict.
ends() {
  [ "$3" = "$2" ] && return
  echo "$1: exit status $3, not $2"
  failed=1
}
printf 'map certificate 1\nstate KNOWN EMPTY\nend\n' >"$scratch/map"
"$checker" "$scratch/rules" "$scratch/map" >"$scratch/said"
ends said 0 $?
# With --maps, the first and the last map of what is accepted, and of nothing else. affirm-check leaves this to the program beside it.
maps=$checker
[ ! -x "$checker-map" ] || maps=$checker-map
{
  printf 'map certificate 1\nstate (d0) -> (d0 + 0), domain: d0 in [0, 9]\nkeep\nstate (d0) -> (d0), domain: d0 in [0, 9]\nkeep\nstate (d0) -> (1*d0), domain: d0 in [0, 9]\nend\n'
  printf 'map certificate 1\nstate (d0) -> (d0), domain: d0 in [0, 9]\nkeep\nstate (d0) -> (2*d0), domain: d0 in [0, 9]\nend\n'
} >"$scratch/two"
"$maps" --maps "$scratch/rules" "$scratch/two" >"$scratch/said"
ends two 1 $?
printf '%s\n' '(d0) -> (d0 + 0), domain: d0 in [0, 9]' '(d0) -> (1*d0), domain: d0 in [0, 9]' 'rejected: line 11: the step needs a rule' '1 accepted, 1 rejected' | diff - "$scratch/said" || failed=1
for program in "$checker" "$maps"; do
  "$program" "$scratch/rules" "$scratch" 2>"$scratch/said"
  ends directory 3 $?
done
# A text without an end, as a device of zeros, is not read until the memory ends.
{ head -c 50000000 /dev/zero 2>/dev/null && touch "$scratch/all"; } | "$maps" "$scratch/rules" - 2>"$scratch/said"
ends zeros 3 $?
[ ! -e "$scratch/all" ] || { echo "a text is read behind a byte 0"; failed=1; }
"$checker" "$scratch" "$scratch/map" 2>"$scratch/said"
ends rules 3 $?
# A rule of which only one side has an interval is no rule.
for sides in 'x in [0, 9]  =>  x' 'x  =>  y in [0, 9]'; do
  printf 'rule one\n  %s\n' "$sides" >"$scratch/sides"
  "$checker" "$scratch/sides" "$scratch/map" >"$scratch/said" 2>&1
  ends "$sides" 3 $?
done
printf 'end\n\0more\n' >>"$scratch/map"
for program in "$checker" "$maps"; do
  "$program" "$scratch/rules" "$scratch/map" >"$scratch/said" 2>&1
  ends byte_0 3 $?
done
if [ -w /dev/full ]; then
  printf 'map certificate 1\nstate KNOWN EMPTY\nend\n' >"$scratch/map"
  "$checker" "$scratch/rules" "$scratch/map" >/dev/full
  ends full 3 $?
fi
exit $failed
