package dev.purser.dataset.ingest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BoundedFramesTests {
    private final AtomicLong given = new AtomicLong(10);
    private final BoundedFrames frames = new BoundedFrames(new ByteArrayInputStream(new byte[1000]), given, 4, 3);

    private int read(int length) throws IOException {
        return frames.read(new byte[length], 0, length);
    }

    @Test
    void areSoManyTimesWhatTheParserWasGivenAndALittleMore() throws IOException {
        assertThat(read(43)).isEqualTo(43);
        assertThatExceptionOfType(ParserFailure.class).isThrownBy(() -> read(1));
    }

    @Test
    void areMoreOnceTheParserWasGivenMore() throws IOException {
        assertThat(read(43)).isEqualTo(43);
        given.addAndGet(2);
        assertThat(read(8)).isEqualTo(8);
        assertThatExceptionOfType(ParserFailure.class).isThrownBy(() -> read(1));
    }

    @Test
    void areCountedWithWhatCameAnotherWay() throws IOException {
        frames.count(40);
        assertThat(read(3)).isEqualTo(3);
        assertThatExceptionOfType(ParserFailure.class).isThrownBy(() -> frames.count(1));
    }
}
