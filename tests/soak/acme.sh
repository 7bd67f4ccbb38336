#!/usr/bin/env bash
# Gets a certificate from an ACME server on this machine, serves https with it, restarts,
# and serves with the one it kept. Needs openssl, curl and Let's Encrypt's test server,
# pebble (Debian: apt install pebble). Takes some ten seconds.
#
#   tests/soak/acme.sh target/release/deals
set -euo pipefail
deals=$(realpath "${1:-target/release/deals}")
folder=$(mktemp -d)
cd "$folder"
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT

openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 \
  -subj /CN=test -addext basicConstraints=critical,CA:TRUE 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout pebble.key -out pebble.csr -subj /CN=localhost 2>/dev/null
printf 'subjectAltName=DNS:localhost,IP:127.0.0.1' > names
openssl x509 -req -in pebble.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
  -out pebble.pem -extfile names 2>/dev/null
cat > pebble.json <<JSON
{"pebble": {"listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000",
  "certificate": "$folder/pebble.pem", "privateKey": "$folder/pebble.key",
  "httpPort": 5002, "tlsPort": 5001, "ocspResponderURL": "", "externalAccountBindingRequired": false}}
JSON
# Every name leads to this machine.
pebble-challtestsrv -defaultIPv4 127.0.0.1 -defaultIPv6 "" -dns01 127.0.0.1:8053 \
  -http01 "" -https01 "" -tlsalpn01 "" -management 127.0.0.1:8055 > names.log 2>&1 &
pids+=($!)
PEBBLE_VA_NOSLEEP=1 pebble -config pebble.json -dnsserver 127.0.0.1:8053 > pebble.log 2>&1 &
pids+=($!)

serve() {
  "$deals" serve --demo --listen 127.0.0.1:5001 --redirect-from 127.0.0.1:5003 \
    --acme-domain shop.localdomain --acme-directory https://127.0.0.1:14000/dir --acme-ca ca.pem >> deals.log 2>&1 &
  server=$!
  pids+=("$server")
}

until_healthy() {
  for _ in $(seq 120); do
    curl -sfk https://127.0.0.1:15000/roots/0 -o root.pem || true
    if [ "$(curl -s --cacert root.pem --resolve shop.localdomain:5001:127.0.0.1 https://shop.localdomain:5001/healthz)" = '{"status":"ok"}' ]; then return; fi
    sleep 0.25
  done
  cat deals.log; echo "no https within 30 s"; exit 1
}

serve
until_healthy
grep -q 'got a new certificate' deals.log
echo "ok: a certificate was issued, and https is served with it"
[ "$(stat -c %a deals.sqlite.acme)" = 700 ]
echo "ok: the folder of its key is for its owner only"
[ "$(curl -s -o /dev/null -w '%{http_code} %{redirect_url}' 'http://127.0.0.1:5003/?page=2')" = '308 https://shop.localdomain/?page=2' ]
echo "ok: plain http leads to https"
kill "$server"; wait "$server"
serve
until_healthy
grep -q 'serving the certificate that was kept' deals.log
echo "ok: after a restart the certificate that was kept is served"
