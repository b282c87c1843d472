#!/usr/bin/env bash
# fuzz.sh FUZZER RESULTS [LIMIT...]: runs one fuzzer on its corpus and records the outcome
# as one test. Without limits of libFuzzer's (-max_total_time=600, -seed=7) it is the same
# test each time: as many inputs as FUZZER.runs says, from one seed. A crash leaves its
# input beside the results.
set -u
fuzzer=$1 results=$2
shift 2
(($#)) || set -- -seed=1 -runs="$(<"$fuzzer.runs")"
name=$(basename "$fuzzer")
echo "== fuzzing: $name $*"
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
seeds=()
[[ -d fuzz/corpus/$name ]] && seeds=("fuzz/corpus/$name")
log=$results/$name.log
if "$fuzzer" "$@" -timeout=120 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$results/$name-" "$corpus" "${seeds[@]}" >"$log" 2>&1; then
  code=PASS
  grep 'stat::number_of_executed_units' "$log" || true
else
  code=FAIL
  tail -n 60 "$log"
fi
printf '{"tests": [{"name": "fuzz :: %s", "code": "%s"}]}\n' "$name" "$code" >"$results/fuzz-$name.json"
