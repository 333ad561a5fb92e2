#!/bin/sh
# affirm fuzz with scripts in place of fuzz programs. Each ends as a libFuzzer program does.  fuzz_test.sh AFFIRM
set -u
built=$(cd "$(dirname "$1")" && pwd)
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
cp "$1" "$scratch/affirm" || exit 3
ln -s "$built/affirm-check" "$scratch/affirm-check" || exit 3 # without it the gate accepts no proof
cd "$scratch" || exit 3
failed=0

program() { # program NAME LINES...: a script that prints the lines and exits with the last argument
  name=$1 status=$2
  shift 2
  { echo '#!/bin/sh'; echo 'for a; do case $a in -artifact_prefix=*) p=${a#*=};; esac; done'
    for line; do echo "echo '$line'"; done
    [ "$status" = 0 ] || echo 'echo x > "${p}crash-1"'
    echo "sleep 0.2; exit $status"; } > "fuzz_$name"
  chmod +x "fuzz_$name"
}
expect() { # expect STATUS WORDS COMMAND...
  wanted=$1 words=$2
  shift 2
  "$@" > out 2>&1
  status=$?
  if [ $status -ne "$wanted" ] || ! grep -q -- "$words" out; then
    echo "failed: $* ended with $status, wanted $wanted and '$words'"
    cat out
    failed=1
  fi
}

expect 3 "no fuzz program" ./affirm fuzz
program good 0 '#100 NEW cov: 7 ft: 9' 'stat::number_of_executed_units: 123'
expect 0 "good  *123 " ./affirm fuzz --time 1 --runs 1 --corpus c
expect 0 '"target":"good","executions":123,"edges":7' ./affirm fuzz --time 1 --runs 1 --corpus c --json
expect 3 "target is one of good, not 'other'" ./affirm fuzz --target other
expect 3 "jobs" ./affirm fuzz --jobs 0
for option in time jobs runs seed patience seeds; do expect 3 "--$option is not for --minimise" ./affirm fuzz --minimise --$option 7; done
for option in jobs patience; do expect 3 "--$option is not for --engine-cmd" ./affirm fuzz --engine-cmd false --$option 7; done
program mute 0 'nothing'
mkdir -p seeds/mute
expect 0 "no directory seeds/good: good starts without saved inputs" ./affirm fuzz --target good --time 1 --runs 1 --corpus c --seeds seeds
expect 0 "no directory corpus/seeds here" ./affirm fuzz --target good --time 1 --runs 1 --corpus c
expect 3 "seeds seeds/none: no directory" ./affirm fuzz --target good --time 1 --runs 1 --corpus c --seeds seeds/none
expect 2 "mute .* did not run" ./affirm fuzz --time 2 --runs 1 --corpus c
program bad 77 'INFO: a line' '#5 NEW cov: 3 ft: 1' '# fuzz_found_wrong' 'simplify (d0) -> (d0 mod 8)' '== ERROR: libFuzzer: deadly signal'
expect 1 "1 finding (wrong 1)" ./affirm fuzz --target bad --time 2 --corpus c
[ -f c/findings/bad-wrong-mod.report ] && [ -f c/findings/bad-wrong-mod.input ] || { echo "the finding was not kept"; ls -R c; failed=1; }
[ "$(ls c/findings | wc -l)" -eq 2 ] || { echo "a second one of the same kind was kept"; ls c/findings; failed=1; }
expect 1 "bad  *5  *3  *0  *0  *1" ./affirm fuzz --target bad --time 1 --corpus c

# A target that ignores the end of its turn is ended; its own time limit would be minutes.
cat > fuzz_deaf <<'END'
#!/bin/sh
trap '' USR1 TERM
echo '#7 NEW cov: 7 ft: 9'
n=0; while [ $n -lt 1200 ]; do sleep 0.1; n=$((n + 1)); done
END
chmod +x fuzz_deaf
expect 2 "deaf was still reading its saved inputs when its time was over" timeout 60 ./affirm fuzz --target deaf --time 1 --corpus deaf

