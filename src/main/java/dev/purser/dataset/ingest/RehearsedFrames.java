package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.BatchSlots;
import dev.purser.dataset.parser.FieldFrames;
import dev.purser.dataset.parser.ParseUpload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;

/**
 * What parsers would hand over of files that nobody sent: values of every form, some outside their bounds, in columns that are counted and
 * one that is sorted, the moments. What no value here has been through is compiled once more when the first one comes.
 */
final class RehearsedFrames {
    static final List<String> COLUMNS = List.of("count", "amount", "share", "moment", "kind");
    static final List<String> KINDS = List.of("a", "second", "third and last");

    private static final int SECONDS_OF_DAY = 86_400;
    /** Fewer than there may be: what takes a column is compiled when it was called often, not when it ran long. */
    private static final int BATCH_ROWS = 1 << 5;

    private RehearsedFrames() {}

    /** Of a CSV file of so many rows. */
    static InputStream ofCsv(int rows) throws IOException {
        StringBuilder csv = new StringBuilder(String.join(",", COLUMNS)).append('\n');
        for (int i = 0; i < rows; i++) {
            csv.append(count(i)).append(',');
            csv.append(amount(i)).append(',');
            csv.append(eighths(i) / 8.0).append(i % 32 == 0 ? "00000000," : ",");
            csv.append(moment(i)).append(',');
            csv.append(kind(i)).append('\n');
        }
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        ParseUpload.csv(new ByteArrayInputStream(csv.toString().getBytes(StandardCharsets.US_ASCII)), frames);
        return new ByteArrayInputStream(frames.toByteArray());
    }

    /** Of a Parquet file of about so many rows: the same batch again and again, in the stream once, and then in {@link #slots}. */
    static InputStream ofParquet(int rows) {
        ByteBuffer frames = ByteBuffer.allocate(1 << 16);
        byte[] batch = batch();
        frames.put(header());
        control(frames, FieldFrames.BATCH).putInt(BATCH_ROWS).put(batch);
        for (int more = rows / BATCH_ROWS - 1; more > 0; more--) {
            control(frames, FieldFrames.SHARED).putInt(BATCH_ROWS).putInt(batch.length);
        }
        return new ByteArrayInputStream(bytes(control(frames, FieldFrames.END)));
    }

    /**
     * Slots with the batch in each of them.
     *
     * @param file one that does not exist, mapped until {@code arena} is closed
     */
    static BatchSlots slots(Path file, Arena arena) throws IOException {
        BatchSlots slots = BatchSlots.create(file, arena);
        MemorySegment batch = MemorySegment.ofArray(batch());
        for (int slot = 0; slot < BatchSlots.SLOTS; slot++) {
            slots.slot(slot).copyFrom(batch);
        }
        return slots;
    }

    private static byte[] header() {
        ByteBuffer header = ByteBuffer.allocate(1 << 10);
        integers(header, 0, Integer.BYTES, 0);
        name(header, "count");
        control(header, FieldFrames.DOUBLES);
        name(header, "amount");
        integers(header, 3, Long.BYTES, 1_000_000);
        name(header, "share");
        name(header, "moment");
        integers(header, 0, Byte.BYTES, 0);
        name(header, "unlisted");
        integers(header, 1, Short.BYTES, 1000);
        name(header, "unlisted");
        name(header, "kind");
        return bytes(header);
    }

    private static ByteBuffer control(ByteBuffer frames, int kind) {
        return frames.put((byte) FieldFrames.CONTROL).put((byte) kind);
    }

    private static void integers(ByteBuffer header, int decimals, int bytesOfRow, long limit) {
        control(header, FieldFrames.UNSCALED)
                .put((byte) decimals)
                .put((byte) bytesOfRow)
                .putLong(limit);
    }

    private static void name(ByteBuffer header, String column) {
        byte[] name = column.getBytes(StandardCharsets.US_ASCII);
        int last = column.equals(COLUMNS.getLast()) ? FieldFrames.LAST_OF_RECORD : 0;
        header.put((byte) (last | name.length)).put(name);
    }

    private static byte[] batch() {
        ByteBuffer batch = ByteBuffer.allocate(BATCH_ROWS << 7);
        batch.order(FieldFrames.ORDER);
        complete(batch);
        for (int i = 0; i < BATCH_ROWS; i++) {
            batch.putInt(count(i));
        }
        complete(batch);
        for (int i = 0; i < BATCH_ROWS; i++) {
            batch.putDouble(amount(i));
        }
        // In some files values are missing; here one of a column that has none that is not there.
        batch.put((byte) 1);
        for (int i = 0; i < BATCH_ROWS; i += Long.SIZE) {
            batch.putLong(-1);
        }
        for (int i = 0; i < BATCH_ROWS; i++) {
            batch.putLong(eighths(i) * 125L);
        }
        texts(batch, RehearsedFrames::moment);
        complete(batch);
        for (int i = 0; i < BATCH_ROWS; i++) {
            batch.put((byte) i);
        }
        complete(batch);
        for (int i = 0; i < BATCH_ROWS; i++) {
            batch.putShort((short) i);
        }
        texts(batch, RehearsedFrames::kind);
        return bytes(batch);
    }

    private static void complete(ByteBuffer batch) {
        batch.put((byte) 0);
    }

    private static void texts(ByteBuffer batch, IntFunction<String> texts) {
        complete(batch);
        ByteBuffer longer = ByteBuffer.allocate(BATCH_ROWS << 5);
        for (int i = 0; i < BATCH_ROWS; i++) {
            byte[] text = texts.apply(i).getBytes(StandardCharsets.US_ASCII);
            boolean inlined = text.length <= FieldFrames.MAX_INLINED;
            int next = batch.position() + FieldFrames.TEXT_BYTES;
            batch.putInt(text.length);
            (inlined ? batch : longer).put(text);
            batch.position(next);
        }
        batch.put(longer.flip());
    }

    private static byte[] bytes(ByteBuffer written) {
        byte[] bytes = new byte[written.position()];
        written.get(0, bytes);
        return bytes;
    }

    private static int count(int row) {
        return row % 103 - 1;
    }

    private static double amount(int row) {
        return row * 79_999L % 1_200_000 / 100.0;
    }

    private static int eighths(int row) {
        return row % 1601 - 800;
    }

    private static String moment(int row) {
        return Instant.ofEpochSecond((long) row % 500 * SECONDS_OF_DAY).toString();
    }

    private static String kind(int row) {
        return KINDS.get(row % KINDS.size());
    }
}
