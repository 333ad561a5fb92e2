#!/bin/sh
# affirm report on the JSON results of other commands: a row for each result with its verdict, two runs compared, and a page that is never
# replaced by one without rows.
#   report_runs_test.sh AFFIRM MUTANT ROOT RULES_MUTANT
# MUTANT: the program with a fault in its maps of pads; RULES_MUTANT: with a false rule mod-common-factor.
set -u
affirm=$1
mutant=$2
root=$3
rules_mutant=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
faults=0
fault() { echo "FAULT: $*"; faults=$((faults + 1)); }
# report STATUS ARGUMENT...
report() {
  expected=$1
  shift
  "$affirm" report --page page.html "$@" >out 2>err
  status=$?
  [ $status -eq "$expected" ] || { cat err; fault "affirm report $* ended with $status, not $expected"; }
}
# rows COUNT CLASS VERDICT
rows() {
  found=$(grep -c "class=\"row $2\" id=\"r[0-9]*\" data-verdict=\"$3\"" page.html)
  [ "$found" -eq "$1" ] || fault "$found rows are $2 and $3, not $1"
}

printf 'ENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[] parameter(1)\n  ROOT r = f32[4] pad(p, q), padding=1_-1\n}\n' >pad.hlo
printf 'ENTRY e {\n  p = f32[2,3] parameter(0)\n  ROOT t = f32[3,2] transpose(p), dimensions={1,0}\n}\n' >turn.hlo
printf 'rule right\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\nrule wrong\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) <= c\n' >some.rules
totals='{"version":1,"totals":{"objects":9},"status":0}' # the end of a run
pair="$root/corpus/rewrites/gemm_padding"
"$affirm" check --json pad.hlo turn.hlo >good.json
"$mutant" check --json pad.hlo turn.hlo >bad.json
"$affirm" prove --no-store --json some.rules >rules.json
"$affirm" equiv --json --reads "$pair.before.hlo" "$pair.broken.hlo" >reads.json
"$affirm" equiv --json "$root/corpus/rewrites/values/slice_of_slice.before.hlo" "$root/corpus/rewrites/values/slice_of_slice.after.hlo" >values.json
"$affirm" hazard --json "$root/corpus/hazards/aliased_transpose.hlo" >hazard.json
"$affirm" audit --json "$root/corpus/foreign/nested_offsets.hlo" --maps "$root/corpus/foreign/nested_offsets.wrong.txt" >audit.json
"$affirm" score --json turn.hlo >score.json
"$affirm" prove --no-store --sarif rules.sarif some.rules >out
mkdir dump
for step in before_optimizations 0001.first.after_algsimp.before_end; do { echo 'HloModule m'; cat turn.hlo; } >"dump/module_0001.m.1.$step.txt"; done
"$affirm" watch --json dump >watch.json
# As the gate and the fuzz programs write them; running those takes minutes.
printf '%s\n' '{"part":"rules","passed":59,"failed":0,"open":0,"not_read":0,"milliseconds":12,"note":""}' \
  '{"part":"cases","passed":59,"failed":1,"open":0,"not_read":0,"milliseconds":12,"note":""}' \
  '{"part":"modules","passed":59,"failed":0,"open":2,"not_read":0,"milliseconds":12,"note":""}' '{"part":"not asked","passed":0,"failed":0,"open":0,"not_read":0,"milliseconds":0,"note":"laws"}' '{"verdict":"REFUTED","milliseconds":36}' >gate.json
printf '%s\n' '{"target":"text","executions":9,"edges":3,"inputs":2,"findings":0,"known":0,"state":"ran"}' \
  '{"target":"map","executions":0,"edges":0,"inputs":0,"findings":0,"known":0,"state":"did not run"}' >fuzz.json

"$mutant" exhaust --quiet --json --scope pad >scope.json
printf '%s\n' '{"version":1,"scope":"a","tier":"gate","answer":"passed","cases":2,"judged":2,"failed":0,"open":0,"counts":{"exact":4}}' \
  '{"version":1,"scope":"b","tier":"gate","answer":"open","cases":2,"judged":2,"failed":0,"open":1,"counts":{"exact":3,"unknown":1}}' >scopes.json

