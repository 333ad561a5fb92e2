#!/bin/sh
# affirm reduce: exit statuses, limits and interrupts, and what it says about a finding that it could not reduce.
#   reduce_test.sh AFFIRM ROOT
set -u
affirm=$1 root=$2
export LC_ALL=C
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
. "$(dirname "$0")/wants.sh"
cd "$here" || exit 1

right="sh '$root/examples/engine-shell/engine.sh'"

# --- a text that does not parse is bad input, with its position, whatever it looks like and whoever is asked ---
printf '(((((((((' >deep.hlo
printf 'HloModule m\001\n' >bytes.hlo
printf 'rule bad\n  x mod\n' >bad.rules
printf '(d0) -> (d0), domain: d0 in [0, 8]\n(d0) -> (d0\n' >second.maps
wants 3 '^deep.hlo:1:2: error' "$affirm" reduce deep.hlo
wants 3 '^bad.rules:[23]:[0-9]*: error' "$affirm" reduce bad.rules
wants 3 '^second.maps:2:[0-9]*: error' "$affirm" reduce second.maps
# The column is that of the line: the operation of a case follows its verb.
printf '# a\nholds nothing (d0) -> (d0), domain: d0 in [0, 8]\nproved\n' >operation.case
printf '# a\nalgebra bijective (d0) -> (d0), domain: d0 in [0, 8]\n= x\n' >numbers.case
printf '# a\nsimplify (d0) -> (d0 +)\n= x\n' >column.case
wants 3 '^operation.case:2:7: error: expected an operation about one map' "$affirm" reduce operation.case
wants 3 '^operation.case:2:7: error: expected an operation about one map' "$affirm" reduce operation.case --engine-cmd "$right"
wants 3 '^numbers.case:2:9: error: expected an operation about one map, .* numbers' "$affirm" reduce numbers.case
wants 3 '^column.case:2:23: error: expected an expression' "$affirm" reduce column.case
wants 3 '^column.case:2:23: error: expected an expression' "$affirm" reduce column.case --engine-cmd "$right"
printf '# a\nholds nothing (d0) -> (d0)\nerror 1:1: expected an operation about one map, such as inverse or points, and numbers such as 4,8 where it takes them\n' >operation.case
wants 2 'not reduced, because they pass: 1 case' "$affirm" reduce operation.case
printf 'rule bad\n  x %% 2 => x\nrule two\n  x mod 1 => 1\n' >later.rules
wants 1 '^later.rules:2:5: error' "$affirm" reduce later.rules
grep -q '^refuted' out || fault 'a rule after one that does not parse is not reduced'
for text in deep.hlo bytes.hlo second.maps; do
  wants 3 "^$text:[0-9]*:[0-9]*: error" "$affirm" reduce "$text" --engine-cmd "$right"
  lacks 'no fault'
done

# --- an engine is asked about the other computations after the entry; its question replays; undecided questions are counted ---
cat >bad.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb direction name rest; do
  case $verb in
    hello) printf '%s\tengine\t1\tbad\tanalyse\n' "$number" ;;
    *) if [ "$name" = bad ]; then printf '%s\tanswer\tKNOWN EMPTY\n' "$number"; else printf '%s\tnot-offered\n' "$number"; fi ;;
  esac
