"""Reads a recording with other people's libraries and compares it with what it should hold.

    read_recording.py EXPECTED.json FILE.csv|FILE.parquet|FILE.mcap

EXPECTED.json has "names", "columns" (a list of the bits of each number, per column), "metadata",
"end", and "whole": false for an MCAP file without its end. Needs pandas, pyarrow, or mcap (and protobuf and
foxglove-schemas-protobuf, if they are there).
"""

import csv
import importlib
import importlib.util
import json
import os
import re
import struct
import sys
import urllib.parse


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def check_csv(expected, path):
    """A plain table for everybody, and its metadata as "CSV on the Web" asks for it."""
    import pandas

    names, rows = expected["names"], len(expected["columns"][0])
    plain = pandas.read_csv(path)
    assert list(plain.columns) == names and len(plain) == rows, list(plain.columns)
    assert rows == 0 or all(kind == "float64" for kind in plain.dtypes), plain.dtypes
    with open(path, newline="", encoding="utf-8") as file:
        cells = list(csv.DictReader(file))
    assert len(cells) == rows
    for name, wanted in zip(names, expected["columns"], strict=True):
        assert [bits(float(row[name])) for row in cells] == wanted, name
        if rows:
            assert [bits(value) for value in plain[name]] == wanted, name

    with open(path + "-metadata.json", encoding="utf-8") as file:
        about = json.load(file)
    assert about["@context"] == "http://www.w3.org/ns/csvw"
    assert urllib.parse.unquote(about["url"]) == os.path.basename(path)
    columns = about["tableSchema"]["columns"]
    assert [column["titles"] for column in columns] == names
    assert all(column["datatype"] == "double" for column in columns)
    # Names are variables of URI templates; all that is not of the standard has a prefix.
    assert all(re.fullmatch("(?!_)([A-Za-z0-9_]|%[0-9A-F]{2})+", column["name"]) for column in columns)
    assert [urllib.parse.unquote(column["name"]) for column in columns] == names
    own = {key: value for key, value in about.items() if key not in ("@context", "url", "tableSchema")}
    assert all(re.match("[A-Za-z][A-Za-z0-9.]*:", key) for key in own), own.keys()
    assert all(isinstance(value, (str, int)) for value in own.values())
    found = {key.removeprefix("legwork:"): value for key, value in own.items() if key.startswith("legwork:")}
    assert {urllib.parse.unquote(key): value for key, value in found.items()} == expected["metadata"]
    assert own["legwork.recording:end"] == expected["end"]
    assert own["legwork.recording:bytes"] == os.path.getsize(path)


def check_parquet(expected, path):
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(path, page_checksum_verification=True)
    table = file.read()
    assert table.schema.names == expected["names"], table.schema.names
    assert all(str(field.type) == "double" and not field.nullable for field in table.schema)
    for name, column, wanted in zip(expected["names"], table.columns, expected["columns"], strict=True):
        assert [bits(value) for value in column.to_pylist()] == wanted, name
    metadata = {key.decode(): value.decode() for key, value in (file.metadata.metadata or {}).items()}
    for key, value in expected["metadata"].items():
        assert metadata[key] == value, key
    assert metadata["legwork.end"] == expected["end"]
    assert [column["name"] for column in json.loads(metadata["legwork.columns"])] == expected["names"]


def rows(data, count):
    """The doubles of a message, by the definition of protobuf."""
    values, place = [], 0
    while place < len(data):
        tag, shift = 0, 0
        while True:
            byte = data[place]
            place += 1
            tag |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        assert tag == (len(values) + 1) << 3 | 1
        values.append(struct.unpack_from("<Q", data, place)[0])
        place += 8
    assert len(values) == count
    return values


