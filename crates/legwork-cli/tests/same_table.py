"""Compares CSV files with the Parquet files of the same runs, as anybody would open them.

    same_table.py FILES.json        [["run.csv", "run.parquet"], ...]
"""

import csv
import json
import sys

import pandas
import polars


def check(table, parquet):
    """Same names in the same order, same types, same numbers to the last digit."""
    wanted = pandas.read_parquet(parquet)
    assert len(wanted) > 1 and all(kind == "float64" for kind in wanted.dtypes)
    pandas.testing.assert_frame_equal(pandas.read_csv(table), wanted, check_exact=True)
    assert polars.read_csv(table).equals(polars.read_parquet(parquet)), table
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(wanted.columns)
    found = pandas.DataFrame([{name: float(cell) for name, cell in row.items()} for row in rows])
    pandas.testing.assert_frame_equal(found, wanted, check_exact=True)
    with open(table + "-metadata.json", encoding="utf-8") as file:
        columns = json.load(file)["tableSchema"]["columns"]
    assert [column["titles"] for column in columns] == list(wanted.columns)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        pairs = json.load(file)
    for table, parquet in pairs:
        check(table, parquet)
    print(f"{len(pairs)} tables as expected")


main()
