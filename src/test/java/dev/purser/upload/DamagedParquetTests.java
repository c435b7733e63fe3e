package dev.purser.upload;

import dev.purser.store.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The outcomes of Parquet files that are damaged by chance. {@code -Dtests.damaged-files=2000} takes 2000 files. */
class DamagedParquetTests {
    private static final int FILES = Integer.getInteger("tests.damaged-files", 8);
    private static final long SEED = 20261123;
    private static final Pattern RESULT = Pattern.compile(
            "\\{(.*)}; longest: ([0-9]+) ms; growth: (-?[0-9]+) MB; children left: ([0-9]+); files left: (.*)");
    /** The time limit of a small file is processor time. On a busy machine it takes many times as long. */
    private static final int MOST_MILLIS = 60_000;

    private static final int MOST_MEGABYTES = 50;

    @Test
    void aFileIsTakenOrRefusedSoonAndLeavesNothing(@TempDir Path folder) throws IOException, InterruptedException {
        outcomes(folder, 2);
    }

    @Tag("full")
    @Test
    void everyFileIsTakenOrRefusedSoonAndLeavesNothing(@TempDir Path folder) throws IOException, InterruptedException {
        assertThat(outcomes(folder, FILES)).contains("taken=", "invalid-data=");
    }

    /** How many of these files were taken, and how many were refused. Requires that each was harmless. */
    private static String outcomes(Path folder, int files) throws IOException, InterruptedException {
        Process service = ChildJvm.start(List.of("-Xmx64m"), DamagedParquet.class, folder, files, SEED);
        String output = new String(service.getInputStream().readAllBytes(), UTF_8);
        assertThat(service.waitFor()).as(output).isZero();
        String result = output.lines().reduce("", (earlier, last) -> last);
        System.out.println(result);
        Matcher matcher = RESULT.matcher(result);
        assertThat(matcher.matches()).as(output).isTrue();
        assertThat(matcher.group(1)).matches("((taken|invalid-data)=[0-9]+(, )?)+");
        assertThat(Integer.parseInt(matcher.group(2))).isLessThan(MOST_MILLIS);
        assertThat(Integer.parseInt(matcher.group(3))).isLessThan(MOST_MEGABYTES);
        assertThat(matcher.group(4)).isEqualTo("0");
        assertThat(matcher.group(5)).isEqualTo("[]");
        return matcher.group(1);
    }
}
