package dev.purser.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class Sha256Tests {
    /** The example of FIPS 180-4. */
    private static final String OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void isTheStandardsWhateverElseIsDigestedMeanwhile() {
        MessageDigest inParts = Sha256.begin();
        inParts.update((byte) 'a');
        assertThat(Sha256.hexOf("abc".getBytes(StandardCharsets.US_ASCII))).isEqualTo(OF_ABC);
        assertThat(inParts.digest("bc".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(HexFormat.of().parseHex(OF_ABC))
                .isEqualTo(Sha256.of("abc".getBytes(StandardCharsets.US_ASCII)));
    }
}
