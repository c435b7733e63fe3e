package dev.purser.dataset.ingest;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.parser.ParseUpload;
import dev.purser.privacy.PrivacyUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** How many rows come at a time: memory depends on neither their number nor the length of what names their privacy units. */
class CsvRowsTests {
    private static final Dataset VISITS = DatasetsForTests.of(
            "visits", new PrivacyUnit.Column("who", 3), 100_000, List.of(DatasetsForTests.integer("n", 0, 9)));

    private static List<Integer> sizes(String csv) throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        ParseUpload.csv(new ByteArrayInputStream(csv.getBytes(US_ASCII)), frames);
        FrameBuffer buffer = new FrameBuffer(new ByteArrayInputStream(frames.toByteArray()));
        CsvRows rows = new CsvRows(VISITS, new Fields(buffer), new FingerprintDigest(new byte[1]));
        List<Integer> sizes = new ArrayList<>();
        while (rows.next()) {
            sizes.add(rows.batch().size());
        }
        assertThat(rows.next()).isFalse();
        return sizes;
    }

    /** Two fields a row: 1,024 rows have 2,048. */
    @ParameterizedTest
    @CsvSource({"0,", "1, 1", "1023, 1023", "1024, 1024", "1025, '1024,1'", "2048, '1024,1024'"})
    void batchesHaveABoundedNumberOfFields(int rows, String sizes) throws IOException {
        List<Integer> expected = sizes == null
                ? List.of()
                : List.of(sizes.split(",")).stream().map(Integer::valueOf).toList();
        assertThat(sizes("who,n\n" + "a,1\n".repeat(rows))).isEqualTo(expected);
    }

    /** One that fills a mebibyte is the last of its batch. */
    @ParameterizedTest
    @CsvSource({"600000, '2,2,1'", "1048576, '1,1,1,1,1'", "1000, '5'"})
    void batchesHaveABoundedLengthOfUnits(int length, String sizes) throws IOException {
        String csv = "who,n\n" + ("u".repeat(length) + ",1\n").repeat(5);
        assertThat(sizes(csv)).hasToString("[" + sizes.replace(",", ", ") + "]");
    }
}
