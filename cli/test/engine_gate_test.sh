#!/bin/sh
# What gates, campaigns and checks of a foreign engine say about answers that are missing, late or too large: over-approximations, refusals, an engine that
# hangs, an interrupt, and the known faults of a baseline.
#   engine_gate_test.sh AFFIRM
set -u
affirm=$1
export LC_ALL=C
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
. "$(dirname "$0")/wants.sh"
cd "$here" || exit 1
export XDG_CACHE_HOME="$here/cache"
# An engine over a pipe: $1 is what it does with a question about a module, `sent` counts the requests.
cat >engine.sh <<'SH'
tab=$(printf '\t') sent=0
# Sets `sizes` to the sizes of the array %$1 of the module, as `2,3`; false if it is no array of a static shape with elements.
find_sizes() {
  case $module in *"%$1 = "*) ;; *) return 1 ;; esac
  line=${module##*"%$1 = "} # the entry is the last computation
  case ${line%%[*} in *[!a-z0-9]*) return 1 ;; esac
  sizes=${line#*[}
  sizes=${sizes%%]*}
  case ,$sizes, in *,0,*|*'<'*) return 1 ;; esac
}
# Sets `names`, `bounds` and `more` to the variables $1 of the sizes $2.
list_variables() {
  names='' more='' at=0
  old=$IFS IFS=,
  for size in $2; do
    names="$names${names:+, }$1$at" more="$more${more:+, }$1$at in [0, $((size - 1))]"
    at=$((at + 1))
  done
  IFS=$old
}
# The map from each element of an array to all elements of the other one, for arrays alone.
everything() {
  IFS=$tab read -r direction instruction output operand leaf module <<END
$rest
END
  answer='not-offered'
  if [ "$output.$leaf" = 0.0 ] && find_sizes "$instruction"; then
    to=$sizes operands=${line#*\(}
    operands=${operands%%)*}
    while [ "$operand" -gt 0 ]; do operands=${operands#*, } operand=$((operand - 1)); done
    operands=${operands%%,*}
    if find_sizes "${operands#%}"; then
      from=$sizes
      if [ "$direction" = i2o ]; then from=$to to=$sizes; fi
      list_variables d "$to"
      d=$names bounds=$more
      list_variables s "$from"
      domain=$bounds${bounds:+${more:+, }}$more
      answer="answer$tab($d)${names:+[$names]} -> ($names)${domain:+, domain: $domain}"
    fi
  fi
  printf '%s\t%s\n' "$number" "$answer"
}
while IFS=$tab read -r number verb rest; do
  if [ "$verb" = hello ]; then printf '%s\tengine\t1\t%s\tanalyse\n' "$number" "$1"; continue; fi
  sent=$((sent + 1))
  case $1 in
    everything) everything ;;
    mixed)
      case $rest in
        *'ROOT %v0 = f32['*'] cholesky(%p0)'*) everything ;;
        *) printf '%s\tundefined\tlazy\n' "$number" ;;
      esac ;;
    refuses) printf '%s\tundefined\tlazy\n' "$number" ;;
    hangs) exec sleep 3000 ;;
    # Garbage, until the third request of all processes hangs.
    late)
      echo >>requests
      if [ "$(wc -l <requests)" -gt 2 ]; then echo >asked; exec sleep 3000; fi
      printf 'garbage\n' ;;
  esac
done
SH
scope='--no-corpus --scope cholesky --fuzz 0'

# --- an engine that hangs ---
printf 'HloModule one\nENTRY e {\n  p0 = f32[4] parameter(0)\n  ROOT %%v0 = f32[4] reverse(p0), dimensions={0}\n}\n' >one.hlo
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 80]\n' >one.maps
# The time of the command is also that of an answer, and the engine is not called hung for it.
wants 2 '^out of time; left out: 2 operands of one.hlo' "$affirm" check one.hlo --seconds 2 --engine-time 3000000 --engine-cmd 'exec sh engine.sh hangs'
lacks hung
cat >never.sh <<'SH'
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  [ "$verb" = hello ] || exec sleep 3000
  printf '%s\tengine\t1\tnever\tsimplify\n' "$number"
