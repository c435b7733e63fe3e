package dev.purser.engine;

import dev.purser.mechanism.BrokenTwin;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Recompiled;
import dev.purser.mechanism.Sensitive;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.AuditOutcome;
import dev.purser.tables.PostgresWarehouse;
import dev.purser.tables.TableConnections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Twins of the engine for tables that forget in one place which blocks paid. Each differs by one line of the real
 * source, compiled anew. The same audit, at the same seed, refutes the twin and not what is right: the frequencies of
 * both are those of their exact counts. The right lines fail with probability below 1e-5.
 */
class BrokenBlocksStatisticalTests {
    private static final PostgresWarehouse WAREHOUSE = PostgresWarehouse.create();
    private static final int DRAWS = 40_000;
    private static final double CLAIMED = 1;

    /** The probabilities that the noise of a count is at least 0, and at least 1. */
    private static final double HIGH = 1 / (1 + Math.exp(-1));

    private static final double LOW = 1 - HIGH;

    private static final String WITHIN =
            "return new BucketRequest(column, filter.and(condition), keys, edges, squares);";

    /**
     * A twin, and the probabilities of the event.
     *
     * @param onRows of both, on the rows
     * @param broken of the twin, on the neighbour
     * @param right of what is right, on the neighbour
     */
    private record Case(BlockAudit audit, BrokenTwin twin, double onRows, double broken, double right) {
        @Override
        public String toString() {
            return twin.name();
        }
    }

    static final List<Case> ALL = List.of(
            new Case(
                    BlockAudit.NO_FILTER,
                    twin(
                            "a question without a filter reads all blocks",
                            BucketRequest.class,
                            WITHIN,
                            "return filter.isSelective() ? new BucketRequest(column, filter.and(condition), keys, edges,"
                                    + " squares) : this;"),
                    Math.pow(LOW, 5),
                    Math.pow(HIGH, 5),
                    HIGH * Math.pow(LOW, 4)),
            new Case(
                    BlockAudit.OPEN_FILTER,
                    twin(
                            "a filter with an open end reads all blocks",
                            BucketRequest.class,
                            WITHIN,
                            "return filter.conditions().stream().anyMatch(each -> each instanceof Filter.Between range"
                                    + " && range.to() == Long.MAX_VALUE) ? this"
                                    + " : new BucketRequest(column, filter.and(condition), keys, edges, squares);"),
                    Math.pow(LOW, 5),
                    Math.pow(HIGH, 5),
                    HIGH * Math.pow(LOW, 4)),
            new Case(
                    BlockAudit.ONE_UNIT,
                    twin(
                            "the rows of a unit are bounded in all blocks together",
                            TableQuery.class,
                            "partition(),",
                            "new Sql(\"unit\", List.of()),"),
                    LOW * LOW,
                    HIGH * HIGH,
                    HIGH * LOW));

    private static BrokenTwin twin(String name, Class<?> type, String line, String broken) {
        return new BrokenTwin(name, type, line, broken, "blocks", DRAWS);
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("ALL")
    void isRefutedUntilItsLineIsPutRight(Case slip) throws Exception {
        AuditOutcome broken = run(slip, slip.twin().brokenSource());
        assertThat(broken.lossLowerBound()).as("%s: %s", slip, broken).isGreaterThan(CLAIMED);
        assertThat(broken.agreesWith(slip.onRows(), slip.broken()))
                .as("%s: %s", slip, broken)
                .isTrue();
        AuditOutcome right = run(slip, slip.twin().rightSource());
        assertThat(right.lossLowerBound()).as("put right: %s", right).isLessThanOrEqualTo(CLAIMED);
        assertThat(right.agreesWith(slip.onRows(), slip.right()))
                .as("put right: %s", right)
                .isTrue();
    }

    private static AuditOutcome run(Case slip, String source) throws Exception {
        Recompiled engine = Recompiled.with(Map.of(slip.twin().type(), source), List.of("dev.purser.engine."));
        return new AuditOutcome(
                hits(slip.audit(), engine, slip.audit().rows(), 1),
                hits(slip.audit(), engine, slip.audit().neighbor(), 2),
                DRAWS);
    }

    @SuppressWarnings("unchecked") // What the copy of the method returns is made of classes that are not copied.
    private static long hits(BlockAudit audit, Recompiled engine, String rows, long seed) throws Exception {
        WAREHOUSE.execute("DROP TABLE IF EXISTS census.audited");
        WAREHOUSE.execute("CREATE TABLE census.audited (who text, day date)");
        if (!rows.isEmpty()) {
            WAREHOUSE.execute("INSERT INTO census.audited VALUES " + rows);
        }
        List<Sensitive<List<Buckets>>> collected = (List<Sensitive<List<Buckets>>>) engine.call(
                BlockAudit.class,
                "collected",
                new Class<?>[] {String.class, TableConnections.class},
                audit.name(),
                WAREHOUSE.connections());
        SeededBits bits = new SeededBits(seed);
        return IntStream.range(0, DRAWS)
                .filter(draw -> audit.happens(collected, bits))
                .count();
    }
}
