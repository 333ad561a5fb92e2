#!/bin/sh
# Files that a run writes: an option that a command would ignore is rejected, two outputs are two files, no input is overwritten, and a run that is
# rejected leaves the old file. Commands to paste have names of files as single words.
#   outputs_test.sh AFFIRM
set -u
affirm=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
faults=0
fault() { echo "FAULT: $*"; cat out err; faults=$((faults + 1)); }
expect() { # expect STATUS TEXT ARGUMENT...
  wanted=$1 text=$2
  shift 2
  "$affirm" "$@" >out 2>err </dev/null
  got=$?
  [ $got -eq "$wanted" ] || fault "affirm $*: exit status $got, not $wanted"
  [ -z "$text" ] || grep -qF -- "$text" out err || fault "affirm $* does not say: $text"
}
kept() { printf '%s\n' "$2" | cmp -s - "$1" || fault "$1 was changed"; }
map='(d0) -> (d0 mod 8), domain: d0 in [0, 7]'
echo 'rule same  x + 0 => x' >same.rules
echo "$map" >maps
echo "$map ; $map" >pairs
echo old >kept
printf '\037\213\010\000' >packed

expect 3 '--junit is not for --ops' prove --ops --junit kept
expect 3 '--sarif is not for --order' prove --order --sarif kept same.rules
expect 3 '--coq is not for --coverage' prove --coverage --coq kept
expect 3 '--smt2 is not for --confluence' prove --smt2 kept --confluence
expect 3 '--json is not for --coverage' prove --coverage --json
expect 3 '--statements is only for --ops' prove --statements kept same.rules
expect 3 '--tries is only for --confluence' prove --tries=5 same.rules
expect 3 '--peaks is only for --confluence' prove --peaks nowhere same.rules
expect 3 '--ops and --order exclude each other' prove --order --ops
for form in isl smt2; do expect 3 '--canonical is only for --form affine' emit --canonical --form $form maps; done
expect 3 '--page is not for --rows' explore --rows --page kept maps
# Two values of one option, options that contradict each other, and options without the one that they need.
expect 3 '--seconds is given twice' check --seconds 5 --seconds=50 maps
expect 3 '--style is given twice' simplify --style line --style line "$map"
expect 3 '--color is given twice' simplify --color=never --color always "$map"
expect 3 '--laws is given twice' equiv --laws fast maps maps --laws exact
expect 0 '(d0) -> (d0)' simplify --keep-points --keep-points "$map"
expect 3 '--store and --no-store exclude each other' prove --no-store --store kept same.rules
for command in map check use emit report; do expect 3 '--all and --instruction exclude each other' $command --instruction r --all maps; done
expect 3 '--update and --list exclude each other' snapshot --list --update
expect 3 '--stream is not for --show' snapshot --show maps:1 --stream maps
expect 3 '--cases is not for --standing' score --standing --cases 5 maps
expect 3 '--output is not for --compare' report --compare --output 0 maps maps
expect 3 '--tier is not for --list' exhaust --list --tier full
expect 3 '--jobs is not for --case' exhaust --scope reverse --case 4 --jobs 1
expect 3 '--case needs --scope' exhaust --case 4
expect 3 '--resume needs --journal' exhaust --resume
expect 3 '--scope has no effect with --exhaust 0' gate --no-corpus --exhaust 0 --scope reverse
for command in 'check maps' 'score maps' 'reduce maps' exhaust fuzz gate; do
  expect 3 '--engine-time needs --engine or --engine-cmd' $command --engine-time 5
  expect 3 '--engine-memory needs --engine or --engine-cmd' $command --engine-memory 0