# A killed campaign leaves nothing running, and inputs that it did not examine become findings of the next one.
cat > fuzz_slow <<'END'
#!/bin/sh
for a; do case $a in -*) ;; *) [ -f "$a" ] && { echo "# fuzz_found_odd"; echo "# note: of $(cat "$a")"; echo "plain"; exit 77; } ;; esac; done
echo $$ > slow.pid
echo '#7 NEW cov: 7 ft: 9'
while :; do sleep 0.1; done
END
chmod +x fuzz_slow
wait_for() { n=0; until [ -s "$1" ] || [ $n -gt 2000 ]; do sleep 0.05; n=$((n + 1)); done; }
./affirm fuzz --target slow --time 60 --corpus c > killed 2>&1 &
affirm=$!
wait_for slow.pid
kill -9 $affirm
wait $affirm 2> /dev/null
lives() { grep -q '^State:.[^ZX]' "/proc/$1/status" 2> /dev/null; }
n=0
while lives "$(cat slow.pid)" && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
lives "$(cat slow.pid)" && { echo "the child outlives its campaign"; kill -9 "$(cat slow.pid)"; failed=1; }
echo something > c/findings/raw-slow-0-crash-5
rm slow.pid
./affirm fuzz --target slow --time 60 --corpus c > ended 2>&1 &
affirm=$!
wait_for slow.pid
kill -INT $affirm
wait $affirm
[ $? -eq 1 ] && grep -q "1 finding (odd 1)" ended || { echo "not ended as it should"; cat ended; failed=1; }
[ -f c/findings/slow-odd-plain.report ] && [ "$(cat c/findings/slow-odd-plain.input)" = something ] || { echo "the raw input is lost"; ls c/findings; failed=1; }
[ -e c/findings/raw-slow-0-crash-5 ] && { echo "the raw input stays"; failed=1; }
rm fuzz_slow

# A full disk: reported with status 3, and nothing is lost. Needs a small file system of its own.
if unshare -rm true 2> /dev/null; then
  program wide 0 '#9 NEW cov: 1 ft: 1' '#9 DONE'
  echo 'head -c 3000000 /dev/zero > full/filler 2> /dev/null; sleep 20' >> fuzz_wide
  sed -i '/^sleep 0.2; exit/d' fuzz_wide
  mkdir full
  unshare -rm sh -c 'mount -t tmpfs -o size=4m none full && mkdir -p full/wide full/findings && echo kept > full/findings/old.report &&
    ./affirm fuzz --target wide --time 20 --corpus full > full.out 2>&1; echo $? > full.status; cat full/findings/old.report >> full.out; ls -A full >> full.out'
  [ "$(cat full.status)" = 3 ] && grep -q "No space left on device: stopped" full.out && grep -q '^kept' full.out && ! grep -q reserve full.out ||
    { echo "a full disk is not handled"; cat full.status full.out; failed=1; }
  # A finding before that outweighs it.
  { echo '#!/bin/sh'; echo 'for a; do case $a in -artifact_prefix=*) p=${a#*=};; esac; done'
    echo 'if mkdir found; then echo x > "${p}crash-1"; echo "# fuzz_found_odd"; echo "# note: n"; echo "plain"; exit 77; fi'
    sed 1d fuzz_wide; } > fuzz_wider
  chmod +x fuzz_wider
  unshare -rm sh -c 'mount -t tmpfs -o size=4m none full && mkdir -p full/wider full/findings && ./affirm fuzz --target wider --time 20 --corpus full > full.out 2>&1; echo $? > full.status'
  [ "$(cat full.status)" = 1 ] && grep -q "No space left on device: stopped" full.out && grep -q 'found full/findings/wider-odd' full.out ||
    { echo "a full disk hides a finding"; cat full.status full.out; failed=1; }
  rm fuzz_wide fuzz_wider
