#!/bin/sh
# Certificates that prove nothing: a checker must reject each, because each violates one rule of docs/certificates.md. The last ones are valid and
# must be accepted.
#   rejected_test.sh CHECKER...     the checker as a command with arguments
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
count=0
{ echo '#!/bin/sh'; printf "exec"; printf " '%s'" "$@"; echo ' "$@"'; } >"$scratch/checker"
chmod +x "$scratch/checker"

# judge STATUS NAME CHECKER...: reads the rules, a line of dashes, and a certificate from
# "$scratch/both".
judge() {
  wanted=$1 name=$2
  shift 2
  sed '/^---$/,$d' >"$scratch/rules" <"$scratch/both"
  sed '1,/^---$/d' >"$scratch/cert" <"$scratch/both"
  status=0
  "$@" "$scratch/rules" "$scratch/cert" >"$scratch/out" 2>&1 || status=$?
  count=$((count + 1))
  [ $status -eq "$wanted" ] || { echo "$name: exit status $status, not $wanted: $(cat "$scratch/out")"; faults=$((faults + 1)); }
}
refuse() { cat >"$scratch/both"; judge 1 "$1" "$scratch/checker"; }
accept() { cat >"$scratch/both"; judge 0 "$1" "$scratch/checker"; }

# A false rule: x is not x + 1. `left above` is easy, `left below` has the goal 0 >= 0.
wrong() {
  { echo 'rule r'; echo '  x => x + 1'; echo ---; echo 'certificate 1'; echo 'rule r'; sed 's/^ABOVE$/refute left above goal: -2 >= 0 sum 1*goal/'; echo end; } >"$scratch/both"
  judge 1 "$1" "$scratch/checker"
}
wrong 'a sum that is 0' <<END
ABOVE
refute left below goal: 0 >= 0 sum 1*goal
END
wrong 'a sum that is above 0' <<END
ABOVE
1 integer (1): 1 >= 0 | -2 >= 0
refute left below goal: 0 >= 0 cases 1 sum 1*1 sum 1*1
END
wrong 'an inequality times a negative number' <<END
ABOVE
1 integer (1): 1 >= 0 | -2 >= 0
refute left below goal: 0 >= 0 cases 1 sum -1*1 sum 1*1
END
wrong 'a sum that is no number' <<END
ABOVE
1 integer (-x): -x >= 0 | x - 1 >= 0
refute left below goal: 0 >= 0 cases 1 sum 1*1 sum 1*1
END
wrong 'a stated fact that is not what its reason gives' <<END
ABOVE
1 integer (x): -1 >= 0 | -x - 1 >= 0
refute left below goal: 0 >= 0 cases 1 sum 1*1 sum 1*1
END
wrong 'an equation in the place of an inequality' <<END
ABOVE
1 integer (1): 1 = 0 | -2 >= 0
refute left below goal: 0 >= 0 cases 1 sum -1*1 sum 1*1
END
wrong 'an option that is left out' <<END
ABOVE
1 integer (-1): -1 >= 0 | 0 >= 0
refute left below goal: 0 >= 0 cases 1 sum 1*1
END
wrong 'a fact that is not assumed' <<END
ABOVE
1 integer (-1): -1 >= 0 | 0 >= 0
refute left below goal: 0 >= 0 sum 1*1
END
wrong 'the fact of another option' <<END
ABOVE
1 integer (-1): -1 >= 0 | 0 >= 0
refute left below goal: 0 >= 0 cases 1 sum 1*1 sum 1*1
END
wrong 'a fact number past the option' <<END
ABOVE
1 integer (-1): -1 >= 0 | 0 >= 0
refute left below goal: 0 >= 0 cases 1 sum 1*1 sum 1*1.2
END
wrong 'another goal' <<END
ABOVE
refute left below goal: -1 >= 0 sum 1*goal
END
wrong 'the goal of the obligation before' <<END
ABOVE
1 integer (goal): 0 >= 0 | -1 >= 0
refute left below goal: 0 >= 0 sum 1*goal
END
wrong 'an obligation that is missing' <<END
ABOVE
END
wrong 'one obligation twice' <<END
ABOVE
ABOVE
END
refuse 'a rounding that does not divide' <<END
rule r
  x in [1, 5] => 1 in [0, 0]
