package dev.purser.synopsis;

import dev.purser.mechanism.BrokenTwin;
import dev.purser.mechanism.Recompiled;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All tables of a synopsis are about the same rows: the rows in the cells of every column. Otherwise its estimates
 * would mix two numbers, and no interval would hold. The twin forgets the columns that a table does not divide.
 */
class SynopsisRowsTests {
    private static final BrokenTwin CUT_FORGOTTEN = new BrokenTwin(
            "a table forgets which rows its other columns leave out",
            SynopsisQuery.class,
            "plan.table(cells.measure(), cells.rows(divided), keys, false);",
            "plan.table(cells.measure(), cells.where().filter(), keys, false);",
            "synopsis",
            1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"marginals\":1,\"columns\":[{\"column\":\"a\",\"edges\":[2,5,8]},{\"column\":\"b\"}]",
                "\"marginals\":2,\"columns\":[{\"column\":\"b\",\"step\":5},{\"column\":\"a\",\"edges\":[2,8]}]",
                "\"columns\":[{\"column\":\"a\",\"edges\":[2,8]},{\"column\":\"b\"}]",
                "\"measure\":{\"sum\":\"b\"},\"columns\":[{\"column\":\"b\"},{\"column\":\"a\",\"edges\":[2,8]}]",
            })
    void tablesOfOneSynopsisHoldTheSameRowsUntilTheCutIsForgotten(String about) throws Exception {
        String body = "{\"epsilon\":\"1\"," + about + "}";
        assertThat(SynopsisRowsAudit.rowsOfTables(body)).containsOnly(60);
        Recompiled twin = Recompiled.with(
                Map.of(CUT_FORGOTTEN.type(), CUT_FORGOTTEN.brokenSource()),
                List.of("dev.purser.synopsis.", "dev.purser.query.", "dev.purser.engine."));
        long[] broken =
                (long[]) twin.call(SynopsisRowsAudit.class, "rowsOfTables", new Class<?>[] {String.class}, body);
        assertThat(broken).contains(100);
    }
}
