# What tests of the command share: sourced by engine_test.sh, engine_gate_test.sh and reduce_test.sh. The output of the last command is in the file `out`.
runs=0 faults=0

fault() {
  faults=$((faults + 1))
  echo "FAULT: $1"
  sed 's/^/    | /' out | tail -8
}

# wants STATUS PATTERN COMMAND...: the command has this exit status, and its output matches the grep pattern
wants() {
  status=$1 words=$2
  shift 2
  runs=$((runs + 1))
  "$@" >out 2>&1
  came=$?
  if [ $came -ne "$status" ] || ! grep -q -e "$words" out; then fault "status $came, wanted $status and '$words': $*"; fi
}
says() { grep -q -e "$1" out || fault "not said: $1"; }
lacks() { ! grep -q -e "$1" out || fault "said: $1"; }