---
certificate 1
rule r
refute right low low: x - 1 >= 0 high: 5 - x >= 0 goal: -2 >= 0 sum 1*goal
refute right high low: x - 1 >= 0 high: 5 - x >= 0 goal: 0 >= 0 1 round 2 1*low: -1 >= 0 sum 1*1
refute left low low: 1 >= 0 high: -1 >= 0 goal: 0 - x >= 0 sum 1*high
refute left high low: 1 >= 0 high: -1 >= 0 goal: x - 6 >= 0 sum 1*high
end
END
wrong 'a rounding of numbers upwards' <<END
ABOVE
1 integer (2*x - 1): 2*x - 1 >= 0 | -2*x >= 0
refute left below goal: 0 >= 0 cases 1
  2 round 2 1*1: x >= 0 sum 1*2
  sum 1*1
END
wrong 'a rounding by a negative number' <<END
ABOVE
1 integer (1): 1 >= 0 | -2 >= 0
refute left below goal: 0 >= 0 cases 1
  2 round -1 1*1: -1 >= 0 sum 1*2
  sum 1*1
END
wrong 'a rounding by 0' <<END
ABOVE
refute left below goal: 0 >= 0 1 round 0 1*goal: -1 >= 0 sum 1*1
END
wrong 'a rounded fact outside of its refutation' <<END
ABOVE
1 integer (-1): -1 >= 0 | 0 >= 0
refute left below goal: 0 >= 0 cases 1
  2 round 1 1*1: -1 >= 0 sum 1*2
  sum 1*2
END
refuse 'a label in use' <<END
rule r
  x => x
---
certificate 1
rule r
1 integer (x): x >= 0 | -x - 1 >= 0
1 integer (1): 1 >= 0 | -2 >= 0
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
wrong 'a definition by itself' <<END
define h1 = poly (h1 + 1)
ABOVE
1 define h1: -1 = 0
refute left below goal: 0 >= 0 sum 1*1
END
wrong 'one name for two parts of a gcd' <<END
define g1 g2 g2 g4 g5 = gcd (0) (1)
ABOVE
1 define g1: g1 >= 0, -g1*g2 = 0, 1 - g1*g2 = 0, g4*g2 + g5*g2 - 1 = 0
refute left below goal: 0 >= 0 sum 1*1.2 + -1*1.3
END
refuse 'a letter that is defined' <<END
rule r
  y => 1
---
certificate 1
rule r
define y = poly (1)
1 define y: y - 1 = 0
refute left above goal: y - 2 >= 0 sum 1*goal + -1*1
refute left below goal: -y >= 0 sum 1*goal + 1*1
end
END
refuse 'one quotient for two divisors' <<END
rule r
  x floordiv c => x floordiv a
  when c > 0, a > 0
---
certificate 1
rule r
define q1 = floordiv (x) (c)
1 guard 1: c - 1 >= 0
2 guard 2: a - 1 >= 0
refute divisor 1 goal: -c >= 0 sum 1*goal + 1*1
refute divisor 2 goal: -a >= 0 sum 1*goal + 1*2
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
wrong 'an unknown name' <<END
ABOVE
1 integer (q1): q1 >= 0 | -q1 - 1 >= 0
refute left below goal: 0 >= 0 cases 1 sum 1*1 sum 1*1
END
wrong 'a guard that the rule has not' <<END
ABOVE
1 guard 1: -1 >= 0
refute left below goal: 0 >= 0 sum 1*1
END
wrong 'bounds of a constant' <<END
1 lower c: c - lo(c) >= 0
ABOVE
refute left below goal: 0 >= 0 sum 1*goal
END
wrong 'bounds the wrong way around' <<END
1 lower x: lo(x) - x >= 0
2 upper x: hi(x) - x >= 0
ABOVE
refute left below goal: 0 >= 0 sum 1*goal
END
refuse 'a divisor that is believed' <<END
rule r
  x floordiv c => x floordiv c
---
certificate 1
rule r
define q1 = floordiv (x) (c)
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'a divisor that is used before it is shown' <<END
rule r
  x floordiv c => x floordiv c
---
certificate 1
rule r
define q1 = floordiv (x) (c)
1 divisor 1: c - 1 >= 0
refute divisor 1 goal: -c >= 0 sum 1*goal + 1*1
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'a near miss as a guard' <<END
rule r
  x floordiv c => x floordiv c
  near-miss: c > 0