done
SH
wants 2 '^out of time; left out: the rest of one.maps' "$affirm" check one.maps --seconds 2 --engine-time 3000000 --engine-cmd 'exec sh never.sh'
lacks hung
# With --fail-fast a scope ends soon after its first failure, not with its last case.
# shellcheck disable=SC2086
wants 1 '^small scopes  *0  *[1-9]  *2[0-9][0-9] ' "$affirm" gate $scope --fail-fast --exhaust 1 --engine-time 300 --engine-cmd 'exec sh engine.sh hangs'
says 'ended at the first failure'
# An interrupt keeps the failures: status, totals and results.
# shellcheck disable=SC2086
"$affirm" gate $scope --exhaust 1 --engine-time 3000000 --json --junit ended.xml --engine-cmd 'exec sh engine.sh late' >out 2>err &
until [ -s asked ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
kill -TERM $!
wait $!
came=$? runs=$((runs + 1))
[ $came -eq 1 ] || fault "status $came of an interrupted gate with a failure"
says '"part":"small scopes","passed":0,"failed":1,'
says '"verdict":"REFUTED"'
says '"totals":.*"status":1,"interrupted":1}$'
grep -q '<testcase classname="gate" name="small scopes" .*<failure ' ended.xml || fault 'the results of an interrupted gate lack its failure'
grep -q '<testcase classname="files" name="left out" .*<error ' ended.xml || fault 'no row of what an interrupted gate left out'
# So does a score that is interrupted while an answer is awaited. The row of what is left out is there beside the failure.
cat >wrong.sh <<'SH'
tab=$(printf '\t') sent=0
while IFS=$tab read -r number verb rest; do
  if [ "$verb" = hello ]; then printf '%s\tengine\t1\twrong\tsimplify\n' "$number"; continue; fi
  sent=$((sent + 1))
  if [ $sent -gt 1 ]; then echo >awaited; exec sleep 3000; fi
  printf '%s\tanswer\t(d0) -> (d0 + 1), domain: d0 in [0, 80]\n' "$number"
done
SH
cat one.maps one.maps >two.maps
"$affirm" score two.maps --engine-time 3000000 --without-ours --show 0 --junit score.xml --engine-cmd 'exec sh wrong.sh' >out 2>&1 &
until [ -s awaited ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
kill -TERM $!
wait $!
came=$? runs=$((runs + 1))
[ $came -eq 1 ] || fault "status $came of an interrupted score with a wrong answer"
says '^simplify  *wrong  *2  *0  *0  *1 '
grep -q '<testcase classname="score" name="simplify, wrong" .*<failure ' score.xml || fault 'the results of an interrupted score lack its failure'
grep -q '<testcase classname="files" name="left out" .*<error ' score.xml || fault 'no row of what an interrupted score left out'

# --- over-approximations: counted, and faults with --exact ---
# shellcheck disable=SC2086
wants 0 "^small scopes  *278  *0  *0 .*; [1-9][0-9]* over-approximations where affirm's own map is exact$" "$affirm" gate $scope --engine-cmd 'exec sh engine.sh everything'
# shellcheck disable=SC2086
wants 0 '"part":"small scopes",.*"avoidable":[1-9]' "$affirm" gate $scope --json --engine-cmd 'exec sh engine.sh everything'
# shellcheck disable=SC2086
wants 1 '^small scopes  *[1-9][0-9]*  *[1-9][0-9]*  *0 ' "$affirm" gate $scope --exact --new-baseline loose --engine-cmd 'exec sh engine.sh everything'
says "--engine-cmd 'exec sh engine.sh everything' --exact$"
says '^new .*  cholesky-o2i/extra/'
replay=$(sed -n 's/^  replay  *affirm //p' out | tail -n 1)
wants 1 '^unexpected [12]$' sh -c "'$affirm' ${replay%%| affirm *}| '$affirm' ${replay##*| affirm }"
# shellcheck disable=SC2086
wants 0 '[1-9][0-9]* known faults*$' "$affirm" gate $scope --exact --baseline loose --engine-cmd 'exec sh engine.sh everything'
wants 0 ', avoidable [1-9]' "$affirm" exhaust --scope cholesky --engine-cmd 'exec sh engine.sh everything'
wants 1 ' inexact [1-9]' "$affirm" exhaust --scope cholesky --exact --engine-cmd 'exec sh engine.sh everything'
wants 0 ' accepted [1-9]' "$affirm" exhaust --scope cholesky --exact --accept loose --engine-cmd 'exec sh engine.sh everything'
wants 3 'exact needs --engine' "$affirm" exhaust --scope cholesky --exact
wants 3 'exact needs --engine' "$affirm" gate --no-corpus --exact
wants 3 'twice needs --engine' "$affirm" exhaust --scope cholesky --twice
wants 3 'has cases 0 to 277 in tier gate' "$affirm" exhaust --scope cholesky --case 9223372036854775807
mkdir texts declared
cp one.hlo texts
{ printf '// over-approximation: v0\n'; cat one.hlo; } >declared/one.hlo
wants 0 "^modules  *2 .*; 2 over-approximations where" "$affirm" gate --exhaust 0 --fuzz 0 --engine-cmd 'exec sh engine.sh everything' texts
wants 1 '^modules  *0  *2 ' "$affirm" gate --exact --exhaust 0 --fuzz 0 --engine-cmd 'exec sh engine.sh everything' texts
says '^inexact: .* of v0, '
wants 0 '^modules  *2 .*; 2 over-approximations where' "$affirm" gate --exact --exhaust 0 --fuzz 0 --engine-cmd 'exec sh engine.sh everything' declared

# Nothing is known of a declared instruction that the engine did not answer.
wants 2 '^  not judged  v0: declared as over-approximation, but not all its maps are judged$' "$affirm" check --exact --engine-cmd 'exec sh engine.sh refuses' declared

# So are those of random inputs, by campaigns and by gates.
wants 0 "^[1-9][0-9]* over-approximations* where affirm's own map is exact$" "$affirm" fuzz --runs 12 --corpus loose.kept --engine-cmd 'exec sh engine.sh everything'
says '^graph .*, over-approximation [1-9]'
wants 0 '"engine":"everything".*"avoidable":[1-9]' "$affirm" fuzz --json --runs 12 --corpus loose.kept --engine-cmd 'exec sh engine.sh everything'
# On a busy machine the seconds may pass before the first question.
for seconds in 1 5 20; do
  "$affirm" gate --exhaust 0 --fuzz $seconds --engine-cmd 'exec sh engine.sh everything' texts >out 2>&1
  came=$?
  if grep -q '^random inputs  *[1-9]' out; then break; fi
done
runs=$((runs + 1))
[ $came -eq 0 ] || fault "status $came of a gate with over-approximations in random inputs"
says "^random inputs .*; [1-9][0-9]* over-approximations* where affirm's own map is exact$"

# --- random inputs that the engine refuses make a campaign and the gate undecided ---
wants 2 '^the engine answered [0-9]* of [1-9][0-9]* questions$' "$affirm" fuzz --runs 20 --corpus refused --junit refused.xml --engine-cmd 'exec sh engine.sh refuses'
says ' 0 findings'
grep -q '<testcase classname="random inputs" name="maps of random modules" .*<error ' refused.xml || fault 'no result of a campaign that was refused'
wants 2 '"engine":"refuses".*"refused":[1-9]' "$affirm" fuzz --json --runs 20 --corpus refused --engine-cmd 'exec sh engine.sh refuses'
# On a busy machine the seconds may pass before the first question.
for seconds in 1 5 20; do
  "$affirm" gate --no-corpus --scope cholesky --fuzz $seconds --engine-cmd 'exec sh engine.sh mixed' >out 2>&1
  came=$?
  if grep -q 'the engine refused [1-9]' out; then break; fi
done
runs=$((runs + 1))
[ $came -eq 2 ] || fault "status $came of a gate with refused random inputs"
says '^small scopes  *278  *0  *0 '
says '^random inputs .*; the engine refused [1-9]'

# --- a fault of a baseline has vanished only if questions of its operation were answered ---
printf 'reverse-o2i/extra/no-repair\nreverse/crashed/SIGSEGV\npad-o2i/missing/no-repair\ncase/other/keeps-one\n' >baseline
wants 0 '^vanished  *0  reverse-o2i/extra/no-repair$' "$affirm" gate --exhaust 0 --fuzz 0 --baseline baseline --engine-cmd 'exec sh engine.sh everything' texts
says '^vanished  *0  reverse/crashed/SIGSEGV$'
says '^not seen  *0  pad-o2i/missing/no-repair$'
says '^not seen  *0  case/other/keeps-one$'
wants 2 '^not seen  *0  reverse-o2i/extra/no-repair$' "$affirm" gate --exhaust 0 --fuzz 0 --baseline baseline --engine-cmd 'exec sh engine.sh refuses' texts
lacks '^vanished'

# --- a known end of the engine hides no other fault of the same case: $1 is its answer to o2i, $2 the signal at i2o ---
cat >ends.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  case $verb$rest in
    hello*) printf '%s\tengine\t1\tends\tanalyse\n' "$number" ;;
    analyseo2i*) [ "$1" != crash ] || kill -SEGV $$; printf '%s\tanswer\t(d0) -> (%s), domain: d0 in [0, 3]\n' "$number" "$1" ;;
    *) [ "$2" = none ] || kill -"$2" $$; printf '%s\tanswer\t(d0) -> (d0), domain: d0 in [0, 3]\n' "$number" ;;
  esac
