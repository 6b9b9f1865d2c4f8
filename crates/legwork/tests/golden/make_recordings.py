"""Makes the recording_* files here with pyarrow 26.0, pandas 3.1, polars 2.1 and mcap 1.6: recordings of other programs."""

import json
import struct
from pathlib import Path

import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
from mcap.writer import CompressionType, Writer

HERE = Path(__file__).parent
HARD = [
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800FFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF,
    0x0010000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0xFFF8000000000000,
    0x7FF80000DEADBEEF, 0x7FF0000000000001, 0x3FB999999999999A, 0x3FD5555555555555,
]


def parquet(name, columns, nullable=False, **options):
    fields = [pyarrow.field(key, array.type, nullable) for key, array in columns.items()]
    schema = pyarrow.schema(fields, {"key": "größer"})
    table = pyarrow.table(list(columns.values()), schema=schema)
    plain = {"compression": "none", "use_dictionary": False, "row_group_size": 10}
    pyarrow.parquet.write_table(table, HERE / f"recording_{name}.parquet", **plain | options)


def doubles(bits):
    return pyarrow.Array.from_buffers(
        pyarrow.float64(), len(bits), [None, pyarrow.py_buffer(b"".join(struct.pack("<Q", b) for b in bits))]
    )


def mcap(name, ours, compression=CompressionType.NONE, filler=0, second="x"):
    with open(HERE / f"recording_{name}.mcap", "wb") as file:
        writer = Writer(file, compression=compression)
        writer.start(library="make_recordings.py")
        if ours:
            columns = [{"name": "t", "unit": "s"}, {"name": second, "unit": "m", "frame": "base"}]
            writer.add_metadata("legwork.recording", {"version": "1", "columns": json.dumps(columns)})
            writer.add_metadata("legwork.metadata", {"key": "größer"})
        other = writer.register_channel(topic="/other", message_encoding="json", schema_id=0)
        channel = writer.register_channel(topic="/columns", message_encoding="protobuf", schema_id=0)
        if filler:
            writer.add_message(other, 0, bytes(filler), 0)
        for k, bits in enumerate(HARD):
            row = b"\x09" + struct.pack("<d", k * 0.25) + b"\x11" + struct.pack("<Q", bits)
            writer.add_message(other, k, b"{}", k)
            writer.add_message(channel, k, row, k)
        if ours:
            writer.add_metadata("legwork.end", {"reason": "done"})
        writer.finish()


time = pyarrow.array([k * 0.25 for k in range(2 * len(HARD))])
both = {"t": time, 'größe, "x"': doubles(2 * HARD)}
parquet("required", both, write_page_checksum=True)
parquet("optional", both, nullable=True, data_page_size=40)
parquet("snappy", both, compression="snappy")
parquet("dictionary", both, use_dictionary=True)
parquet("integer", {"n": pyarrow.array([1, 2, 3])})
parquet("null", {"t": pyarrow.array([1.0, None, 3.0])}, nullable=True)
mcap("ours", True)
mcap("foreign", False)
mcap("zstd", True, CompressionType.ZSTD)
mcap("lz4", True, CompressionType.LZ4)

# What these programs write when nothing is asked for: snappy and zstd, dictionaries, nulls, an index.
frame = {"t": [0.0, 0.5, 1.0, 1.5], "x": [0.1, None, 0.1, -2.5], "n": [3, 1, 4, 1]}
pandas.DataFrame(frame).to_parquet(HERE / "recording_pandas.parquet")
polars.DataFrame(frame, schema_overrides={"n": polars.Int32}).write_parquet(HERE / "recording_polars.parquet")

# Two columns of one name: a table that was joined without a look, plain and compressed, and a recording.
for name, compression in [("twice", "none"), ("twice_zstd", "zstd")]:
    twice = pyarrow.table([time, time, time], names=["t", "x", "x"])
    pyarrow.parquet.write_table(twice, HERE / f"recording_{name}.parquet", compression=compression, use_dictionary=False)
mcap("twice", True, second="t")

# Small files with far more in them than they look like: 640 MB of equal numbers, and a message of 300 MB of zeros.
equal = pyarrow.array(numpy.zeros(40_000_000))
parquet("repeated", {"t": equal, "x": equal}, use_dictionary=True, compression="zstd", row_group_size=len(equal),
        max_rows_per_page=len(equal), write_statistics=False)
mcap("repeated", True, CompressionType.ZSTD, filler=300_000_000)
