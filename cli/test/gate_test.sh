#!/usr/bin/env bash
# The gate's last screen with a mutant of pad in the engine: refuted early, with the smallest counterexample, its cause, and a line that replays it.
# With a program that writes wrong certificates, proved rules are open.
#   gate_test.sh AFFIRM MUTANT ROOT BUILD WRITER    BUILD: where the engines are built
set -u
affirm=$1 mutant=$2 root=$3 built=$4 writer=$5
scratch=$(mktemp -d "${TMPDIR:-/tmp}/affirm-gate-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME=$scratch/cache
failed=0
fault() { echo "$1"; cat "$scratch/out"; failed=1; }
says() { grep -qE -- "$1" "$scratch/out" || fault "not said: $1"; }
run() {
  local wanted=$1
  shift
  "$@" >"$scratch/out" 2>&1
  local status=$?
  [ $status -eq "$wanted" ] || fault "exit status $status, not $wanted: $*"
}
cd "$root" || exit 1
mkdir "$scratch/corpus" "$scratch/modules"
# All laws, and proofs of all rules and of their orders, take seconds.
printf 'law commutes: add(x, y) => add(y, x) on integral grade exact\n' >"$scratch/few.laws"
sed -n '/^rule floordiv-known$/,/^$/p; /^rule floordiv-of-floordiv$/,/^$/p' core/rules/floordiv.rules >"$scratch/few.rules"
few=(--laws "$scratch/few.laws" --rules "$scratch/few.rules")
cp corpus/maps/parse.case corpus/modules/attention.hlo "$scratch/corpus/"
cp corpus/maps/parse.case corpus/modules/every_operation.hlo "$scratch/modules/"

# A part that an interrupt keeps from running is not reported as lacking its requirements. On a busy machine the interrupt may come before the program handles it
# (status 130). Without --foreground, timeout signals the program twice, and a second interrupt ends it at once.
for wait in 2 5 12 30; do
  timeout --foreground --preserve-status -s INT $wait "$affirm" gate --exhaust 1 --fuzz 1 corpus >"$scratch/out" 2>&1
  interrupted=$?
  if [ $interrupted -eq 2 ]; then break; fi
done
[ $interrupted -eq 2 ] || fault "exit status $interrupted of an interrupted gate"
says '^fuzz targets .* not run: interrupted$'
says '^affirm: interrupted at '

# A library of MLIR that is named and cannot be opened is said once a part.
run 3 env AFFIRM_MLIR="$scratch/missing.so" "$affirm" gate "${few[@]}" --scope batch-norm --exhaust 1 --fuzz 0 --no-corpus
says '^small scopes  *0  *0  *[1-9][0-9]* .* not run: MLIR cannot be opened$'

# Early: after the scopes with few cases, which show the fault, nothing is judged.
scopes=()
[ -z "${AFFIRM_FEW:-}" ] || scopes=(--scope pad) # the other small scopes show no fault
run 1 "$mutant" gate "${few[@]}" --fail-fast --fuzz 0 --exhaust 2 "${scopes[@]}" "$scratch/corpus"
says '^small scopes +[0-9]+ +[1-9][0-9]* '
says '^rules decrease .* not run: --fail-fast$'
says '^scopes .* not run: --fail-fast$'
says '^verdict .* REFUTED in .*, ended at the first failure$'
says '^the smallest of [0-9]+ counterexamples?, in '
says '^  cause        pad, core/index/ops/pad\.c$'
says '^  map          \(d0'
says '^  point        \('
says '^  oracle       .*outside of '
says '^failures by operation; the first one [0-9.]+ s after the start$'
says '^  pad +[0-9]+ of [0-9]+ failures, all of them contain it: '
lines=$(wc -l <"$scratch/out")
[ "$lines" -lt 60 ] || fault "the screen has $lines lines"
replay=$(sed -n 's/^  replay *affirm //p' "$scratch/out" | tail -1)
case $replay in
  'exhaust --scope '*' | affirm check -') ;;
  *) fault "replays by: $replay" ;;
esac
show=${replay%% |*}
run 1 sh -c "'$mutant' $show | '$mutant' check -"
says '^wrong: '
run 0 sh -c "'$affirm' $show | '$affirm' check -"

