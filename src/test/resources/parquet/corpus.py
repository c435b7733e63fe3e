"""Writes the Parquet files beside this script and the CSV that each has to become. Needs pyarrow 25.

read/a.b.parquet becomes read/a.csv. refused/ holds files that are refused: by column, by codec, or as damaged.
large/ holds files that are read in little memory.
The expected text of every value is written here by hand, not computed by a reader.
"""

import datetime
import decimal
import io
import json
import pathlib
import shutil
import struct
import uuid
import zlib

import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
UTC = datetime.timezone.utc
INFINITY = float("inf")


def write(path, columns, nullable=True, **options):
    """`columns` are (name, type, values); the options are those of pyarrow."""
    fields = [pa.field(name, type, nullable) for name, type, _ in columns]
    arrays = [pa.array(values, type) for _, type, values in columns]
    settings = dict(compression="none", use_dictionary=False, store_schema=False, write_statistics=False)
    path = HERE / path
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(arrays, schema=pa.schema(fields)), path, **(settings | options))


def expect(name, header, rows):
    text = "".join((",".join(row) or '""') + "\n" for row in [header, *rows])
    (HERE / "read" / (name + ".csv")).write_text(text, encoding="utf-8", newline="")


def type_file(name, type, pairs, **options):
    """One column of all values and a missing one; `pairs` are (value, text)."""
    pairs = [*pairs, (None, "")]
    write(f"read/{name}.parquet", [("value", type, [value for value, _ in pairs])], **options)
    expect(name, ["value"], [[text] for _, text in pairs])


# --- Thrift's compact protocol: a struct is a dict of field id to (type, value), a list is (element type, values) ---


def read_varint(data):
    result, shift = 0, 0
    while True:
        byte = data.read(1)[0]
        result |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return result


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def zigzag(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def read_value(data, type):
    if type in (1, 2):
        return type == 1
    if type == 3:
        return data.read(1)[0]
    if type in (4, 5, 6):
        number = read_varint(data)
        return number >> 1 ^ -(number & 1)
    if type == 7:
        return struct.unpack("<d", data.read(8))[0]
    if type == 8:
        return data.read(read_varint(data))
    if type == 9:
        head = data.read(1)[0]
        size = head >> 4 if head >> 4 < 15 else read_varint(data)
        return head & 15, [read_value(data, head & 15) for _ in range(size)]
    return read_struct(data)


def read_struct(data):
    fields, last = {}, 0
    while (head := data.read(1)[0]) != 0:
        last = last + (head >> 4) if head >> 4 else read_value(data, 4)
        fields[last] = (head & 15, read_value(data, head & 15))
    return fields


def value_bytes(type, value):
    if type in (1, 2):
        return b""
    if type == 3:
        return bytes([value])
    if type in (4, 5, 6):
        return zigzag(value)
    if type == 7:
        return struct.pack("<d", value)
    if type == 8:
        return varint(len(value)) + value
    if type == 9:
        element, values = value
        size = len(values)
        head = bytes([size << 4 | element]) if size < 15 else bytes([0xF0 | element]) + varint(size)
        return head + b"".join(value_bytes(element, each) for each in values)
    return struct_bytes(value)


def struct_bytes(fields):
    out, last = b"", 0
    for id, (type, value) in sorted(fields.items()):
        delta = id - last
        out += bytes([delta << 4 | type]) if 0 < delta < 16 else bytes([type]) + zigzag(id)
        out += value_bytes(type, value)
        last = id
    return out + b"\0"


# --- Files that are taken apart and put together again. Field numbers are from parquet.thrift. ---

SCHEMA, ROWS, GROUPS = 2, 3, 4
GROUP_COLUMNS, GROUP_ROWS = 1, 3
META = 3
CODEC, VALUES, UNCOMPRESSED, COMPRESSED, DATA_OFFSET, DICTIONARY_OFFSET = 4, 5, 6, 7, 9, 11
PAGE_TYPE, PAGE_UNCOMPRESSED, PAGE_COMPRESSED, PAGE_V1, PAGE_DICTIONARY, PAGE_V2 = 1, 2, 3, 5, 7, 8


class File:
    """The chunks of all row groups, one after another; a page is [header, bytes]."""

    def __init__(self, path):
        data = (HERE / path).read_bytes()
        length = struct.unpack("<i", data[-8:-4])[0]
        self.footer = read_struct(io.BytesIO(data[-8 - length : -8]))
        self.chunks = []
        for meta in self.metas():
            offset = meta.get(DICTIONARY_OFFSET, meta[DATA_OFFSET])[1]
            stream = io.BytesIO(data[offset : offset + meta[COMPRESSED][1]])
            pages = []
            while stream.tell() < meta[COMPRESSED][1]:
                header = read_struct(stream)
                pages.append([header, stream.read(header[PAGE_COMPRESSED][1])])
            self.chunks.append(pages)

    def metas(self):
        return [chunk[META][1] for group in self.groups() for chunk in group[GROUP_COLUMNS][1][1]]

    def groups(self):
        return self.footer[GROUPS][1][1]

    def element(self, column):
        return self.footer[SCHEMA][1][1][column + 1]

    def data_page(self, column):
        return self.chunks[column][-1]

    def bytes(self):
        out = b"PAR1"
        for pages, meta in zip(self.chunks, self.metas()):
            start = len(out)
            meta.pop(DATA_OFFSET)
            for header, body in pages:
                if header[PAGE_TYPE][1] == 2:
                    meta[DICTIONARY_OFFSET] = (6, len(out))
                else:
                    meta.setdefault(DATA_OFFSET, (6, len(out)))
                out += struct_bytes(header) + body
            meta[COMPRESSED] = (6, len(out) - start)
        footer = struct_bytes(self.footer)
        return out + footer + struct.pack("<i", len(footer)) + b"PAR1"

    def save(self, path):
        path = HERE / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.bytes())


