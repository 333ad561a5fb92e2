#!/bin/sh
# affirm fuzz with programs that stand in for fuzz programs: fuzz_test.sh AFFIRM. Each ends as a libFuzzer program does.
set -u
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
cp "$1" "$scratch/affirm" || exit 3
cd "$scratch" || exit 3
failed=0

program() { # program NAME LINES...: a script that says the lines and ends with the last argument
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
expect 0 "good  *123 executions" ./affirm fuzz --time 1 --runs 1 --corpus c
expect 3 "no fuzz program of that name" ./affirm fuzz --target other
expect 3 "jobs" ./affirm fuzz --jobs 0
program mute 0 'nothing'
expect 2 "mute .* did not run" ./affirm fuzz --time 2 --runs 1 --corpus c
program bad 77 '#5 NEW cov: 3 ft: 1' '# fuzz_found_wrong' 'simplify (d0) -> (d0 mod 8)' '== ERROR: libFuzzer: deadly signal'
expect 1 "bad .* 1 findings" ./affirm fuzz --target bad --time 2 --corpus c
[ -f c/findings/bad-wrong-mod.report ] && [ -f c/findings/bad-wrong-mod.input ] || { echo "the finding was not kept"; ls -R c; failed=1; }
[ "$(ls c/findings | wc -l)" -eq 2 ] || { echo "a second one of the same kind was kept"; ls c/findings; failed=1; }
expect 1 "0 findings .* known" ./affirm fuzz --target bad --time 1 --corpus c

# Reducing: bytes by their program, then what its report says; a report; a map that is right.
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
expect 2 "ends well" ./affirm reduce --target bytes plain.input
expect 3 "replay_none" ./affirm reduce --target none plain.input
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 8]\n' > map.txt
expect 2 "nothing is refuted" ./affirm reduce map.txt
printf 'rule wrong\n  x mod c => x\n  when c > 0\n' > wrong.rules
printf 'INFO: Seed: 5\n# fuzz_found_unsound\n# note: becomes\nsimplify (d0, d1) -> (d0 mod 8 + d1), domain: d0 in [0, 80], d1 in [0, 3]\n\n==7== ERROR: libFuzzer: deadly signal\n' > a.report
expect 1 "unsound: 3 expression nodes" ./affirm reduce --rules wrong.rules --output small.case a.report
grep -q 'found with seed 5' small.case && grep -q '^keeps ' small.case || { echo "the case is not as it should be"; cat small.case; failed=1; }
expect 0 "passed" ./affirm check small.case
expect 1 "refuted: " ./affirm reduce wrong.rules
expect 3 "no case 'other'" ./affirm reduce --case other small.case
expect 3 "" ./affirm reduce no-such-file
exit $failed
