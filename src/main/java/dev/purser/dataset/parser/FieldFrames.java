package dev.purser.dataset.parser;

/**
 * The form in which the parser hands a file's fields to the service, byte by byte:
 *
 * <pre>
 * field    1 byte: {@link #LAST_OF_RECORD} or 0, plus the length if it is below {@link #LONG_FIELD};
 *          else plus {@link #LONG_FIELD}, and the length follows as 4 bytes, big endian
 *          then the text, UTF-8
 * control  {@link #CONTROL}, then one of
 *            {@link #LINE}     8 bytes: the line on which the next record starts, if it is not the one after the last
 *            {@link #UNTYPED}  the next field, in the header, names a column of a type that is not read
 *            {@link #REFUSED}  1 byte: the {@link FormRule}; 8 bytes: the line; the last of the stream
 *            {@link #END}      the file was read to its end; the last of the stream
 * </pre>
 *
 * A stream that ends without either of the last two comes from a parser that died. The first record is the header.
 */
public final class FieldFrames {
    /** The longest field taken, in bytes. */
    public static final int MAX_FIELD_BYTES = 1 << 20;

    public static final int LAST_OF_RECORD = 0x80;
    public static final int LONG_FIELD = 0x7E;
    public static final int CONTROL = 0x7F;

    public static final int LINE = 'L';
    public static final int UNTYPED = 'U';
    public static final int REFUSED = 'R';
    public static final int END = 'E';

    /** Written once before all frames, when the parser has shut itself in and no byte of the file was read yet. */
    public static final int READY = '!';

    private FieldFrames() {}
}
