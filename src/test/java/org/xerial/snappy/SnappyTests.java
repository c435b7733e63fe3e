package org.xerial.snappy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Texts of the format description, and data that would leave a buffer. What pyarrow compressed is in the corpus of
 * Parquet.
 */
class SnappyTests {
    private static final int BEHIND = 8;

    @ParameterizedTest
    @CsvSource({
        "00, ''",
        "01 00 61, a",
        "03 f0 02 616263, abc",
        "03 f4 0200 616263, abc",
        "03 fc 02000000 616263, abc",
        "08 04 6162 05 02 00 63, abababac",
        "07 04 6162 0e 0200 00 63, abababc",
        "07 04 6162 0f 02000000 00 63, abababc",
        "0b 10 6162636465 05 05 00 78, abcdeabcdex"
    })
    void copiesRepeatWhatCameBefore(String compressed, String text) throws IOException {
        ByteBuffer into = ByteBuffer.allocateDirect(100).position(3);
        assertThat(Snappy.uncompress(bytes(compressed), into)).isEqualTo(text.length());
        byte[] uncompressed = new byte[text.length()];
        into.get(uncompressed);
        assertThat(uncompressed).asString(US_ASCII).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "a length that does not end, ffffffffff",
        "no length, ''",
        "more than fits, 0b 28 6162636465666768696a6b",
        "less than announced, 03 04 6162",
        "a literal beyond the announced length, 02 08 616263",
        "a literal that is torn, 03 08 6162",
        "a literal of two gigabytes, 04 fc feffff7f 61",
        "a literal of a negative length, 04 fc feffffff 61",
        "a copy beyond the announced length, 04 04 6162 05 02",
        "a copy from before the beginning, 06 04 6162 05 03",
        "a copy from nowhere, 06 04 6162 05 00",
        "a copy from a negative distance, 06 04 6162 0f feffffff",
        "a copy that is torn, 06 04 6162 0e 02"
    })
    void malformedDataIsRefusedAndLeavesNoBuffer(String why, String compressed) {
        ByteBuffer whole = ByteBuffer.allocateDirect(10 + BEHIND);
        ByteBuffer into = whole.duplicate().limit(10);
        assertThatThrownBy(() -> Snappy.uncompress(bytes(compressed), into))
                .as(why)
                .isInstanceOf(IOException.class);
        for (int i = 10; i < whole.capacity(); i++) {
            assertThat(whole.get(i)).isZero();
        }
    }

    private static ByteBuffer bytes(String hexadecimal) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hexadecimal.replace(" ", "")));
    }
}
