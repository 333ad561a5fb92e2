#!/usr/bin/env bash
# Every command with result files writes them for runs that pass and runs that fail. They fit their schemas, agree on how many results did not pass,
# and name the command that repeats a failure.
#   results_schema_test.sh AFFIRM ROOT
set -euo pipefail
affirm=$1 root=$2
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "results_schema_test: $*"; exit 1; }
runs=0
# run STATUS COUNT TEXT COMMAND...: exit status, number of results that did not pass, and a text in SARIF and annotations
run() {
  local wanted=$1 count=$2 text=$3 status=0 found
  shift 3
  "$affirm" "$@" --junit j.xml --sarif s.json --github >github.txt 2>err.txt || status=$?
  [ "$status" = "$wanted" ] || { cat github.txt err.txt; fail "status $status instead of $wanted: $*"; }
  found=$(python3 "$root/cli/test/results_check.py" "$root/cli/report/schema" j.xml s.json github.txt) || fail "$*: $found"
  [ "$found" = "$count" ] || fail "$found results are no pass instead of $count: $*"
  [ -z "$text" ] || grep -qF -- "$text" s.json || { cat s.json; fail "SARIF does not say $text: $*"; }
  [ -z "$text" ] || grep -qF -- "$text" github.txt || { cat github.txt; fail "no annotation says $text: $*"; }
  runs=$((runs + 1))
}
printf 'rule right  x mod c => x  when c > 0, 0 <= lo(x), hi(x) < c\n' >right.rules
printf 'rule wrong  x mod c => x  when c > 0, 0 <= lo(x), hi(x) <= c\n' >wrong.rules
printf 'rule broken  x mod => x\n' >broken.rules
run 0 0 '' prove --no-store right.rules
run 1 1 'replay: affirm prove wrong.rules' prove --no-store right.rules wrong.rules
run 3 1 'expected an expression' prove --no-store right.rules broken.rules
run 3 1 'No such file' prove --no-store right.rules no.rules

same='(d0) -> (d0), domain: d0 in [0, 7]'
printf '%s\t%s\n' '(d0) -> (d0 mod 8), domain: d0 in [0, 7]' "$same" >right.pairs
printf '%s\t%s\n' '(d0) -> (d0 mod 7), domain: d0 in [0, 7]' "$same" >wrong.pairs
run 0 0 '' audit --pairs right.pairs
run 1 1 'd0 = 7' audit --pairs wrong.pairs 
printf 'HloModule m\nENTRY e {\n  p = f32[4,3] parameter(0)\n  ROOT r = f32[4,3] reverse(p), dimensions={0}\n}\n' >a.hlo
printf 'HloModule m\nENTRY e {\n  p = f32[4,3] parameter(0)\n  ROOT r = f32[4,3] reverse(p), dimensions={1}\n}\n' >b.hlo
printf 'Output 0 operand 0:\n(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 2]\n' >wrong.maps
run 1 1 'replay       affirm audit a.hlo' audit a.hlo --maps wrong.maps
# Standard input cannot be read again: the command to paste has a placeholder.
"$affirm" audit a.hlo --maps - <wrong.maps >out 2>&1 || true
grep -q 'replay       affirm audit a.hlo --maps FILE --output 0' out || fail "the replay of audit --maps -"
run 0 0 '' equiv a.hlo a.hlo
run 1 1 'replay: affirm equiv a.hlo b.hlo' equiv a.hlo b.hlo
run 1 1 'replay: affirm equiv a.hlo b.hlo --reads' equiv a.hlo b.hlo --reads
run 0 0 '' check a.hlo
run 0 0 '' exhaust --scope reverse --shard 0/16 --jobs 1
printf '#!/bin/sh\nwhile read -r line; do echo "error no"; done\n' >engine.sh
chmod +x engine.sh
run 0 0 '' score --enumerate a.hlo
[ "$(grep -c '<testcase' j.xml)" -ge 2 ] || fail "score has fewer than two rows"
# A verb that the engine does not offer is skipped.
printf 'tab=$(printf "\\t")\nwhile IFS=$tab read -r number verb rest; do\n  [ "$verb" = hello ] && echo "$number${tab}engine${tab}1${tab}right${tab}simplify" || echo "$number${tab}answer${tab}$rest"\ndone\n' >right.sh
run 0 0 '' score a.hlo --engine-cmd 'sh right.sh' --without-ours
grep -q 'name="analyse, right" .*<skipped message="the engine does not offer it"/>' j.xml || { cat j.xml; fail "a verb that is not offered is not skipped"; }
# A file, a module, a map, a pair and a case that score cannot read have a row each, beside that of a wrong answer.
cat >same.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  if [ "$verb" = hello ]; then printf '%s\tengine\t1\tsame\tsimplify\n' "$number"; else printf '%s\tanswer\t(d0) -> (d0), domain: d0 in [0, 7]\n' "$number"; fi
done
END
printf '(d0) -> (0), domain: d0 in [0, 7]\n(d0) -> (\n' >unread.maps
echo 'no pair' >unread.pairs
printf 'ENTRY e {\n  ROOT r = f32[3] nothing()\n}\n' >unread.hlo
printf '# single\ncompose (d0) -> (d0), domain: d0 in [0, 7]\nproved\n' >unread.case
for text in 'No such file' 'expected a pair' "'nothing' is not an opcode"; do
  run 1 6 "$text" score unread.maps unread.hlo unread.case nowhere.hlo --pairs unread.pairs --engine-cmd 'sh same.sh' --without-ours --show 0