---
certificate 1
rule r
define q1 = floordiv (x) (c)
1 guard 1: c - 1 >= 0
refute divisor 1 goal: -c >= 0 sum 1*goal + 1*1
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'one quotient for two' <<END
rule r
  x floordiv c => y floordiv c
  when c > 0
---
certificate 1
rule r
define q1 = floordiv (x) (c)
1 guard 1: c - 1 >= 0
refute divisor 1 goal: -c >= 0 sum 1*goal + 1*1
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'a strict guard that is not' <<END
rule r
  x floordiv c => x floordiv c
  when c >= 0
---
certificate 1
rule r
define q1 = floordiv (x) (c)
1 guard 1: c - 1 >= 0
refute divisor 1 goal: -c >= 0 sum 1*goal + 1*1
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'half of an equivalence' <<END
rule r
  x in [a, b] => 0 in [0, 0]
---
certificate 1
rule r
refute right low low: x - a >= 0 high: b - x >= 0 goal: -1 >= 0 sum 1*goal
refute right high low: x - a >= 0 high: b - x >= 0 goal: -1 >= 0 sum 1*goal
end
END
refuse 'a certificate of another rule' <<END
rule s
  x => x + 1
---
certificate 1
rule r
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'no certificate' <<END
rule r
  x => x + 1
---
END
refuse 'two rules of one name' <<END
rule r
  x => x
rule r
  x => x + 1
---
certificate 1
rule r
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'a defined word in a rule' <<END
rule r
  x => q1
---
certificate 1
rule r
define q1 = poly (x + 0)
1 define q1: q1 - x = 0
refute left above goal: x - q1 - 1 >= 0 sum 1*goal + 1*1
refute left below goal: q1 - x - 1 >= 0 sum 1*goal + -1*1
end
END
refuse 'cases of a clause with one option' <<END
rule r
  c => c
  when c > 0
---
certificate 1
rule r
1 guard 1: c - 1 >= 0
refute left above goal: -1 >= 0 cases 1 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'a label with a sign' <<END
rule r
  c => c
---
certificate 1
rule r
0 integer (c): c >= 0 | -c - 1 >= 0
refute left above goal: -1 >= 0 cases -0 sum 1*goal sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'the bounds of a constant in a rule' <<END
rule r
  x => x
  when lo(c) > 0
---
certificate 1
rule r
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'a guard without the definition that it needs' <<END
rule r
  x => x
  when x mod c == 0
---
certificate 1
rule r
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'an integer that begins with 0' <<END
rule r
  x => x
---
certificate 1
rule r
refute left above goal: -1 >= 0 sum 01*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'a word that does not end with a digit' <<END
rule r
  x => x
---
certificate 1
rule r
define low = poly (x)
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'a negative 0 times an inequality' <<END
rule r
  x => x
---
certificate 1
rule r
refute left above goal: -1 >= 0 sum 1*goal + -0*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'what is behind a guard' <<END
rule r
  x => x
  when 1 > 0 ) x
---
certificate 1
rule r
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
nested() { i=0; while [ $i -lt "$1" ]; do printf '%s' "$2"; i=$((i + 1)); done; }
for depth in 400 401; do
  { echo rule r; echo " x => $(nested $depth '(')1$(nested $depth ')')*x"; echo ---; echo certificate 1 rule r
    for side in above below; do echo "refute left $side goal: -1 >= 0 $(nested $((depth - 1)) ' 5 round 1 1*goal: -1 >= 0' | awk '{ for (i = 5; sub(/ 5 round/, " " i " round"); i++); print }') sum 1*goal"; done
    echo end; } >"$scratch/both"
  judge $((depth - 400)) "depth $depth" "$scratch/checker"
done
refuse 'a range of a scope as a near miss' <<END
rule r
  x => x
  near-miss: x
  scope: c in [1, 2]
---
certificate 1
rule r
1 guard 2: c - 1 >= 0
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
# A declaration of letters begins where a rule may begin. A rule with such a letter has no certificate.
refuse 'a declared letter in a rule' <<END
constant i; expression s
rule r
  s + i => i + s
---
certificate 1
rule r
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'a declared letter in a certificate' <<END
constant i
rule r
  x => x