# A module: both directions have one cause, and all judges agree.
# After the modules only parts would follow that the last gate runs: --fail-fast.
run 1 "$mutant" gate "${few[@]}" --fail-fast --fuzz 0 --exhaust 0 "$scratch/modules"
says '^the smallest of 2 counterexamples, in modules$'
says '^wrong: .* of padded, '
says '^  pad +2 of 2 failures, all of them contain it: modules 2$'
says '^  replay       affirm check .*every_operation\.hlo --instruction padded '
grep -q '^disagree' "$scratch/out" && fault "the judges disagree"
run 1 "$mutant" gate "${few[@]}" --fail-fast --fuzz 0 --exhaust 0 --json "$scratch/modules"
says '"smallest":"wrong: .*"stage":"modules","cause":"pad, core/index/ops/pad\.c"'

# A foreign engine: with a corpus of its own, on one scope without a corpus, on random inputs. The cause of a fault names no source of affirm.
cd "$scratch" || exit 1
engine() { run "$1" "$affirm" gate --engine "$built/lib$2.so" --engine-memory 0 "${@:3}"; }
# On a busy machine the second given to random inputs may pass before the first one. MLIR refuses a few of them, with constants that it cannot read: then
# the gate is undecided.
random_inputs() {
  for seconds in 1 5 20; do
    "$affirm" gate --engine "$built/lib$2.so" --engine-memory 0 --fuzz $seconds "${@:3}" >"$scratch/out" 2>&1
    status=$?
    if grep -qE '^random inputs +[1-9]' "$scratch/out"; then break; fi
  done
  local wanted=$1
  if [ "$wanted" -eq 0 ] && grep -q '; the engine refused [1-9]' "$scratch/out"; then wanted=2; fi
  [ $status -eq "$wanted" ] || fault "exit status $status, not $wanted, with random inputs for $seconds s"
}
engine 2 engine_mlir --fuzz 0 --exhaust 0 "$scratch/modules"
says '^cases +0 +0 +[1-9][0-9]* .* 1 file$' # an engine is not asked about cases of parse
rm "$scratch/modules/parse.case"
engine 0 engine_mlir --fuzz 0 --exhaust 0 "$scratch/modules"
says '^modules +[1-9][0-9]* +0 +0 .* 1 file$'
says '^texts +0 +0 +0 .* 0 files$'
says '^not asked .*  rules, laws, fuzz programs'
random_inputs 0 engine_mlir --exhaust 2 --scope batch-norm --no-corpus
says "^small scopes +486 +0 +0 .* all cases of 1 scope$"
says "^random inputs +[1-9][0-9]* +0 +[0-9]+ .*  questions"
grep -qE '^(cases|modules) ' "$scratch/out" && fault "a corpus was judged"
[ ! -e .affirm ] || fault "a directory .affirm without a finding"
export AFFIRM_FAULT=wrong
random_inputs 1 engine_faulty --exhaust 0 --no-corpus
says '^random inputs +[0-9]+ +[1-9][0-9]* '
says '^the smallest of [0-9]+ counterexamples?, in random inputs$'
# Findings are kept in the cache directory, the output names the file, and nothing is written to the current directory.
kept=$(sed -n 's/^  kept in      //p' "$scratch/out" | tail -n 1)
[ -n "$kept" ] && [ -f "$kept" ] && [ "${kept#"$XDG_CACHE_HOME/affirm/findings/"}" != "$kept" ] || fault "kept in '$kept'"
[ ! -e .affirm ] || fault "a directory .affirm"
engine 1 engine_faulty --fuzz 0 --exhaust 2 --scope bitcast-tiled --no-corpus
says '^small scopes +[0-9]+ +[1-9][0-9]* '
says '^  cause        bitcast$'
says '^  replay       affirm exhaust --scope bitcast-tiled --tier gate --case [0-9]+ \| affirm check - --engine '
# A baseline: known faults are listed and do not fail, new faults fail, vanished faults are reported.
mkdir "$scratch/maps"
printf '%s\n' '(d0) -> (d0 mod 8), domain: d0 in [0, 8]' '(d0) -> (d0 mod 8 + d0 floordiv 4), domain: d0 in [0, 80]' >"$scratch/maps/two.maps"
engine 1 engine_faulty --fuzz 0 --exhaust 0 "$scratch/maps"
says '^maps +0 +2 +0 .* 1 file$'
one() { AFFIRM_FAULT=$1 engine "$2" engine_faulty --fuzz 0 --exhaust 0 "${@:3}" "$scratch/maps"; }
one two 1 --new-baseline known
says '^new +1  simplify/other/mod-for-floordiv$'
says '^new +1  simplify/other/result-by-one$'
one two 0 --baseline known
says '^maps +0 +0 +0 .* 1 file; 2 known faults$'
says '^known +1  simplify/other/mod-for-floordiv$'
one wrong 0 --baseline known
says '^known +2  simplify/other/mod-for-floordiv$'
says '^vanished +0  simplify/other/result-by-one$'
sed -i /mod-for/d known
one two 1 --baseline known
says '^maps +0 +1 +0 .* 1 file; 1 known fault$'
says '^new +1  simplify/other/mod-for-floordiv$'
says '^known +1  simplify/other/result-by-one$'
# A line break in a path begins no line, neither of a baseline nor of a table.
odd=$scratch/odd$'\n'simplify
mkdir -p "$odd/extra/mine"
cp "$scratch/maps/two.maps" "$odd/extra/mine"
AFFIRM_FAULT=two engine 1 engine_faulty --fuzz 0 --exhaust 0 --new-baseline of_lines "$odd"
grep -q '^simplify/other/mod-for-floordiv  1, ' of_lines || fault "no name in the baseline"
! grep -q '^simplify/extra' of_lines || fault "a path is a name of the baseline"
AFFIRM_FAULT=two run 1 "$affirm" check --engine "$built/libengine_faulty.so" --engine-memory 0 "$odd"
says '^simplify +other/mod-for-floordiv +1 '
! grep -q '^simplify/extra' "$scratch/out" || fault "a path is a line of the table"
# The same for cases: a known wrong simplification hides no other one, and a failed case of another verb is a group of its own.
mkdir "$scratch/cases"
cat >"$scratch/cases/two.case" <<'END'
# one_remainder
simplify (d0) -> (d0 mod 8), domain: d0 in [0, 8]
= (d0) -> (d0 mod 8), domain: d0 in [0, 8]

