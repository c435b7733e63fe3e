package dev.purser.dataset.parser;

import java.nio.ByteOrder;

/**
 * The form in which the parser hands a file's fields to the service, byte by byte. The first record is the header. After it a CSV file
 * has further records, and a Parquet file batches of rows, column by column:
 *
 * <pre>
 * field    1 byte: {@link #LAST_OF_RECORD} or 0, plus the length if it is below {@link #LONG_FIELD};
 *          else plus {@link #LONG_FIELD}, and the length follows as 4 bytes, big endian
 *          then the text, UTF-8
 * control  {@link #CONTROL}, then one of
 *            {@link #LINE}     8 bytes: the line on which the next record starts, if it is not the one after the last
 *            {@link #UNTYPED}  the next field, in the header, names a column of a type that is not read
 *            {@link #UNSCALED} 1 byte: d, 0 to {@link #MAX_DECIMALS}; 1 byte: their width w; 8 bytes: a limit. The next field, in the header,
 *                              names a column of integers of w bytes, 1, 2, 4 or 8, which stand for their 10^d-th part. With their sign
 *                              and without it they are below the limit, unless that is 0
 *            {@link #DOUBLES}  the next field, in the header, names a column of floating-point numbers
 *            {@link #BATCH}    4 bytes: how many rows, 1 to {@link #MAX_BATCH_ROWS}; then the batch
 *            {@link #SHARED}   4 bytes: how many rows, as of a batch; 4 bytes: the length of the batch, which is in the next slot of the memory
 *                              that parser and service share ({@link BatchSlots})
 *            {@link #REFUSED}  1 byte: the {@link FormRule}; 8 bytes: the line; the last of the stream
 *            {@link #END}      the file was read to its end; the last of the stream
 * batch    column after column:
 *            1 byte: whether a row's is missing; if so, a bit for each row in words of 8 bytes, the first the lowest: 1 if it is there
 *            of a column of integers their width, of one of other numbers 8 bytes for each row; of a missing one any
 *            of any other, {@link #TEXT_BYTES} for each row: 4 bytes are the length of a text, the others the text if it is not longer, UTF-8;
 *            then all texts that are longer, one after another, together at most {@link #MAX_FIELD_BYTES}
 *          lengths, numbers and words in the {@link #ORDER} of the processor
 * </pre>
 *
 * A stream that ends without either of the last two controls comes from a parser that died.
 */
public final class FieldFrames {
    /** The longest field taken, in bytes. */
    public static final int MAX_FIELD_BYTES = 1 << 20;

    public static final int LAST_OF_RECORD = 0x80;
    public static final int LONG_FIELD = 0x7E;
    public static final int CONTROL = 0x7F;

    public static final int LINE = 'L';
    public static final int UNTYPED = 'U';
    public static final int UNSCALED = 'N';
    public static final int DOUBLES = 'D';
    public static final int BATCH = 'B';
    public static final int SHARED = 'S';
    public static final int REFUSED = 'R';
    public static final int END = 'E';

    /** The most decimals of a number that is handed over as an integer. */
    public static final int MAX_DECIMALS = 18;

    /** As many as DuckDB hands out at once. */
    public static final int MAX_BATCH_ROWS = 1 << 11;

    /** What each text of a batch takes, as it does in DuckDB. */
    public static final int TEXT_BYTES = 16;

    /** The longest text that stands there itself. */
    public static final int MAX_INLINED = TEXT_BYTES - Integer.BYTES;

    /** The most fields of a batch, if it has more than one row. */
    public static final int MAX_BATCH_FIELDS = 1 << 14;

    public static final ByteOrder ORDER = ByteOrder.nativeOrder();

    /** Written once before all frames, when the parser has shut itself in and no byte of the file was read yet. */
    public static final int READY = '!';

    private FieldFrames() {}
}