done
END
cat >called.hlo <<'END'
HloModule called
inner {
  q = f32[4,6] parameter(0)
  n = f32[4,6] negate(q)
  bad = f32[4,6] reverse(n), dimensions={0}
  ROOT m = f32[4,6] negate(bad)
}
ENTRY e {
  p = f32[4,6] parameter(0)
  ROOT c = f32[4,6] call(p), to_apply=inner
}
END
wants 1 '^graph-reverse-o2i-' "$affirm" reduce called.hlo --engine-cmd 'exec sh bad.sh' --output one.hlo
if [ "$(grep -c '^  ' one.hlo)" -ne 2 ] || grep -q 'call(\|negate(' one.hlo || ! grep -q '^ENTRY %inner' one.hlo; then fault 'the instruction is not alone'; fi
wants 1 '^wrong: o2i of bad' "$affirm" check one.hlo --instruction bad --direction o2i --engine-cmd 'exec sh bad.sh'
wants 1 'replay *affirm check FILE --instruction bad' "$affirm" check - --all --engine-cmd 'exec sh bad.sh' <one.hlo
sed 's/bad/good/' called.hlo >good.hlo
wants 2 'no fault here: 8 questions, 8 undecided$' "$affirm" reduce good.hlo --engine-cmd 'exec sh bad.sh'
wants 2 "no fault of kind 'crashed' here: 8 questions" "$affirm" reduce called.hlo --engine-cmd 'exec sh bad.sh' --kind crashed

# --- a result that a limit ended says so: trials, time, and time that ends before a fault is found ---
cat >slow.sh <<'END'
tab=$(printf '\t')
asked=0
while IFS=$tab read -r number verb rest; do
  case $verb in
    hello) printf '%s\tengine\t1\tslow\tanalyse\n' "$number" ;;
    *) [ $asked -lt 1 ] || sleep 6
       asked=$((asked + 1))
       if [ "$1" = wrong ]; then printf '%s\tanswer\tKNOWN EMPTY\n' "$number"; else printf '%s\tnot-offered\n' "$number"; fi ;;
  esac
done
END
wants 1 '^out of trials, not the smallest: graph-' "$affirm" reduce called.hlo --engine-cmd 'exec sh bad.sh' --trials 2
wants 1 '^out of time, not the smallest: graph-' "$affirm" reduce called.hlo --engine-cmd 'exec sh slow.sh wrong' --seconds 5
wants 2 'out of time after 2 questions without a fault, 2 undecided; not asked: 6 questions' "$affirm" reduce called.hlo --engine-cmd 'exec sh slow.sh right' --seconds 5
# An answer is awaited until the end of the time of the command, not longer, and the engine is not called hung for it.
cat >never.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  case $verb in
    hello) printf '%s\tengine\t1\tnever\tanalyse simplify\n' "$number" ;;
    *) exec sleep 3000 ;;
  esac
done
END
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 80]\n' >one.maps
wants 2 'called.hlo: out of time after [01] questions* without a fault, [01] undecided; not asked: [78] questions' "$affirm" reduce called.hlo --engine-cmd 'exec sh never.sh' --engine-time 3000000 --seconds 2
lacks 'hung'
wants 2 'one.maps: out of time after 1 question without a fault, 1 undecided; not asked: 0 questions' "$affirm" reduce one.maps --engine-cmd 'exec sh never.sh' --engine-time 3000000 --seconds 2
printf 'rule wrong\n  x mod c => x\n  when c > 0\n' >wrong.rules
printf '(d0, d1) -> (d0 mod 8 + d1), domain: d0 in [0, 80], d1 in [0, 3]\n' >map.txt
wants 1 '^out of trials, not the smallest: unsound' "$affirm" reduce map.txt --rules wrong.rules --trials 3
wants 1 '^unsound: 3 expression nodes' "$affirm" reduce map.txt --rules wrong.rules

# --- a map that is no input is reported, and the next one tried; a case that expects an error is passed over; a name with a line break stays in its line ---
{ printf '(d0) -> (d0 +)\n'; cat map.txt; } >later.maps
wants 1 '^later.maps:1:[0-9]*: error' "$affirm" reduce later.maps --rules wrong.rules
wants 1 '^unsound: 3 expression nodes' "$affirm" reduce later.maps --rules wrong.rules
printf '# a\nsimplify (d0) -> (d0 +)\nerror 1:14: expected an expression\n\n# b\nsimplify %s\n= (d0, d1) -> (d0 mod 8 + d1), domain: d0 in [0, 80], d1 in [0, 3]\n' "$(cat map.txt)" >later.case
wants 1 '^unsound: 3 expression nodes' "$affirm" reduce later.case --rules wrong.rules
lacks 'later.case:2:'
broken="$(printf 'line\nbreak.case')"
wants 1 '^unsound' "$affirm" reduce map.txt --rules wrong.rules --output "$broken"
[ "$(grep -c -v '^#' "$broken")" -eq 2 ] || fault 'a name with a line break breaks the case'

