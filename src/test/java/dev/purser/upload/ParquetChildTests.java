package dev.purser.upload;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

import static dev.purser.problem.Refusals.refusedAs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A real child process behind shell scripts in the place of a sandbox: who is to blame for a failure, and that
 * nothing is left.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParquetChildTests {
    private static final Path CORPUS = Path.of("src/test/resources/parquet");
    private static final DataSize HEAP = DataSize.ofMegabytes(192);
    /** A file with much CSV. The child has to wait while nobody reads the CSV. */
    private static final String LARGE = "large/rows.parquet";

    @TempDir
    private Path folder;

    private Set<ProcessHandle> before;

    /** Making the first temporary folder of all tests starts a process, which ends other processes. */
    @BeforeEach
    void lookAtProcesses() {
        before = ProcessHandle.current().children().collect(Collectors.toSet());
    }

    private String sandbox(String script) throws IOException {
        Path file = folder.resolve("sandbox");
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file + " first second";
    }

    private ParquetChild start(String file, String sandbox) throws IOException {
        return ParquetChild.start(copy(file), new UploadSettings(1, DataSize.ofMegabytes(1), HEAP, sandbox));
    }

    private Path copy(String file) throws IOException {
        Path alone = Files.createDirectory(folder.resolve("parquet")).resolve("file.parquet");
        return Files.copy(CORPUS.resolve(file), alone);
    }

    private ProblemType problem(String file, String sandbox) {
        Throwable failure = catchThrowable(() -> {
            try (ParquetChild child = start(file, sandbox)) {
                child.csv().readAllBytes();
            }
        });
        return failure instanceof ProblemException problem ? problem.type() : ofFile(failure);
    }

    private static ProblemType ofFile(Throwable failure) {
        assertThat(failure).isInstanceOf(UnreadableFile.class);
        return ProblemType.INVALID_DATA;
    }

    /** The child writes more than a pipe holds. */
    @Test
    void aChildThatSaysMuchIsNotKeptWaiting() throws IOException {
        String sandbox = sandbox("shift 2; head -c 1000000 /dev/zero >&2; exec \"$@\"");
        ParquetChild.Limits limits = new ParquetChild.Limits(HEAP, Duration.ofSeconds(20), Duration.ofSeconds(20));
        try (ParquetChild child = ParquetChild.start(copy("read/people.zstd.parquet"), sandbox, limits)) {
            assertThat(child.csv().readAllBytes()).isNotEmpty();
        }
    }

    @Test
    void aSandboxMayStandInFront() throws IOException {
        String sandbox = sandbox("[ \"$1 $2\" = 'first second' ] && shift 2 && exec \"$@\"");
        try (ParquetChild child = start("read/people.zstd.parquet", sandbox)) {
            assertThat(child.csv().readAllBytes())
                    .asString(UTF_8)
                    .isEqualTo(Files.readString(CORPUS.resolve("read/people.csv")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit 1", "exit 2", "exit 125", "exec /no/such/command", "kill -9 $$", "kill -15 $$"})
    void aSandboxThatFailsIsNoFaultOfTheFile(String script) throws IOException {
        assertThat(problem("read/people.parquet", sandbox(script))).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
    }

    @Test
    void aSandboxThatIsMissingIsNoFaultOfTheFile() {
        assertThat(problem("read/people.parquet", "/no/such/sandbox")).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
    }

    @Test
    void aFullDiskIsNoFaultOfTheFile() throws IOException {
        // No file may have a byte, so that the native library of zstd cannot be unpacked.
        String full = sandbox("ulimit -f 0; shift 2; exec \"$@\"");
        assertThat(problem("read/people.zstd.parquet", full)).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
    }

    /** The child has no locale. The script makes the folder, because the Java of this test may have none either. */
    @Test
    void aFolderWhoseNameIsNotAsciiIsNoFaultOfTheFile() throws IOException {
        String elsewhere = "mkdir -p größe/work && cp ../file.parquet größe && cd größe/work && shift 2 && exec \"$@\"";
        assertThat(problem("read/people.parquet", sandbox(elsewhere))).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
    }

    @Test
    void aFileThatTheSandboxDoesNotShowIsNoFaultOfTheFile() throws IOException {
        String elsewhere = "mkdir -p other/work && cd other/work && shift 2 && exec \"$@\"";
        assertThat(problem("read/people.parquet", sandbox(elsewhere))).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"refused/damaged/csv.parquet", "refused/damaged/bomb-zstd-stated.parquet"})
    void aFileThatCannotBeReadIsItsOwnFault(String file) {
        assertThat(problem(file, "")).isEqualTo(ProblemType.INVALID_DATA);
    }

    /** With 2,000,000 rows in one page of each column, and with 1,000 columns. */
    @ParameterizedTest
    @CsvSource({"large/rows.parquet, 2000001", "large/columns.parquet, 3"})
    void neitherRowsNorColumnsTakeMuchMemory(String file, long lines) throws IOException {
        ParquetChild.Limits limits =
                new ParquetChild.Limits(DataSize.ofMegabytes(64), Duration.ofMinutes(1), Duration.ofMinutes(5));
        try (ParquetChild child = ParquetChild.start(copy(file), "", limits);
                InputStream csv = child.csv()) {
            byte[] some = new byte[1 << 16];
            long read = 0;
            for (int length; (length = csv.read(some, 0, some.length)) >= 0; ) {
                for (int i = 0; i < length; i++) {
                    read += some[i] == '\n' ? 1 : 0;
                }
            }
            assertThat(read).isEqualTo(lines);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "refused/damaged/bomb-zstd-stated.parquet, 'more than 64 MB of memory', purser.upload.parquet-heap",
        "refused/damaged/endless-runs.parquet, more than 2 s of processor time, send CSV"
    })
    void aFileThatTakesTooMuchIsToldSo(String file, String what, String wayOut) throws IOException {
        ParquetChild.Limits limits =
                new ParquetChild.Limits(DataSize.ofMegabytes(64), Duration.ofSeconds(2), Duration.ofMinutes(5));
        try (ParquetChild child = ParquetChild.start(copy(file), "", limits)) {
            assertThatExceptionOfType(UnreadableFile.class)
                    .isThrownBy(() -> child.csv().transferTo(OutputStream.nullOutputStream()))
                    .satisfies(refusal -> assertThat(refusal.rule()).contains(what, wayOut));
        }
    }

    @Tag("full")
    @Test
    void theTimeLimitEndsWhatASandboxStarted() throws Exception {
        // The file descriptor keeps standard input, which the shell closes for what runs in the background.
        String sandbox = sandbox("shift 2; exec 3<&0; \"$@\" <&3 & while :; do :; done");
        ParquetChild.Limits limits = new ParquetChild.Limits(HEAP, Duration.ofSeconds(3), Duration.ofMinutes(30));
        try (ParquetChild child = ParquetChild.start(copy(LARGE), sandbox, limits)) {
            List<ProcessHandle> started = started();
            assertThatExceptionOfType(UnreadableFile.class)
                    .isThrownBy(() -> child.csv().readAllBytes());
            for (ProcessHandle each : started) {
                each.onExit().get(30, TimeUnit.SECONDS);
            }
        }
    }

    /** The child waits as on a machine that has no time for it. */
    @Test
    void aFileThatHasToWaitForItsProcessorIsRead() throws Exception {
        try (ParquetChild child = start("read/people.parquet", sandbox("shift 2; sleep 8; exec \"$@\""))) {
            assertThat(child.csv().readAllBytes())
                    .asString(UTF_8)
                    .isEqualTo(Files.readString(CORPUS.resolve("read/people.csv")));
        }
    }

    @Test
    void whatOnlyTakesLongIsNoFaultOfTheFile() throws Exception {
        ParquetChild.Limits limits = new ParquetChild.Limits(HEAP, Duration.ofSeconds(5), Duration.ofSeconds(2));
        try (ParquetChild child = ParquetChild.start(copy("read/people.parquet"), sandbox("sleep 50"), limits)) {
            ProblemException refusal = refusedAs(
                    ProblemType.TEMPORARILY_UNAVAILABLE, () -> child.csv().readAllBytes());
            assertThat(refusal.detail()).contains("Send it again");
        }
    }

    @Test
    void theCeilingIsWide() {
        assertThat(ParquetChild.Limits.of(HEAP, 0))
                .isEqualTo(new ParquetChild.Limits(HEAP, Duration.ofSeconds(5), Duration.ofMinutes(2)));
        assertThat(ParquetChild.Limits.of(HEAP, 100 << 20))
                .isEqualTo(new ParquetChild.Limits(HEAP, Duration.ofSeconds(105), Duration.ofMinutes(42)));
    }

    @Test
    void theEndOfAnUploadEndsWhatASandboxStarted() throws Exception {
        List<ProcessHandle> started;
        // The process that the sandbox leaves in the background does not end with standard input.
        try (ParquetChild child = start(LARGE, sandbox("shift 2; sleep 50 & exec \"$@\""))) {
            started = started();
        }
        for (ProcessHandle each : started) {
            // The limit is less than the time that the background process sleeps.
            each.onExit().get(30, TimeUnit.SECONDS);
        }
    }

    /**
     * The Java of the child, and the shell or the command beside it. Servers of other tests start processes of their
     * own meanwhile.
     */
    private List<ProcessHandle> started() {
        while (true) {
            List<ProcessHandle> started = ProcessHandle.current()
                    .children()
                    .filter(each -> !before.contains(each))
                    .flatMap(each -> Stream.concat(Stream.of(each), each.descendants()))
                    .toList();
            if (started.size() == 2 && started.stream().anyMatch(ParquetChildTests::isJava)) {
                return started;
            }
            Thread.onSpinWait();
        }
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("/java");
    }
}