# a_remainder_and_a_quotient
simplify (d0) -> (d0 mod 8 + d0 floordiv 4), domain: d0 in [0, 80]
= (d0) -> (d0 mod 8 + d0 floordiv 4), domain: d0 in [0, 80]
END
cases() { AFFIRM_FAULT=$1 engine "$2" engine_faulty --fuzz 0 --exhaust 0 "${@:3}" "$scratch/cases"; }
cases two 1 --new-baseline of_cases
says '^new +1  case/other/mod-for-floordiv$'
says '^new +1  case/other/result-by-one$'
cases two 0 --baseline of_cases
sed -i /mod-for/d of_cases
cases two 1 --baseline of_cases
says '^new +1  case/other/mod-for-floordiv$'
says '^known +1  case/other/result-by-one$'
# A failed case of another verb is known by its text: another file may have a case of the same name, and long names may differ at the end only.
mkdir "$scratch/names"
long=$(printf 'x%.0s' $(seq 300))
printf '# first\ncompose (d0) -> (d0), domain: d0 in [0, 3] ; (d0) -> (d0), domain: d0 in [0, 3]\n= (d0) -> (d0 + 1), domain: d0 in [0, 3]\n' >"$scratch/names/a.case"
sed "s/first/${long}a/" "$scratch/names/a.case" >"$scratch/names/long.case"
names() { engine "$1" engine_faulty --fuzz 0 --exhaust 0 "${@:2}" "$scratch/names"; }
names 1 --new-baseline of_names
says '^new +1  case/other/compose-first-[0-9a-f]{16}$'
says "^new +1  case/other/compose-x{90}-[0-9a-f]{16}$"
names 0 --baseline of_names
{ sed "s/first/${long}b/" "$scratch/names/a.case"; echo; sed 's/3\]/4]/g' "$scratch/names/a.case"; } >"$scratch/names/b.case"
names 1 --baseline of_names
says '^cases +0 +2 +0 .* 2 known faults$'
says '^new +1  case/other/compose-first-[0-9a-f]{16}$'
says "^new +1  case/other/compose-x{90}-[0-9a-f]{16}$"
echo nonsense >bad
one two 3 --baseline bad
scope=maps-congruences
[ -z "${AFFIRM_FEW:-}" ] || scope=compositions # a sixth of the cases
AFFIRM_FAULT=two engine 1 engine_faulty --fuzz 0 --scope $scope --no-corpus --new-baseline scope
AFFIRM_FAULT=two engine 0 engine_faulty --fuzz 0 --scope $scope --no-corpus --baseline scope
says '^(small )?scopes .*; [1-9][0-9]* known faults$'
echo 'pad/crashed/SIGSEGV' >>scope
AFFIRM_FAULT=two engine 0 engine_faulty --fuzz 0 --scope $scope --no-corpus --baseline scope
says '^not seen +0  pad/crashed/SIGSEGV$'
unset AFFIRM_FAULT
run 3 "$affirm" gate --baseline scope --fuzz 0 "$scratch/modules"
engine 3 engine_mlir --no-corpus "$scratch/modules"
engine 3 engine_mlir --scope rule-text
says 'rule-text does not apply to this engine'
engine 3 engine_mlir --scope nowhere
mkdir -p "$scratch/nothing" "$scratch/mine/seeds"
printf 'ENTRY e {\n  p = f32[2,3] parameter(0)\n  ROOT t = f32[3,2] transpose(p), dimensions={1,0}\n}\n' >"$scratch/mine/seeds/turn.hlo"
engine 0 engine_mlir --fuzz 0 --exhaust 0 "$scratch/mine"
says '^modules  *2  *0  *0  *0 .* 1 file$'
engine 3 engine_mlir --fuzz 0 --exhaust 0 "$scratch/nothing"
says 'nothing: error: no \.hlo, \.txt, \.maps or \.case file in this directory$'
engine 3 engine_mlir --fuzz 0 --exhaust 0 "$scratch/scope"
says 'scope: error: no \.hlo, \.txt, \.maps or \.case file$'
cd "$scratch/nothing" || exit 1
engine 3 engine_mlir --fuzz 0 --exhaust 0
cd "$scratch" || exit 1
says '^corpus: error: no such directory here; name one, or use --no-corpus$'
cd "$root" || exit 1