# Sizes and indices that are no integers make no picture: the page would draw without an end.
sizes='{"version":1,"file":"t.hlo","instruction":"t","operand":0,"output":0,"direction":"o2i","opcode":"negate","answer":"wrong","maps":[],"output_sizes":[%s],"operand_sizes":[4],"point":[%s],"element":[1]}\n'
printf "$sizes" 4 3 4 1e999 4 '"007"' 4 '"--3"' 4 '"9223372036854775807"' 4 3.5 >indices.json
printf "$sizes" 1e999 3 4.5 3 '"-"' 3 -4 3 '{}' 3 >>indices.json
echo "$totals" >>indices.json
report 1 indices.json
[ "$(grep -c 'data-from="4" data-to="4".*data-witness=' page.html)" -eq 2 ] && [ "$(grep -c 'data-from=' page.html)" -eq 6 ] || { grep -o 'data-from.*' page.html; fault "sizes or indices that are no integers are in the page"; }

for written in gate fuzz scopes; do echo "$totals" >>$written.json; done
report 1 scope.json; rows 1 refuted refuted
grep -q 'replay: <code>affirm exhaust --scope pad --tier gate<' page.html || fault "a scope has no command that replays it"
report 2 scopes.json
grep -q 'answers: 3 exact, 1 unknown' page.html || fault "the answers of a scope are not divided"
rows 1 proved passed; rows 1 open unknown
sed 's/"version":1/"version":2/' good.json >later.json
report 3 later.json; grep -q "later.json:1:1: error: a line of version 2 of affirm's --json; version 1 is read here" err || fault "a line of a later version is read"
report 0 good.json; rows 6 proved exact; rows 0 refuted '.*'
report 1 bad.json; rows 4 proved exact; rows 2 refuted '.*'
grep -q 'data-opcode="transpose" data-direction="o2i" .*data-from="3,2" data-to="2,3"' page.html || fault "a row of check has not its operation and its tensors"
report 1 rules.json; rows 1 proved proved; rows 1 refuted refuted
# A number keeps all its digits.
printf 'ENTRY e {\n  p = f32[9007199254740995] parameter(0)\n  ROOT r = f32[1] slice(p), slice={[9007199254740993:9007199254740994]}\n}\n' >far.hlo
printf 'Output 0 operand 0:\n(d0) -> (9007199254740992), domain: d0 in [0, 0]\n' >far.txt
"$affirm" audit --json far.hlo --maps far.txt >far.json
report 1 far.json; grep -q 'to&quot;:\[9007199254740993\]' page.html || fault "an element beyond 2^53 is rounded"
# A run that did not end is open: one before another run, and one that was killed within a line. Bad input in SARIF is bad input.
{ head -1 good.json; cat good.json; } >both.json
report 2 both.json; grep -q 'a run before the last one did not end' page.html || fault "a run that did not end is not said before another one"
cat good.json good.json >twice.json; report 0 twice.json
head -2 good.json | head -c -20 >torn.json
report 2 torn.json; rows 1 proved exact; grep -q 'its last line is incomplete' page.html || fault "a torn line is not said"
"$affirm" check turn.hlo nofile.hlo --sarif bad.sarif >out 2>err
report 3 bad.sarif; rows 1 open 'bad input'; rows 0 refuted '.*'
# A negative example that is proved is a failure, as it is for `prove`.
printf 'rule near\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n  near-miss: c > 1, 0 <= lo(x), hi(x) < c\n' >near.rules
"$affirm" prove --no-store --json near.rules >near.json
report 1 near.json; rows 1 proved proved; rows 1 refuted refuted
report 1 reads.json; grep -q 'class="row refuted"' page.html || fault "reads that differ have no row"
report 0 values.json; rows 1 proved 'same values'
"$affirm" hazard --json turn.hlo >no_pair.json 2>/dev/null
report 2 no_pair.json; grep -q 'the run ended with status 2, which no row of it explains' page.html || fault "a run without pairs has no row"
report 1 hazard.json; grep -q 'data-verdict="hazard" data-opcode="hazard"' page.html || fault "a hazard has no row"
report 1 audit.json; rows 1 refuted wrong; rows 2 proved exact
report 0 score.json; grep -q 'data-opcode="score"' page.html || fault "a score has no row"
report 0 watch.json; rows 1 proved unchanged
grep -q 'data-opcode="algsimp" .*data-file="dump/"' page.html || fault "a step is not found by its pass"
report 1 gate.json; rows 1 proved passed; rows 2 refuted refuted; rows 1 open unknown; rows 1 open 'not asked'
report 2 fuzz.json; rows 1 proved passed; rows 1 open unknown
# Faults beside a baseline, orders, critical pairs and cases: each word has its status.
printf '{"version":1,"fault":"analyse/%s","state":"%s","count":2}\n' a known b new c vanished d 'not seen' >baseline.json; echo "$totals" >>baseline.json
report 1 baseline.json; rows 1 proved known; rows 1 refuted new; rows 1 proved vanished; rows 1 open 'not seen'
printf '{"version":1,"rule":"%s","order":"size","obligations":2,"proved":%s,"twin_refuted":%s}\n' a 2 1 b 1 1 c 2 0 >order.json; echo "$totals" >>order.json
report 2 order.json; rows 1 proved proved; rows 2 open unknown
printf 'rule heavier\n  x mod c => x - c*(x floordiv c)\n  when c > 0\n  order: weight\n' >heavier.rules
"$affirm" prove --order --json heavier.rules >heavier.json
report 1 heavier.json; rows 1 refuted refuted; grep -q 'text: .*weight: REFUTED at' page.html || fault "a refuted order has no instance"
printf '{"version":1,"first":"a","second":"b","map":"m","left":"l","right":"r","why":"%s"}\n' '' 'ends in one map' >pairs.json; echo "$totals" >>pairs.json
report 1 pairs.json; rows 1 refuted refuted; rows 1 proved known
printf '{"version":1,"file":"f.case","line":1,"case":"a","outcome":"%s"}\n' passed failed unknown >cases.json; echo "$totals" >>cases.json
report 1 cases.json; rows 1 proved passed; rows 1 refuted failed; rows 1 open unknown
report 1 rules.sarif; rows 1 refuted refuted
report 1 good.json rules.json turn.hlo; rows 8 proved exact; rows 1 refuted refuted

