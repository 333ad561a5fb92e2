#!/bin/sh
# Disturbances of a campaign: a child that is killed, a target that hangs, files that may not grow, directories that cannot be written or contain
# garbage. Each is reported, and no existing data is lost. Scripts take the place of fuzz programs.
#   fuzz_rough_test.sh AFFIRM
set -u
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
cp "$1" "$scratch/affirm" || exit 3
cd "$scratch" || exit 3
failed=0
bad() { echo "failed: $1"; shift; cat "$@"; failed=1; }
wait_for() { n=0; until [ -s "$1" ] || [ $n -gt 2000 ]; do sleep 0.05; n=$((n + 1)); done; }

# Saves an input at each start, as libFuzzer does for inputs with new coverage, and runs until it is ended.
cat > fuzz_steady <<'END_OF_PROGRAM'
#!/bin/sh
for a; do case $a in -*) ;; *) [ -d "$a" ] && { directory=$a; break; } ;; esac; done
echo "input of $$" > "$directory/$$"
echo 'INFO: a line'; echo '#7 NEW cov: 7 ft: 9'
echo $$ > steady.pid
trap 'exit 0' TERM
n=0
while [ $n -lt 100 ]; do sleep 0.05; n=$((n + 1)); done
END_OF_PROGRAM
chmod +x fuzz_steady
./affirm fuzz --target steady --time 60 --corpus killed > killed.out 2>&1 &
affirm=$!
wait_for steady.pid
first=$(cat steady.pid)
rm steady.pid
kill -9 "$first"
wait_for steady.pid
second=$(cat steady.pid)
kill -INT $affirm
wait $affirm
status=$?
[ $status -eq 2 ] && [ "$first" != "$second" ] && grep -q "steady was killed by signal 9" killed.out && grep -q "did not run as it should" killed.out ||
  bad "a killed child: $status, $first then $second" killed.out
[ "$(cat "killed/steady/$first")" = "input of $first" ] && [ -f "killed/steady/$second" ] || bad "its inputs are lost" killed.out

# A second campaign on a directory in use is rejected and does not disturb the first; after a kill -9 the directory is free.
rm -f steady.pid
./affirm fuzz --target steady --time 60 --corpus shared > shared.out 2>&1 &
affirm=$!
wait_for steady.pid
echo raw > shared/findings/raw-steady-0-crash
./affirm fuzz --target steady --time 2 --corpus shared > second.out 2>&1
status=$?
[ $status -eq 3 ] && grep -q "shared: another campaign runs here" second.out && [ -f shared/findings/raw-steady-0-crash ] && [ -f shared/.reserve ] || bad "a second campaign: $status" second.out
./affirm fuzz --minimise --target steady --corpus shared > second.out 2>&1
status=$?
[ $status -eq 3 ] && grep -q "another campaign runs here" second.out || bad "minimising under a campaign: $status" second.out
kill -9 $affirm
wait $affirm 2> /dev/null
rm -f shared/findings/raw-steady-0-crash
./affirm fuzz --target steady --time 1 --corpus shared > third.out 2>&1
status=$?
[ $status -eq 0 ] || bad "a directory whose campaign was killed: $status" third.out

# A target that is killed at once each time is given up, and the others run.
printf '#!/bin/sh\nkill -9 $$\n' > fuzz_doomed
printf '#!/bin/sh\necho INFO; echo "#5 NEW cov: 3 ft: 1"\nsleep 0.2\n' > fuzz_good
chmod +x fuzz_doomed fuzz_good
mv fuzz_steady steady
./affirm fuzz --time 8 --corpus doomed > doomed.out 2>&1
status=$?
[ $status -eq 2 ] && [ "$(grep -c 'doomed was killed by signal 9' doomed.out)" -eq 3 ] && grep -q '^doomed .*did not run as it should' doomed.out && grep -q '^good  *[1-9][0-9]* *3 ' doomed.out ||
  bad "a doomed target: $status" doomed.out
rm fuzz_doomed fuzz_good

# A target that hangs and ignores signals is killed, and the others do not lose their time to it.
printf '#!/bin/sh\ntrap "" TERM INT\necho "#3 NEW cov: 3 ft: 1"\nkill -STOP $$\n' > fuzz_hung
chmod +x fuzz_hung
start=$(date +%s)
./affirm fuzz --target hung --time 3 --patience 1 --corpus hung > hung.out 2>&1
status=$?
took=$(($(date +%s) - start))
[ $status -eq 2 ] && grep -q "hung hangs (it uses no processor time): killed" hung.out && [ $took -lt 100 ] || bad "a target that hangs: $status in $took s" hung.out
rm fuzz_hung

