#!/usr/bin/env bash
# Messages name the remedy: operators of other languages, misspelt words, files that are not text. A bad rule stops no other rule. A refuted rule is
# reported with its location, both sides with the values, and the condition that it lacks.
#   remedy_test.sh AFFIRM ROOT
set -euo pipefail
affirm=$1 root=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "remedy_test: $*"; exit 1; }
# says STATUS TEXT COMMAND...: the command has this exit status and prints the text on either stream
says() {
  local status=0 wanted=$1 text=$2
  shift 2
  "$affirm" "$@" >out 2>&1 </dev/null || status=$?
  [ "$status" = "$wanted" ] && grep -qF -- "$text" out || { cat out; fail "status $status instead of $wanted, or not said: $text ($*)"; }
}
rule() { printf 'rule r\n  %s\n' "$2" >r.rules; says 3 "$1" prove --no-store r.rules; }
rule "r.rules:2:5: error: unexpected character '%'; write mod" 'x % c => x'
rule '; write a comma' 'x mod c => x when c > 0 && lo(x) >= 0'
rule "expected '=>'" 'x mod c -> x'
grep -q "expected '=>'$" out || { cat out; fail "the sign is named twice"; }
rule 'a guard has one relation: write two guards' 'x mod c => x when 0 <= lo(x) < c'
rule "expected '=>'; did you mean mod?" 'x mood c => x'
rule '; did you mean floordiv?' '(x floordvi c) => x'
rule '; write when' 'x mod c => x if c > 0'
rule '; write ==' 'x mod c => x when c = 1'
rule '; write a comma' 'x mod c => x when c > 0 and hi(x) < c'
map() { says 3 "$1" simplify "$2"; }
map "<map>:1:13: error: expected ',' or ')' after a result; write mod" '(d0) -> (d0 % 8), domain: d0 in [0, 7]'
map '; did you mean mod?' '(d0) -> (d0 mood 8), domain: d0 in [0, 7]'
map "expected '->'" '(d0) => (d0), domain: d0 in [0, 7]'
grep -q "expected '->'$" out || { cat out; fail "the sign is named twice"; }
map '; did you mean domain?' '(d0) -> (d0), domin: d0 in [0, 7]'
map "; write a comma" '(d0) -> (d0), domain: d0 in [0, 7] && d0 in [0, 3]'

# Every command reports the same reason.
printf '\xef\xbb\xbfrule a  x + 0 => x' >bom
printf '\xff\xfer\0u\0' >wide
printf 'r\0u\0l\0e\0' >little
printf '\0r\0u\0l\0e' >big
printf ' \n' >empty
mkdir directory
printf 'HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n  ROOT r = f32[4] reverse(p), dimensions={0}\n}\n' >right.hlo
for command in 'prove --no-store' 'prove --order' 'prove --coverage' equiv simplify map use emit hazard check report 'score --enumerate' 'audit right.hlo --maps' 'audit --pairs' explore reduce; do
  says 3 'the text begins with a byte order mark; save the file without one' $command bom
  says 3 'the text is UTF-16; save the file as UTF-8' $command wide
  for file in little big; do says 3 "$file:1:1: error: the text is UTF-16; save the file as UTF-8" $command $file; done
  says 3 "nowhere: error: No such file or directory" $command nowhere
  case $command in audit*pairs) says 3 'empty: nothing to judge in it' $command empty ;; *) says 3 'empty: error: the text is empty' $command empty ;; esac
  case $command in check | score* | prove*) ;; *) says 3 'directory: error: is a directory' $command directory ;; esac
done
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 7]\n\n(d0) -> (d0 mod 9), domain: d0 in [0, 8]\n' >maps
says 3 'no .hlo, .txt, .maps or .case file in this directory' score directory
says 3 '0 files and scopes, 1 part not read' score directory
says 3 '<stdin>: no map in it' simplify
says 3 '<stdin>: no map in it' simplify --prove -
says 3 'nowhere: error: No such file or directory' merge nowhere
says 3 'empty: error: not a journal of affirm exhaust' merge empty
"$affirm" simplify maps >out
printf '(d0) -> (d0), domain: d0 in [0, 7]\n\n(d0) -> (d0), domain: d0 in [0, 8]\n' | cmp - out || fail "simplify FILE"

# Recovery: every error of a file, and every rule that can be parsed.
cat >some.rules <<'RULES'
rule first  x mod => x
rule second
  x mod c => x when c > 0, 0 <= lo(x), hi(x) < c
rule third  x %% c => x
  when c > 0
rule fourth  x + 0 => x
rule fifth  x mod c => q
RULES
says 3 'some.rules:1:19: error:' prove --no-store some.rules
for text in 'some.rules:4:15: error:' 'some.rules:7:24: error:' 'second PROVED' 'fourth PROVED' '5 rules: 2 proved, 0 refuted, 0 unknown, 3 not judged'; do
  grep -qF "$text" out || { cat out; fail "not said: $text"; }
done

printf 'rule wide\n  x mod c => x\n  when c > 0, 0 <= lo(x)\n' >wide.rules
says 1 '  wide.rules:1: x mod c => x when c > 0, 0 <= lo(x)' prove --no-store wide.rules
grep -qF '  true if also hi(x) < c' out || { cat out; fail "no condition"; }
grep -qE '^  with the values: [0-9()-]+ mod [0-9]+ => [0-9()-]+$' out || { cat out; fail "no values"; }
says 1 'REFUTED' prove --no-store --no-guard wide.rules
grep -q 'true if also' out && fail "--no-guard searches"
if [ "${3:-}" = all ]; then
  command -v python3 >/dev/null || exit 0
  # With AFFIRM_FEW the rules of one file each: the search for conditions is the same for all, and smt_prove_corpus_test proves and refutes all rules.
  false=("$root"/corpus/rules/false*.rules) true=("$root"/corpus/rules/true.rules "$root"/corpus/rules/true-hard.rules "$root"/core/rules/*.rules) least=50
  if [ -n "${AFFIRM_FEW:-}" ]; then
    false=("$root"/corpus/rules/false-held-out.rules) true=("$root"/core/rules/mod.rules) least=10
    echo "skipped: false rules of one file of two, and rules without one conjunct except of mod.rules"
  fi
  read -r refuted found wrong <<<"$(python3 "$root/cli/test/guard_check.py" "$affirm" false "${false[@]}" 2>left)"
  echo "false rules: $refuted refuted, $found with a condition, $wrong of them not proved again"
  [ "$refuted" -gt $least ] && [ $((found * 100)) -ge $((refuted * 60)) ] && [ "$wrong" = 0 ] || { cat left; fail "conditions of false rules"; }
  read -r refuted found wrong <<<"$(python3 "$root/cli/test/guard_check.py" "$affirm" twins "${true[@]}" 2>left)"
  echo "rules without one conjunct: $refuted refuted, $found with a condition, $wrong of them not proved again"
  [ "$refuted" -gt $least ] && [ "$wrong" = 0 ] && [ "$found" = "$refuted" ] || { cat left; fail "conditions of twins"; }
fi
