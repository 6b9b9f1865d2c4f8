"""Opens recordings with other people's libraries and compares the number of their rows.

    count_rows.py FILES.json        [["run.csv", 1024], ...]
"""

import json
import sys

import pandas
import polars
import pyarrow.parquet
from mcap.reader import NonSeekingReader, make_reader


def counts(path):
    """How many rows each library finds."""
    if path.endswith(".csv"):
        yield len(pandas.read_csv(path))
        yield len(polars.read_csv(path))
    elif path.endswith(".parquet"):
        yield len(pandas.read_parquet(path))
        yield len(polars.read_parquet(path))
        yield pyarrow.parquet.read_table(path).num_rows
    else:
        with open(path, "rb") as file:
            reader = make_reader(file, validate_crcs=True)
            assert not isinstance(reader, NonSeekingReader)
            yield sum(1 for _ in reader.iter_messages(topics=["/columns"]))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        files = json.load(file)
    for path, rows in files:
        found = list(counts(path))
        assert found and all(count == rows for count in found), (path, rows, found)
    print(f"{len(files)} files as expected")


main()