# Files that may not grow: before a campaign, nothing is started; during one, the child that could not write is
# reported.
mv steady fuzz_steady
(ulimit -f 100; ./affirm fuzz --target steady --time 2 --corpus small) > small.out 2>&1
status=$?
[ $status -eq 3 ] && grep -q "small: File too large" small.out || bad "a limit below the reserve: $status" small.out
printf '#!/bin/sh\necho "#3 NEW cov: 3 ft: 1"\nwhile :; do echo 0123456789012345678901234567890123456789012345678901234567890123456789; done\n' > fuzz_wordy
chmod +x fuzz_wordy
mkdir -p wordy/findings && echo kept > wordy/findings/old.report
(ulimit -f 2048; ./affirm fuzz --target wordy --time 3 --corpus wordy) > wordy.out 2>&1
status=$?
[ $status -eq 2 ] && grep -q "wordy was killed by signal 25" wordy.out && [ "$(cat wordy/findings/old.report)" = kept ] || bad "a limit in the campaign: $status" wordy.out
rm fuzz_wordy

# Directories that cannot be written, because of the file system or the user; and a file in place of a directory.
if unshare -rm true 2> /dev/null; then
  mkdir -p readonly/steady && echo kept > readonly/steady/one
  unshare -rm sh -c 'mount -t tmpfs none readonly && mkdir readonly/steady && echo kept > readonly/steady/one && mount -o remount,ro readonly &&
    ./affirm fuzz --target steady --time 2 --corpus readonly > readonly.out 2>&1; echo $? > readonly.status; cat readonly/steady/one >> readonly.out'
  [ "$(cat readonly.status)" = 3 ] && grep -q "readonly: Read-only file system" readonly.out && grep -q '^kept' readonly.out || bad "a directory that is read alone" readonly.status readonly.out
else
  echo "skipped: a directory that is read alone, which needs a file system of one's own"
fi
if [ "$(id -u)" -ne 0 ]; then
  mkdir -p denied/steady && chmod 555 denied/steady
  ./affirm fuzz --target steady --time 2 --corpus denied > denied.out 2>&1
  status=$?
  [ $status -eq 3 ] && grep -q "denied: Permission denied" denied.out || bad "a directory of somebody else: $status" denied.out
fi
mkdir file && echo kept > file/findings
./affirm fuzz --target steady --time 2 --corpus file > file.out 2>&1
status=$?
[ $status -eq 3 ] && grep -q "file: Not a directory" file.out && [ "$(cat file/findings)" = kept ] || bad "a file for a directory: $status" file.out

# Garbage among the findings: directories, pipes, dangling links, odd names, a report without an input. Inputs of the target are examined again.
cat > fuzz_again <<'END_OF_PROGRAM'
#!/bin/sh
for a; do case $a in -*) ;; *) [ -f "$a" ] && { echo "$a" >> looked.at; exit 0; }; [ -d "$a" ] && break ;; esac; done
echo 'INFO: a line'; echo '#3 NEW cov: 3 ft: 1'
END_OF_PROGRAM
chmod +x fuzz_again
mkdir -p garbage/findings/raw-again-directory garbage/again
mkfifo garbage/findings/raw-again-pipe
ln -s nowhere garbage/findings/raw-again-link
head -c 5000 /dev/urandom > garbage/findings/raw-again-bytes
head -c 300 /dev/urandom > garbage/findings/noise
echo x > "garbage/findings/raw-again-with a blank and
a line"
echo x > garbage/findings/raw-nobody-crash
echo x > garbage/findings/again-odd-plain.report
echo x > garbage/findings/.report
timeout 200 ./affirm fuzz --target again --time 1 --runs 3 --corpus garbage > garbage.out 2>&1
status=$?
[ $status -eq 0 ] && [ "$(grep -c '^garbage' looked.at)" -eq 2 ] || bad "garbage among the findings: $status" garbage.out looked.at
[ -f garbage/again/raw-again-bytes ] && [ -f "garbage/again/raw-again-with a blank and
a line" ] || bad "what shows nothing is not in the corpus" garbage.out
for kept in raw-again-directory raw-again-pipe noise raw-nobody-crash again-odd-plain.report .report; do
  [ -e "garbage/findings/$kept" ] || bad "$kept is lost" garbage.out
done
[ -L garbage/findings/raw-again-link ] || bad "the link is lost" garbage.out
exit $failed