def check_foxglove(schema, kind):
    """Compares a JSON schema with the message type that Foxglove publishes."""
    if schema["title"] == "time":  # google.protobuf.Timestamp, which JSON writes as sec and nsec
        assert kind.full_name == "google.protobuf.Timestamp" and set(schema["properties"]) == {"sec", "nsec"}
        return
    assert schema["title"] == kind.full_name, (schema["title"], kind.full_name)
    assert set(schema["properties"]) <= set(kind.fields_by_name), kind.full_name
    types = {"string": kind.fields[0].TYPE_STRING, "number": kind.fields[0].TYPE_DOUBLE}
    for name, part in schema["properties"].items():
        field = kind.fields_by_name[name]
        part = part["items"] if part["type"] == "array" else part
        if part["type"] == "object":
            check_foxglove(part, field.message_type)
        else:
            assert field.type == types[part["type"]], name
        if name not in schema["required"]:
            assert field.containing_oneof is not None, f"{name} is not optional"


def check_mcap(expected, path):
    from mcap.exceptions import EndOfFile
    from mcap.reader import NonSeekingReader, make_reader
    from mcap.stream_reader import StreamReader
    from mcap.records import Channel, Chunk, Message, Metadata, Schema
    from mcap.stream_reader import breakup_chunk

    schemas, channels, messages, metadata = {}, {}, [], {}
    with open(path, "rb") as file:
        try:
            for record in StreamReader(file, emit_chunks=True, validate_crcs=True).records:
                parts = breakup_chunk(record, validate_crc=True) if isinstance(record, Chunk) else [record]
                for part in parts:
                    if isinstance(part, Schema):
                        schemas[part.id] = part
                    elif isinstance(part, Channel):
                        channels[part.id] = part
                    elif isinstance(part, Message):
                        messages.append(part)
                    elif isinstance(part, Metadata):
                        metadata[part.name] = part.metadata
        except EndOfFile:
            assert not expected["whole"]
    found = [rows(m.data, len(expected["names"])) for m in messages if channels[m.channel_id].topic == "/columns"]
    assert [list(column) for column in zip(*found)] == expected["columns"] or not found and not any(expected["columns"])
    assert metadata["legwork.metadata"] == expected["metadata"]
    for message in messages:
        channel = channels[message.channel_id]
        if channel.message_encoding == "json":
            value = json.loads(message.data)
            assert value["timestamp"]["sec"] * 10**9 + value["timestamp"]["nsec"] == message.log_time
            assert (("pose" in value) == channel.topic.endswith("platform")), channel.topic
    for schema in schemas.values():
        if schema.encoding == "jsonschema":
            assert json.loads(schema.data)["title"] == schema.name
            package, kind = "foxglove_schemas_protobuf", schema.name.removeprefix("foxglove.")
            if importlib.util.find_spec(package):
                module = importlib.import_module(f"{package}.{kind}_pb2")
                check_foxglove(json.loads(schema.data), module.DESCRIPTOR.message_types_by_name[kind])
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    except ImportError:
        pass
    else:
        for schema in schemas.values():
            if schema.encoding == "protobuf":
                files = descriptor_pb2.FileDescriptorSet.FromString(schema.data)
                pool = descriptor_pool.DescriptorPool()
                for one in files.file:
                    pool.Add(one)
                kind = message_factory.GetMessageClass(pool.FindMessageTypeByName(schema.name))
                first = next((m for m in messages if channels[m.channel_id].schema_id == schema.id), None)
                if first is None:
                    continue
                row = kind.FromString(first.data)
                values = [bits(getattr(row, field.name)) for field in kind.DESCRIPTOR.fields]
                assert values == [column[0] for column in expected["columns"]]
    if not expected["whole"]:
        return
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        assert not isinstance(reader, NonSeekingReader)
        summary = reader.get_summary()
        assert summary.statistics.message_count == len(messages)
        assert summary.statistics.chunk_count == len(summary.chunk_indexes)
        assert len(summary.channels) == summary.statistics.channel_count
        # by the index, in the order of time
        assert sum(1 for _ in reader.iter_messages()) == len(messages)
        assert sum(1 for _ in reader.iter_messages(topics=["/columns"])) == len(found)
        ends = {record.name: record.metadata for record in reader.iter_metadata()}
        assert ends["legwork.end"] == {"reason": expected["end"]}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        expected = json.load(file)
    checks = {".csv": check_csv, ".parquet": check_parquet, ".mcap": check_mcap}
    checks[os.path.splitext(sys.argv[2])[1]](expected, sys.argv[2])
    print("same")


main()
