#!/bin/sh
# Prints the newest entry of CHANGELOG.md as a Debian changelog, compressed. The time is $SOURCE_DATE_EPOCH, else that of the file.
#   ci/changelog.sh CHANGELOG.md VERSION MAINTAINER TARGET
set -eu
when=$(date -u -R -d "@${SOURCE_DATE_EPOCH:-$(stat -c %Y "$1")}")
{
  echo "affirm ($2) unstable; urgency=medium"
  echo
  echo "  * The changes are in CHANGELOG.md of the sources."
  echo
  echo " -- $3  $when"
} >"$4"
gzip -9nf "$4"
