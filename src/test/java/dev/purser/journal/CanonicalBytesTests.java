package dev.purser.journal;

import dev.purser.digest.Sha256;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class CanonicalBytesTests {
    /** The fields, each after its length as {@link DataOutputStream} writes it. */
    private static byte[] written(List<String> fields) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        for (String field : fields) {
            byte[] text = field.getBytes(UTF_8);
            data.writeInt(text.length);
            data.write(text);
        }
        return bytes.toByteArray();
    }

    @Test
    void writesLengthsAndTextsOfAnySize() throws IOException {
        List<String> fields = new ArrayList<>();
        CanonicalBytes bytes = new CanonicalBytes();
        for (int length : new int[] {0, 1, 3, 1000, 4, 100, 5000, 0, 1, 40_000, 7}) {
            String field = "é".repeat(length);
            fields.add(field);
            assertThat(bytes.text(field).bytes()).isEqualTo(written(fields));
        }
        assertThat(bytes.sha256()).isEqualTo(Sha256.hexOf(written(fields)));
    }

    /** The lengths are near the size of the first buffer. */
    @Test
    void takesFieldsThatJustFitAndJustDoNot() throws IOException {
        for (int length = 1010; length <= 1030; length++) {
            String field = "x".repeat(length);
            assertThat(new CanonicalBytes().text(field).text("y").bytes()).isEqualTo(written(List.of(field, "y")));
        }
    }

    @Test
    void writesNumbersInDecimalAndWhatIsAbsentAsFourBytes() throws IOException {
        PrivacyAmount amount = new PrivacyAmount(new Epsilon(1), new Delta(2), new Rho(3));

        assertThat(new CanonicalBytes().number(Long.MIN_VALUE).amount(amount).bytes())
                .isEqualTo(written(List.of("-9223372036854775808", "1", "2", "3")));
        assertThat(new CanonicalBytes().text(null).bytes()).isEqualTo(new byte[] {-1, -1, -1, -1});
        assertThat(new CanonicalBytes().amount(null).bytes()).hasSize(12).containsOnly(-1);
    }
}
