package dev.purser.dataset.parser;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/** Writes {@link FieldFrames}. */
final class FieldWriter {
    private static final int MAX_PREFIX = 16;
    private static final int MAX_COPIED = 1 << 11;
    private static final long NANOS_BETWEEN_LOOKS = 200_000;

    private final OutputStream out;
    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    private final @Nullable BatchSlots slots;
    private final BooleanSupplier stillRead;
    /** Beside the heap, as all else is that becomes part of a batch. */
    private final MemorySegment small = Arena.ofAuto().allocate(JAVA_LONG);

    /** Where the batch goes that is being written, unless into the stream; its length so far, more than there is room for if it does not fit. */
    private @Nullable MemorySegment slot;

    private long slotLength;
    private int batchRows;
    /** Those in slots. */
    private long batches;

    private long line;
    private boolean startsRecord = true;

    /** Writes all into a stream. */
    FieldWriter(OutputStream out) {
        this(out, null, () -> true);
    }

    /**
     * Writes batches into slots, where they fit.
     *
     * @param stillRead asked while there is no free slot: whether somebody still reads the stream
     */
    FieldWriter(OutputStream out, @Nullable BatchSlots slots, BooleanSupplier stillRead) {
        this.out = out;
        this.slots = slots;
        this.stillRead = stillRead;
        channel = Channels.newChannel(out);
    }

    /** The scanner's current field. */
    void field(CsvScanner scanner) throws IOException {
        if (startsRecord) {
            startRecord(scanner.recordLine());
        }
        field(scanner.bytes(), scanner.from(), scanner.to(), scanner.endsRecord());
    }

    /** The names of a file's columns, as the record that a header is. */
    void header(List<HeaderColumn> columns) throws IOException {
        startRecord(1);
        for (int i = 0; i < columns.size(); i++) {
            controls(columns.get(i));
            byte[] name = columns.get(i).name().getBytes(StandardCharsets.UTF_8);
            field(name, 0, name.length, i == columns.size() - 1);
        }
    }

    private void controls(HeaderColumn column) throws IOException {
        if (!column.typed()) {
            control(FieldFrames.UNTYPED);
        }
        switch (column.form()) {
            case HeaderColumn.Texts _ -> {}
            case HeaderColumn.Doubles _ -> control(FieldFrames.DOUBLES);
            case HeaderColumn.Unscaled numbers -> {
                control(FieldFrames.UNSCALED);
                buffer.put((byte) numbers.decimals())
                        .put((byte) numbers.bytesOfRow())
                        .putLong(numbers.limit());
            }
        }
    }

    /** Begins a batch: in a slot, if there is one, or else in the stream. Its columns have to follow. */
    void beginBatch(int rows) throws IOException {
        batchRows = rows;
        if (slots == null) {
            beginStreamedBatch(rows);
        } else {
            awaitSlot(slots);
            slot = slots.slot(batches);
            slotLength = 0;
        }
    }

    /** Begins a batch in the stream. */
    void beginStreamedBatch(int rows) throws IOException {
        control(FieldFrames.BATCH);
        buffer.putInt(rows);
    }

    /** Waits until the service has taken enough batches. If it is gone, nobody ever will. */
    private void awaitSlot(BatchSlots shared) throws IOException {
        while (batches - shared.taken() >= BatchSlots.SLOTS) {
            if (stillRead.getAsBoolean()) {
                LockSupport.parkNanos(NANOS_BETWEEN_LOOKS);
            } else {
                throw new IOException("nobody takes the batches");
            }
        }
    }

    /** False if the batch did not fit into its slot: then all of it has to be written once more, into the stream. */
    boolean endBatch() throws IOException {
        if (slot == null) {
            return true;
        }
        slot = null;
        if (slotLength > BatchSlots.SLOT_BYTES) {
            return false;
        }
        batches++;
        control(FieldFrames.SHARED);
        buffer.putInt(batchRows).putInt((int) slotLength);
        flush();
        return true;
    }

