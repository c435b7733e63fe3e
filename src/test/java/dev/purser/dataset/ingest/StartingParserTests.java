package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.BatchSlots;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A parser must not outlive the upload that it was started for, however that ends. */
class StartingParserTests {
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicInteger closings = new AtomicInteger();

    private final class Parsing implements UploadParser.ParquetParsing {
        @Override
        public BatchSlots slots() {
            throw new UnsupportedOperationException();
        }

        @Override
        public OutputStream input() {
            throw new UnsupportedOperationException();
        }

        @Override
        public InputStream frames() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            closings.incrementAndGet();
        }
    }

    private UploadParser.ParquetParsing startAfter(int failures) {
        if (starts.incrementAndGet() <= failures) {
            throw ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, "busy");
        }
        return new Parsing();
    }

    @Test
    void endsAParserThatNobodyAskedFor() {
        CountDownLatch torn = new CountDownLatch(1);
        StartingParser starting = new StartingParser("x", () -> {
            try {
                torn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return startAfter(0);
        });
        torn.countDown();
        starting.close();
        assertThat(closings).hasValue(1);
    }

    @Test
    void endsTheParserThatItGave() throws Exception {
        try (StartingParser starting = new StartingParser("x", () -> startAfter(0))) {
            assertThat(starting.started()).isInstanceOf(Parsing.class);
            assertThat(closings).hasValue(0);
        }
        assertThat(starts).hasValue(1);
        assertThat(closings).hasValue(1);
    }

    /** There was no place at its beginning: that says nothing of its end. */
    @Test
    void isTriedAgainWhenTheFileIsThere() throws Exception {
        try (StartingParser starting = new StartingParser("x", () -> startAfter(1))) {
            assertThat(starting.started()).isInstanceOf(Parsing.class);
        }
        assertThat(starts).hasValue(2);
        assertThat(closings).hasValue(1);
    }

    @Test
    void saysWhatWentWrongIfItStillDoes() {
        try (StartingParser starting = new StartingParser("x", () -> startAfter(2))) {
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(starting::started)
                    .withMessage("busy");
        }
        assertThat(starts).hasValue(2);
        assertThat(closings).hasValue(0);
    }
}
