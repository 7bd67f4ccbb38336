#!/usr/bin/env bash
# Feeds made-up input to the import, the search and the pages, for half a minute each (or
# as many seconds as the first argument says). Needs cargo-fuzz (cargo install cargo-fuzz).
# Without a nightly compiler there is no address sanitizer; what is looked for here are
# panics and answers that contradict one another.
set -euo pipefail
cd "$(dirname "$0")/../.."
export DEALS_WEB=skip RUSTC_BOOTSTRAP=1
for target in import search page; do
  cargo fuzz run --sanitizer none "$target" -- -max_total_time="${1:-30}" -max_len=4096 -timeout=10
done