else
  echo "skipped: a full disk, which needs a file system of one's own"
fi

# A directory without inputs, or a mistyped one, is an error, and nothing is made there. The last line has the numbers of the table.
program quiet 0 '#9 NEW cov: 1 ft: 1 corp: 7/9b' '#9 DONE cov: 1 ft: 1 corp: 7/9b'
expect 3 'no-such: no directory' ./affirm fuzz --minimise --target quiet --corpus no-such
[ ! -e no-such ] || { echo "--minimise makes a directory"; failed=1; }
mkdir -p without/other
expect 3 'without: no input of a target to minimise' ./affirm fuzz --minimise --target quiet --corpus without
[ ! -e without/quiet ] || { echo "--minimise makes the directory of a target"; failed=1; }
expect 0 ' 0 inputs, ' ./affirm fuzz --target quiet --runs 9 --corpus without
rm fuzz_quiet

# Real programs: the same seed repeats the campaign; a minimised corpus is smaller and still a corpus.
if [ -x "$built/fuzz_layout" ]; then
  mkdir real none
  cp affirm real/affirm
  cp "$built/fuzz_layout" real/
  for run in 1 2; do
    real/affirm fuzz --runs 3000 --seed 7 --seeds none --corpus real/c$run > real/out$run 2>&1 || { echo "the campaign failed"; cat real/out$run; failed=1; }
    (cd real/c$run && find layout findings -type f -exec cksum {} + | sort) > real/list$run
  done
  [ -s real/list1 ] && cmp real/list1 real/list2 || { echo "the same seed gave another corpus"; failed=1; }
  before=$(ls real/c1/layout | wc -l)
  expect 0 "layout: .* inputs of $before" real/affirm fuzz --minimise --corpus real/c1 --junit real/min.xml
  grep -q '<testsuites' real/min.xml && ! grep -q '<error\|<failure' real/min.xml || { echo "a minimised target did not pass"; cat real/min.xml; failed=1; }
  after=$(ls real/c1/layout | wc -l)
  [ "$after" -gt 0 ] && [ "$after" -le "$before" ] && [ ! -e real/c1/layout.minimised ] || { echo "minimised from $before to $after"; ls real/c1; failed=1; }
else
  echo "skipped: real programs are not built"
fi

# The output for other tools of a check and of a gate.
mkdir -p some/maps
printf '# good\nkeeps (d0) -> (d0 mod 8), domain: d0 in [0, 8]\nproved\n\n# bad\nkeeps (d0) -> (d0), domain: d0 in [0, 8]\nrefuted\n' > some/maps/two.case
expect 1 'title=cases bad::FAILED: proved' ./affirm check some/maps/two.case --github --junit check.xml --sarif check.sarif
grep -q 'testsuite name="cases" tests="2" failures="1" errors="0"' check.xml && grep -q '"uri":"some/maps/two.case"},"region":{"startLine":6}' check.sarif ||
  { echo "the files of check"; cat check.xml check.sarif; failed=1; }
# All laws and rules take seconds: cli_gate runs them.
printf 'law commutes: add(x, y) => add(y, x) on integral grade exact\n' > few.laws
printf 'rule mine\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n  near-miss: c > 0, 0 <= lo(x), hi(x) <= c\n  order: weight\n' > few.rules
expect 1 '"part":"cases","passed":1,"failed":1,"open":0' ./affirm gate --laws few.laws --rules few.rules --exhaust 0 --fuzz 0 --json --junit gate.xml some
grep -q 'testsuite name="rules" tests="[1-9][0-9]*" failures="0" errors="0"' gate.xml && grep -q 'testsuite name="cases" tests="2" failures="1"' gate.xml || { echo "the file of gate"; cat gate.xml; failed=1; }
# A user's corpus may lack a kind of file; a corpus without any file is an error.
mkdir nothing
expect 3 'nothing: error: no .hlo, .txt, .maps or .case file in this directory' ./affirm gate --exhaust 0 --fuzz 0 --json --junit gate.xml nothing
grep -q 'the run ended with status 3' gate.xml || { echo "the file of a gate that is rejected"; cat gate.xml; failed=1; }
expect 3 "no/such: error: No such file" ./affirm check some/maps/two.case --junit no/such