def change(fields, id, value):
    fields[id] = (fields[id][0], value)


def set_body(page, body, uncompressed=None):
    page[1] = body
    change(page[0], PAGE_COMPRESSED, len(body))
    change(page[0], PAGE_UNCOMPRESSED, len(body) if uncompressed is None else uncompressed)


# --- What is read ---


def types():
    type_file("boolean", pa.bool_(), [(True, "true"), (False, "false")])
    for bits in (8, 16, 32, 64):
        least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        type_file(f"int{bits}", getattr(pa, f"int{bits}")(), [(v, str(v)) for v in (0, 1, -1, least, most)])
        most = 2**bits - 1
        values = (0, 1, most // 2, most // 2 + 1, most)
        type_file(f"uint{bits}", getattr(pa, f"uint{bits}")(), [(v, str(v)) for v in values])
    special = [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.5, "1.5"),
        (float("nan"), "NaN"),
        (INFINITY, "Infinity"),
        (-INFINITY, "-Infinity"),
    ]
    type_file(
        "float16",
        pa.float16(),
        [*special, (65504.0, "65504.0"), (2.0**-24, "5.9604645E-8"), (1.0 / 3, "0.33325195")],
    )
    type_file(
        "float32",
        pa.float32(),
        [*special, (0.1, "0.1"), (1e10, "1.0E10"), (2.0**-149, "1.4E-45"), (3.4028234663852886e38, "3.4028235E38")],
    )
    type_file(
        "float64",
        pa.float64(),
        [
            *special,
            (0.1, "0.1"),
            (1e10, "1.0E10"),
            (2e-3, "0.002"),
            (5e-324, "4.9E-324"),
            (1.7976931348623157e308, "1.7976931348623157E308"),
            (9007199254740993.0, "9.007199254740992E15"),
        ],
    )
    numbers = ["0.00", "0.05", "-0.05", "123.45", "-9999999.99", "9999999.99"]
    for name, type, integers in (
        ("decimal-int32", pa.decimal128(9, 2), True),
        ("decimal-int64", pa.decimal128(18, 2), True),
        ("decimal-fixed", pa.decimal128(38, 2), False),
    ):
        pairs = [(decimal.Decimal(text), text) for text in numbers]
        type_file(name, type, pairs, store_decimal_as_integer=integers)
    wide = "-12345678901234567890123456.789012345678"
    type_file("decimal-wide", pa.decimal128(38, 12), [(decimal.Decimal(wide), wide), (0, "0.000000000000")])
    days = ["1970-01-01", "1969-12-31", "0001-01-01", "1582-10-14", "2024-02-29", "9999-12-31"]
    type_file("date", pa.date32(), [(datetime.date.fromisoformat(day), day) for day in days])
    second = 951_782_400  # 2000-02-29T00:00:00Z
    for unit, per_second, fractions in (
        ("ms", 10**3, [(1, ".001"), (120, ".120"), (999, ".999")]),
        ("us", 10**6, [(1, ".000001"), (999_999, ".999999"), (500_000, ".500")]),
        ("ns", 10**9, [(1, ".000000001"), (999_999_999, ".999999999"), (500_000_000, ".500")]),
    ):
        for zone, end in (("UTC", "Z"), (None, "")):
            pairs = [(0, "1970-01-01T00:00:00"), (-per_second, "1969-12-31T23:59:59")]
            # The format of local times ends its fraction with the last digit that is not zero.
            pairs += [(second * per_second + f, "2000-02-29T00:00:00" + text) for f, text in fractions]
            pairs += [(f - per_second, "1969-12-31T23:59:59" + text) for f, text in fractions]
            pairs = [(v, (text.rstrip("0") if "." in text and zone is None else text) + end) for v, text in pairs]
            type_file(f"timestamp-{unit}-{'utc' if zone else 'local'}", pa.timestamp(unit, zone), pairs)
    type_file(
        "int96",
        pa.timestamp("ns"),
        [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59.999999999Z"),
            (second * 10**9 + 43_200_000_000_123, "2000-02-29T12:00:00.000000123Z"),
        ],
        use_deprecated_int96_timestamps=True,
    )
    texts = [
        ("plain", "plain"),
        ("", ""),
        ("a,b", '"a,b"'),
        ('say "x"', '"say ""x"""'),
        ("two\nlines", '"two\nlines"'),
        ("a\rb", '"a\rb"'),
        ("größe 雪", "größe 雪"),
        (" space ", " space "),
    ]
    type_file("string", pa.string(), texts)
    type_file("string-large", pa.large_string(), texts)
    type_file("string-dictionary", pa.string(), texts * 3, use_dictionary=True)
    type_file("json", pa.json_(), [('{"a": 1}', '"{""a"": 1}"'), ("[]", "[]")])
    one = "01234567-89ab-cdef-0123-456789abcdef"
    type_file("uuid", pa.uuid(), [(uuid.UUID(one).bytes, one), (b"\xff" * 16, "f" * 8 + "-ffff" * 3 + "-" + "f" * 12)])
    type_file("null", pa.null(), [])
    # Literals of each form of length, and copies that overlap.
    noise = "".join(str(i * i * 7919 % 9973) for i in range(1000))
    snappy = [noise[:n] for n in (59, 60, 61, 256, 257, 3000)] + ["ab" * 2000, noise[500:900] + "y" * 300 + noise]
    type_file("snappy", pa.string(), [(text, text) for text in snappy], compression="snappy")
    # pyarrow writes no ENUM: the type of a string column is changed.
    type_file("enum", pa.string(), [("Female", "Female"), ("a,b", '"a,b"')])
    enum = File("read/enum.parquet")
    enum.element(0)[6] = (5, 4)
    enum.element(0)[10] = (12, {4: (12, {})})
    enum.save("read/enum.parquet")
    # Files of old writers have only a converted type.
    old = File("read/uint64.parquet")
    del old.element(0)[10]
    old.save("read/uint64.converted-type.parquet")
    names = ["plain", "a,b", 'say "x"', "two\nlines", "größe", "", "x" * 200]
    write("read/names.parquet", [(name, pa.int32(), [i]) for i, name in enumerate(names)])
    header = ["plain", '"a,b"', '"say ""x"""', '"two\nlines"', "größe", "", "x" * 200]
    expect("names", header, [[str(i) for i in range(len(names))]])
    write("read/empty.parquet", [("a", pa.int32(), []), ("b", pa.string(), [])])
    expect("empty", ["a", "b"], [])


