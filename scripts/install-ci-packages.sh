#!/bin/sh
# What tests need from Debian and npm cannot bring: PgBouncer, Spin with a C compiler for the model; psql, sqlite3 and
# libfaketime, which tests do without where they are not to be had. Does nothing where they are there.
set -eu

PATH="$PATH:/usr/sbin:/sbin"
has_needed() {
  command -v pgbouncer >/dev/null 2>&1 && command -v spin >/dev/null 2>&1 && command -v gcc >/dev/null 2>&1
}

has_wanted() {
  command -v psql >/dev/null 2>&1 && command -v sqlite3 >/dev/null 2>&1 && command -v faketime >/dev/null 2>&1
}

if has_needed && has_wanted; then
  exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  if has_needed; then
    exit 0
  fi
  echo "the ci tier needs PgBouncer, Spin and gcc: install them by hand, for example: sudo apt-get install pgbouncer spin gcc libc6-dev" >&2
  exit 1
fi

echo "installing pgbouncer, spin, gcc, psql, sqlite3 and faketime (Debian)"
export DEBIAN_FRONTEND=noninteractive
# The package must not start a pooler of its own; the tests start theirs.
export RUNLEVEL=1
apt-get update -qq
apt-get install -y -qq --no-install-recommends pgbouncer spin gcc libc6-dev >/dev/null
for wanted in postgresql-client sqlite3 faketime; do
  apt-get install -y -qq --no-install-recommends "$wanted" >/dev/null || echo "no $wanted here: its tests are skipped"
done
pgbouncer --version | head -n 1
spin -V