# The page of a report: it has pictures, names are escaped, and a refuted row gives its exit status.
printf 'ENTRY e {\n  p = f32[2,3] parameter(0)\n  ROOT t = f32[3,2] transpose(p), dimensions={1,0}\n}\n' > 't&<.hlo'
expect 0 "2 rows in page.html" ./affirm report --page page.html 't&<.hlo'
[ "$(grep -c '<details class="row proved"' page.html)" -eq 2 ] && grep -q '<b>2</b> exact' page.html && grep -q 't&amp;&lt;.hlo:3' page.html && ! grep -q '<\.hlo' page.html ||
  { echo "the page is not as it should be"; cat page.html; failed=1; }
expect 3 "No such file" ./affirm report --page no/page.html 't&<.hlo'
expect 3 "needs a file" ./affirm report

# Reducing bytes with their program, and then the text of its report; reducing a report; a correct
# map.
cat > fuzz_bytes <<'END'
#!/bin/sh
grep -q x "$1" || exit 0
echo '# fuzz_found_odd'; echo '# note: it has an x'; echo 'nobody knows this verb'; echo '== 1 ERROR: libFuzzer: deadly signal'
exit 77
END
chmod +x fuzz_bytes
printf 'much text\nand an x\nand more\n' > long.input
expect 1 "1 of 28 bytes" ./affirm reduce --target bytes --output short.input long.input
[ "$(cat short.input)" = x ] || { echo "the input is not reduced"; cat short.input; failed=1; }
echo 'no fault' > plain.input
# Without --output the bytes go to a new file: the input, or an earlier finding, may be named reduced.input.
printf 'xx y' >reduced.input
expect 1 "the input is in reduced.2.input" ./affirm reduce --target bytes reduced.input
[ "$(cat reduced.input)" = 'xx y' ] && [ "$(cat reduced.2.input)" = x ] || { echo "an earlier finding is overwritten"; failed=1; }
expect 1 '"answer":"odd","size":1,"unit":"bytes"' ./affirm reduce --target bytes --json long.input
grep -q '"input":"reduced.3.input"' out || { echo "the object does not name the file"; cat out; failed=1; }
expect 2 "finds no fault in it" ./affirm reduce --target bytes plain.input
expect 3 "replay_none" ./affirm reduce --target none plain.input
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 8]\n' > map.txt
expect 2 "nothing is refuted" ./affirm reduce map.txt
expect 3 "not-canonical  " ./affirm reduce --kind sound map.txt
expect 2 "nothing is refuted" ./affirm reduce --kind order map.txt
printf 'rule wrong\n  x mod c => x\n  when c > 0\n' > wrong.rules
printf 'INFO: Seed: 5\n# fuzz_found_unsound\n# note: becomes\nsimplify (d0, d1) -> (d0 mod 8 + d1), domain: d0 in [0, 80], d1 in [0, 3]\n\n==7== ERROR: libFuzzer: deadly signal\n' > a.report
expect 1 "unsound: 3 expression nodes" ./affirm reduce --rules wrong.rules --output small.case a.report
grep -q '^# replay: affirm reduce small.case --rules wrong.rules$' small.case || { echo "the case does not say its rules"; cat small.case; failed=1; }
grep -q 'found with seed 5' small.case && grep -q '^keeps ' small.case || { echo "the case is not as it should be"; cat small.case; failed=1; }
expect 0 "passed" ./affirm check small.case
expect 1 "refuted unless " ./affirm reduce wrong.rules
expect 3 "no case 'other'" ./affirm reduce --case other small.case
expect 3 "" ./affirm reduce no-such-file
exit $failed