def table(rows, missing):
    """Some rows, and their text."""

    def at(i, step, value):
        return None if missing and i % step == 0 else value

    whole = [at(i, 7, i * 37 % 101 - 50) for i in range(rows)]
    real = [at(i, 5, i % 9 / 4) for i in range(rows)]
    single = [at(i, 4, i % 7 / 8) for i in range(rows)]
    text = [at(i, 3, f"text {i % 13}") for i in range(rows)]
    truth = [at(i, 6, i % 3 == 0) for i in range(rows)]
    columns = [
        ("whole", pa.int64(), whole),
        ("real", pa.float64(), real),
        ("single", pa.float32(), single),
        ("text", pa.string(), text),
        ("truth", pa.bool_(), truth),
    ]
    shown = [
        ["" if v is None else str(v).lower() if isinstance(v, bool) else str(v) for v in row]
        for row in zip(*(values for _, _, values in columns))
    ]
    return columns, [name for name, _, _ in columns], shown


def encodings():
    rows = 60
    columns, header, shown = table(rows, missing=True)
    expect("rows", header, shown)
    for codec in ("none", "snappy", "gzip", "zstd", "lz4"):
        for version in ("1.0", "2.0"):
            write(
                f"read/rows.{codec}-v{version[0]}.parquet", columns, compression=codec, data_page_version=version,
            )
            write(
                f"read/rows.{codec}-v{version[0]}-dictionary.parquet",
                columns,
                compression=codec,
                data_page_version=version,
                use_dictionary=["whole", "real", "single", "text"],
            )
    delta = {"whole": "DELTA_BINARY_PACKED", "real": "BYTE_STREAM_SPLIT", "single": "BYTE_STREAM_SPLIT", "truth": "RLE"}
    for version in ("1.0", "2.0"):
        for text in ("DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"):
            write(
                f"read/rows.{text.lower().replace('_', '-')}-v{version[0]}.parquet",
                columns,
                data_page_version=version,
                column_encoding=delta | {"text": text},
            )
    write(
        "read/rows.whole-split.parquet",
        columns,
        column_encoding={"whole": "BYTE_STREAM_SPLIT"},
        compression="zstd",
    )
    write("read/rows.groups.parquet", columns, row_group_size=25, use_dictionary=["text"], compression="snappy")
    pages = dict(data_page_size=64, write_batch_size=8, max_rows_per_page=11)
    write("read/rows.pages.parquet", columns, **pages)
    write("read/rows.page-index.parquet", columns, row_group_size=40, write_page_index=True, **pages)
    write("read/rows.checksums.parquet", columns, write_page_checksum=True, write_statistics=True, store_schema=True)
    columns, header, shown = table(rows, missing=False)
    expect("required", header, shown)
    write("read/required.plain.parquet", columns, nullable=False)
    write("read/required.dictionary-v2.parquet", columns, nullable=False, data_page_version="2.0", use_dictionary=True)
    write("read/required.optional.parquet", columns)
    # The rows of the tests over HTTP.
    columns = people(40)
    write("read/people.parquet", columns)
    for name in ("gzip", "snappy", "zstd"):
        write(f"read/people.{name}.parquet", columns, compression=name, use_dictionary=True)
    write("read/people.v2.parquet", columns, data_page_version="2.0")
    write("read/people.page-index.parquet", columns, write_page_index=True)
    shown = [["" if v is None else str(v) for v in row] for row in zip(*(values for _, _, values in columns))]
    expect("people", ["age", "hours", "sex"], shown)


