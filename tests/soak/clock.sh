#!/usr/bin/env bash
# Sets the clock of a running server forwards and backwards, as far as to 1970: it goes on,
# and a session that has ended does not come back. Needs libfaketime (Debian: apt install
# faketime) and a program that is linked dynamically; some seconds.
#
#   tests/soak/clock.sh target/release/deals
set -euo pipefail
deals=$(realpath "${1:-target/release/deals}")
library=$(find /usr/lib -name libfaketime.so.1 | head -1)
folder=$(mktemp -d)
cd "$folder"
site=http://127.0.0.1:8093
printf 'tiger-lamp-42\n' | "$deals" user add owner@example.com --username Owner --admin --password-stdin > /dev/null
echo '+0' > shift
LD_PRELOAD=$library FAKETIME_TIMESTAMP_FILE=$folder/shift FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
  DONT_FAKE_MONOTONIC=1 "$deals" serve --demo --listen 127.0.0.1:8093 > log 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$folder"' EXIT
until curl -sf $site/healthz > /dev/null; do :; done
status() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
expect() {
  if [ "$2" != "$3" ]; then echo "wrong: $1: $2, not $3"; cat log; exit 1; fi
  echo "ok: $1: $2"
}
sign_in() {
  curl -s --json '{"email":"owner@example.com","password":"tiger-lamp-42"}' $site/user/sign-in |
    sed -E 's/.*"token":"([^"]+)".*/\1/'
}
token=$(sign_in)
id=$(curl -s "$site/product/get-products?limit=1" | sed -E 's/.*"_id":"([^"]+)".*/\1/')
works() {
  expect "the list $1" "$(status $site/product/get-products)" 200
  expect "a click $1" "$(status -X POST $site/product/increament-views/$id)" 200
}
works "at the right time"
expect "the session at the right time" "$(status $site/user/me/$token)" 200
echo '-1h' > shift
works "an hour back"
expect "the session an hour back" "$(status $site/user/me/$token)" 200
echo '-1d' > shift
works "a day back"
echo '@1970-01-01 00:00:10' > shift
works "in 1970"
echo '+1h' > shift
works "an hour ahead"
expect "the session an hour ahead" "$(status $site/user/me/$token)" 200
echo '+25h' > shift
works "a day ahead"
expect "the session a day ahead" "$(status $site/user/me/$token)" 401
echo '+0' > shift
works "at the right time again"
expect "the session that had ended" "$(status $site/user/me/$token)" 401
if grep -i panicked log; then exit 1; fi
kill $server
wait $server
echo "ok: no panic, and a clean end"
