package dev.purser.upload.parquet;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Unpacks pages of the codec LZ4. Hadoop writes frames: the length of a part, and then its blocks, each after its own
 * length. Other programs write one block without a frame. Only the bytes show which form a page has. A frame that is
 * read as a block gives other values, so every byte and every length has to fit.
 */
final class Lz4Pages {
    private static final LZ4SafeDecompressor LZ4 = LZ4Factory.safeInstance().safeDecompressor();

    private Lz4Pages() {}

    /** @throws IOException if the page has neither of these forms with this size */
    static byte[] unpacked(ByteBuffer page, int size) throws IOException {
        byte[] packed = new byte[page.remaining()];
        page.duplicate().get(packed);
        byte[] into = new byte[size];
        if (areFrames(packed, into) || isBlock(packed, into)) {
            return into;
        }
        throw new IOException("a page is neither frames of LZ4 nor a block of it");
    }

    private static boolean areFrames(byte[] packed, byte[] into) {
        try {
            ByteBuffer frames = ByteBuffer.wrap(packed);
            int at = 0;
            while (frames.hasRemaining()) {
                int end = Math.addExact(at, frames.getInt());
                if (end < at || end > into.length) {
                    return false;
                }
                while (at < end) {
                    int length = frames.getInt();
                    if (length < 1 || length > frames.remaining()) {
                        return false;
                    }
                    at += LZ4.decompress(packed, frames.position(), length, into, at, end - at);
                    frames.position(frames.position() + length);
                }
            }
            return at == into.length;
        } catch (LZ4Exception | BufferUnderflowException | ArithmeticException notFrames) {
            return false;
        }
    }

    private static boolean isBlock(byte[] packed, byte[] into) {
        try {
            return LZ4.decompress(packed, 0, packed.length, into, 0, into.length) == into.length;
        } catch (LZ4Exception notABlock) {
            return false;
        }
    }
}
