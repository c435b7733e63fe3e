package dev.purser.dataset;

import dev.purser.json.JsonDocument;
import dev.purser.privacy.BlockWindow;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Which blocks can be asked about. */
class ReadyBlocksTests {
    private static Registration table(String blocks) {
        String body = """
                {"id":"meters","columns":[
                {"name":"day","type":"date","lower":"2026-02-27","upper":"2026-04-10","missing":"2026-02-27"},
                {"name":"n","type":"integer","lower":0,"upper":999,"missing":0}],
                "privacyUnit":{"type":"row"},"neighboringRelation":"add-or-remove-one","maxRows":9,
                "budget":{"epsilon":"1"},"source":{"type":"table","connection":"c","table":"s.t"},
                "blocks":{"rowsKeepTheirBlock":true,%s}}""".formatted(quoted(blocks));
        return JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8)).read(RegistrationReader::read);
    }

    /** 2026-03-01 is a Sunday. */
    @ParameterizedTest
    @CsvSource({
        "day, 0, 2026-02-26, ''",
        "day, 0, 2026-02-27, ''",
        "day, 0, 2026-02-28, 2026-02-27",
        "day, 1, 2026-02-28, ''",
        "day, 1, 2026-03-01, 2026-02-27",
        "day, 0, 2026-04-10, 2026-04-09",
        "day, 0, 2026-04-11, 2026-04-10",
        "day, 0, 2030-01-01, 2026-04-10",
        "week, 0, 2026-03-01, ''",
        "week, 0, 2026-03-02, 2026-02-23",
        "week, 7, 2026-03-08, ''",
        "week, 7, 2026-03-09, 2026-02-23",
        "month, 0, 2026-02-28, ''",
        "month, 0, 2026-03-01, 2026-02",
        "month, 0, 2026-04-30, 2026-03",
        "month, 0, 2026-05-01, 2026-04",
        "month, 1, 2026-05-01, 2026-03"
    })
    void aBlockOfATableIsReadyAfterItsLastDayAndTheDelay(String width, int delay, LocalDate today, String newest) {
        Registration registration = table("'column':'day','width':'%s','delayDays':%d".formatted(width, delay));
        ReadyBlocks ready = ReadyBlocks.ofTable(registration, today);
        assertThat(ready.latest(1)
                        .map(block ->
                                registration.blocks().orElseThrow().blocks().label(block.first())))
                .isEqualTo(Optional.of(newest).filter(label -> !label.isEmpty()));
        ready.runs().forEach(run -> assertThat(run.first()).isZero());
    }

    @Test
    void blocksOfIntegersOfATableAreAlwaysReady() {
        ReadyBlocks ready = ReadyBlocks.ofTable(table("'column':'n','width':100"), LocalDate.EPOCH);
        assertThat(ready.runs()).containsExactly(new BlockWindow(0, 9));
    }

    @Test
    void namesTheRunsThatAreMissing() {
        ReadyBlocks ready = new ReadyBlocks(List.of(new BlockWindow(2, 3), new BlockWindow(5, 5)));
        assertThat(ready.notReady(new BlockWindow(0, 9)))
                .containsExactly(new BlockWindow(0, 1), new BlockWindow(4, 4), new BlockWindow(6, 9));
        assertThat(ready.notReady(new BlockWindow(3, 5))).containsExactly(new BlockWindow(4, 4));
        assertThat(ready.notReady(new BlockWindow(2, 3))).isEmpty();
        assertThat(ready.latest(2)).hasValue(new BlockWindow(4, 5));
        assertThat(ready.latest(7)).isEmpty();
    }
}
