#!/usr/bin/env bash
# fuzz.sh FUZZER SECONDS RESULTS: runs one fuzzer on its corpus for a while and
# records the outcome as one test. A crash leaves its input beside the results.
set -u
fuzzer=$1 seconds=$2 results=$3
name=$(basename "$fuzzer")
echo "== fuzzing: $name, $seconds s"
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
seeds=()
[[ -d fuzz/corpus/$name ]] && seeds=("fuzz/corpus/$name")
log=$results/$name.log
if "$fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$results/$name-" "$corpus" "${seeds[@]}" >"$log" 2>&1; then
  code=PASS
  grep 'stat::number_of_executed_units' "$log" || true
else
  code=FAIL
  tail -n 60 "$log"
fi
printf '{"tests": [{"name": "fuzz :: %s", "code": "%s"}]}\n' "$name" "$code" >"$results/fuzz-$name.json"