done
for row in 'classname="unread.maps" name="(d0) -&gt; ("' 'classname="unread.pairs" name="no pair"' 'classname="unread.case" name="single"'; do
  grep -qF "$row" j.xml || { cat j.xml; fail "no row $row of score"; }
done
if [ -x "$(dirname "$affirm")/fuzz_text" ]; then run 0 0 '' fuzz --target text --runs 200 --corpus fuzzed; else echo "skipped: fuzz: its programs are not built"; fi

# Output of --json: each line fits its command's schema, and the last one has the totals.
lined=' '
lines() { # lines STATUS OBJECTS TEXT COMMAND...: exit status, at least this many objects, and a text in them
  local wanted=$1 least=$2 text=$3 status=0 found
  shift 3
  "$affirm" "$@" --json >lines 2>err.txt </dev/null || status=$?
  [ "$status" = "$wanted" ] || { cat lines err.txt; fail "status $status instead of $wanted: $*"; }
  found=$(python3 "$root/cli/test/results_check.py" --lines "$root/cli/report/schema" "$1" lines "$status") || fail "$*: $found"
  [ "$found" -ge "$least" ] || { cat lines; fail "$found objects instead of $least: $*"; }
  grep -qF -- "$text" lines || { cat lines; fail "not said: $text ($*)"; }
  lined="$lined$1 "
  case " map simplify algebra use reduce merge snapshot " in *" $1 "*) return ;; esac
  # The page of a run has its verdicts and therefore its status; only questions that were not asked are open there.
  status=0
  "$affirm" report --page lines.html lines 2>err.txt || status=$?
  if grep -q 'data-verdict="not asked"' lines.html && [ "$wanted$status" = 02 ] && ! grep 'class="row open"' lines.html | grep -vq 'data-verdict="not asked"'; then status=0; fi
  [ "$status" = "$wanted" ] || { cat lines err.txt; fail "its page ends with $status instead of $wanted: $*"; }
}
cp "$root/corpus/faults/mod_upper_bound.rules" fault.rules
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 8]\n' >fault.txt
printf '(d0) -> (d0 mod 7), domain: d0 in [0, 7]\n(d0) -> (\n' >bad.maps
mkdir dump
cp a.hlo dump/m.0001.first.hlo
cp b.hlo dump/m.0002.second.hlo
run 1 1 'different' watch dump
lines 0 2 '"claim":"exact"' map a.hlo
printf 'HloModule m\nc {\n  q = f32[3] parameter(0)\n  ROOT n = f32[3] negate(q)\n}\nENTRY e {\n  p = f32[3] parameter(0)\n  ROOT r = f32[3] fusion(p), kind=kLoop, calls=c\n}\n' >inner.hlo
cat a.hlo inner.hlo >modules.hlo
lines 0 4 '"computation":"c"' map inner.hlo --all
lines 0 2 '"computation":"c"' map inner.hlo --instruction c/n
lines 0 2 '"computation":"c"' map inner.hlo --instruction c/n --threads 4
lines 0 6 '"module":2,"module_name":"m","instruction":"n"' map modules.hlo --all
lines 0 2 '"module":2,"module_name":"m","computation":"e"' map modules.hlo --producers
lines 0 3 '"module":1,"module_name":"m","instruction":"r","computation":"e","threads":4' map modules.hlo --threads 4
lines 0 4 '"module":2,"module_name":"m","instruction":"n"' use modules.hlo --all
cat "$root/corpus/hazards/aliased_transpose.hlo" "$root/corpus/hazards/aliased_transpose.hlo" >hazards.hlo
lines 1 2 '"module":2,"module_name":"' hazard hazards.hlo
lines 0 4 '"computation":"c"' check inner.hlo --all
lines 0 4 '"computation":"c"' use inner.hlo --all
lines 1 1 '"at":{"d0":8}' simplify --prove --rules fault.rules fault.txt
lines 3 1 '"answer":"error"' simplify '(d0) -> ('
lines 0 1 '"answer":"yes"' algebra injective '(d0) -> (d0), domain: d0 in [0, 7]'
lines 0 1 '"map":"(d0)' algebra inverse '(d0) -> (d0), domain: d0 in [0, 7]'
lines 0 2 '"answer":"exact"' check a.hlo
{ echo '// over-approximation: r'; cat a.hlo; } >declared.hlo
lines 1 3 '"declaration":"r","answer":"unexpected"' check --exact declared.hlo
printf '(d0) -> (d0), domain: d0 in [0, 3]\n(d0) -> (d0), domain: d0 in [0, 7]\n' >accepted.maps
echo 'simplify/extra/bounds' >accepted.txt
lines 0 2 '"question":"(d0) -> (d0), domain: d0 in [0, 3]","answer":"accepted","fault":"simplify/extra/bounds"' check accepted.maps --engine-cmd 'sh same.sh' --accept accepted.txt
run 0 0 '' check accepted.maps --engine-cmd 'sh same.sh' --accept accepted.txt
grep -q 'tests="2" .*skipped="1"' j.xml || { cat j.xml; fail "an accepted fault is no skipped test"; }
lines 3 2 '"answer":"bad input"' check bad.maps
printf '(d0) -> (d0), domain: d0 in [0, 3]\nOutput 0 operand 1: (d0) -> (d0 garbage\n' >heading.maps
lines 3 2 '"line":2,"answer":"bad input"' check heading.maps
lines 3 1 '"answer":"bad input"' check nowhere.hlo
lines 3 2 '"answer":"bad input"' score bad.maps
lines 1 3 '"at":{"x":1,"lo(x)":0,"hi(x)":1,"c":1}' prove --no-store right.rules wrong.rules broken.rules
lines 1 900 '"kind":"none"' prove --confluence --tries 1
lines 3 1 '"answer":"bad input"' map nowhere.hlo
lines 3 1 '"answer":"bad input"' equiv nowhere.hlo a.hlo
lines 3 1 '"answer":"bad input"' algebra points '(d0'
lines 1 2 '"answer":"bad input","why":"2 sizes for a map with 1 result"' algebra bijective 1,2 '(d0) -> (d0), domain: d0 in [0, 3]' '(d0) -> (d0, d0), domain: d0 in [0, 3]'
lines 3 1 '"operation":"sub-map","answer":"bad input"' algebra sub-map 3 '(d0) -> (d0), domain: d0 in [0, 3]'
lines 1 1 '"at":{"p0[0,2]":' equiv a.hlo b.hlo
lines 1 1 '"reader":' equiv a.hlo b.hlo --reads
lines 1 1 '"point":[' watch dump
lines 1 1 '"element":[' hazard "$root/corpus/hazards/aliased_transpose.hlo"
lines 0 2 '"use":"coalescing"' use a.hlo
lines 1 1 '"at":{"d0":7}' audit --pairs wrong.pairs
lines 1 1 '"missing":12' audit a.hlo --maps wrong.maps
printf 'Output 0 operand 0:\n(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 3], d1 in [0, 2], s0 in [0, 3], s1 in [0, 2]\n' >loose.maps
lines 0 1 '"answer":"over-approximation","judges"' audit a.hlo --maps loose.maps
lines 1 1 '"answer":"over-approximation","rejected":"--exact"' audit a.hlo --maps loose.maps --exact
lines 0 2 '"verb":"analyse"' score --enumerate a.hlo
printf '# right\nsame (d0) -> (d0), domain: d0 in [0, 3] ; (d0) -> (d0), domain: d0 in [0, 3]\nproved\n' >right.case
lines 2 1 '"name":"right","answer":"passes"' reduce right.case
lines 1 1 '"case":"# reduced' reduce --rules fault.rules fault.txt
lines 0 1 '"scope":"cholesky"' exhaust --scope cholesky --jobs 1 --journal kept
lines 0 1 '"judged":278' merge kept
mkdir corpus
cp a.hlo corpus/
cp "$root/corpus/maps/parse.case" corpus/
lines 0 3 '"unchanged":0' snapshot --update --stream scope/reverse corpus
lines 1 40 '"answer":"new"' snapshot --stream scope/pad corpus
lines 0 1 '"digest":"' snapshot --show scope/reverse:3 corpus
lines 0 9 '"stream":"maps"' snapshot --list corpus
rm corpus/answers.snapshot
printf 'law commutes: add(x, y) => add(y, x) on integral grade exact\n' >few.laws # all laws and rules take seconds: cli_gate
printf 'rule mine\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n  near-miss: c > 0, 0 <= lo(x), hi(x) <= c\n  order: weight\n' >few.rules
lines 2 1 'order: the rule states none"' prove --order right.rules
printf 'rule heavier\n  x mod c => x - c*(x floordiv c)\n  when c > 0\n  order: weight\n' >heavier.rules
lines 1 1 '"twin_refuted":0,"text":"  weight: REFUTED at ' prove --order heavier.rules
lines 2 5 '"part":"rules decrease"' gate --laws few.laws --rules right.rules --exhaust 0 --fuzz 0 --no-corpus
lines 1 7 '"part":"rules proved","name":"wrong","answer":"refuted"' gate --laws few.laws --rules wrong.rules --exhaust 0 --fuzz 0 --no-corpus
"$affirm" gate --laws few.laws --rules right.rules --exhaust 0 --fuzz 0 --no-corpus --junit orders.xml --sarif orders.sarif >out 2>&1 || true
grep -q '<testcase classname="right.rules" name=".*"><error type="open" message=".*order: the rule states none"' orders.xml || fail "JUnit does not name the rule without an order"
grep -q '"ruleId":"orders/open".*order: the rule states none' <(tr -d '\n' <orders.sarif) || fail "SARIF does not name the rule without an order"
lines 0 9 '"outcome":"passed"' gate --laws few.laws --rules few.rules --exhaust 0 --fuzz 0 --verbose corpus
if [ -x "$(dirname "$affirm")/fuzz_text" ]; then lines 0 1 '"target":"text"' fuzz --target text --runs 200 --corpus fuzzed; fi
lines 0 3 '"engine":"shell' fuzz --engine-cmd "sh $root/examples/engine-shell/engine.sh" --runs 20 --corpus foreign
lines 2 3 '"part":"nothing judged"' gate --engine-cmd "sh $root/examples/engine-shell/engine.sh" --no-corpus --exhaust 0 --fuzz 0
# An engine that answers with all elements of a.hlo, and one that refuses everything.
engine_of() { printf 'tab=$(printf "\\t")\nwhile IFS=$tab read -r number verb rest; do\n  if [ $verb = hello ]; then echo "$number${tab}engine${tab}1${tab}mine${tab}analyse"; else echo "$number${tab}%s"; fi\ndone\n' "$1"; }
engine_of 'answer${tab}(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 3], d1 in [0, 2], s0 in [0, 3], s1 in [0, 2]' >all.sh
engine_of undefined >lazy.sh
mkdir loose
cp a.hlo loose
lines 0 3 '"avoidable":2,' gate --engine-cmd 'sh all.sh' --exhaust 0 --fuzz 0 loose
lines 1 3 '"answer":"inexact"' gate --engine-cmd 'sh all.sh' --exact --exhaust 0 --fuzz 0 loose
# The explained faults are in the row of their scope, or of their engine and verb.
engine_of 'answer${tab}(d0) -> (d0), domain: d0 in [0, 1]' >rank.sh
lines 1 1 'smallest witnesses\n' exhaust --scope cholesky --jobs 1 --engine-cmd 'sh rank.sh' --show 1
grep -q 'replay .*affirm exhaust --scope cholesky' lines || fail "no explained case in an object of exhaust"
lines 1 2 '"text":"wrong rank: mine, analyse\n' score a.hlo --verb analyse --engine-cmd 'sh rank.sh'
grep -q 'replay .*affirm check MODULE.hlo' lines || fail "no explained fault in an object of score"
lines 1 1 '"scope":"cholesky"' exhaust --scope cholesky --jobs 1 --engine-cmd 'sh rank.sh' --show 0 --only wrong
grep -q 'replay .*affirm exhaust --scope cholesky' lines && fail "--show 0 explains a case"
lines 0 1 '"scope":"cholesky"' exhaust --scope cholesky --jobs 1
grep -q '"text"' lines && fail "a scope without faults has a text"
run 2 1 'maps of random modules' fuzz --engine-cmd 'sh lazy.sh' --runs 10 --corpus lazy
grep -q '<testcase ' j.xml || fail "no row for random inputs"
printf '\n(d0) -> (d0), domain: d0 in [0, 1]\t(d0) -> (d0), domain: d0 in [0, 1]\n\n' >blank.pairs
lines 0 1 '"line":2' audit --pairs blank.pairs
for command in $("$affirm" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
  "$affirm" "$command" --help | grep -q -- ' --json' || continue
  case $lined in *" $command "*) ;; *) [ "$command" = fuzz ] || fail "$command --json is not tried" ;; esac