done
# 0 is an error where it would select the default or do nothing.
for option in questions megabytes; do expect 3 "--$option is at least 1, not 0" check --$option 0 maps; done
for option in budget seconds; do expect 3 "--$option is at least 1, not 0" algebra points --$option=0 "$map"; done
for option in elements pairs jobs seconds memory; do expect 3 "--$option is at least 1, not 0" watch --$option 0 whole; done
for option in time jobs runs patience; do expect 3 "--$option is at least 1, not 0" fuzz --$option 0; done
for option in jobs case-seconds case-memory; do expect 3 "--$option is at least 1, not 0" exhaust --$option 00; done
for option in trials seconds; do expect 3 "--$option is at least 1, not 0" reduce --$option 0 maps; done
expect 3 '--rlimit is at least 1, not 0' equiv --rlimit 0 maps maps
expect 3 '--tries is at least 1, not 0' prove --confluence --tries 0
expect 3 '--rlimit is at least 1, not 0' prove --rlimit 0 same.rules
expect 3 '--cases is at least 1, not 0' score --cases 0
expect 3 '--points is at least 1, not 0' use --points 0 maps
expect 3 '--engine-time is at least 1, not 0' check --engine-time 0 --engine x maps
expect 0 proved check --seconds 0 maps
# So is a number that would be cut.
expect 3 '--seconds is at most 86400' algebra points --seconds 86401 "$map"
expect 3 '--megabytes is at most 1000000000000' check --megabytes 9223372036854775807 maps
expect 3 '--output is at most 9223372036854775807' check --output 99999999999999999999 maps
expect 3 '--seed is at most 4294967295' prove --seed 4294967296 same.rules
expect 3 '--jobs is at most 64' watch --jobs 65 whole
expect 3 '--jobs is at most 256' exhaust --jobs 257
expect 3 '--trials is at most 4294967295' reduce --trials 4294967296 maps
expect 3 '--engine-time is at most 86400000' check --engine-time 86400001 --engine x maps
expect 3 '--without-ours needs --engine or --engine-cmd' score --without-ours maps
expect 3 '--new-baseline needs --engine or --engine-cmd' gate --new-baseline kept
expect 3 '--accept needs --engine or --engine-cmd' check --accept same.rules maps
expect 3 '--opcodes needs --engine or --engine-cmd' fuzz --opcodes add
expect 0 'PROVED' prove --no-store --explain same.rules
printf 'constant foo; expression bar\nrule declared\n  bar + foo - foo => bar\n' >declared.rules
expect 0 'no certificate: declared letters are in no certificate' prove --no-store --explain declared.rules
expect 2 'no certificate: declared letters are in no certificate' prove --no-store --certificate certificates declared.rules
expect 0 '' prove --no-store --quiet --certificate certificates same.rules
[ -s certificates/same.cert ] || fault "no certificate was written"
checker=$(dirname "$affirm")/affirm-check
if [ -x "$checker" ]; then
  "$checker" same.rules certificates >out 2>&1
  [ $? -eq 3 ] && grep -q 'certificates is a directory' out || fault "affirm-check does not say that it is given a directory"
  cat certificates/*.cert >all.cert
  "$checker" same.rules all.cert >out 2>&1 || fault "affirm-check rejects the certificates of a directory"
else echo "skipped: affirm-check is not built"; fi
expect 2 'states none' prove --order --explain same.rules

# A page is valid UTF-8: names have their other bytes escaped, and a text with such bytes is rejected.
utf8=$(printf 'caf\303\251.hlo') latin=$(printf 'caf\351.hlo')
printf 'ENTRY e {\n  p = f32[3] parameter(0)\n  ROOT n = f32[3] negate(p), metadata={op_name="\351\303\251"}\n}\n' >"$latin"
cp "$latin" "$utf8"
expect 0 '' report --page named.html "$latin" "$utf8"
iconv -f UTF-8 -t UTF-8 named.html >out 2>err || fault "the page of report is not valid UTF-8"
grep -qF 'caf\u00e9.hlo' named.html && grep -qF "$utf8" named.html || fault "the page does not name both files"
expect 3 ':3:49: error: byte 0xe9 is not UTF-8; save the file as UTF-8' explore --page named.html "$utf8"
printf 'p = f32[3] parameter(0)\n\0\n' >zero.hlo
expect 3 'zero.hlo:2:1: error: a byte 0x00 in the text' explore --page named.html zero.hlo

expect 3 '--junit and --sarif would write the same file' check --junit kept --sarif ./kept maps
expect 3 '--junit is given twice' check --junit kept --junit other maps
ln kept linked
expect 3 '--junit and --sarif would write the same file' check --junit kept --sarif linked maps
expect 0 proved check --junit /dev/null --sarif /dev/null maps
# The same of a file that is not there yet, by any path; and of a journal, a store, and the files of a reduced step.
mkdir -p inner
for path in ./new "$PWD/new" inner/../new inner/.././new; do
  expect 3 '--junit and --sarif would write the same file' check --junit "$path" --sarif new maps
done
expect 0 proved check --junit inner/new --sarif new maps
rm inner/new new
expect 3 '--journal and --junit would write the same file' exhaust --scope reverse --journal new --junit ./new
expect 3 '--journal and --sarif would write the same file' watch . --journal new --sarif ./new
expect 3 '--output and --junit would write the same file' watch . --output ./wrong --junit wrong.before.hlo
expect 3 '--output and --sarif would write the same file' watch . --output ./wrong --sarif wrong.after.hlo
expect 3 '--store and --junit would write the same file' prove --store ./new --junit new same.rules
[ ! -e new ] || fault "a rejected run has written a file"
# A dash is no file of results; standard output has the device's name.
for option in 'check --junit' 'check --sarif' 'report --page' 'explore --page' 'simplify --certificate'; do
  expect 3 "needs a file, not '-'" $option - maps
done
expect 3 "--journal needs a file, not '-'" exhaust --scope reverse --journal -
[ ! -e ./- ] || fault "a file of the name - is written"
for option in 'check --junit' 'check --sarif' 'report --page' 'explore --page' 'simplify --certificate'; do
  expect 3 'would overwrite an input: maps' $option maps maps
done
expect 3 'would overwrite an input: same.rules' prove --junit same.rules same.rules
# A word of an engine's command is one for the shell too: with quotes, with backslashes, and beside an operator.
cat >'my engine.sh' <<'END'
while IFS=$(printf '\t') read -r number verb map; do
  case $verb in
    hello) printf '%s\tengine\t1\tshell\tsimplify\n' "$number" ;;
    *) printf '%s\tanswer\t%s\n' "$number" "$map" ;;
  esac
done
END
for command in "'my engine.sh'" '"./my engine.sh"' 'my\ engine.sh' "cat <my' 'engine.sh|sh" 'exec sh	"my engine.sh"'; do
  expect 3 'would overwrite an input: my engine.sh' check maps --engine-cmd "$command" --junit 'my engine.sh'
done
expect 0 '' check maps --engine-cmd 'sh "my engine.sh"' --junit engine.sh
for option in --junit --sarif; do
  expect 3 'would overwrite an input: pairs' audit --pairs pairs $option pairs
  expect 3 'would overwrite an input: maps' audit module.hlo --maps ./maps $option maps
  expect 3 'would overwrite an input: same.rules' gate --rules same.rules --no-corpus --exhaust 0 --fuzz 0 $option same.rules
  expect 3 'would overwrite an input: pairs' score --pairs pairs $option pairs
done
expect 3 'would overwrite an input: same.rules' simplify --rules same.rules --certificate same.rules "$map"
expect 3 'would overwrite an input: same.rules' reduce module.hlo --rules same.rules --output same.rules
expect 3 '--rules is given twice' simplify --rules same.rules --rules other.rules "$map"
mkdir -p whole/inner
echo "$map" >whole/inner/one.maps
expect 3 'would overwrite an input: whole/inner/one.maps' check whole --junit whole/inner/one.maps
kept whole/inner/one.maps "$map"
expect 0 proved check whole --junit whole/results.xml
expect 0 proved check whole --junit whole/results.xml
expect 0 proved check whole/inner --sarif whole/new.txt
# By any path: of a directory, by links, and by standard input; of an option's directory; without the option; and where the name is only a part.
ln -s whole/inner directory
ln whole/inner/one.maps hard.xml
ln -s whole/inner/one.maps soft.xml
for path in hard.xml soft.xml directory/one.maps ./whole/../whole/inner/one.maps; do
  expect 3 "would overwrite an input: $path" check whole --junit "$path"
  expect 3 "would overwrite an input: $path" check directory/. --sarif "$path"
done
"$affirm" check - --junit soft.xml <whole/inner/one.maps >out 2>err
[ $? -eq 3 ] && grep -qF 'would overwrite an input: soft.xml' err || fault "standard input is overwritten"
kept whole/inner/one.maps "$map"
printf 'HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n  ROOT n = f32[4] negate(p)\n}\n' >whole.hlo
cp whole.hlo report.html
expect 3 'would overwrite an input: report.html' report report.html
ln -s whole.hlo explorer.html
expect 3 'would overwrite an input: explorer.html' explore whole.hlo
mkdir steps
for step in m.0001.first.hlo m.0002.before.hlo m.0002.after.hlo; do cp whole.hlo "steps/$step"; done
ln -s steps linked.steps
ln steps/m.0001.first.hlo hard.before.hlo
ln -s steps/m.0001.first.hlo soft.after.hlo
for name in steps/m.0002 ./steps/../steps/m.0002 linked.steps/m.0002 "$PWD/steps/m.0002"; do
  expect 3 "would overwrite an input: $name.before.hlo" watch steps --output "$name"
done
expect 3 'would overwrite an input: hard.before.hlo' watch linked.steps --output hard
expect 3 'would overwrite an input: soft.after.hlo' watch steps/. --output soft
expect 3 'would overwrite an input: hard.before.hlo' watch steps --junit hard.before.hlo
expect 3 'would overwrite an input: steps/m.0001.first.hlo' watch steps --journal steps/m.0001.first.hlo
for step in m.0001.first.hlo m.0002.before.hlo m.0002.after.hlo; do cmp -s whole.hlo "steps/$step" || fault "$step is overwritten"; done
# A small module of an earlier run is no step.
rm steps/m.0002.*
cp whole.hlo steps/m.0002.second.hlo
cp whole.hlo steps/wrong.before.hlo
expect 0 'same values' watch steps --output steps/wrong
mkdir two
cp whole.hlo two/a.before.hlo
cp whole.hlo two/a.after.hlo
expect 3 'would overwrite an input: two/a.after.hlo' equiv --dir two --junit two/a.after.hlo
cmp -s whole.hlo two/a.after.hlo || fault "a module of a pair is overwritten"
mkdir ordered
cp same.rules ordered/order.rules
expect 3 'would overwrite an input: ordered/order.rules' prove --order --certificate ordered ordered
expect 3 'would overwrite an input: ./ordered/order.rules' prove --order --certificate ./ordered ordered/order.rules
cmp -s same.rules ordered/order.rules || fault "--order overwrites its rules"
cp same.rules ordered/same.cert
expect 3 'ordered/same.cert: error: it is an input' prove --no-store --certificate ordered ordered/same.cert
cmp -s same.rules ordered/same.cert || fault "a certificate overwrites its rules"
cp same.rules same.case.input
expect 3 'would overwrite an input: same.case.input' reduce same.case.input --output same.case
mkdir corpus
echo "$map" >corpus/one.maps
expect 3 'would overwrite an input: corpus/one.maps' gate --exhaust 0 --fuzz 0 --junit corpus/one.maps
expect 3 'would overwrite an input: corpus/one.maps' score --cases 1 --junit corpus/one.maps
expect 0 '' score --pairs pairs --junit corpus/one.maps
echo "$map" >corpus/one.maps
expect 2 'the rule states none' gate --no-corpus --rules same.rules --exhaust 0 --fuzz 0 --junit corpus/one.maps
rm -r corpus
# Standard input without `-`; options of a pair; the judged engine, and a program that is watched; recorded answers; seeds.
"$affirm" simplify --certificate soft.xml <whole/inner/one.maps >out 2>err
[ $? -eq 3 ] && grep -qF 'would overwrite an input: soft.xml' err || fault "standard input without - is overwritten"
kept whole/inner/one.maps "$map"
echo '--more 0' >two/a.options
expect 3 'would overwrite an input: two/a.options' equiv --reads --dir two --junit two/a.options
kept two/a.options '--more 0'
rm two/a.options
cp kept engine.so
expect 3 'would overwrite an input: engine.so' check maps --engine ./engine.so --junit engine.so
cp kept engine.sh
expect 3 'would overwrite an input: engine.sh' check maps --engine-cmd 'sh ./engine.sh' --sarif engine.sh
expect 3 'would overwrite an input: engine.sh' watch --junit engine.sh -- ./engine.sh
expect 3 'would overwrite an input: engine.sh' watch --journal engine.sh -- sh engine.sh
kept engine.so old
kept engine.sh old
mkdir -p recorded seeds/rules
cp kept recorded/answers.snapshot
expect 3 'would overwrite an input: recorded/answers.snapshot' gate recorded --exhaust 0 --fuzz 0 --rules same.rules --junit recorded/answers.snapshot
kept recorded/answers.snapshot old
cp kept seeds/rules/one
expect 3 'would overwrite an input: seeds/rules/one' fuzz --target rules --runs 1 --seeds seeds --corpus found --junit seeds/rules/one
kept seeds/rules/one old
# Two outputs of which one is a file of a directory, or of a scope.
expect 3 '--journal and --junit would write the same file: new.reverse' exhaust --tier gate --shard 1000/1000000 --all-judges 0 --journal ./new --junit new.reverse
[ ! -e new.reverse ] || fault "a rejected run has written a journal"
expect 3 'certificates/same.cert: error: --junit or --sarif would write the same file' prove --no-store --certificate certificates --junit certificates/same.cert same.rules
# A file that the command does not read is written, and again in a second run.
mkdir two/inner ruled
cp whole.hlo two/inner/old.hlo
cp same.rules ruled
for run in first second; do
  expect 0 'same values' equiv --dir two --junit two/results.txt
  expect 0 'same values' equiv --dir two --junit two/inner/old.hlo
  expect 0 '' prove --no-store ruled --junit ruled/results.txt
done
kept pairs "$map ; $map"
kept maps "$map"
kept same.rules 'rule same  x + 0 => x'
kept kept old

expect 3 'error' simplify --certificate kept '(bad'
expect 2 'no certificate' simplify --certificate kept UNDEFINED
expect 3 'nowhere' simplify --certificate kept --rules nowhere "$map"
expect 3 'cannot be combined' simplify --certificate kept --json --style xla "$map"
kept kept old
expect 3 'No space' simplify --certificate /dev/full "$map"
expect 0 '(d0) -> (d0)' simplify --certificate kept "$map"
grep -qx end kept || fault "no certificate was written"

# With --quiet only the lines of pairs that do not pass, with their numbers, and the totals.
printf '%s\t%s\n' "$map" "$map" '(d0) -> (d0), domain: d0 in [0, 1]' '(d0) -> (1), domain: d0 in [0, 1]' >two.pairs
expect 1 'line 2: different at d0 = 0' audit --quiet --pairs two.pairs
[ "$(wc -l <out)" -eq 1 ] || fault "a pair that passes is printed"
grep -q 'pairs 2: 1 same map' err || fault "the totals are not printed"

# A line of pairs that cannot be read is named, and the others are judged.
printf '\n%s\0 ; %s\r\n%s\n \r\n%s ; %s\r\n' "$map" "$map" "$map" "$map" "$map" >zero.pairs
expect 3 'zero.pairs:2:1: error: a byte 0x00 in the line' score --verb compose --json --pairs zero.pairs
grep -qF 'zero.pairs:3:1: error: expected a pair, CONSUMER ; PRODUCER' err || fault "a line without a pair is not named"
grep -q '"verb":"compose","asked":1,"exact":1,' out || fault "the pair after unreadable lines is not judged"

# A part of which score can ask nothing is named and counted once, however many engines are asked.
cat >same.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  if [ "$verb" = hello ]; then printf '%s\tengine\t1\tsame\tsimplify compose\n' "$number"
  else printf '%s\tanswer\t(d0) -> (d0 mod 8), domain: d0 in [0, 7]\n' "$number"; fi
done
END
printf '%s ; %s\n' "$map" "$map" "$map" '(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 3]' '(d0) -> (' "$map" "$map" '(d0) -> (' UNDEFINED "$map" >five.pairs
printf '# pair\ncompose %s ; (d0) -> (\nproved\n\n# single\ncompose %s\nproved\n\n# module\nmap o2i 0 0 hlo\nROOT r = f32[3] nothing()\nend\nnothing\n' "$map" "$map" >unread.case
for engine in '' --engine-cmd='sh same.sh'; do
  expect 3 '1 file and scopes, 4 parts not read' score --pairs five.pairs ${engine:+"$engine"}
  for line in 'five.pairs:2:1: error: composition: the first map has 1 result and the second 2 dimensions' 'five.pairs:3:10: error:' \
    'five.pairs:4:53: error:' 'five.pairs:5:1: error: UNDEFINED is no map'; do
    grep -qF "$line" err || fault "score does not say: $line"
  done
  [ "$(grep -c error: err)" -eq 4 ] || fault "a part is named twice"
  grep -q '^compose  *[a-z]*  *1  *1 ' out || fault "the pair before unreadable ones is not judged"
  expect 3 '1 file and scopes, 3 parts not read' score unread.case ${engine:+"$engine"}
  for line in 'unread.case:2:61: error:' 'unread.case:6:9: error: expected a pair, CONSUMER ; PRODUCER' "unread.case:11:17: error: 'nothing' is not an opcode"; do
    grep -qF "$line" err || fault "score does not say: $line"
  done
done
expect 3 '1 file and scopes, 1 part not read' score same.sh
# The table of standing has the rows of such a run, and says that a part is missing.
expect 3 '"answer":"bad input"' score --json --pairs five.pairs
cp out five.json
expect 3 'five.json: the run could not read a part, so its counts lack it' score --standing five.json
grep -q '^| affirm | 1 | 1 ' out || fault "no row of a run with an unreadable part"

# An input that cannot be read has one object.
for command in check prove map simplify; do
  expect 3 '"answer":"bad input"' $command --json nowhere
  [ "$(grep -c '"reason":' out)" = 1 ] || fault "$command: not one object"
done

# A file needs a name, before anything is written.
for command in 'check --json' prove map 'equiv same.rules' report hazard use emit 'audit --pairs maps' score explore snapshot; do
  expect 3 'is empty; a file needs a name' $command ''
  [ ! -s out ] || fault "$command writes of a file without a name"
done
expect 3 'argument 2 is empty' check maps '' --junit kept --sarif none
[ ! -e none ] || fault "a file of results of no run"

# A run whose output is lost fails, and its result files say so.
if [ -w /dev/full ]; then
  "$affirm" check maps --github >/dev/full 2>err
  grep -q 'the output could not be written: No space left on device' err || fault "the reason of a lost annotation"
  for command in 'completions bash' 'completions zsh' man '--help' 'man map' 'exhaust --help'; do
    "$affirm" $command >/dev/full 2>err
    [ $? -eq 3 ] && [ "$(grep -c 'could not be written' err)" = 1 ] || fault "$command to a full disk: not one message"
  done
  "$affirm" check maps --junit lost.xml --sarif lost.sarif >/dev/full 2>err
  [ $? -eq 3 ] || fault "a lost output does not end with 3"
  grep -q '<error .*the run ended with status 3' lost.xml || fault "JUnit says nothing of a lost output"
  grep -q '"ruleId":"run/bad-input"' lost.sarif || fault "SARIF says nothing of a lost output"
fi

# A text of another kind, or a compressed one: the message names the remedy.
printf 'HloModule m\nENTRY e {\n  ROOT p = f32[3] parameter(0)\n}\n' >one.hlo
for command in map check use emit hazard; do
  expect 3 'same.rules: these are rules; affirm prove reads rules' $command same.rules
  expect 3 'compressed by gzip; unpack it first' $command packed
done
expect 3 'maps: these are maps; affirm simplify and check read maps' map maps
expect 3 'one.hlo: this is a module; affirm check and map read modules' simplify one.hlo
"$affirm" map kept >out 2>err
grep -q 'read maps\|read modules\|reads rules' err && fault "a remedy for a text of no kind"
expect 3 'no option --version; affirm --version prints the version' check --version maps
expect 3 'a scope needs its option: --scope cholesky' exhaust cholesky
expect 3 "exhaust takes no file: 'nothing'" exhaust nothing
expect 3 'maps: error: Not a directory' watch maps
"$affirm" reduce - >out 2>err <one.hlo
grep -q '<stdin>: nothing is refuted' err || fault "reduce - does not say <stdin>"

# A byte 0 ends no line: what comes after it is read.
zeros() { # zeros FORMAT: %s is the map
  printf "$1" "$map" >zeros
  expect 3 'zeros:' check zeros
}
zeros '%s\0, d0 mod 2 in [0, 0]\n'
zeros '%s\0 garbage\n'
zeros '\0 garbage\n%s\n'
zeros '%s\n\0'

mkdir 'a $(b)'
cp maps 'a $(b)/c'"'"'d.rules'
echo 'rule wrong  x + 1 => x' >'a $(b)/c'"'"'d.rules'
expect 1 REFUTED prove --no-store --sarif sarif 'a $(b)/c'"'"'d.rules'
grep -qF "replay: affirm prove 'a \$(b)/c'\\\\''d.rules'" sarif || { cat sarif; fault "the command to paste is not quoted"; }

# Both streams in one file: the counts of critical pairs come after the last pair.
"$affirm" prove --confluence --tries 1 >out 2>&1
tail -n 1 out | grep -q 'with a peak that is not joined' || { tail -n 3 out; fault "the counts of critical pairs are not at the end"; }
[ $faults -eq 0 ] || exit 1
