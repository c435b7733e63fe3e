package dev.purser.digest;

import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SipHash128Tests {
    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        IntStream.range(0, count).forEach(i -> bytes[i] = (byte) i);
        return bytes;
    }

    private static String hash(SipHash128 hash, int length, int part) {
        byte[] message = bytes(length);
        for (int from = 0; from < length; from += part) {
            hash.update(message, from, Math.min(part, length - from));
        }
        byte[] result = new byte[16];
        hash.end(result);
        return HexFormat.of().formatHex(result);
    }

    /** Test vectors of the authors. The bytes of the key and of each message count up from 0. */
    @ParameterizedTest
    @CsvSource({
        "0, a3817f04ba25a8e66df67214c7550293",
        "1, da87c1d86b99af44347659119b22fc45",
        "15, 5493e99933b0a8117e08ec0f97cfc3d9",
        "63, 5150d1772f50834a503e069a973fbd7c"
    })
    void hashesTheVectorsOfTheAuthors(int length, String expected) {
        assertThat(hash(new SipHash128(bytes(16)), length, 64)).isEqualTo(expected);
    }

    @Test
    void partsAndEarlierMessagesMakeNoDifference() {
        SipHash128 hash = new SipHash128(bytes(16));
        for (int length = 0; length < 64; length++) {
            String whole = hash(hash, length, 64);
            for (int part = 1; part < 20; part++) {
                assertThat(hash(hash, length, part)).isEqualTo(whole);
            }
        }
    }
}