done
python3 "$root/cli/test/results_check.py" --documented "$root/cli/report/schema" "$root/docs/formats.md" || fail "formats.md"

# The checker detects errors.
"$affirm" equiv a.hlo b.hlo --json >lines || true
line_check() { python3 "$root/cli/test/results_check.py" --lines "$root/cli/report/schema" equiv lines 1 >/dev/null 2>&1; }
line_check || fail "right lines do not pass"
cp lines right
for edit in 's/"version":1/"version":2/' 's/"output":0/"output":0,"output":0/' 's/"output":0/"output":"0"/' 's/"point"/"place"/' 's/"objects":1/"objects":2/' 's/"status":1/"status":0/' '$d'; do
  sed "$edit" right >lines
  line_check && fail "$edit is not seen"
done
"$affirm" equiv a.hlo b.hlo --junit j.xml --sarif s.json --github >github.txt || true
check() { python3 "$root/cli/test/results_check.py" "$root/cli/report/schema" j.xml s.json github.txt >/dev/null 2>&1; }
check || fail "right files do not pass"
broken() { # broken FILE SED
  cp "$1" kept
  sed -i "$2" "$1"
  cmp -s "$1" kept && fail "$2 changes nothing"
  check && fail "$2 in $1 is not seen"
  cp kept "$1"
}
broken s.json 's/"version":"2.1.0"/"version":"2.0"/'
broken s.json 's/"startLine":1/"startLine":0/'
broken s.json 's/,"partialFingerprints":{[^}]*}//'
broken s.json 's|"ruleId":"values/refuted"|"ruleId":"other/refuted"|'
broken j.xml 's/failures="1"/failures="0"/'
broken github.txt 's/^\(::error.*\)$/\1%0A/'
broken github.txt 's/1 refuted/0 refuted/'
if command -v xmllint >/dev/null; then broken j.xml 's/ time="[0-9.]*"/ line="3"/'; fi
echo "$runs runs"