# No proof without a certificate: with a program that writes wrong ones, and with one that lacks the checker
# beside it.
run 2 "$writer" gate "${few[@]}" --fuzz 0 --exhaust 0 "$scratch/modules"
says '^floordiv-of-floordiv UNKNOWN \(affirm-check does not accept the certificate\)'
"$writer" prove --no-store --certificate "$scratch/certificates" "$scratch/few.rules" >"$scratch/out" 2>&1
says '^  no certificate: affirm-check does not accept the certificate$'
cp "$affirm" "$scratch/affirm"
# Without fuzz programs, as in an installation: left out and named; open if --fuzz asks for them; no part at all is undecided.
cp "$(dirname "$affirm")/affirm-check" "$scratch/"
run 0 "$scratch/affirm" gate "${few[@]}" --exhaust 0 "$scratch/modules"
says '^fuzz +0 +0 +0 +0 +0\.00  not run: no fuzz program beside affirm$'
says '^verdict +passed in '
run 0 "$scratch/affirm" gate "${few[@]}" --exhaust 0 --json --junit "$scratch/left.xml" "$scratch/modules"
grep -q 'name="rules proved\|name="floordiv-known"' "$scratch/left.xml" || fault "the JUnit file of a gate without fuzz programs"
grep -q '<testcase classname="gate" name="fuzz" time="[0-9.]*"><skipped message="not run: no fuzz program beside affirm"/></testcase>' "$scratch/left.xml" ||
  fault "a part that was not run is no skipped test"
