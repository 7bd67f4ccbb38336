#!/usr/bin/env bash
# Loses a machine again and again: a shop is clicked on while Litestream replicates it, everything
# is killed, and the replica is restored elsewhere, verified and served. Prints what was lost and
# how long it took. Needs litestream (0.5 or newer) and python3.
#
#   tests/soak/litestream/restoring.sh target/release/deals litestream [PRODUCTS] [TIMES]
set -euo pipefail
deals=$(realpath "${1:-target/release/deals}")
litestream=$(realpath "$(command -v "${2:-litestream}")")
products=${3:-3000}
times=${4:-20}
folder=$(mktemp -d)
site=http://127.0.0.1:8091
pids=()
end() {
  kill -9 "${pids[@]}" 2> /dev/null || true
  wait 2> /dev/null || true
  rm -rf "$folder"
}
trap end EXIT
now() { date +%s.%N; }
since() { awk -v from="$1" -v to="$2" 'BEGIN { printf "%.1f", to - from }'; }
wait_for() { timeout 60 sh -c "until curl -sf -o /dev/null $site/healthz; do sleep 0.05; done" || { cat served; exit 1; }; }
# Clicks of one product, one after the other, each with when it was acknowledged.
click() {
  exec python3 - "$site/product/increament-views/p1" << 'CLICK'
import json, sys, time, urllib.request
while True:
    request = urllib.request.Request(sys.argv[1], method="POST")
    clicks = json.load(urllib.request.urlopen(request))["clicks"]
    print(clicks, time.time(), flush=True)
CLICK
}
# The clicks that a database has.
counted() { python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT clicks FROM products WHERE id = ?", ["p1"]).fetchone()[0])' "$1"; }

mkdir "$folder/machine0"
cd "$folder/machine0"
awk -v n="$products" 'BEGIN { for (i = 1; i <= n; i++) printf "{\"_id\":\"p%d\",\"title\":\"Product %d of many\",\"description\":\"Made up to be lost and found again, number %d.\",\"price\":%d,\"discount\":10,\"category\":\"Books\",\"source\":\"Amazon\",\"affiliateLink\":\"https://shop.example/p/%d\",\"images\":[\"https://img.example/%d.jpg\"],\"averageRating\":4,\"totalRatings\":%d}\n", i, i, i, 100 + i, i, i, i }' > ../products.ndjson
"$deals" import ../products.ndjson --db deals.sqlite > imported 2>&1
rm ../products.ndjson

worst=0
slowest=0
for round in $(seq "$times"); do
  "$deals" serve --listen 127.0.0.1:8091 --db deals.sqlite > served 2>&1 & server=$!
  pids+=("$server")
  wait_for
  # Beside a shop whose machine is lost there is nothing but its replica.
  replica=$folder/replica$round
  "$litestream" replicate deals.sqlite "file://$replica" > replicated 2>&1 & copier=$!
  pids+=("$copier")
  click > "$folder/clicked" 2> /dev/null & clicker=$!
  pids+=("$clicker")
  # Their end is no news.
  disown "$server" "$copier" "$clicker"
  # Until there is something to restore, and for some seconds more.
  timeout 600 sh -c "until find '$replica' -name '*.ltx' 2> /dev/null | grep -q .; do sleep 0.2; done"
  sleep "$((2 + RANDOM % 4)).$((RANDOM % 10))"
  kill -9 "$server" "$copier" "$clicker"
  lost_at=$(now)
  while kill -0 "$server" "$copier" "$clicker" 2> /dev/null; do sleep 0.05; done
  last=$(tail -1 "$folder/clicked" | cut -d' ' -f1)
  mkdir "$folder/machine$round"
  begun=$(now)
  "$litestream" restore -o "$folder/machine$round/restored.sqlite" "file://$replica" > restored 2>&1 || { cat restored replicated; exit 1; }
  got=$(now)
  "$deals" restore "$folder/machine$round/restored.sqlite" --verify > verified 2>&1 || { cat verified; exit 1; }
  verified=$(now)
  cp deals.sqlite.key "$folder/machine$round/"
  cd "$folder/machine$round"
  rm -rf "$folder/machine$((round - 1))" "$replica"
  kept=$(counted restored.sqlite)
  # From the first click that is lost.
  from=$lost_at
  if [ "$kept" -lt "$last" ]; then
    from=$(awk -v kept="$kept" '$1 > kept { print $2; exit }' "$folder/clicked")
  fi
  mv restored.sqlite deals.sqlite
  lost=$(since "${from:-$lost_at}" "$lost_at")
  took=$(since "$begun" "$verified")
  echo "$round: $((last - kept)) of $last clicks lost, of the last $lost s; back in $(since "$begun" "$got") s, verified in $took s"
  worst=$(printf '%s\n%s\n' "$worst" "$lost" | sort -g | tail -1)
  slowest=$(printf '%s\n%s\n' "$slowest" "$took" | sort -g | tail -1)
done
echo "ok: $times machines lost with $products products: at most the last $worst s, back and verified within $slowest s ($("$litestream" version))"