# --- What is refused by the name of a column, and by its codec ---


def unsupported():
    ok = ("ok", pa.int32(), [1, 2])
    struct_type = pa.struct([("a", pa.int32()), ("b", pa.string())])
    for name, type, values in (
        ("struct", struct_type, [{"a": 1, "b": "x"}, None]),
        ("list", pa.list_(pa.int32()), [[1, 2], []]),
        ("map", pa.map_(pa.string(), pa.int32()), [[("a", 1)], []]),
        ("binary", pa.binary(), [b"a", None]),
        ("fixed", pa.binary(4), [b"abcd", None]),
        ("time-ms", pa.time32("ms"), [1, None]),
        ("time-ns", pa.time64("ns"), [1, None]),
    ):
        write(f"refused/column/{name}.parquet", [ok, (name, type, values)])
    for name, element in (
        ("repeated", {3: (5, 2)}),
        ("interval", {1: (5, 7), 2: (5, 12), 6: (5, 21)}),
        ("bson", {6: (5, 20), 10: (12, {13: (12, {})})}),
    ):
        values = (pa.int32(), [1, 2]) if name == "repeated" else (pa.binary(), [b"a", b"b"])
        write(f"refused/column/{name}.parquet", [ok, (name, *values)])
        file = File(f"refused/column/{name}.parquet")
        file.element(1).update(element)
        file.save(f"refused/column/{name}.parquet")
    write("refused/codec/brotli.parquet", [ok], compression="brotli")
    lzo = File("refused/codec/brotli.parquet")
    for meta in lzo.metas():
        change(meta, CODEC, 3)
    lzo.save("refused/codec/lzo.parquet")


