# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading what the tools write: wrong schemas, torn lines, tables."""
import csv
import json
import pathlib
import subprocess

import pytest

import swizzle
from swizzle.records import read_lines


def test_another_schema_is_named(tmp_path):
    path = tmp_path / "report.json"
    path.write_text('{"schema": "other/1"}')
    with pytest.raises(swizzle.SchemaError, match="report.json.*'other/1'.*swizzle-report/1"):
        swizzle.read_report(path)
    path.write_text("[1, 2")
    with pytest.raises(swizzle.SchemaError, match="is not JSON"):
        swizzle.read_report(path)


@pytest.mark.parametrize("read, schema", [(swizzle.read_tuning, "swizzle-tuning/1"),
                                          (swizzle.read_report, "swizzle-report/1")])
@pytest.mark.parametrize("text, said", [
    ("[" * 100000, "is not JSON"),
    ('{"schema": "SCHEMA"}', "an object has no key 'kernels'"),
    ('{"schema": "SCHEMA", "kernels": [{}]}', "an object has no key 'module'"),
    ('{"schema": "SCHEMA", "kernels": 5}', "a value has another type: 'int'"),
    ('{"schema": "SCHEMA", "kernels": ["k"]}', "a value has another type: 'str'"),
    ('{"schema": "SCHEMA", "kernels": [{"module": "m", "name": "k", "outcome": "kept", '
     '"grid": 5}]}', "a value has another type: 'int'")])
def test_what_a_report_lacks_is_said(tmp_path, read, schema, text, said):
    path = tmp_path / "report.json"
    path.write_text(text.replace("SCHEMA", schema))
    with pytest.raises(swizzle.SchemaError, match=f"report.json .*{said}"):
        read(path)
    path.write_bytes(b"\x89\xff")
    with pytest.raises(swizzle.SchemaError, match="is not JSON"):
        read(path)


def test_a_torn_last_line_is_left_out_and_a_bad_one_is_not(tmp_path):
    path = tmp_path / "journal.jsonl"
    path.write_text('{"a": 1}\n{"a": 2}\n{"a": ')
    assert [record["a"] for record in read_lines(path)] == [1, 2]
    path.write_text('{"a": 1}\n{"a": \n{"a": 3}\n')
    with pytest.raises(swizzle.SchemaError, match="journal.jsonl:2 is not JSON"):
        list(read_lines(path))
    for line, said in ("5", "not a JSON object"), ("[" * 100000, "not JSON"):
        path.write_text('{"a": 1}\n' + line + "\n")
        with pytest.raises(swizzle.SchemaError, match=f"journal.jsonl:2 is {said}"):
            swizzle.read_journal(path)


def test_a_database_is_read_as_the_tools_read_it(tmp_path):
    path = tmp_path / "tuned.db"
    path.write_text('<<<<<<< ours\n{"a": 1}\n=======\n{"a": 2}\n>>>>>>> theirs\n{"a": 3}')
    with pytest.warns(UserWarning, match="tuned.db:[135] is not JSON.*the other lines") as said:
        rows = swizzle.read_database(path)
    assert rows == [{"a": 1}, {"a": 2}, {"a": 3}] and len(said) == 3


def test_rows_are_flat_and_go_into_a_table(tmp_path):
    path = tmp_path / "journal.jsonl"
    path.write_text(json.dumps({"kind": "x", "metrics": {"time_us": 4.5}, "list": [1]}) + "\n" +
                    json.dumps({"kind": "y", "more": True}) + "\n")
    rows = swizzle.read_journal(path)
    assert rows[0] == {"kind": "x", "metrics.time_us": 4.5, "list": "[1]"}
    swizzle.write_csv(rows, tmp_path / "rows.csv")
    with open(tmp_path / "rows.csv") as file:
        table = list(csv.DictReader(file))
    assert table[0]["metrics.time_us"] == "4.5" and table[1]["more"] == "True"


def test_metrics_know_what_is_unknown():
    metrics = swizzle.Metrics.of({"time_us": 2.0, "dram_read_bytes": 3.0, "llc_hit_rate": None,
                                  "sensitivity": {"uncertain": True}})
    assert metrics.time_us == 2.0 and metrics.llc_hit_rate is None
    assert metrics.dram_bytes is None and metrics.uncertain


def test_what_nobody_counted_is_none():
    row = {"origin": "measured", "time_us": 2.0, "levels": ["l2"], "l2_hit_rate": 0.5,
           "l2_bytes": None, "dram_read_bytes": None, "dram_write_bytes": None}
    # Earlier versions wrote zeros.
    old = {**row, "line_accesses": 0.0, "l2_bytes": 0.0, "dram_read_bytes": 0.0,
           "dram_write_bytes": 0.0}
    for data in row, old:
        metrics = swizzle.Metrics.of(data)
        assert metrics.dram_bytes is None and metrics.l2_bytes is None
        assert metrics.l2_hit_rate == 0.5
    counted = swizzle.Metrics.of({"origin": "simulated", "line_accesses": 4.0,
                                  "dram_read_bytes": 0.0, "dram_write_bytes": 0.0})
    assert counted.dram_bytes == 0


def test_metrics_have_a_row_for_each_level():
    metrics = swizzle.Metrics.of({"levels": ["l1", "gl1", "l2"], "l1_hit_rate": 0.5,
                                  "gl1_hit_rate": 0.25, "gl1_bytes": 3.0, "l2_bytes": 2.0,
                                  "llc_hit_rate": None, "llc_bytes": None})
    assert [level.name for level in metrics.levels] == ["l1", "gl1", "l2"]
    assert metrics.level("gl1") == swizzle.Level("gl1", 3.0, 0.25)
    assert metrics.level("llc") is None
    old = swizzle.Metrics.of({"l2_hit_rate": 0.5, "llc_hit_rate": None})
    assert old.levels == (swizzle.Level("l2", None, 0.5),)


def test_rows_for_training_keep_their_form(tmp_path):
    tool = swizzle.find_tool("swizzle-db")
    inputs = pathlib.Path(__file__).parents[2] / "test" / "Records" / "Inputs"
    path = tmp_path / "rows.jsonl"
    done = subprocess.run([tool, "export", inputs / "tuned.db", f"--journal={inputs / 'run.jsonl'}",
                           "-o", path], capture_output=True, text=True)
    assert done.returncode == 2, done.stderr  # the journal has lines that cannot be read
    rows = swizzle.read_rows(path)
    assert [row["outcome"]["verdict"] for row in rows if row["source"] == "journal"] == [
        "illegal", "build-failed", "check-failed", "best", "slower", "duplicate"]
    assert rows[-1]["context"]["grid"] == "36x24" and rows[-1]["said"]["expect"] == "less traffic"
    path.write_text('{"schema": "swizzle-row/1"}\n{"schema": "swizzle-journal/1"}\n')
    with pytest.raises(swizzle.SchemaError, match="row 2 has schema 'swizzle-journal/1'"):
        swizzle.read_rows(path)
