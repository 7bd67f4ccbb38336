#!/usr/bin/env bash
# Runs the static program in a folder that holds nothing else, as a machine without any
# library would: takes a backup, loses the machine, and is back by the commands of docs/running.md.
# Needs unshare (util-linux) and user namespaces; some seconds.
#
#   cargo static && tests/soak/chroot.sh target/x86_64-unknown-linux-gnu/dist/deals
set -euo pipefail
deals=$(realpath "${1:-target/x86_64-unknown-linux-gnu/dist/deals}")
if [ "${2:-}" != inside ]; then
  exec unshare -r "$0" "$deals" inside
fi
if ldd "$deals" 2>&1 | grep -q '=>'; then echo "wrong: it needs libraries"; exit 1; fi
site=http://127.0.0.1:8092
machine() {
  folder=$(mktemp -d)
  cp "$deals" "$folder/deals"
}
run() { chroot "$folder" /deals "$@"; }
serve() {
  chroot "$folder" /deals serve "$@" --listen 127.0.0.1:8092 > "$folder/log" 2>&1 &
  server=$!
  until curl -sf $site/healthz > /dev/null; do kill -0 $server; done
}
status() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
credentials='{"email":"owner@example.com","password":"tiger-lamp-42"}'

machine
serve --demo
printf 'tiger-lamp-42\n' | run user add owner@example.com --username Owner --admin --password-stdin
[ "$(status --json "$credentials" $site/user/sign-in)" = 200 ]
echo "ok: it serves, keeps accounts and signs in, with nothing else there"
run backup /backup.sqlite
kill $server
wait $server
lost=$folder

machine
cp "$lost/backup.sqlite" "$folder/backup.sqlite"
rm "$lost/deals"
# The three commands of docs/running.md.
cp "$lost/deals.sqlite.key" "$folder/deals.sqlite.key"
run restore /backup.sqlite
serve
[ "$(curl -s "$site/product/get-products" | sed -E 's/.*"total":([0-9]+).*/\1/')" = 48 ]
[ "$(status --json "$credentials" $site/user/sign-in)" = 200 ]
echo "ok: on another machine the products are back, and the owner signs in"
kill $server
wait $server
rm -rf "$lost" "$folder"