done
END
mkdir ends must
printf '# both\ncheck\nhlo\n  p = f32[4] parameter(0)\n  ROOT r = f32[4] negate(p)\nend\nexact\n' >ends/both.case
cp ends/both.case must/both.bad.case
ends() { # ends STATUS TEXT DIRECTORY ANSWER SIGNAL OPTION...
  ended_with=$1 said=$2 in=$3 ending="exec sh ends.sh $4 $5"
  shift 5
  wants "$ended_with" "$said" "$affirm" gate --exhaust 0 --fuzz 0 --engine-cmd "$ending" "$@" "$in"
}
ends 1 '^new  *1  case/crashed/SIGSEGV$' ends d0 SEGV --new-baseline known.ends
ends 0 '^known  *1  case/crashed/SIGSEGV$' ends d0 SEGV --baseline known.ends
ends 0 '^known  *1  case/crashed/SIGSEGV$' ends crash none --baseline known.ends
ends 0 '^known  *1  case/crashed/SIGSEGV$' ends crash SEGV --baseline known.ends
ends 1 '^new  *1  case/other/check-both-[0-9a-f]*$' ends 0 SEGV --baseline known.ends
ends 1 '^new  *1  case/other/check-both-[0-9a-f]*$' ends crash BUS --baseline known.ends
# A case that must fail does not pass by a crash, whichever question it answers.
ends 1 '^new  *1  case/crashed/SIGSEGV$' must crash none --new-baseline known.must
# An engine that ends, and does not start again, is broken in each case after it.
cat >once.sh <<'END'
[ ! -e started ] || exit 3
echo >started
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  [ "$verb" = hello ] || exit 5
  printf '%s\tengine\t1\tonce\tsimplify\n' "$number"
