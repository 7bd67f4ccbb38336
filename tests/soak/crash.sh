#!/usr/bin/env bash
# Kills the server a hundred times (or as often as the first argument says) while 32
# writers of every kind write, and looks after each kill for everything acknowledged.
# Takes some two minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
DEALS_CRASH_ROUNDS="${1:-100}" cargo test --test it -- acknowledged_writes_survive
