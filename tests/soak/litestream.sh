#!/usr/bin/env bash
# Replicates a shop to a folder with Litestream while it is clicked on and imported to,
# kills everything, and serves what Litestream gets back. Needs litestream; half a minute.
#
#   tests/soak/litestream.sh target/release/deals /usr/bin/litestream
set -euo pipefail
deals=$(realpath "${1:-target/release/deals}")
litestream=$(realpath "${2:-$(command -v litestream)}")
folder=$(mktemp -d)
cd "$folder"
site=http://127.0.0.1:8091
pids=()
end() {
  kill -9 "${pids[@]}" 2> /dev/null || true
  wait 2> /dev/null || true
  rm -rf "$folder"
}
trap end EXIT
wait_for() { timeout 30 sh -c "until curl -sf -o /dev/null $site/healthz; do sleep 0.05; done" || { cat served; exit 1; }; }

"$deals" serve --demo --listen 127.0.0.1:8091 > served 2>&1 & pids+=($!)
server=$!
wait_for
"$litestream" replicate deals.sqlite "file://$folder/replica" > replicated 2>&1 & pids+=($!)
replica=$!
id=$(curl -s "$site/product/get-products?limit=1" | sed -E 's/.*"_id":"([^"]+)".*/\1/')
for round in $(seq 4); do
  for _ in $(seq 500); do
    curl -s -X POST "$site/product/increament-views/$id"; echo
  done > clicked
  "$deals" export > copy.json 2> exported
  sed -i -E "s/\"title\":\"/&Round $round of /" copy.json
  "$deals" import copy.json > imported 2>&1
  "$deals" check > report || true
  if grep -E '^wrong +(database|integrity|counts|full-text)' report; then exit 1; fi
done
clicks=$(tail -1 clicked | sed -E 's/.*"clicks":([0-9]+).*/\1/')
echo "ok: beside Litestream: $clicks clicks of one product, 4 imports, checks without a fault"
# It copies what is new each second.
tries=0
until [ "$tries" = 60 ] || "$litestream" restore -o restored.sqlite "file://$folder/replica" > /dev/null 2>&1 &&
  "$deals" restore restored.sqlite --verify > verified 2>&1 &&
  "$deals" export --db restored.sqlite 2> exported | grep "\"$id\"" | grep -q "\"clicks\":$clicks,"; do
  rm -f restored.sqlite*
  tries=$((tries + 1))
  sleep 0.5
done
[ "$tries" != 60 ] || { echo "wrong: the replica never had the last click"; exit 1; }
kill -9 "$server" "$replica"
wait "$server" "$replica" 2> /dev/null || true
rm deals.sqlite deals.sqlite-*
"$deals" restore restored.sqlite
"$deals" serve --listen 127.0.0.1:8091 > served 2>&1 & pids+=($!)
wait_for
title=$(curl -s "$site/product/product/$id" | sed -E 's/.*"title":"(Round 4 of)[^"]*".*/\1/')
[ "$title" = "Round 4 of" ] || { echo "wrong: $title"; exit 1; }
echo "ok: got back by Litestream and served, with the last import"
