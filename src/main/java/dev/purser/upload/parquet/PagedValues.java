package dev.purser.upload.parquet;

import dev.hardwood.InputFile;
import dev.hardwood.internal.compression.DecompressorFactory;
import dev.hardwood.internal.encoding.DeltaBinaryPackedDecoder;
import dev.hardwood.internal.encoding.DeltaByteArrayDecoder;
import dev.hardwood.internal.encoding.DeltaLengthByteArrayDecoder;
import dev.hardwood.internal.metadata.DataPageHeader;
import dev.hardwood.internal.metadata.DataPageHeaderV2;
import dev.hardwood.internal.metadata.PageHeader;
import dev.hardwood.internal.thrift.PageHeaderReader;
import dev.hardwood.internal.thrift.ThriftCompactReader;
import dev.hardwood.metadata.ColumnChunk;
import dev.hardwood.metadata.CompressionCodec;
import dev.hardwood.metadata.Encoding;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.schema.ColumnSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The values of one column, one after another.
 *
 * <p>It keeps the bytes of one page and of one dictionary in memory, and decodes one value at a time. So memory depends
 * on the size of a page and of a dictionary, and not on the rows of a row group or on how many values a page packs into
 * a byte. Each row of a row group has one value or one null of its column. If the pages of a column state fewer or
 * more, reading fails.
 */
final class PagedValues {
    /** The header of a page has statistics, which contain values of any length. */
    private static final int LARGEST_HEADER = 1 << 20;

    private static final int INT96_BYTES = 12;
    private static final DecompressorFactory DECOMPRESSORS = new DecompressorFactory(null);

    private final InputFile file;
    private final ColumnSchema column;
    private final SparePages spare;

    // The state of the column chunk.
    private CompressionCodec codec = CompressionCodec.UNCOMPRESSED;
    private long next;
    private long end;
    private long leftInPages;
    private Dictionary dictionary = Dictionary.NONE;

    // The state of the page.
    private int leftInPage;
    private @Nullable Runs levels;
    private Values values = () -> {};

    // The state of the row.
    private boolean isNull;
    private long number;
    private ByteBuffer text = ByteBuffer.allocate(0);
    private int textStart;
    private int textLength;

    /** Moves to the next value that is not missing. */
    @FunctionalInterface
    private interface Values {
        void next() throws IOException;
    }

    /** @param starts where the values begin, if they have different lengths */
    private record Dictionary(ByteBuffer bytes, int size, int @Nullable [] starts) {
        private static final Dictionary NONE = new Dictionary(ByteBuffer.allocate(0), 0, null);
    }

    PagedValues(InputFile file, ColumnSchema column, SparePages spare) {
        this.file = file;
        this.column = column;
        this.spare = spare;
    }

    /** Moves before the first row of a row group. */
    void open(ColumnChunk chunk, long rows) throws IOException {
        if (chunk.metaData().type() != column.type()) {
            throw new IOException("a column is not of the type that the schema states");
        }
        if (chunk.metaData().numValues() != rows) {
            throw new IOException("a column does not have as many values as its row group has rows");
        }
        codec = chunk.metaData().codec();
        next = chunk.chunkStartOffset();
        end = Math.addExact(next, chunk.metaData().totalCompressedSize());
        leftInPages = rows;
        leftInPage = 0;
        dictionary = Dictionary.NONE;
    }

    /** Moves to the next row. */
    void next() throws IOException {
        while (leftInPage == 0) {
            readPage();
        }
        leftInPage--;
        isNull = levels != null && levels.next() == 0;
        if (!isNull) {
            values.next();
        }
    }

    boolean isNull() {
        return isNull;
    }

    /** The value of a BOOLEAN, an INT32 or an INT64, and the bits of a FLOAT or a DOUBLE. */
    long number() {
        return number;
    }

    /** The value of a BYTE_ARRAY, a FIXED_LEN_BYTE_ARRAY or an INT96. */
    byte[] bytes() {
        byte[] bytes = new byte[textLength];
        text.get(textStart, bytes);
        return bytes;
    }

