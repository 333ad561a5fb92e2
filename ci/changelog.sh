#!/bin/sh
# Writes a compressed Debian changelog with one entry, which refers to CHANGELOG.md. Its time is $SOURCE_DATE_EPOCH, else that of CHANGELOG.md.
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
