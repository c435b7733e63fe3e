package dev.purser.mechanism;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The secret state that a sparse vector scan keeps between two comparisons. It holds how far the noisy threshold lies
 * above the public threshold, and how much the positives so far have used up. All negatives share the loss of one noisy
 * threshold only as long as that threshold stays unknown. The state is therefore never released, not even after the
 * scan. The state of an ended scan no longer holds the threshold.
 *
 * <p>A state never changes. The state that a comparison returns replaces the state that it was given. A comparison with
 * an earlier state would use epsilon that is already spent.
 *
 * <p>It prints as redacted, is compared by identity, and has no property for a serializer.
 */
public final class ScanState {
    // The secret bytes: the version, whether a threshold follows, the positives and what they spent in four bytes each,
    // the threshold's offset as a two's complement number (zeros if there is none), and a CRC-32 of all before it. All
    // numbers are big-endian. The offset takes 64 bytes, or the least multiple that holds it: beyond 64 it would be
    // above 2^511, which noise reaches only at scales that no sensitivity gives. The length therefore reveals nothing
    // of the offset.
    private static final byte VERSION = 1;
    private static final int HEADER = 10;
    private static final int WIDTH = 64;
    private static final int CHECKSUM = 4;

    private final @Nullable BigInteger thresholdOffset;
    private final int positives;
    private final int spent;

    private ScanState(@Nullable BigInteger thresholdOffset, int positives, int spent) {
        if (positives < 0 || spent < 0) {
            throw new IllegalArgumentException("not the state of a scan");
        }
        this.thresholdOffset = thresholdOffset;
        this.positives = positives;
        this.spent = spent;
    }

    /** The state before the first comparison. */
    static ScanState begun(BigInteger thresholdOffset) {
        return new ScanState(thresholdOffset, 0, 0);
    }

    /** The state after one more positive, which used up {@code spentOnIt} of the amount that the scan may spend. */
    ScanState afterPositive(int spentOnIt) {
        return new ScanState(thresholdOffset, positives + 1, spent + spentOnIt);
    }

    ScanState withThreshold(BigInteger offset) {
        return new ScanState(offset, positives, spent);
    }

    /** The state without the threshold: nothing more can be compared. */
    ScanState ended() {
        return new ScanState(null, positives, spent);
    }

    boolean hasEnded() {
        return thresholdOffset == null;
    }

    /** How far the noisy threshold lies above the public threshold. */
    BigInteger thresholdOffset() {
        if (thresholdOffset == null) {
            throw new IllegalStateException("the scan has ended");
        }
        return thresholdOffset;
    }

    int positives() {
        return positives;
    }

    int spent() {
        return spent;
    }

    /** The state in bytes, to be sealed where it is stored. They are as secret as the state itself. */
    public byte[] secretBytes() {
        byte[] offset = thresholdOffset == null ? new byte[0] : thresholdOffset.toByteArray();
        int width = WIDTH * Math.max(1, Math.ceilDiv(offset.length, WIDTH));
        byte[] sign = new byte[width - offset.length];
        Arrays.fill(sign, (byte) (thresholdOffset != null && thresholdOffset.signum() < 0 ? -1 : 0));
        ByteBuffer bytes = ByteBuffer.allocate(HEADER + width + CHECKSUM);
        bytes.put(VERSION).put((byte) (hasEnded() ? 0 : 1)).putInt(positives).putInt(spent);
        bytes.put(sign).put(offset);
        return bytes.putInt(checksum(bytes.array())).array();
    }

    private static int checksum(byte[] bytes) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes, 0, bytes.length - CHECKSUM);
        return (int) checksum.getValue();
    }

    /**
     * The state that {@link #secretBytes} wrote.
     *
     * @throws IllegalArgumentException if {@link #secretBytes} did not write these bytes
     */
    public static ScanState ofSecretBytes(byte[] bytes) {
        int width = bytes.length - HEADER - CHECKSUM;
        if (width < WIDTH) {
            throw new IllegalArgumentException("not the state of a scan");
        }
        ByteBuffer header = ByteBuffer.wrap(bytes, 1, HEADER - 1);
        BigInteger offset = header.get() == 0 ? null : new BigInteger(bytes, HEADER, width);
        ScanState state = new ScanState(offset, header.getInt(), header.getInt());
        // This checks the version, the checksum and everything that the code above did not check.
        if (!Arrays.equals(state.secretBytes(), bytes)) {
            throw new IllegalArgumentException("not the state of a scan");
        }
        return state;
    }

    @Override
    public String toString() {
        return "ScanState[redacted]";
    }
}
