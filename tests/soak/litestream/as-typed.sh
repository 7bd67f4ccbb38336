#!/usr/bin/env bash
# Types the commands of docs/scaling.md, as they stand there, on two machines with an empty folder each: copies in a
# bucket, Litestream, a follower, and a cluster behind HAProxy. Machines are namespaces, moto is the bucket, and
# `systemctl` runs `deals serve`, and Litestream as the unit in the document does. Prints what it types. Needs root,
# iproute2, litestream 0.5.17, moto_server, curl and haproxy, and takes two minutes.
#
#   tests/soak/litestream/as-typed.sh target/release/deals litestream moto_server
set -euo pipefail
if [ "${1:-}" != --inside ]; then
  exec unshare --net --mount --pid --fork --kill-child --mount-proc bash "$0" --inside "$@"
fi
docs=$(realpath "$(dirname "$0")/../../../docs/scaling.md")
folder=$(mktemp -d)
cd "$folder"
end() { [ "$ended" = well ] || tail -n 15 "$folder"/*.log; rm -rf "$folder"; }
ended=badly
trap end EXIT
mkdir bin
ln -s "$(realpath "${2:-target/release/deals}")" bin/deals
ln -s "$(realpath "$(command -v "${3:-litestream}")")" bin/litestream
moto=$(realpath "$(command -v "${4:-moto_server}")")
export PATH=$folder/bin:$PATH
unset AWS_CA_BUNDLE
cat > bin/systemctl << 'SYSTEMCTL'
#!/usr/bin/env bash
# restart NAME…, enable --now NAME
set -a
[ ! -f /etc/deals.env ] || . /etc/deals.env
mkdir -p /run/litestream
cd /var/lib/deals
for name in "${@:2}"; do
  case $name in
    deals) command="deals serve" ;;
    litestream) command=$(sed -n 's|^ExecStart=/usr/local/bin/||p' /etc/systemd/system/litestream.service) ;;
    *) continue ;;
  esac
  if [ -f "/run/unit-$name" ]; then
    kill -- "-$(cat "/run/unit-$name")"
    while kill -0 -- "-$(cat "/run/unit-$name")" 2> /dev/null; do sleep 0.1; done
  fi
  setsid sh -c "while :; do $command; sleep 1; done" >> "$LOGS.$name.log" 2>&1 < /dev/null &
  echo $! > "/run/unit-$name"
done
SYSTEMCTL
chmod +x bin/systemctl

ip link set lo up
ip link add bridge type bridge
ip address add 10.0.0.9/24 dev bridge
ip link set bridge up
declare -A machines
# Runs a command in a machine.
on() { nsenter -t "$(pgrep -P "${machines[$1]}")" --net --mount --pid "${@:2}"; }
# A machine with an empty folder; one of this name is lost.
machine() { # NAME ADDRESS
  if [ -n "${machines[$1]:-}" ]; then
    kill -9 "${machines[$1]}"
    wait "${machines[$1]}" 2> /dev/null || true
    ip link del "to-$1" 2> /dev/null || true
  fi
  unshare --net --mount --pid --fork --kill-child bash -c "sleep infinity & wait" & machines[$1]=$!
  until pgrep -P $! > /dev/null; do sleep 0.1; done
  ip link add "to-$1" type veth peer name eth0 netns "$(pgrep -P $!)"
  ip link set "to-$1" master bridge up
  on "$1" bash -e << SETUP
ip link set lo up; ip address add $2/24 dev eth0; ip link set eth0 up
mount -t proc proc /proc; mount -t tmpfs tmpfs /run; mkdir /run/up /run/work /run/lib
mount -t overlay -o lowerdir=/etc,upperdir=/run/up,workdir=/run/work overlay /etc
mount -t tmpfs tmpfs /var/lib; mkdir -p /var/lib/deals /etc/systemd/system
cat > /etc/deals.env << END
$(block "A copy elsewhere" 1 | grep AWS_)
AWS_ENDPOINT_URL=http://10.0.0.9:9000
DEALS_LISTEN=0.0.0.0:8080
DEALS_TRUSTED_PROXY=10.0.0.9
DEALS_PUBLIC_URL=https://deals.example
END
SETUP
}
# A block of the document, by its section and number in it, with what a reader fills in.
block() {
  awk -v section="## $1" -v number="$2" '/^## / { found = $0 == section } !found { next }
    /^```/ { if (!inside) count++; inside = !inside; next } inside && count == number' "$docs" \
    | sed "s|/copy/of|$folder|; s|KEY_ID=…|KEY_ID=known|; s|ACCESS_KEY=…|ACCESS_KEY=secret|"
}
# Types lines into a shell in the machine's folder.
types() {
  local lines
  lines=$(cat)
  sed "s/^/$1: /" <<< "$lines"
  echo "cd /var/lib/deals; $lines" | LOGS=$folder/$1 on "$1" bash -e >> "$1.log" 2>&1
}
has() { # ADDRESS CLICKS
  timeout 60 sh -c "until curl -s '$1/product/get-products?sortBy=clicks&limit=1' | grep -q '\"clicks\":$2,.*\"total\":300'; do sleep 0.2; done" \
    || { echo "$1 has no 300 products with $2 clicks"; exit 1; }
}
click() { timeout 60 sh -c "until curl -sf -o /dev/null -X POST $1/product/increament-views/p1; do sleep 0.2; done"; }
into() { on "$1" sh -c "cat >> $2"; }
a=10.0.0.1:8080 b=10.0.0.2:8080
awk 'BEGIN { for (i = 1; i <= 300; i++) printf "{\"_id\":\"p%d\",\"title\":\"Product %d of many\",\"description\":\"Made up to be typed, number %d.\",\"price\":%d,\"discount\":10,\"category\":\"Books\",\"source\":\"Amazon\",\"affiliateLink\":\"https://shop.example/p/%d\",\"images\":[\"https://img.example/%d.jpg\"],\"averageRating\":4,\"totalRatings\":%d}\n", i, i, i, 100 + i, i, i, i }' > products.ndjson
"$moto" -H 10.0.0.9 -p 9000 > moto.log 2>&1 &
timeout 60 sh -c "until curl -sf -o /dev/null -X PUT http://10.0.0.9:9000/my-bucket; do sleep 0.1; done"
shop() {
  machine a 10.0.0.1
  echo "deals import $folder/products.ndjson; systemctl restart deals" | types a
  has $a 0
  cp "/proc/$(pgrep -P "${machines[a]}")/root/var/lib/deals/deals.sqlite.key" "$folder"
}

echo "# A copy elsewhere"
shop
block "A copy elsewhere" 1 | grep DEALS_ | into a /etc/deals.env
block "A copy elsewhere" 2 | types a
timeout 60 sh -c "until curl -s 'http://10.0.0.9:9000/my-bucket?prefix=shop/backup' | grep -q sqlite.gz; do sleep 0.2; done"
echo "deals restore s3://my-bucket/shop --list | grep 'backup/.*sqlite.gz'" | types a
machine a 10.0.0.1
machine b 10.0.0.2
block "A copy elsewhere" 3 | types b &
has $b 0

echo "# Litestream"
shop
section="Litestream for the last second"
block "$section" 1 | sed 's|^\( *\)region:|\1endpoint: http://10.0.0.9:9000\n&|' > litestream.yml
into a /etc/litestream.yml < litestream.yml
block "$section" 2 | into a /etc/systemd/system/litestream.service
block "$section" 3 | head -1 | types a
# Until the bucket has this many files of single transactions.
sent() { timeout 60 sh -c "until [ \$(curl -s 'http://10.0.0.9:9000/my-bucket?prefix=$1' | grep -o '<Key>' | wc -l) -ge $2 ]; do sleep 0.2; done"; }
sent litestream/0000 1
click $a
sent litestream/0000 2
machine b 10.0.0.2
into b /etc/litestream.yml < litestream.yml
block "$section" 3 | tail -n +2 | types b
echo "cp $folder/deals.sqlite.key .; deals serve" | types b &
has $b 1

echo "# Followers"
machine b 10.0.0.2
block Followers 1 | types b &
has $b 1
click $a
has $b 2

echo "# A cluster"
shop
block "A cluster" 1 | into a /etc/litestream.yml
block "$section" 2 | into a /etc/systemd/system/litestream.service
block "A cluster" 2 | into a /etc/deals.env
block "A cluster" 3 | sed -n 1,2p | sed 's/^deals replica/until & | grep durable; do sleep 1; done/' | types a
machine b 10.0.0.2
block "A cluster" 1 | into b /etc/litestream.yml
block "$section" 2 | into b /etc/systemd/system/litestream.service
block "A cluster" 2 | into b /etc/deals.env
click $a
block "A cluster" 3 | sed -n 3,4p | types b
has $b 1
{ sed -n '/<!-- haproxy -->/,/^backend readers/p' "$docs" | sed '1,2d; $d'; sed -n '/<!-- backends -->/,/^## /p' "$docs" | sed '1,2d; /^```/,$d'; } > haproxy.cfg
haproxy -f haproxy.cfg > haproxy.log 2>&1 &
click 10.0.0.9
has $b 2
block "A cluster" 3 | sed -n 5p | types a
click $b
has 10.0.0.9 3
ended=well
echo "ok: every command works as it stands there"