# A run whose status no row explains: a file has no such instruction, a limit left a query out, and a run of which each row has passed.
"$affirm" check --json pad.hlo turn.hlo --instruction t >absent.json 2>/dev/null && fault "an instruction that a file lacks is no error"
report 3 absent.json; rows 1 open 'bad input'; grep -q 'the run ended with status 3, which no row of it explains' err || fault "a status without a row is not named"
"$affirm" check --json pad.hlo --questions 1 >limited.json 2>/dev/null
report 2 limited.json; rows 1 proved exact; rows 1 open unknown
report 2 --compare good.json limited.json
sed 's/"status":0/"status":1/' good.json >ended.json
report 1 ended.json; rows 6 proved exact; rows 1 refuted refuted
cat ended.json good.json >both.json
report 1 both.json; rows 12 proved exact; rows 1 refuted refuted
# A campaign of which the engine refused every question, one that answered nothing, and one that passed.
printf '{"version":1,"target":"graph","inputs":1,"questions":1,"counts":{"exact":0,"refused":1,"not judged":0}}\n{"version":1,"engine":"e","findings":0,"answered":0,"refused":1}\n' >refused.json
printf '{"version":1,"target":"graph","inputs":1,"questions":1,"counts":{"exact":0,"refused":0,"not judged":1}}\n{"version":1,"engine":"e","findings":0,"answered":0,"refused":0}\n' >silent.json
printf '{"version":1,"target":"graph","inputs":1,"questions":1,"counts":{"exact":1,"refused":0,"not judged":1}}\n{"version":1,"engine":"e","findings":0,"answered":1,"refused":0}\n' >answered.json
for campaign in refused silent answered; do echo "$totals" >>$campaign.json; done
report 2 refused.json; rows 2 open unknown
report 2 silent.json; rows 2 open unknown
report 0 answered.json; rows 2 proved passed
# A target that found what its directory has already.
printf '%s\n' '{"target":"text","executions":9,"edges":3,"inputs":2,"findings":0,"known":1,"state":"ran"}' "$totals" >known.json
report 1 known.json; rows 1 refuted refuted