# --- a case that passes is no subject unless --kind is given; what of a failing case is not asked is said ---
printf '# other\nsame (d0) -> (d0), domain: d0 in [0, 3] ; (d0) -> (d0 + 1), domain: d0 in [0, 3]\nrefuted\n\n' >passes.case
printf '# false_rule\nprove rules\nrule r\n  x mod c => x\n  when c > 0\nend\nrefuted\n\n' >>passes.case
wants 2 'passes.case: nothing is refuted; not reduced, because they pass: 2 cases$' "$affirm" reduce passes.case
wants 1 '^not_the_same: ' "$affirm" reduce passes.case --kind not_the_same
wants 2 '^{"version":1,"file":"passes.case","name":"other","answer":"passes"}$' "$affirm" reduce passes.case --json
says '"name":"false_rule","answer":"passes"}$'
# A case of which the time does not show whether it passes is not reduced either, and it is counted.
awk 'BEGIN { printf "# slow\nsame "
  for (k = 0; k < 2; k++) { printf "(d0, d1) -> ("; for (i = 1; i <= 12000; i++) printf "(d0 * %d + d1) mod %d, ", i, i + 7
    printf "%s), domain: d0 in [0, 300], d1 in [0, 300]%s", k ? "d0 floordiv 300 * (d1 floordiv 300)" : "0", k ? "\n" : " ; " }
  print "refuted\n" }' >slow.case
wants 2 'slow.case: timed out before it is known whether they pass, so not reduced: 1 case;' "$affirm" reduce slow.case --seconds 1 --json
says '^{"version":1,"file":"slow.case","name":"slow","answer":"timed out"}$'
cat passes.case >>slow.case
wants 2 'slow.case: nothing is refuted.*; not reduced, because they pass: 2 cases$' "$affirm" reduce slow.case --seconds 20
says 'timed out before it is known whether they pass, so not reduced: 1 case;'
sed '1,3s/^refuted/proved/' passes.case >fails.case
wants 1 '^not_the_same: ' "$affirm" reduce fails.case
copy=$(printf 'o2i 0 0 hlo\np = f32[4] parameter(0)\nROOT r = f32[4] copy(p)\nend')
printf '# given\ncheck %s\nmap (d0) -> (0), domain: d0 in [0, 3]\nexact\n\n# tile\ntile 0:2 %s\n= 0:3\n' "$copy" "$copy" >fails.case
wants 2 "given: the given maps are not asked, only the engine's" "$affirm" reduce fails.case
says "tile: the expected answer is not asked, only whether the engine's maps are right"
says 'fails.case: nothing is refuted$'
wants 2 '"name":"tile","answer":"no finding"}$' "$affirm" reduce fails.case --json

# --- without an engine too, the other computations are asked after the entry; only a search that the time ended names the time ---
cat >inner.hlo <<'END'
HloModule inner
inner {
  q = f32[4,6] parameter(0)
  n = f32[4,6] negate(q)
  r = f32[24] reshape(n)
  ROOT m = f32[24] negate(r)
}
ENTRY e {
  p = f32[4,6] parameter(0)
  ROOT t = f32[24] custom-call(p), custom_call_target="f", called_computations={inner}
}
END
wants 1 '^wrong reshape: 1 operation' "$affirm" reduce inner.hlo --rules wrong.rules --output inner.case
wants 1 '^wrong reshape: 1 operation' "$affirm" reduce inner.case --rules wrong.rules
wants 2 'inner.hlo: nothing is refuted$' "$affirm" reduce inner.hlo

