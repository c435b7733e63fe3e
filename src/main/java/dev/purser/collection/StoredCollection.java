package dev.purser.collection;

import dev.purser.digest.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The row of a collection or a training, without its declaration.
 *
 * @param number the number of the collection in the tables of reports
 * @param custodian the principal that opened it
 * @param closesAt the end of reports; null if there is none
 * @param isClosed whether the reports were ended, whatever {@code closesAt} and a clock say
 */
public record StoredCollection(
        String id,
        Kind kind,
        long number,
        String custodian,
        Instant openedAt,
        @Nullable Instant closesAt,
        boolean isClosed,
        boolean isDeleted) {
    /** What the reports are for. */
    public enum Kind {
        /** Estimates of means or shares. */
        COLLECTION("collection"),
        /** The parameters of a model. */
        TRAINING("training");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /** A collection or a training that is opened now. */
    static StoredCollection opened(String id, Kind kind, String custodian, Instant now, @Nullable Instant closesAt) {
        // The id determines the number, so that instances need not agree on the next number.
        long number =
                ByteBuffer.wrap(Sha256.of(id.getBytes(StandardCharsets.UTF_8))).getLong();
        return new StoredCollection(id, kind, number, custodian, now, closesAt, false, false);
    }

    StoredCollection closedAt(Instant end) {
        return new StoredCollection(id, kind, number, custodian, openedAt, end, true, isDeleted);
    }

    StoredCollection deleted() {
        return new StoredCollection(id, kind, number, custodian, openedAt, closesAt, isClosed, true);
    }

    boolean isOpenAt(Instant now) {
        return !isClosed && !isDeleted && (closesAt == null || now.isBefore(closesAt));
    }
}
