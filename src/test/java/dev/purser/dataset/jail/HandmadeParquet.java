package dev.purser.dataset.jail;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Parquet files that say of themselves what they like: one column {@code sex} of strings, written byte by byte as in
 * parquet.thrift, in Thrift's compact protocol.
 */
final class HandmadeParquet {
    static final int PLAIN = 0;
    static final int OF_DICTIONARY = 8;

    private static final int DATA_PAGE = 0;
    private static final int DICTIONARY_PAGE = 2;
    private static final int BYTE_ARRAY = 6;
    private static final int UNCOMPRESSED = 0;
    private static final int GZIP = 2;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final List<String> otherColumns = new ArrayList<>();
    private long totalSize = 1 << 20;
    private int codec = UNCOMPRESSED;
    private long dictionaryAt = -1;
    private long dataAt = -1;
    private long values;
    private int depth;
    private int rowGroups = 1;

    HandmadeParquet() {
        file.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
    }

    /** Has the pages below hold gzip. */
    HandmadeParquet gzip() {
        codec = GZIP;
        return this;
    }

    /** Says of the column that it takes so many bytes. */
    HandmadeParquet totalSize(long bytes) {
        totalSize = bytes;
        return this;
    }

    /** Puts the column into so many groups, one inside the other. */
    HandmadeParquet depth(int groups) {
        depth = groups;
        return this;
    }

    /** Adds columns to the schema, without any data. */
    HandmadeParquet columns(int count) {
        for (int i = 0; i < count; i++) {
            otherColumns.add("c" + i);
        }
        return this;
    }

    /** Has so many groups of rows, which are all the same bytes. */
    HandmadeParquet rowGroups(int count) {
        rowGroups = count;
        return this;
    }

    /** Adds one column of this name to the schema, without any data. */
    HandmadeParquet column(String name) {
        otherColumns.add(name);
        return this;
    }

    /** A page of distinct values. */
    HandmadeParquet dictionary(byte[] content, int size, int count) {
        dictionaryAt = file.size();
        page(DICTIONARY_PAGE, content, size, new Thrift().integer(1, count).integer(2, PLAIN));
        return this;
    }

    /** A page of values. */
    HandmadeParquet data(byte[] content, int size, int count, int encoding) {
        if (dataAt < 0) {
            dataAt = file.size();
        }
        values += count;
        page(
                DATA_PAGE,
                content,
                size,
                new Thrift()
                        .integer(1, count)
                        .integer(2, encoding)
                        .integer(3, 3)
                        .integer(4, 3));
        return this;
    }

    private void page(int type, byte[] content, int size, Thrift header) {
        file.writeBytes(new Thrift()
                .integer(1, type)
                .integer(2, size)
                .integer(3, content.length)
                .struct(type == DATA_PAGE ? 5 : 7, header)
                .end());
        file.writeBytes(content);
    }

    /** The whole file. */
    byte[] bytes() {
        byte[] footer = footer();
        file.writeBytes(footer);
        file.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(footer.length)
                .array());
        file.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
        return file.toByteArray();
    }

    private byte[] footer() {
        List<byte[]> schema = new ArrayList<>();
        schema.add(new Thrift()
                .text(4, "schema")
                .integer(5, 1 + otherColumns.size())
                .end());
        for (int i = 0; i < depth; i++) {
            schema.add(new Thrift().integer(3, 0).text(4, "g").integer(5, 1).end());
        }
        schema.add(element("sex"));
        otherColumns.forEach(name -> schema.add(element(name)));
        Thrift metadata = new Thrift().integer(1, 1).structs(2, schema).longer(3, values * rowGroups);
        return metadata.structs(4, dataAt < 0 ? List.of() : Collections.nCopies(rowGroups, rowGroup()))
                .end();
    }

    private byte[] rowGroup() {
        Thrift chunk = new Thrift()
                .integer(1, BYTE_ARRAY)
                .integers(2, PLAIN, OF_DICTIONARY)
                .texts(3, "sex")
                .integer(4, codec)
                .longer(5, values)
                .longer(6, totalSize)
                .longer(7, file.size() - 4)
                .longer(9, dataAt);
        if (dictionaryAt >= 0) {
            chunk.longer(11, dictionaryAt);
        }
        byte[] column = new Thrift().longer(2, 4).struct(3, chunk).end();
        return new Thrift()
                .structs(1, List.of(column))
                .longer(2, totalSize)
                .longer(3, values)
                .end();
    }

    private static byte[] element(String name) {
        return new Thrift()
                .integer(1, BYTE_ARRAY)
                .integer(3, 0)
                .text(4, name)
                .integer(6, 0)
                .end();
    }

    /** One string as a page holds it, made of {@code length} equal bytes. */
    static byte[] string(int length) {
        ByteBuffer value = ByteBuffer.allocate(4 + length).order(ByteOrder.LITTLE_ENDIAN);
        value.putInt(length);
        while (value.hasRemaining()) {
            value.put((byte) 'x');
        }
        return value.array();
    }

    /** So many times the first entry of a dictionary. */
    static byte[] runOfFirst(int count) {
        Thrift run = new Thrift();
        run.out.write(1);
        run.number(2L * count);
        run.out.write(0);
        return run.out.toByteArray();
    }

    /** {@code bytes} so many times, compressed. */
    static byte[] gzip(byte[] bytes, int times) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            for (int i = 0; i < times; i++) {
                gzip.write(bytes);
            }
        }
        return compressed.toByteArray();
    }

    /** A struct in the compact protocol. */
    private static final class Thrift {
        private static final int I32 = 5;
        private static final int I64 = 6;
        private static final int BINARY = 8;
        private static final int LIST = 9;
        private static final int STRUCT = 12;

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private int last;

        Thrift integer(int field, int value) {
            return header(field, I32).zigzag(value);
        }

        Thrift longer(int field, long value) {
            return header(field, I64).zigzag(value);
        }

        Thrift text(int field, String value) {
            return header(field, BINARY).text(value);
        }

        Thrift struct(int field, Thrift value) {
            header(field, STRUCT).out.writeBytes(value.end());
            return this;
        }

        Thrift structs(int field, List<byte[]> values) {
            header(field, LIST).list(values.size(), STRUCT);
            values.forEach(out::writeBytes);
            return this;
        }

        Thrift integers(int field, int... values) {
            header(field, LIST).list(values.length, I32);
            for (int value : values) {
                zigzag(value);
            }
            return this;
        }

        Thrift texts(int field, String... values) {
            header(field, LIST).list(values.length, BINARY);
            for (String value : values) {
                text(value);
            }
            return this;
        }

        byte[] end() {
            out.write(0);
            return out.toByteArray();
        }

        private Thrift header(int field, int type) {
            out.write((field - last) << 4 | type);
            last = field;
            return this;
        }

        private void list(int size, int type) {
            if (size < 15) {
                out.write(size << 4 | type);
            } else {
                out.write(0xF0 | type);
                number(size);
            }
        }

        private Thrift text(String value) {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            number(utf8.length);
            out.writeBytes(utf8);
            return this;
        }

        private Thrift zigzag(long value) {
            return number(value << 1 ^ value >> 63);
        }

        private Thrift number(long value) {
            long rest = value;
            while ((rest & ~0x7FL) != 0) {
                out.write((int) (rest & 0x7F | 0x80));
                rest >>>= 7;
            }
            out.write((int) rest);
            return this;
        }
    }
}