grep -q '<testsuite name="gate" tests="[0-9]*" failures="0" errors="0" skipped="1" ' "$scratch/left.xml" || fault "the count of skipped tests"
says '"part":"fuzz","passed":0,"failed":0,"open":0,"left_out":"yes",.*"note":"not run: no fuzz program beside affirm"'
run 2 "$scratch/affirm" gate "${few[@]}" --fuzz 1 --exhaust 0 "$scratch/modules"
says '^fuzz +0 +0 +1 .*  no fuzz program beside affirm: nothing was fuzzed$'
says '^first open         fuzz: '
rm "$scratch/affirm-check"
# Of a partial build, the fuzz programs that are missing are named, and are open.
printf '#!/bin/sh\necho stat::number_of_executed_units: 5\n' >"$scratch/fuzz_graph"
chmod +x "$scratch/fuzz_graph"
run 2 "$scratch/affirm" gate "${few[@]}" --fuzz 1 --exhaust 0 "$scratch/modules"
says '^fuzz graph +5 +0 +0 '
# An interrupt while one program runs does not hide what another has found.
cat >"$scratch/fuzz_text" <<END
#!/bin/sh
echo \$\$ >$scratch/new && mv $scratch/new $scratch/finding
echo "# fuzz_found_this"
exit 77
END
cat >"$scratch/fuzz_graph" <<END
#!/bin/sh
until [ -e $scratch/finding ]; do sleep 0.02; done
while kill -0 \$(cat $scratch/finding) 2>/dev/null; do sleep 0.02; done
echo >$scratch/fuzzing
exec sleep 3000
END
chmod +x "$scratch/fuzz_text"
"$scratch/affirm" gate "${few[@]}" --fuzz 1 --exhaust 2 --scope broadcast --no-corpus >"$scratch/out" 2>&1 &
until [ -e "$scratch/fuzzing" ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
kill -INT $!
wait $!
status=$?
[ $status -eq 1 ] || fault "exit status $status, not 1, of a gate that is interrupted after a finding"
says '^fuzz graph +0 +0 +1 .*  ended early$'
says '^fuzz text +0 +1 +0 .*  exit code 77$'
rm "$scratch/fuzz_text"
printf '#!/bin/sh\necho stat::number_of_executed_units: 5\n' >"$scratch/fuzz_graph"
# Without a directory for the cache, a gate that finds nothing leaves nothing behind.
mkdir "$scratch/temporary"
run 2 env -u XDG_CACHE_HOME -u HOME TMPDIR="$scratch/temporary" "$scratch/affirm" gate "${few[@]}" --fuzz 1 --exhaust 0 "$scratch/modules"
says '^fuzz graph +5 +0 +0 '
[ -z "$(ls -A "$scratch/temporary")" ] || { ls -R "$scratch/temporary"; fault "a gate left something behind"; }
says '^fuzz text +0 +0 +1 .*  the program is not beside affirm: not fuzzed$'
[ "$(grep -c 'not beside affirm: not fuzzed' "$scratch/out")" -eq $(($(ls "$root"/fuzz/targets/*_target.c | wc -l) - 1)) ] || fault "not each missing fuzz program is named"
says '^floordiv-of-floordiv UNKNOWN \(there is no affirm-check beside the program\)'
says '^first open         rules: floordiv-known \(.*/few\.rules:1\): there is no affirm-check beside the program$'

# --rules: these rules instead of the engine's, proved and ordered. A wrong one fails the gate; files that cannot be read and foreign engines end it.
rules() {
  printf '%b' "$2" >"$scratch/some.rules"
  run "$1" "$affirm" gate --laws "$scratch/few.laws" --rules "$scratch/some.rules" --fuzz 0 --exhaust 0 "$scratch/modules"
}
rules 0 'rule mine\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n  order: weight\n'
says '^rules proved +1 +0 +0 '
says '^rules decrease +1 +0 +0 '
says '^negative examples +0 +0 +0 .*  not run: no rule has a negative example$'
says '^examples +0 +0 +0 .*  not run: no rule that can run has an example$'
run 0 "$affirm" gate --laws "$scratch/few.laws" --rules "$scratch/some.rules" --fuzz 0 --exhaust 0 --no-corpus --junit "$scratch/none.xml"
grep -q 'name="negative examples" .*<skipped message="not run: no rule has a negative example"' "$scratch/none.xml" || fault "a part that no rule has is no skipped test"
rules 1 'rule mine\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) <= c\n  order: weight\n'
says '^rules proved +0 +1 +0 '
says '^mine REFUTED'
# With --json a rule, an example and a law that do not pass are objects too.
objects() { # objects STATUS PROGRAM ARGUMENT...
  "$2" gate --fuzz 0 --exhaust 0 --no-corpus --json "${@:3}" >"$scratch/out" 2>/dev/null
  local status=$?
  [ $status -eq "$1" ] || fault "exit status $status, not $1: ${*:2}"
  ! grep -qv '^{"version":1,' "$scratch/out" || fault "lines are no objects"
}
printf 'rule wide\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) <= c\n  near-miss: c > 0, 0 <= lo(x), hi(x) < c\n  order: weight\n  example: (d0) -> (d0 floordiv 8), domain: d0 in [0, 5]\n' >"$scratch/wide.rules"
printf 'law turned: subtract(x, y) => subtract(y, x) on integral grade exact\n' >"$scratch/turned.laws"
objects 1 "$affirm" --laws "$scratch/turned.laws" --rules "$scratch/wide.rules"
says '^\{"version":1,"part":"rules proved","name":"wide","answer":"refuted","text":"wide REFUTED at '
says '^\{"version":1,"part":"negative examples","name":"wide","answer":"refuted","text":"negative example of wide PROVED'
says '^\{"version":1,"part":"examples","name":"wide","answer":"refuted","text":"'
says '^\{"version":1,"part":"laws","name":"turned","answer":"refuted","text":"'
says '"totals":\{.*"refuted":4,'
# A negative example that can never hold is bad input, as for `prove`.
printf 'rule r\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n  near-miss: c > 0, c < 0\n  order: weight\n' >"$scratch/never.rules"
run 3 "$affirm" gate --rules "$scratch/never.rules" --fuzz 0 --exhaust 0 --no-corpus
says '^negative examples +0 +0 +0 +1 '
says "^first not read +negative examples: r .*: the guard of the negative example of 'r' can never hold"
printf 'rule unordered  x floordiv 1 => x\n' >"$scratch/unordered.rules"
objects 2 "$affirm" --rules "$scratch/unordered.rules"
says '^\{"version":1,"part":"rules decrease","name":"unordered","answer":"unknown","text":"'
# A negative example has one row in the result files.
run 1 "$affirm" gate --laws "$scratch/turned.laws" --rules "$scratch/wide.rules" --fuzz 0 --exhaust 0 --no-corpus --junit "$scratch/wide.xml"
grep -q '<testsuite name="negative examples" tests="1" failures="1"' "$scratch/wide.xml" || fault "the negative example has not one row"
! grep -q 'name="gate"' "$scratch/wide.xml" || fault "a negative example has a second row"
objects 2 "$scratch/affirm" "${few[@]}"
says '^\{"version":1,"part":"rules proved","name":"floordiv-of-floordiv","answer":"unknown","text":"floordiv-of-floordiv UNKNOWN'
rules 3 ''
says 'some\.rules: error: the text is empty$'
rules 3 'rule mine\n  x mod => x\n'
run 3 "$affirm" gate --rules "$scratch/no.rules" --no-corpus
run 3 "$affirm" gate --rules "$scratch/few.rules" --engine "$built/libengine_mlir.so" --no-corpus
says 'rules is for affirm.s own engine'
run 3 "$affirm" gate --laws "$scratch/nosuch.laws" --engine "$built/libengine_mlir.so" --no-corpus
says 'laws is for affirm.s own engine'

# A false law, and laws that hold only at a lower grade or only for eight bits.
laws() {
  printf 'law %s\n' "${@:2}" >"$scratch/some.laws"
  run "$1" "$affirm" gate --fail-fast --fuzz 0 --exhaust 0 --laws "$scratch/some.laws" --rules "$scratch/few.rules" --no-corpus
}
laws 1 'add-commutes: add(x, y) => add(y, x) on integral grade exact' 'turned: subtract(x, y) => subtract(y, x) on integral grade exact'
says '^laws +1 +1 +0 .*  at their grades: [1-9][0-9]+ assignments tried, 1 proved for all values; left out: '
says 'some.laws:2: law turned: '
says 'by evaluation: s8 x = 0 y = 1: left -1, right 1$'
says 'by proof: refuted, '
laws 1 'commutes: add(x, y) => add(y, x) on floating grade exact'
says 'by evaluation: the payload of a NaN is not modelled'
laws 1 'zero: add(x, 0) => x on floating grade exact'
says 'by evaluation: f8e5m2 x = -0: left 0, right -0$'
laws 1 'rounds: add(add(x, y), z) => add(x, add(y, z)) on floating grade ieee'
laws 1 'narrow: and(x, shift-left(255, 0)) => x on integral grade exact'
says 'by evaluation: s16 x = '
laws 2 'bits: and(x, x) => x on floating grade ieee'
says '^laws +0 +0 +1 '
says 'by evaluation: no arithmetic for and of f8e5m2$'
says '^first open         laws: bits '
laws 3 'bad: add(x, y) => z on integral grade exact'

# With an open question and a file that cannot be read, the verdict is bad input, and the last lines name the file.
mkdir "$scratch/unread"
: >"$scratch/unread/empty.hlo"
printf 'law bits: and(x, x) => x on floating grade ieee\n' >"$scratch/some.laws"
run 3 "$affirm" gate --fuzz 0 --exhaust 0 --laws "$scratch/some.laws" --rules "$scratch/few.rules" "$scratch/unread"
says '^verdict +BAD INPUT in '
says '^first not read     files: .*/unread/empty\.hlo: the text is empty$'
grep -q '^first open' "$scratch/out" && fault "an open question is named instead of the file"

# Without the mutant nothing fails.
run 0 "$affirm" gate --fail-fast --fuzz 0 --exhaust 0 "${few[@]}" "$scratch/modules"
says '^laws +[1-9][0-9]* +0 +0 .* assignments tried, [1-9][0-9]* proved for all values; '
says '^verdict +passed in '
grep -q 'smallest' "$scratch/out" && fault "a counterexample without a fault"
exit $failed