# --- an engine that hangs is asked with less time for an answer, and once more with all of it; a fault that needs earlier questions is not reduced,
# and no replay is printed that would not show it ---
cat >ends.sh <<'END'
tab=$(printf '\t')
asked=0
while IFS=$tab read -r number verb direction name rest; do
  [ "$verb" = hello ] || asked=$((asked + 1))
  case $verb-$1-$name in
    hello*) printf '%s\tengine\t1\tends\tanalyse\n' "$number" ;;
    analyse-hang-bad) exec sleep 3000 ;;
    analyse-hang-late-bad) [ $asked -le 2 ] || exec sleep 3000; printf '%s\tnot-offered\n' "$number" ;;
    analyse-crash-late-bad) [ $asked -le 2 ] || kill -SEGV $$; printf '%s\tnot-offered\n' "$number" ;;
    *) printf '%s\tnot-offered\n' "$number" ;;
  esac
done
END
cat >ends.hlo <<'END'
HloModule ends
ENTRY e {
  p = f32[2] parameter(0)
  n = f32[2] negate(p)
  bad = f32[2] reverse(n), dimensions={0}
  ROOT m = f32[2] negate(bad)
}
END
wants 1 '^graph-reverse-hung-\|not the smallest: graph-reverse-hung-' "$affirm" reduce ends.hlo --engine-cmd 'exec sh ends.sh hang' --engine-time 3000 --seconds 60 --trials 4 --output hung.hlo
lacks 'not reduced'
if [ "$(grep -c '^  ' hung.hlo)" -ne 2 ] || ! grep -q 'reverse(' hung.hlo; then fault 'the hang is not reduced'; cat hung.hlo; fi
for way in hang-late crash-late; do
  wants 1 'not reduced: .* only after earlier questions' "$affirm" reduce ends.hlo --engine-cmd "exec sh ends.sh $way" --engine-time 3000 --output late.hlo
  if grep -q 'replay: ' late.hlo || ! grep -q '^// not reduced' late.hlo || ! grep -q 'm = f32' late.hlo; then fault "$way: the file promises a replay"; cat late.hlo; fi
done

# --- the name of the output fits what is written, so that the printed command reads it ---
wants 3 'a module is written as HLO, so the name must not end in .case: r1.case' "$affirm" reduce called.hlo --engine-cmd 'exec sh bad.sh' --output r1.case
wants 3 'a map is written as a case, so the name must end in .case: r1.hlo' "$affirm" reduce map.txt --engine-cmd "$right" --output r1.hlo
if [ -e r1.case ] || [ -e r1.hlo ]; then fault 'a file is written under a wrong name'; fi
wants 1 '^graph-' "$affirm" reduce called.hlo --engine-cmd 'exec sh bad.sh' --output r1.hlo
replay=$(sed -n 's/.*replay: affirm //p' r1.hlo)
wants 1 '^wrong: ' sh -c "$affirm $replay"
wants 1 '^unsound: 3 expression nodes' "$affirm" reduce map.txt --rules wrong.rules --output reduced.txt
grep -q '^# replay: affirm reduce FILE.case --rules' reduced.txt || fault 'the replay names a file that is not read as a case'

# --- affirm's own engine passes the written case of a wrong composition ---
cat >empties.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  case $verb in
    hello) printf '%s\tengine\t1\tempties\tcompose\n' "$number" ;;
    *) printf '%s\tanswer\tKNOWN EMPTY\n' "$number" ;;
  esac
done
END
printf '# c\ncompose (d0) -> (d0), domain: d0 in [0, 2] ; (d0) -> (d0 mod 3), domain: d0 in [0, 9]\n= KNOWN EMPTY\n' >compose.case
wants 1 '' "$affirm" reduce compose.case --engine-cmd 'exec sh empties.sh' --output composed.case
wants 0 'cases 1: 1 passed' "$affirm" check composed.case