    private void readPage() throws IOException {
        if (next >= end) {
            throw new IOException("the pages of a column do not have as many values as its row group has rows");
        }
        ThriftCompactReader reader =
                new ThriftCompactReader(file.readRange(next, (int) Math.min(end - next, LARGEST_HEADER)));
        PageHeader header = PageHeaderReader.read(reader);
        next += reader.getBytesRead();
        if (header.compressedPageSize() > end - next) {
            throw new IOException("a page is larger than its column");
        }
        ByteBuffer body = file.readRange(next, header.compressedPageSize());
        next += header.compressedPageSize();
        requireChecksum(header, body);
        switch (header.type()) {
            case DICTIONARY_PAGE -> readDictionary(header, body);
            case DATA_PAGE -> readFirst(header.dataPageHeader(), header.uncompressedPageSize(), body);
            case DATA_PAGE_V2 -> readSecond(header.dataPageHeaderV2(), header.uncompressedPageSize(), body);
            case INDEX_PAGE -> {}
        }
    }

    private static void requireChecksum(PageHeader header, ByteBuffer body) throws IOException {
        Integer stated = header.crc();
        if (stated != null) {
            CRC32 computed = new CRC32();
            computed.update(body.duplicate());
            if ((int) computed.getValue() != stated) {
                throw new IOException("a page does not have the checksum that it states");
            }
        }
    }

    private ByteBuffer unpacked(ByteBuffer body, int size, boolean isCompressed, int place) throws IOException {
        if (!isCompressed || codec == CompressionCodec.UNCOMPRESSED || !body.hasRemaining()) {
            return body.order(ByteOrder.LITTLE_ENDIAN);
        }
        // The library uses its array again for the next page. The array may be longer than this page.
        byte[] lent = codec == CompressionCodec.LZ4
                ? Lz4Pages.unpacked(body, size)
                : DECOMPRESSORS.getDecompressor(codec).decompress(body, size);
        return spare.keep(ByteBuffer.wrap(lent, 0, size), column.columnIndex(), place)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private void readDictionary(PageHeader header, ByteBuffer body) throws IOException {
        ByteBuffer bytes = unpacked(body, header.uncompressedPageSize(), true, SparePages.DICTIONARY);
        int size = header.dictionaryPageHeader().numValues();
        if (size < 0 || size > bytes.remaining()) {
            throw new IOException("a dictionary does not have as many values as it states");
        }
        int[] starts = null;
        if (column.type() == PhysicalType.BYTE_ARRAY) {
            starts = new int[size];
            ByteBuffer each = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < size; i++) {
                starts[i] = each.position();
                plain(each);
            }
        }
        dictionary = new Dictionary(bytes, size, starts);
    }

    private void beginPage(int rows) throws IOException {
        if (rows < 0 || rows > leftInPages) {
            throw new IOException("the pages of a column do not have as many values as its row group has rows");
        }
        leftInPages -= rows;
        leftInPage = rows;
    }

    private void readFirst(DataPageHeader header, int size, ByteBuffer body) throws IOException {
        beginPage(header.numValues());
        ByteBuffer bytes = unpacked(body, size, true, SparePages.PAGE);
        ByteBuffer present = null;
        if (column.maxDefinitionLevel() > 0) {
            if (header.definitionLevelEncoding() != Encoding.RLE) {
                throw new IOException("levels that are not in runs are not read");
            }
            present = part(bytes, bytes.getInt());
        }
        begin(header.encoding(), present, bytes);
    }

    private void readSecond(DataPageHeaderV2 header, int size, ByteBuffer body) throws IOException {
        beginPage(header.numValues());
        ByteBuffer repetitions = part(body, header.repetitionLevelsByteLength());
        ByteBuffer present = part(body, header.definitionLevelsByteLength());
        ByteBuffer bytes = unpacked(
                body.slice(),
                size - repetitions.remaining() - present.remaining(),
                header.isCompressed(),
                SparePages.PAGE);
        begin(header.encoding(), column.maxDefinitionLevel() > 0 ? present : null, bytes);
    }

