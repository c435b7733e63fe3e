package dev.purser.upload;

import java.io.InputStream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A beginning, then one text over and over. */
final class RepeatedText extends InputStream {
    private final byte[] first;
    private final byte[] repeated;
    private final long length;
    private long delivered;

    /** A text without an end. */
    RepeatedText(String first, String repeated) {
        this(first, repeated, Long.MAX_VALUE / 2);
    }

    /** @param bytes the number of bytes of repeated text */
    RepeatedText(String first, String repeated, long bytes) {
        this.first = first.getBytes(UTF_8);
        this.repeated =
                repeated.repeat(Math.ceilDiv(1 << 16, repeated.length())).getBytes(UTF_8);
        length = this.first.length + bytes;
    }

    /** The number of bytes that were read. */
    long delivered() {
        return delivered;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int offset, int most) {
        boolean atFirst = delivered < first.length;
        byte[] from = atFirst ? first : repeated;
        int at = (int) (atFirst ? delivered : (delivered - first.length) % repeated.length);
        int count = (int) Math.min(Math.min(most, from.length - at), length - delivered);
        System.arraycopy(from, at, into, offset, count);
        delivered += count;
        return count == 0 && most > 0 ? -1 : count;
    }
}
