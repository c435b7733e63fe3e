package dev.purser.upload.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Pages of the codec LZ4 in both of its forms. */
class Lz4PagesTests {
    private static final LZ4Compressor LZ4 = LZ4Factory.safeInstance().fastCompressor();

    /** A frame of one block whose two lengths are equal is compressed all the same, as Hadoop writes it. */
    @Test
    void smallDictionariesAreReadInBothForms() throws IOException {
        Random random = new Random(46);
        int equalLengths = 0;
        for (int i = 0; i < 2_000; i++) {
            ByteBuffer ages = ByteBuffer.allocate(4 * (12 + random.nextInt(60)));
            while (ages.hasRemaining()) {
                ages.putInt(Integer.reverseBytes(random.nextInt(120)));
            }
            byte[] page = ages.array();
            byte[] block = LZ4.compress(page);
            equalLengths += block.length == page.length ? 1 : 0;
            assertThat(Lz4Pages.unpacked(frames(List.of(page)), page.length)).isEqualTo(page);
            assertThat(Lz4Pages.unpacked(ByteBuffer.wrap(block), page.length)).isEqualTo(page);
        }
        assertThat(equalLengths).isPositive();
    }

    @Test
    void aPageMayHaveSeveralFrames() throws IOException {
        byte[] page = new byte[1_000];
        new Random(1).nextBytes(page);
        Arrays.fill(page, 300, 700, (byte) 7);
        List<byte[]> parts = List.of(
                Arrays.copyOf(page, 300), Arrays.copyOfRange(page, 300, 700), Arrays.copyOfRange(page, 700, 1_000));
        assertThat(Lz4Pages.unpacked(frames(parts), page.length)).isEqualTo(page);
    }

    @ParameterizedTest
    @MethodSource
    void whatDoesNotFitIsRefused(byte[] page, int size) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> Lz4Pages.unpacked(ByteBuffer.wrap(page), size));
    }

    static Stream<Arguments> whatDoesNotFitIsRefused() {
        byte[] sent = new byte[100];
        byte[] framed = frames(List.of(sent)).array();
        byte[] block = LZ4.compress(sent);
        return Stream.of(
                arguments(framed, 99),
                arguments(framed, 101),
                arguments(Arrays.copyOf(framed, framed.length - 1), 100),
                arguments(Arrays.copyOf(framed, framed.length + 1), 100),
                arguments(block, 99),
                arguments(block, 101),
                arguments(Arrays.copyOf(block, block.length + 4), 100),
                arguments(new byte[] {-1, -1, -1, -1, 0, 0, 0, 1, 0}, 100));
    }

    private static ByteBuffer frames(List<byte[]> parts) {
        ByteBuffer frames = ByteBuffer.allocate(10_000);
        for (byte[] part : parts) {
            byte[] block = LZ4.compress(part);
            frames.putInt(part.length).putInt(block.length).put(block);
        }
        return ByteBuffer.wrap(Arrays.copyOf(frames.array(), frames.position()));
    }
}