# Both terms and both values of a difference are shown side by side.
"$affirm" equiv --json "$root/corpus/rewrites/values/slice_of_slice.before.hlo" "$root/corpus/rewrites/values/slice_of_slice.broken.hlo" >different.json
report 1 different.json; rows 1 refuted different
"$affirm" $(sed -n 's/.*replay: <code>affirm \([^<]*\)<.*/\1/p' page.html) >said && fault "the command that replays a difference finds none"
grep -q different said || fault "the command that replays a difference does not run"
grep -q '<th scope="row">value</th><td><code>[^<]*</code></td><td><code>' page.html || fault "the values are not side by side"
grep -q '<th scope="row">term</th><td><code>pick(p2, [^<]*</code></td><td><code>pick(add([^<]*</code></td>' page.html || fault "the terms are not side by side"

# Rules: refuted ones first, proved ones with a certificate; with a module the page shows how often each
# fired.
printf 'rule right\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n  near-miss: c > 0, 0 <= lo(x), hi(x) <= c\nrule never\n  x mod c => x\n  when c > 0, c < 0\nrule bad\n  x mood c => x\n' >three.rules
report 3 three.rules; rows 1 proved proved; rows 2 open 'bad input'
grep -q '<p>negative example: when .*: REFUTED at ' page.html || fault "the negative example is not refuted"
grep -q '<pre>certificate 1' page.html || fault "there is no certificate"
grep -q 'fired' page.html && fault "without modules it is not known what fires"
grep -q 'did you mean mod' err || fault "a rule that cannot be read is not reported"
"$affirm" report --page page.html turn.hlo "$root/corpus/modules/rearrange.hlo" "$root/core/rules/mod.rules" >out 2>err
grep -q '<p>fired [1-9][0-9]* times\? in the rows of this page' page.html || fault "what fired is not counted"
grep -q "<p>fires $(sed -n 's/^mod-known //p' "$root/corpus/fired.txt") times on the corpus<" page.html || fault "how often a rule fires on the corpus is not said"

# An interrupted run writes its rows; what their steps link to is left out. The second file is opened after the rows of the first.
mkfifo late.hlo
rm -f page.html
"$affirm" report --page page.html "$root/corpus/modules/rearrange.hlo" late.hlo >out 2>err &
exec 9>late.hlo
kill -INT $!
exec 9>&-
wait $! && fault "an interrupted report is clean"
grep -q 'interrupted, so the rest is missing' page.html && grep -q 'id="rule-mod-known">' page.html && grep -q '<p>not judged: interrupted</p>' page.html || fault "an interrupted report has not its rows"

# A refuted row names the cause: the operation, if nothing was simplified.
"$mutant" report --page page.html pad.hlo >out 2>err
[ "$(grep -c '<b>✗ pad</b></span>: nothing was simplified' page.html)" -eq 2 ] || fault "a wrong row does not name its operation"
grep -q "data-witness='{\"from\":\[4\],\"to\":\[\],\"kind\":\"outside\"}'" page.html || fault "a point of the domain that is no element is not the witness"
grep -q 'data-verdict="exact"' page.html && "$affirm" report --page page.html pad.hlo >out 2>err && grep -q '<b>✗ ' page.html && fault "a right row names a guilty one"

# A false rule is at the top of the page, even if each row that it simplified is exact.
printf 'ENTRY e {\n  p = f32[4,3] parameter(0)\n  r = f32[2,6] reshape(p)\n  ROOT b = f32[6,2] reshape(r)\n}\n' >common.hlo
"$rules_mutant" report --page page.html common.hlo "$root/corpus/modules/rearrange.hlo" >out 2>err
[ $? -eq 1 ] || { cat err; fault "a page with a false rule does not end with 1"; }
grep -q '<p class="refuted"><b>✗ refuted</b> rules in the steps of the rows: <a href="#rule-mod-common-factor">mod-common-factor</a></p>' page.html || fault "a false rule is not named on top"
"$affirm" report --page page.html common.hlo "$root/corpus/modules/rearrange.hlo" >out 2>err
grep -q 'rules in the steps of the rows' page.html && fault "true rules are called false"

