package dev.purser.session;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.engine.DataEngine;
import dev.purser.ledger.RequestIdentity;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;

/** A session is about the blocks that it was opened for. */
class SessionsOfBlocksTests {
    private static final Blocks BLOCKS = Blocks.over("age", new Blocks.Integers(10), 0, 125);
    private static final Dataset DATASET = DatasetsForTests.divided(OpenSessions.DATASET, BLOCKS);
    private static final byte[] LATEST = OpenSessions.bytes("""
            {"epsilon":"0.5","threshold":5,"maxPositives":2,"queries":"counts","payment":"per-positive",
             "blocks":{"latest":2}}""");

    @TempDir
    Path home;

    @AutoClose
    private Database database;

    private final List<BlockWindow> read = new ArrayList<>();

    @BeforeEach
    void open() {
        database = new Database(new PurserHome(home));
        when(0).open.withAccount(OpenInteractions.ACCOUNT, "100", BLOCKS);
    }

    private OpenSessions when(int newest) {
        Dataset dataset = DATASET.asOf(new BlockWindow(0, newest));
        VisibleDatasets visible = DatasetsForTests.visible(() -> dataset);
        return new OpenSessions(database, many, dataset, visible);
    }

    /** An engine that notes which blocks it would read, and finds a thousand rows. */
    private final DataEngine many = (debit, dataset, requests) -> {
        read.add(debit.blocks().orElseThrow());
        Buckets.Builder rows = Buckets.counts(1);
        rows.add(0, 0, 1000);
        return Sensitive.of(List.of(rows.build()));
    };

    private String spent(int block) {
        return when(0).open
                .ledger
                .blocks(OpenInteractions.ACCOUNT, "ana", BLOCKS.all())
                .spent(BlockWindow.of(block))
                .epsilon()
                .toString();
    }

    private static Object blocks(byte[] session) {
        return OpenSessions.JSON.readTree(session).at("/declaration/blocks").toString();
    }

    @Test
    void theLatestBlocksAreThoseOfTheOpening() {
        ThresholdSessions.Reply opened = when(4).open("key", LATEST);

        assertThat(blocks(opened.body())).isEqualTo("{\"from\":\"30\",\"to\":\"40\"}");
        OpenSessions later = when(7);
        SessionView shown = later.sessions.shown(later.named(opened.sessionId()), DATASET.asOf(new BlockWindow(0, 7)));
        assertThat(shown.declaration()).containsEntry("blocks", Map.of("from", "30", "to", "40"));
        assertThat(later.open("key", LATEST).body()).isEqualTo(opened.body());
        assertThat(blocks(later.open("other", LATEST).body())).isEqualTo("{\"from\":\"60\",\"to\":\"70\"}");
    }

    /** New blocks become ready before the session's first question, and between two questions. */
    @Test
    void everyInstanceIsChargedToTheBlocksOfTheOpening() {
        String session = when(4).open("key", OpenSessions.bytes("""
                        {"epsilon":"80","threshold":5,"maxPositives":2,"queries":"counts","payment":"per-positive",
                         "blocks":{"latest":2}}""")).sessionId();
        assertThat(spent(4)).isEqualTo("0");

        byte[] first = when(7).ask(session, OpenSessions.count(1)).body();
        assertThat(spent(4)).isEqualTo("40");
        byte[] second = when(9).ask(session, OpenSessions.count(2)).body();

        assertThat(OpenSessions.isAbove(first) && OpenSessions.isAbove(second)).isTrue();
        assertThat(read).containsExactly(new BlockWindow(3, 4), new BlockWindow(3, 4));
        assertThat(List.of(spent(2), spent(3), spent(4), spent(5), spent(7)))
                .containsExactly("0", "80", "80", "0", "0");
    }

    @Test
    void aSessionThatIsPaidAtOnceReadsTheBlocksThatPaid() {
        String session = when(4).open("key", OpenSessions.bytes("""
                        {"epsilon":"40","threshold":5,"maxPositives":2,"queries":"counts","blocks":{"latest":1}}""")).sessionId();
        assertThat(List.of(spent(3), spent(4))).containsExactly("0", "40");

        when(7).ask(session, OpenSessions.count(1));

        assertThat(read).containsExactly(BlockWindow.of(4));
        assertThat(List.of(spent(3), spent(4), spent(7))).containsExactly("0", "40", "0");
    }

    @Test
    void noneIsOpenedForBlocksThatAreNotReady() {
        byte[] unready = OpenSessions.bytes("""
                {"epsilon":"0.5","threshold":5,"maxPositives":2,"queries":"counts","blocks":{"from":"40","to":"60"}}""");

        RequestIdentity identity = new RequestIdentity("ana", "POST /sessions", "key");
        ProblemException refusal = refusedAs(ProblemType.DATASET_NOT_READY, () -> when(4).open(identity, unready));
        assertThat(String.valueOf(refusal.members().get("blocks"))).isEqualTo("[{from=50, to=60}]");
        assertThat(when(4).open.ledger.entries(OpenInteractions.ACCOUNT, 0, 10)).hasSize(1);
    }
}