    /** Takes the next bytes. */
    private static ByteBuffer part(ByteBuffer bytes, int length) {
        ByteBuffer part = bytes.slice(bytes.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(bytes.position() + length);
        return part;
    }

    private void begin(Encoding encoding, @Nullable ByteBuffer present, ByteBuffer bytes) throws IOException {
        values = values(encoding, present, bytes);
        levels = present == null ? null : new Runs(present, 1);
    }

    private Values values(Encoding encoding, @Nullable ByteBuffer present, ByteBuffer bytes) throws IOException {
        return switch (encoding) {
            case PLAIN -> column.type() == PhysicalType.BOOLEAN ? bits(bytes) : () -> plain(bytes);
            case PLAIN_DICTIONARY, RLE_DICTIONARY -> {
                Runs positions = new Runs(bytes, bytes.hasRemaining() ? bytes.get() : 1);
                yield () -> lookUp(positions.next());
            }
            case RLE -> {
                requireType(column.type() == PhysicalType.BOOLEAN);
                Runs bits = new Runs(bytes.hasRemaining() ? part(bytes, bytes.getInt()) : bytes, 1);
                yield () -> number = bits.next();
            }
            case DELTA_BINARY_PACKED -> {
                requireType(column.type() == PhysicalType.INT32 || column.type() == PhysicalType.INT64);
                DeltaBinaryPackedDecoder deltas = new DeltaBinaryPackedDecoder(array(bytes), 0);
                yield () -> number = deltas.readLong();
            }
            case DELTA_LENGTH_BYTE_ARRAY -> {
                requireType(column.type() == PhysicalType.BYTE_ARRAY);
                DeltaLengthByteArrayDecoder texts = new DeltaLengthByteArrayDecoder(array(bytes), 0);
                texts.initialize(valuesThere(present));
                yield () -> text(texts.readValue().slice());
            }
            case DELTA_BYTE_ARRAY -> {
                requireType(
                        column.type() == PhysicalType.BYTE_ARRAY || column.type() == PhysicalType.FIXED_LEN_BYTE_ARRAY);
                DeltaByteArrayDecoder texts = new DeltaByteArrayDecoder(array(bytes), 0);
                texts.initialize(valuesThere(present));
                yield () -> text(ByteBuffer.wrap(texts.readValue()));
            }
            case BYTE_STREAM_SPLIT -> streams(bytes);
            case BIT_PACKED, UNKNOWN -> throw new IOException("an encoding is not read");
        };
    }

    private static void requireType(boolean isRight) throws IOException {
        if (!isRight) {
            throw new IOException("an encoding is not one of the type of its column");
        }
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        return array;
    }

    private int valuesThere(@Nullable ByteBuffer present) throws IOException {
        if (present == null) {
            return leftInPage;
        }
        Runs each = new Runs(present.duplicate(), 1);
        int there = 0;
        for (int i = 0; i < leftInPage; i++) {
            there += each.next();
        }
        return there;
    }

    private Values bits(ByteBuffer bytes) {
        int[] read = {0};
        return () -> {
            int bit = read[0]++;
            number = bytes.get(bytes.position() + bit / Byte.SIZE) >> bit % Byte.SIZE & 1;
        };
    }

    /** The first bytes of all values, then the second bytes of all values, and so on. */
    private Values streams(ByteBuffer bytes) throws IOException {
        int width = width();
        int all = bytes.remaining() / width;
        ByteBuffer value = ByteBuffer.allocate(width).order(ByteOrder.LITTLE_ENDIAN);
        int[] read = {0};
        return () -> {
            for (int i = 0; i < width; i++) {
                value.put(i, bytes.get(bytes.position() + i * all + Objects.checkIndex(read[0], all)));
            }
            read[0]++;
            plain(value.clear());
        };
    }

    private void lookUp(int position) throws IOException {
        Objects.checkIndex(position, dictionary.size());
        int[] starts = dictionary.starts();
        plain(dictionary.bytes().position(starts == null ? position * width() : starts[position]));
    }

    /** How many bytes a plain value has, for types whose values do not state their length. */
    private int width() throws IOException {
        return switch (column.type()) {
            case INT32, FLOAT -> Integer.BYTES;
            case INT64, DOUBLE -> Long.BYTES;
            case INT96 -> INT96_BYTES;
            case FIXED_LEN_BYTE_ARRAY -> column.typeLength();
            case BOOLEAN, BYTE_ARRAY -> throw new IOException("an encoding is not one of the type of its column");
        };
    }

    private void plain(ByteBuffer bytes) throws IOException {
        switch (column.type()) {
            case INT32, FLOAT -> number = bytes.getInt();
            case INT64, DOUBLE -> number = bytes.getLong();
            case BYTE_ARRAY -> text(bytes, bytes.getInt());
            case FIXED_LEN_BYTE_ARRAY, INT96 -> text(bytes, width());
            case BOOLEAN -> throw new IOException("an encoding is not one of the type of its column");
        }
    }

    private void text(ByteBuffer bytes, int length) {
        Objects.checkFromIndexSize(bytes.position(), length, bytes.limit());
        text = bytes;
        textStart = bytes.position();
        textLength = length;
        bytes.position(textStart + length);
    }

    private void text(ByteBuffer bytes) {
        text(bytes, bytes.remaining());
    }
}