# An unknown word is open, and so is a comparison that lost a row.
echo '{"file":"f","instruction":"r","direction":"o2i","output":0,"operand":0,"answer":"brilliant","maps":[]}' >unknown.json
report 2 unknown.json; rows 1 open brilliant

report 1 --compare good.json bad.json; rows 2 refuted 'newly failing'
grep -q '<b>4</b> same' page.html || fault "what stays the same is not counted"
report 0 --compare bad.json good.json; rows 2 proved mended
report 0 --compare good.json good.json; rows 0 '.*' '.*'
sed 1d good.json >fewer.json
report 2 --compare good.json fewer.json; rows 1 open gone
report 0 --compare fewer.json good.json; rows 1 proved new
report 1 --compare bad.json bad.json; rows 2 refuted 'still failing'
sed 's/"maps":\["(d0/"maps":["(x0/' good.json >other_maps.json
cmp -s good.json other_maps.json && fault "no map was changed"
report 0 --compare good.json other_maps.json; rows 5 proved changed
report 3 --compare good.json

# What is not read, or left out, has a row beside the others.
report 3 "$root/corpus/modules/rearrange.hlo" nowhere.hlo
grep -q 'the file, or a part of it, is not read' page.html || fault "the page does not say that a file is not read"
report 2 "$root/corpus/modules/rearrange.hlo" --all --questions 1
grep -q 'left out, past a limit' page.html || fault "the page does not say that queries were left out"

# A run without totals, or with those of an interrupt, lacks results: it is open, whatever it has.
head -2 good.json >killed.json
report 2 killed.json; rows 2 proved exact; rows 1 open unknown
grep -q 'killed.json: the run did not end: it has no line of totals' err || fault "a run without totals is not reported"
grep -q '<b>unknown</b>.*the run did not end' page.html || fault "the page does not say that the run did not end"
sed 's/"status":0/"status":2,"interrupted":1/' good.json >cut.json
report 2 cut.json; rows 6 proved exact; rows 1 open unknown
grep -q 'cut.json: the run was interrupted' err || fault "an interrupted run is not reported"
report 2 --compare good.json cut.json; rows 0 '.*' '.*'
cat good.json killed.json >both.json
report 2 both.json

# The SARIF of a run that passed has no rows: the page says that nothing was found.
"$affirm" check --sarif passed.sarif turn.hlo >out || fault "a run that passes"
rm page.html
report 0 passed.sarif
grep -q '1 run; nothing was found' page.html || fault "an empty result has no page"
report 0 --compare passed.sarif passed.sarif
grep -q '2 runs; nothing was found' page.html || fault "two empty results have no page"
report 1 passed.sarif rules.sarif; rows 1 refuted refuted
grep -q 'nothing was found' page.html && fault "something was found"

# A page is not overwritten when there are no rows.
report 0 good.json
cp page.html kept.html
report 3 passed.sarif missing.json
cmp -s page.html kept.html || fault "a page says that nothing was found although a file is missing"
echo '{"nonsense":1}' >nonsense.json
: >empty.json
echo '{"part":"cases","passed":1' >cut.json
echo '{"version":"2.1.0","runs":[]}' >none.sarif
echo '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"affirm"}}}]}' >unfinished.sarif
for input in nonsense.json empty.json cut.json missing.json none.sarif unfinished.sarif; do
  report 3 "$input"
  cmp -s page.html kept.html || fault "$input: the page was replaced"
done
report 3 --compare good.json empty.json; cmp -s page.html kept.html || fault "an empty run was compared"
report 3 --compare good.json nonsense.json; cmp -s page.html kept.html || fault "a run that cannot be read was compared"
[ $faults -eq 0 ] && echo "every run has its rows"