# --- What is damaged, or attacks ---

MOST = 2**31 - 1
BASE = "read/people.parquet"
BASE_V2 = "read/people.v2.parquet"
AGE, HOURS, SEX = range(3)


def damaged_bytes():
    whole = (HERE / BASE).read_bytes()
    for name, data in {
        "nothing": b"",
        "csv": (HERE / "read/people.csv").read_bytes(),
        "magic-only": b"PAR1PAR1",
        "first-half": whole[: len(whole) // 2],
        "last-half": whole[len(whole) // 2 :],
        "last-byte-missing": whole[:-1],
        "encrypted": b"PARE" + whole[4:-4] + b"PARE",
        "footer-too-long": whole[:-8] + struct.pack("<i", len(whole)) + b"PAR1",
        "footer-gigantic": whole[:-8] + struct.pack("<i", MOST) + b"PAR1",
        "footer-negative": whole[:-8] + struct.pack("<i", -1) + b"PAR1",
        "footer-empty": whole[:-8] + struct.pack("<i", 0) + b"PAR1",
        "footer-short": whole[:-8] + struct.pack("<i", 20) + b"PAR1",
    }.items():
        (HERE / f"refused/damaged/{name}.parquet").write_bytes(data)


def damaged(name, damage, base=BASE):
    file = File(base)
    damage(file)
    file.save(f"refused/damaged/{name}.parquet")


def page_change(column, id, value, inner=None):
    def damage(file):
        header = file.data_page(column)[0]
        change(header[inner][1] if inner else header, id, value)

    return damage


def damaged_headers():
    for name, size in (("small", 3), ("large", 1 << 30), ("negative", -1)):
        damaged(f"v2-uncompressed-{name}", page_change(HOURS, PAGE_UNCOMPRESSED, size), BASE_V2)
        damaged(f"zstd-uncompressed-{name}", page_change(HOURS, PAGE_UNCOMPRESSED, size), "read/people.zstd.parquet")
    for name, size in (("large", 10_000), ("largest", MOST), ("negative", -1), ("none", 0)):
        damaged(f"v2-levels-{name}", page_change(HOURS, 5, size, PAGE_V2), BASE_V2)
    for name, size in (("large", 10_000), ("largest", MOST), ("negative", -1)):
        damaged(f"page-{name}", page_change(HOURS, PAGE_COMPRESSED, size))
    for name, values in (("few", 39), ("many", 41), ("most", MOST), ("negative", -1)):
        damaged(f"page-of-{name}-values", page_change(HOURS, 1, values, PAGE_V1))
        damaged(f"file-of-{name}-rows", lambda file: change(file.footer, ROWS, values))

        def group_rows(file):
            change(file.groups()[0], GROUP_ROWS, values)
            change(file.footer, ROWS, values)

        damaged(f"group-of-{name}-rows", group_rows)

    def never_ends(file):
        # An index page whose size is minus the size of its header: the next page is this page.
        file.chunks[HOURS].insert(0, [{PAGE_TYPE: (5, 1), PAGE_UNCOMPRESSED: (5, 0), PAGE_COMPRESSED: (5, -7)}, b""])
        assert len(struct_bytes(file.chunks[HOURS][0][0])) == 7

    damaged("never-ends", never_ends)
    damaged("codec-unknown", lambda file: change(file.metas()[0], CODEC, 99))
    damaged("codec-wrong", lambda file: change(file.metas()[0], CODEC, 6))
    damaged("encoding-unknown", page_change(HOURS, 2, 99, PAGE_V1))
    damaged("no-children", lambda file: change(file.footer[SCHEMA][1][1][0], 5, 0))
    damaged("many-children", lambda file: change(file.footer[SCHEMA][1][1][0], 5, MOST))
    damaged("negative-children", lambda file: change(file.footer[SCHEMA][1][1][0], 5, -1))

    def deep(file):
        group = {3: (5, 1), 4: (8, b"g"), 5: (5, 1)}
        file.footer[SCHEMA][1][1][1:1] = [group] * 5000

    damaged("deep-schema", deep)
    huge_list = bytearray(File(BASE).bytes())
    length = struct.unpack("<i", huge_list[-8:-4])[0]
    at = huge_list.index(b"\x19\x4c", len(huge_list) - 8 - length)
    huge_list[at : at + 2] = b"\x19\xfc" + varint(MOST)
    huge_list[-8:-4] = struct.pack("<i", length + 5)
    (HERE / "refused/damaged/schema-list-gigantic.parquet").write_bytes(huge_list)


def chunks_that_lack_values():
    """Every count agrees with the next one but the rows of the group: a reader may fill the column up, or shift it."""

    def of(column, values):
        def damage(file):
            change(file.data_page(column)[0][PAGE_V1][1], 1, values)
            change(file.metas()[column], VALUES, values)

        return damage

    for column, name in enumerate(("age", "hours", "sex")):
        damaged(f"chunk-lacks-a-value-{name}", of(column, 39))

    def shifted(file):
        # The first group has a value too few, the next group a value too many.
        text = 3
        of(text, 24)(file)
        of(len(file.chunks) // 3 + text, 26)(file)

    write("refused/damaged/groups-shift.parquet", table(75, False)[0], nullable=False, row_group_size=25)
    damaged("groups-shift", shifted, "refused/damaged/groups-shift.parquet")
    # The offset index tells where pages are. An index that leaves a page out shortens a column.
    path = HERE / "refused/damaged/page-index-lacks-a-value.parquet"
    data = (HERE / "read/people.page-index.parquet").read_bytes()
    path.write_bytes(data)
    file = File("read/people.page-index.parquet")
    old = struct_bytes(file.data_page(HOURS)[0])
    change(file.data_page(HOURS)[0][PAGE_V1][1], 1, 39)
    new = struct_bytes(file.data_page(HOURS)[0])
    assert data.count(old) == 1 and len(old) == len(new)
    path.write_bytes(data.replace(old, new))


def values_that_attack():
    def giant_text(file):
        page = file.data_page(SEX)
        body = bytearray(page[1])
        at = body.index(struct.pack("<i", 4) + b"Male")
        body[at : at + 4] = struct.pack("<i", MOST)
        set_body(page, bytes(body))

    damaged("text-gigantic", giant_text)
    base = "refused/damaged/dictionary.parquet"
    write(base, people(40), use_dictionary=True)
    damaged("dictionary-short", lambda file: change(file.chunks[SEX][0][0][PAGE_DICTIONARY][1], 1, 1), base)
    levels = b"\x02\x00\x00\x00\x50\x01"  # 40 values that are there
    for name, indexes in (
        ("index-out-of-range", b"\x03\x50\x07"),
        ("index-negative", b"\x20\x50\xff\xff\xff\xff"),
        ("bit-width-33", b"\x21\x50\xff\xff\xff\xff\xff"),
        ("bit-width-255", b"\xff\x50\xff"),
        ("index-missing", b"\x01"),
    ):
        damaged(f"dictionary-{name}", lambda file: set_body(file.data_page(SEX), levels + indexes), base)
    (HERE / base).unlink()
    for name, scale in (("largest", MOST), ("least", -MOST - 1), ("gigabyte", 1 << 30), ("minus-gigabyte", -(1 << 30))):
        path = f"refused/damaged/decimal-scale-{name}.parquet"
        write(path, [("age", pa.decimal128(9, 2), [1, 2])], store_decimal_as_integer=True)
        file = File(path)
        file.element(0)[7] = (5, scale)
        file.element(0)[10] = (12, {5: (12, {1: (5, scale), 2: (5, 9)})})
        file.save(path)


def bombs():
    """Pages that grow when they are unpacked, with the size that they have and with one that they do not have."""
    big = 1 << 28
    zeros = {
        "zstd": pa.Codec("zstd").compress(bytes(big)).to_pybytes(),
        "gzip": zlib.compressobj(9, zlib.DEFLATED, 31),
        # Snappy states the size in front. Then come one literal and many copies of it.
        "snappy": varint(MOST) + b"\x00\x00" + b"\xfe\x01\x00" * 2000,
    }
    gzip = zeros["gzip"]
    zeros["gzip"] = gzip.compress(bytes(1 << 22)) + gzip.flush()
    for codec, body in zeros.items():
        for name, size in (("stated", big), ("small", 1000)):
            base = f"read/people.{codec}.parquet"
            damaged(f"bomb-{codec}-{name}", lambda file: set_body(file.data_page(HOURS), body, size), base)

    def endless_runs(file):
        rows = MOST
        for column in (AGE, HOURS, SEX):
            page = file.data_page(column)
            runs = varint(rows << 1)
            levels = runs + b"\x01"
            set_body(page, struct.pack("<i", len(levels)) + levels + b"\x01" + runs + b"\x00")
            change(page[0][PAGE_V1][1], 1, rows)
            change(file.metas()[column], VALUES, rows)
        change(file.groups()[0], GROUP_ROWS, rows)
        change(file.footer, ROWS, rows)

    write("refused/damaged/endless-runs.parquet", people(40), use_dictionary=True)
    damaged("endless-runs", endless_runs, "refused/damaged/endless-runs.parquet")
    long = ("sex", pa.string(), ["Male", "x" * 1_100_000])
    write("refused/rows/long-text.parquet", [*people(2)[:2], long], compression="zstd")


def people(rows):
    """The columns of the tests over HTTP."""
    return [
        ("age", pa.int32(), [20 + i % 40 for i in range(rows)]),
        ("hours", pa.float64(), [None if i % 10 == 0 else i % 40 / 4 for i in range(rows)]),
        ("sex", pa.string(), [("Male", "Female", None)[i % 3] for i in range(rows)]),
    ]


def rows():
    """Files that are read, but break a rule of the registration."""
    write("refused/rows/too-many.parquet", people(1001), compression="zstd", use_dictionary=True)
    columns = [
        ("age", pa.int32(), [3, 1, 2]),
        ("hours", pa.float32(), [0.25, 1, None]),
        ("sex", pa.string(), [None, "Male", "Female"]),
    ]
    write("refused/rows/of-csv.parquet", columns)
    columns = people(1000)
    columns[SEX][2][-1] = "male"
    write("refused/rows/wrong-last-row.parquet", columns, compression="zstd", use_dictionary=True)
    name = 'gr\u00f6\u00dfe\t","'
    write("refused/rows/unsupported-name.parquet", [*people(2), (name, pa.list_(pa.int32()), [[1], None])])
    for name, column in (("long", "x" * 3000), ("control", "\x1b[31m\0\x07,\"\r\n\n")):
        write(f"refused/rows/name-{name}.parquet", [*people(2)[:2], (column, pa.string(), ["Male", None])])


def large():
    """Files that are read in little memory: many rows in one page of each column, and many columns."""
    rows = 2_000_000
    pages = dict(use_dictionary=True, row_group_size=rows, data_page_size=1 << 30, max_rows_per_page=1 << 30)
    columns = [(name, pa.int64(), [position] * rows) for position, name in enumerate("abcd")]
    write("large/rows.parquet", columns, compression="zstd", **pages)
    columns = [(f"c{position}", pa.int32(), [position, None]) for position in range(1000)]
    write("large/columns.parquet", columns, compression="zstd")


def main():
    for folder in ("read", "refused", "large"):
        shutil.rmtree(HERE / folder, ignore_errors=True)
        (HERE / folder).mkdir()
    types()
    encodings()
    unsupported()
    for folder in ("damaged", "rows"):
        (HERE / "refused" / folder).mkdir()
    damaged_bytes()
    damaged_headers()
    chunks_that_lack_values()
    values_that_attack()
    bombs()
    rows()
    large()


if __name__ == "__main__":
    main()
