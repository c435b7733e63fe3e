package dev.purser.session;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.interactive.OpenInteractions;
import dev.purser.ledger.RequestIdentity;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A session is about the blocks that it was opened for. */
class SessionsOfBlocksTests {
    private static final Dataset DATASET = DatasetsForTests.divided(
            OpenSessions.DATASET, Blocks.over("age", new Blocks.Integers(10), 0, 125));
    private static final byte[] LATEST = OpenSessions.bytes("""
            {"epsilon":"0.5","threshold":5,"maxPositives":2,"queries":"counts","payment":"per-positive",
             "blocks":{"latest":2}}""");

    @TempDir
    Path home;

    private Database database;

    @BeforeEach
    void open() {
        database = new Database(new PurserHome(home));
        when(0).open.withAccount(OpenInteractions.ACCOUNT, "1");
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private OpenSessions when(int newest) {
        Dataset dataset = DATASET.asOf(new BlockWindow(0, newest));
        VisibleDatasets visible = DatasetsForTests.visible(() -> dataset);
        return new OpenSessions(database, OpenSessions.EMPTY, dataset, visible);
    }

    private static Object blocks(byte[] session) {
        return OpenSessions.JSON.readTree(session).at("/declaration/blocks").toString();
    }

    @Test
    void theLatestBlocksAreThoseOfTheOpening() {
        ThresholdSessions.Reply opened = when(4).open("key", LATEST);

        assertThat(blocks(opened.body())).isEqualTo("{\"from\":\"30\",\"to\":\"40\"}");
        OpenSessions later = when(7);
        SessionView shown = later.sessions.shown(
                later.named(opened.sessionId()), DATASET.asOf(new BlockWindow(0, 7)));
        assertThat(shown.declaration()).containsEntry("blocks", Map.of("from", "30", "to", "40"));
        assertThat(later.open("key", LATEST).body()).isEqualTo(opened.body());
        assertThat(blocks(later.open("other", LATEST).body())).isEqualTo("{\"from\":\"60\",\"to\":\"70\"}");
    }

    @Test
    void noneIsOpenedForBlocksThatAreNotReady() {
        byte[] unready = OpenSessions.bytes("""
                {"epsilon":"0.5","threshold":5,"maxPositives":2,"queries":"counts","blocks":{"from":"40","to":"60"}}""");

        assertThatThrownBy(() -> when(4).open(new RequestIdentity("ana", "POST /sessions", "key"), unready))
                .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                    assertThat(refusal.type()).isEqualTo(ProblemType.DATASET_NOT_READY);
                    assertThat(String.valueOf(refusal.members().get("blocks"))).isEqualTo("[{from=50, to=60}]");
                });
        assertThat(when(4).open.ledger.entries(OpenInteractions.ACCOUNT, 0, 10)).hasSize(1);
    }
}