    /** A column of a batch: so many rows of it from one on, each of so many bytes. */
    void column(DuckDb.Vector column, int from, int rows, int bytesOfRow) throws IOException {
        boolean missing = column.someNull(from, rows);
        small.set(JAVA_BYTE, 0, (byte) (missing ? 1 : 0));
        bytes(small.asSlice(0, 1));
        for (int at = 0; missing && at < rows; at += Long.SIZE) {
            small.set(JAVA_LONG, 0, column.presence(from + at, Math.min(Long.SIZE, rows - at)));
            bytes(small);
        }
        bytes(column.memory(from, rows, bytesOfRow));
    }

    /** The next of the long texts of a column. */
    void longText(MemorySegment text) throws IOException {
        bytes(text);
    }

    private void bytes(MemorySegment bytes) throws IOException {
        if (slot == null) {
            streamed(bytes);
        } else {
            if (bytes.byteSize() <= BatchSlots.SLOT_BYTES - slotLength) {
                MemorySegment.copy(bytes, 0, slot, slotLength, bytes.byteSize());
            }
            slotLength += bytes.byteSize();
        }
    }

    /** Many bytes go where they have to without passing through memory of Java. */
    private void streamed(MemorySegment bytes) throws IOException {
        int size = (int) bytes.byteSize();
        if (size > buffer.remaining()) {
            flush();
        }
        if (size > MAX_COPIED) {
            flush();
            ByteBuffer whole = bytes.asByteBuffer();
            while (whole.hasRemaining()) {
                channel.write(whole);
            }
        } else {
            MemorySegment.copy(bytes, JAVA_BYTE, 0, buffer.array(), buffer.position(), size);
            buffer.position(buffer.position() + size);
        }
    }

    void refused(MalformedUpload malformed) throws IOException {
        control(FieldFrames.REFUSED);
        buffer.put((byte) malformed.rule().ordinal()).putLong(malformed.line());
        flush();
    }

    void end() throws IOException {
        control(FieldFrames.END);
        flush();
    }

    private void startRecord(long at) throws IOException {
        if (at != line + 1) {
            control(FieldFrames.LINE);
            buffer.putLong(at);
        }
        line = at;
    }

    private void field(byte[] bytes, int from, int to, boolean last) throws IOException {
        makeRoom();
        int length = to - from;
        int flag = last ? FieldFrames.LAST_OF_RECORD : 0;
        if (length < FieldFrames.LONG_FIELD) {
            buffer.put((byte) (flag | length));
        } else {
            buffer.put((byte) (flag | FieldFrames.LONG_FIELD)).putInt(length);
        }
        if (length > buffer.remaining()) {
            flush();
        }
        if (length > buffer.remaining()) {
            out.write(bytes, from, length);
        } else {
            buffer.put(bytes, from, length);
        }
        startsRecord = last;
    }

    private void control(int kind) throws IOException {
        makeRoom();
        buffer.put((byte) FieldFrames.CONTROL).put((byte) kind);
    }

    private void makeRoom() throws IOException {
        if (buffer.remaining() < MAX_PREFIX) {
            flush();
        }
    }

    private void flush() throws IOException {
        out.write(buffer.array(), 0, buffer.position());
        out.flush();
        buffer.clear();
    }

    /**
     * A column as a file's own header describes it.
     *
     * @param typed whether values of its type can be read exactly
     */
    record HeaderColumn(String name, boolean typed, Form form) {
        /** How the values of a column are handed over. */
        sealed interface Form {
            int bytesOfRow();
        }

        /** As they stand there. */
        record Texts() implements Form {
            @Override
            public int bytesOfRow() {
                return FieldFrames.TEXT_BYTES;
            }
        }

        /** Integers which stand for their 10^decimals-th part, with their sign and without it below a limit, unless that is 0. */
        record Unscaled(int decimals, int bytesOfRow, long limit) implements Form {}

        record Doubles() implements Form {
            @Override
            public int bytesOfRow() {
                return Double.BYTES;
            }
        }
    }
}
