#!/usr/bin/env bash
# Fills a disk of 4 MB that the server writes to: reads go on, writes are refused, and
# once there is room the same process takes them again. Then the same on a disk that is
# mounted read-only. Needs unshare (util-linux) and user namespaces; some seconds.
#
#   tests/soak/full-disk.sh target/release/deals
set -euo pipefail
deals=$(realpath "${1:-target/release/deals}")
if [ "${2:-}" != inside ]; then
  exec unshare -rm "$0" "$deals" inside
fi
disk=$(mktemp -d)
mount -t tmpfs -o size=4m none "$disk"
cd "$disk"
site=http://127.0.0.1:8097
"$deals" serve --demo --listen 127.0.0.1:8097 > /dev/null 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
status() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
expect() {
  if [ "$2" != "$3" ]; then echo "wrong: $1: $2, not $3"; exit 1; fi
  echo "ok: $1: $2"
}
until [ "$(status $site/healthz)" = 200 ]; do :; done
id=$(curl -s "$site/product/get-products?limit=1" | sed -E 's/.*"_id":"([^"]+)".*/\1/')
click() { status -X POST "$site/product/increament-views/$id"; }

expect "a click with room" "$(click)" 200
dd if=/dev/zero of=fill bs=1k 2> /dev/null || true
for _ in $(seq 2000); do
  full=$(click)
  if [ "$full" != 200 ]; then break; fi
done
expect "a click on a full disk" "$full" 507
expect "the list meanwhile" "$(status "$site/product/get-products")" 200
expect "a page meanwhile" "$(status "$site/")" 200
expect "readiness meanwhile" "$(status $site/readyz)" 503
rm fill
expect "a click when there is room again" "$(click)" 200
kill $server; wait $server
"$deals" check > report || true
if grep -E '^wrong +(database|integrity|counts|full-text)' report; then exit 1; fi
echo "ok: the database is sound"
rm report
mount -o remount,ro "$disk"
if "$deals" serve --listen 127.0.0.1:8097 2> /dev/shm/said.$$; then exit 1; fi
echo "ok: on a read-only disk: $(cat /dev/shm/said.$$)"
rm /dev/shm/said.$$