done
END
mkdir once
printf '# a\nkeeps (d0) -> (d0), domain: d0 in [0, 3]\nproved\n\n# b\nkeeps (d0) -> (d0 * 2), domain: d0 in [0, 3]\nproved\n' >once/two.case
wants 1 '^new  *2  case/exited/' "$affirm" gate --exhaust 0 --fuzz 0 --engine-cmd 'exec sh once.sh' once
says '^cases  *0  *2  *0 '
# A new baseline with more groups than are named: each name is that of a fault, and the file is incomplete.
mkdir groups
at=0
while [ $at -lt 130 ]; do
  printf '# c%s\ncompose (d0) -> (d0), domain: d0 in [0, 3] ; (d0) -> (d0), domain: d0 in [0, 3]\n= (d0) -> (d0), domain: d0 in [0, 3]\n\n' $at
  at=$((at + 1))
done >groups/many.case
sed "s/(d0 + 1)/(d0 + 2)/; s/80\]/3]/; s/wrong.tsimplify/wrong\\tcompose/; s/sent -gt 1/sent -lt 0/" wrong.sh >composes.sh
wants 3 'groups.txt: incomplete: more than 127 groups of faults' "$affirm" gate --exhaust 0 --fuzz 0 --new-baseline groups.txt --engine-cmd 'exec sh composes.sh' groups
says '^cases  *0  *130  *0 '
[ "$(grep -c '^case/other/compose-c[0-9]*-' groups.txt)" -eq 127 ] && grep -q '^# other  3, ' groups.txt || fault 'not 127 names in the baseline'
wants 1 '^new  *3  other$' "$affirm" gate --exhaust 0 --fuzz 0 --baseline groups.txt --engine-cmd 'exec sh composes.sh' groups
says '^cases  *0  *3  *0 .* 127 known faults$'

echo "$runs runs, $faults faults"
[ $faults -eq 0 ]
