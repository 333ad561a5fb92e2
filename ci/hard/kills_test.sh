#!/bin/sh
# ci/hard/kills with a script in the place of a fuzz program: the report of a true finding and its input are printed, whether the first campaign or a
# later one finds it.
#   kills_test.sh AFFIRM
set -u
kills=$(cd "$(dirname "$0")" && pwd)/kills
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cp "$1" "$here/affirm" || exit 3
cd "$here" || exit 3
faults=0
fault() { echo "FAULT: $1"; sed 's/^/    | /' out; faults=$((faults + 1)); }
# Saves an input that names its campaign, and finds something if `finds` says so of the inputs of all campaigns.
program() {
  cat >fuzz_text <<END
#!/bin/sh
for a; do case \$a in -artifact_prefix=*) p=\${a#*=} ;; -*) ;; *) if [ -f "\$a" ]; then file=\$a; elif [ -d "\$a" ] && [ -z "\${directory:-}" ]; then directory=\$a; fi ;; esac; done
[ -z "\${directory:-}" ] || echo x >"\$directory/\$PPID"
echo '#7 NEW cov: 7 ft: 9'
# An input that a killed campaign left is examined alone.
if [ -n "\${file:-}" ] || [ \$(ls "\$directory" | wc -l) -ge $1 ]; then
  printf '# fuzz_found_wrong\nsimplify (d0) -> (d0 mod 8)\n== ERROR: libFuzzer: deadly signal\n'
  [ -n "\${file:-}" ] || printf some >"\${p}crash-1"
  exit 77
fi
trap 'exit 0' TERM USR1
while :; do sleep 0.05; done
END
  chmod +x fuzz_text
}
shows() {
  [ "$(grep -c '^# fuzz_found_wrong' out)" -eq 1 ] && grep -q '^--- text-wrong-mod.report' out && grep -q '^simplify (d0) -> (d0 mod 8)$' out &&
    grep -q '^its input, in base64: c29tZQ==$' out || fault "the report of $1 is not printed once"
}
program 1
"$kills" ./affirm 1 fuzz >out 2>&1
[ $? -eq 3 ] || fault 'a finding of the first campaign has another status'
shows 'the first campaign'
program 2
"$kills" ./affirm 1 fuzz >out 2>&1
[ $? -eq 1 ] || fault 'a finding of a later campaign has another status'
grep -q '^FAULT: fuzz after kills, round 0: ' out || fault 'a finding of a later campaign is no fault'
shows 'a later campaign'
exit $faults
