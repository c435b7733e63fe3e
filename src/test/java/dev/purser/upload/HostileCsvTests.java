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

/**
 * What becomes of files that attack. The process that takes them has a heap of 64 MB, of which 14 MB are used before. A
 * file that needs 50 MB more ends the process.
 */
class HostileCsvTests {
    private static final Pattern UPLOAD = Pattern.compile("(.*): (taken|invalid-data), ([0-9]+) ms, (-?[0-9]+) MB");
    private static final int MOST_MILLIS = 5_000;
    private static final int MOST_MEGABYTES = 50;

    @Tag("full")
    @Test
    void everyFileIsTakenOrRefusedSoonAndInLittleMemory(@TempDir Path folder) throws IOException, InterruptedException {
        Process child = ChildJvm.start(List.of("-Xmx64m"), UploadsInLittleMemory.class, folder);
        String output = new String(child.getInputStream().readAllBytes(), UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        System.out.print(output);
        List<Matcher> uploads =
                output.lines().map(UPLOAD::matcher).filter(Matcher::matches).toList();
        assertThat(uploads.stream().filter(upload -> upload.group(2).equals("taken")))
                .as("that do not attack")
                .hasSize(6);
        assertThat(uploads.stream().filter(upload -> upload.group(2).equals("invalid-data")))
                .as("that do")
                .hasSize(13);
        assertThat(uploads).allSatisfy(upload -> {
            assertThat(Integer.parseInt(upload.group(3))).as(upload.group(1)).isLessThan(MOST_MILLIS);
            assertThat(Integer.parseInt(upload.group(4))).as(upload.group(1)).isLessThan(MOST_MEGABYTES);
        });
    }
}