---
certificate 1
rule r
1 integer (i): i >= 0 | -i - 1 >= 0
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
refuse 'a guard behind a declaration' <<END
rule r
  x floordiv c => x floordiv c
constant i
  when c > 0
---
certificate 1
rule r
define q1 = floordiv (x) (c)
1 guard 1: c - 1 >= 0
refute divisor 1 goal: -c >= 0 sum 1*goal + 1*1
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
accept 'letters declared for other rules' <<END
constant i, j; expression s # of q
rule q
  (i*s) mod i => 0
  when i > 0
  near-miss: i expression t constant i
rule r
  x floordiv c => x floordiv c
  when c > 0
constant q1 rule u
  s + q1 => s + 2
---
certificate 1
rule r
define q1 = floordiv (x) (c)
1 guard 1: c - 1 >= 0
refute divisor 1 goal: -c >= 0 sum 1*goal + 1*1
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
accept 'two certificates, ranges and tags' <<END
rule r # a comment
  x floordiv c => x floordiv c
  order: c in [0, 0] )?
  scope: c in [-2 + 3, 64], a in [c, 9]
  near-miss: x - 1 , 2
  example: ((
rule s x => x when c != 0
---
certificate 1 rule s
1 guard 1: c - 1 >= 0 | -c - 1 >= 0
refute left above goal: -1 >= 0 sum 1*goal refute left below goal: -1 >= 0 sum 1*goal end
certificate 1
rule r
define q1 = floordiv (x) (c)
1 guard 1: c - 1 >= 0
2 guard 4: 9 - a >= 0
refute divisor 1 goal: -c >= 0 sum 1*goal + 1*1
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
accept 'the gcd of equals' <<END
rule r
  gcd(a, a)*x => a*x
  when a >= 0
---
certificate 1
rule r
define p1 = positive (a)
1 guard 1: a >= 0
2 define p1: p1 = 0, -a >= 0 | p1 - a = 0, a >= 0
3 zero (a - p1) (x): a - p1 - 1 >= 0 | p1 - a - 1 >= 0 | a*x - p1*x = 0
refute left above goal: 2*x*p1 - 2*x*a - 1 >= 0 cases 2 cases 3 sum 1*3 + 1*2 + 1*2.2 sum 1*3 + -1*2 + 1*1
 sum 1*goal + 2*3 cases 3 sum 1*3 + 1*2 sum 1*3 + -1*2 sum 1*goal + 2*3
refute left below goal: 2*x*a - 2*x*p1 - 1 >= 0 cases 2 cases 3 sum 1*3 + 1*2 + 1*2.2 sum 1*3 + -1*2 + 1*1
 sum 1*goal + -2*3 cases 3 sum 1*3 + 1*2 sum 1*3 + -1*2 sum 1*goal + -2*3
end
END
accept 'a certificate' <<END
rule s
  x => x + 1
rule r
  x floordiv c => x floordiv c
  when c > 0
---
certificate 1
rule r
define q1 = floordiv (x) (c)
1 guard 1: c - 1 >= 0
refute divisor 1 goal: -c >= 0 sum 1*goal + 1*1
refute left above goal: -1 >= 0 sum 1*goal
refute left below goal: -1 >= 0 sum 1*goal
end
END
accept 'cases, a rounding and an unused gcd' <<END
rule r
  2*x in [1, 1] => 1 in [0, 0]
---
certificate 1
rule r
define g1 ga1 gb1 gs1 gt1 = gcd (a) (b)
1 define g1: g1 >= 0, a - g1*ga1 = 0, b - g1*gb1 = 0, gs1*ga1 + gt1*gb1 - 1 = 0
refute right low low: 2*x - 1 >= 0 high: 1 - 2*x >= 0 goal: -2 >= 0 sum 1*goal
refute right high low: 2*x - 1 >= 0 high: 1 - 2*x >= 0 goal: 0 >= 0
  2 round 2 1*low: x - 1 >= 0 3 round 2 1*high: -x >= 0 sum 1*2 + 1*3
refute left low low: 1 >= 0 high: -1 >= 0 goal: 0 - 2*x >= 0 sum 1*high
refute left high low: 1 >= 0 high: -1 >= 0 goal: 2*x - 2 >= 0 sum 1*high
end
END

echo "$count certificates, $faults judged otherwise"
exit $((faults > 0))