# --- the lines of a map with sources are lines of the case, if nothing of it is reduced ---
sourced='(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 2], rt0 in [0, 3]\n  runtime variables:\n  rt0: p; () -> ()'
printf "# first\nkeeps (d0) -> (d0), domain: d0 in [0, 2]\nproved\n\n# sourced\nkeeps $sourced\nproved\n" >sourced.case
cat >later.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb map; do
  case $verb$asked in
    hello) printf '%s\tengine\t1\tlater\tsimplify\n' "$number" ;;
    simplify) asked=1; printf '%s\tanswer\t%s\n' "$number" "$map" ;;
    *) exit 9 ;;
  esac
done
END
wants 1 'not reduced: .* only after earlier questions' "$affirm" reduce sourced.case --engine-cmd 'exec sh later.sh' --output kept.case
wants 0 'cases 1: 1 passed' "$affirm" check kept.case
printf "# c\ncompose $sourced ; (d0) -> (d0 mod 9), domain: d0 in [0, 9]\n= KNOWN EMPTY\n" >sourced.case
wants 1 '' "$affirm" reduce sourced.case --engine-cmd 'exec sh empties.sh' --trials 1 --output kept.case
wants 0 'cases 1: 1 passed' "$affirm" check kept.case
grep -q '^  rt0: p' kept.case || fault 'the sources are gone'

# --- --output - is standard output, as without the option; the help says what is written as HLO ---
"$affirm" reduce map.txt --rules wrong.rules 2>err | sed 's/ in [0-9.]* s//' >plain.case
"$affirm" reduce map.txt --rules wrong.rules --output - 2>err | sed 's/ in [0-9.]* s//' >dash.case
runs=$((runs + 2))
[ -s plain.case ] && cmp -s plain.case dash.case || fault '--output - is not standard output'
"$affirm" reduce called.hlo --engine-cmd 'exec sh bad.sh' --output - 2>err | grep -q '^ENTRY %inner' || fault '--output - of a module is not standard output'
[ ! -e ./- ] || fault '--output - writes a file of that name'
wants 0 'The reduced module is then written as HLO' sh -c "'$affirm' reduce --help | tr -s ' \n' ' '"

# --- an interrupt, whenever it comes, leaves a whole case or nothing, and says nothing false ---
awk 'BEGIN { printf "(d0"; for (i = 1; i < 250; i++) printf ", d%d", i; printf ") -> (d0 mod 8"; for (i = 1; i < 250; i++) printf " + d%d * %d", i, i
  printf "), domain: d0 in [0, 8]"; for (i = 1; i < 250; i++) printf ", d%d in [0, %d]", i, i % 2; print "" }' >big.maps
for wait in 0.05 0.1 0.2 0.3 0.5 0.8; do
  rm -f stopped.case stopped.case.input
  runs=$((runs + 1))
  "$affirm" reduce --rules wrong.rules --seconds 600 --output stopped.case big.maps >out 2>&1 &
  # Until the handler is set, an interrupt of a process in the background is ignored.
  until grep -q '^SigCgt:.*[2367abef]$' "/proc/$!/status" 2>err; do kill -0 $! 2>err || break; done
  sleep "$wait"
  kill -INT $!
  wait $!
  came=$?
  lacks ': 0 expression nodes'
  lacks 'no case can express'
  [ $came -eq 1 ] || [ $came -eq 2 ] || fault "status $came after an interrupt"
  [ $came -ne 1 ] || [ -e stopped.case ] || [ -e stopped.case.input ] || fault 'status 1 and no file'
  if [ -e stopped.case ]; then
    "$affirm" check stopped.case >out 2>&1
    grep -q '^cases 1' out || fault "no case after $wait s"
  fi
done

# --- a reduced rule is false for the reason of the original one, and only for this one ---
printf 'rule r\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) <= c\n' >off.rules
wants 1 '^refuted unless hi(x) < c: 3 expression nodes' "$affirm" reduce off.rules --output off.case
wants 0 'passed' "$affirm" check off.case
sed -n '/^rule/,/^end/p' off.case | sed '$d' >left.rules
wants 1 'true if also hi(x) < c$' "$affirm" prove --no-store left.rules

echo "$runs runs, $faults faults"
[ "$faults" -eq 0 ]
