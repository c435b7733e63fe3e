package dev.purser.engine;

import dev.purser.mechanism.BrokenTwin;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Recompiled;
import dev.purser.mechanism.Sensitive;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.AuditOutcome;
import dev.purser.problem.ProblemException;
import dev.purser.query.BudgetAudit;
import dev.purser.query.Guarantee;
import dev.purser.query.QuestionRequest;
import dev.purser.tables.PostgresWarehouse;
import dev.purser.tables.TableConnections;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Twins that forget in one place what blocks are: which blocks paid, whose rows they are, what a registration with
 * blocks promises. Each twin differs by one line of the real source, compiled anew. The same audit, at the same seed,
 * refutes the twin and does not refute the right line. The frequencies of both agree with their exact counts. Right
 * lines fail with probability below 1e-5.
 */
class BrokenBlocksStatisticalTests {
    private static final PostgresWarehouse WAREHOUSE = PostgresWarehouse.create();
    private static final int DRAWS = 40_000;
    private static final double CLAIMED = 1;

    /** The classes that are compiled or loaded anew. */
    private static final List<String> LOADED_AGAIN =
            List.of("dev.purser.engine.", "dev.purser.ledger.", "dev.purser.dataset.", "dev.purser.query.");

    /** The probabilities that the noise of a count is at least 0, at least 1, and at least 3. */
    private static final double HIGH = 1 / (1 + Math.exp(-1));

    private static final double LOW = 1 - HIGH;
    private static final double LOWEST = LOW * Math.exp(-2);

    private static final String WITHIN =
            "return new BucketRequest(column, filter.and(condition), keys, edges, squares, units);";

    private static final BrokenTwin REPLACED = twin(
            "a dataset with blocks may be one of replaced rows",
            "dev.purser.dataset.RegistrationReader",
            "if (relation.filter(NeighboringRelation.REPLACE_ONE::equals).isPresent()) {",
            "if (relation.isEmpty()) {");

    private static final BrokenTwin FOLLOWS_ROWS = twin(
            "blocks without rows do not pay",
            QuestionRequest.class.getName(),
            "window().orElse(null),",
            "window().map(BudgetAudit::withRows).orElse(null),");

    /** The probabilities of an event on both histories. */
    private record Chances(double onRows, double onNeighbor) {}

    /** @param right the chances with the right line */
    private record Case(BlockAudit audit, BrokenTwin twin, Chances broken, Chances right) {
        @Override
        public String toString() {
            return twin.name();
        }
    }

    private static final BrokenTwin ONE_PAYS = twin(
            "one block of the window is charged",
            "dev.purser.ledger.SqlBooks",
            "SELECT CAST(? AS INTEGER) UNION ALL SELECT block + 1 FROM charged WHERE block < ?)",
            "SELECT CAST(? AS INTEGER) UNION ALL SELECT block + 1 FROM charged WHERE block + 10 < ?)");

    static final List<Case> ALL = List.of(
            new Case(
                    BlockAudit.NO_FILTER,
                    twin(
                            "a question without a filter reads all blocks",
                            BucketRequest.class.getName(),
                            WITHIN,
                            "return filter.isSelective() ? new BucketRequest(column, filter.and(condition), keys,"
                                    + " edges, squares, units) : this;"),
                    new Chances(Math.pow(LOW, 5), Math.pow(HIGH, 5)),
                    new Chances(Math.pow(LOW, 5), HIGH * Math.pow(LOW, 4))),
            new Case(
                    BlockAudit.OPEN_FILTER,
                    twin(
                            "a filter with an open end reads all blocks",
                            BucketRequest.class.getName(),
                            WITHIN,
                            "return filter.conditions().stream().anyMatch(each -> each instanceof Filter.Between range"
                                    + " && range.to() == Long.MAX_VALUE) ? this"
                                    + " : new BucketRequest(column, filter.and(condition), keys, edges, squares,"
                                    + " units);"),
                    new Chances(Math.pow(LOW, 5), Math.pow(HIGH, 5)),
                    new Chances(Math.pow(LOW, 5), HIGH * Math.pow(LOW, 4))),
            new Case(
                    BlockAudit.ONE_UNIT,
                    twin(
                            "the rows of a unit are bounded in all blocks together",
                            TableQuery.class.getName(),
                            "partition(),",
                            "new Sql(\"unit\", List.of()),"),
                    new Chances(LOW * LOW, HIGH * HIGH),
                    new Chances(LOW * LOW, HIGH * LOW)),
            new Case(
                    BlockAudit.PER_BLOCK,
                    twin(
                            "the guarantee is for a unit in all blocks",
                            Guarantee.class.getName(),
                            ".map(blocks -> new PerBlock(blocks.column(), width(blocks.width())))",
                            ".<PerBlock>map(blocks -> null)"),
                    new Chances(LOWEST, HIGH),
                    new Chances(LOW, HIGH)));

    private static BrokenTwin twin(String name, String type, String line, String broken) {
        try {
            return new BrokenTwin(name, Class.forName(type), line, broken, "blocks", DRAWS);
        } catch (ClassNotFoundException renamed) {
            throw new IllegalStateException("the twin '" + name + "' has to change with its class", renamed);
        }
    }

    /** The home of one ledger. Every history has its own account. */
    @TempDir
    static Path home;

    private static int accounts;

    @ParameterizedTest(name = "{0}")
    @FieldSource("ALL")
    void isRefutedUntilItsLineIsPutRight(Case slip) throws Exception {
        assertRefuted(slip.audit(), slip.twin(), slip.broken());
        AuditOutcome right = run(slip.audit(), loaded(slip.twin(), slip.twin().rightSource()));
        assertThat(right.lossLowerBound()).as("put right: %s", right).isLessThanOrEqualTo(CLAIMED);
        assertThat(right.agreesWith(slip.right().onRows(), slip.right().onNeighbor()))
                .as("put right: %s", right)
                .isTrue();
    }

    /** The ledger compares what is spent with its entries. So this twin answers one question and no second question. */
    @Test
    void aWindowOfWhichOneBlockPaysIsRefused() throws Exception {
        assertThatThrownBy(() -> run(BlockAudit.ALL_PAY, loaded(ONE_PAYS, ONE_PAYS.brokenSource())))
                .rootCause()
                .hasMessageContaining("its blocks are not what its entries say");
        AuditOutcome right = run(BlockAudit.ALL_PAY, loaded(ONE_PAYS, ONE_PAYS.rightSource()));
        assertThat(right.lossLowerBound()).as("put right: %s", right).isLessThanOrEqualTo(CLAIMED);
        assertThat(right.agreesWith(LOW, HIGH)).as("put right: %s", right).isTrue();
    }

    /** A replaced row may leave one block and come into another. Each of the two blocks pays once. */
    @Test
    void replacedRowsAreRefusedWithTheRegistration() throws Exception {
        assertRefuted(BlockAudit.REPLACED, REPLACED, new Chances(HIGH * HIGH, LOW * LOW));
        Recompiled right = loaded(REPLACED, REPLACED.rightSource());
        assertThatThrownBy(() -> run(BlockAudit.REPLACED, right))
                .hasRootCauseInstanceOf(ProblemException.class)
                .rootCause()
                .hasMessageContaining("a replaced row may be in another block");
    }

    private static void assertRefuted(BlockAudit audit, BrokenTwin twin, Chances chances) throws Exception {
        AuditOutcome broken = run(audit, loaded(twin, twin.brokenSource()));
        assertThat(broken.lossLowerBound()).as("%s: %s", twin, broken).isGreaterThan(CLAIMED);
        assertThat(broken.agreesWith(chances.onRows(), chances.onNeighbor()))
                .as("%s: %s", twin, broken)
                .isTrue();
    }

    /** What can be seen of budgets has no noise. So it must be the same byte for byte. */
    @Test
    void budgetsOfNeighborsAreTheSameUntilTheChargeFollowsTheRows() throws Exception {
        Recompiled right = loaded(FOLLOWS_ROWS, FOLLOWS_ROWS.rightSource());
        String budgets = budgets(right, -1);
        assertThat(budgets).contains("0.5");
        assertThat(IntStream.range(0, 3).mapToObj(block -> budgets(right, block)))
                .containsOnly(budgets);
        Recompiled broken = loaded(FOLLOWS_ROWS, FOLLOWS_ROWS.brokenSource());
        assertThat(budgets(broken, 2)).isNotEqualTo(budgets(broken, -1));
    }

    private static String budgets(Recompiled service, int rowIn) {
        try {
            return (String) service.call(
                    BudgetAudit.class,
                    "budgets",
                    new Class<?>[] {int.class, Path.class, String.class},
                    rowIn,
                    home,
                    newAccount());
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Recompiled loaded(BrokenTwin twin, String source) {
        return Recompiled.with(Map.of(twin.type(), source), LOADED_AGAIN);
    }

    private static AuditOutcome run(BlockAudit audit, Recompiled engine) throws Exception {
        String[] neighbors =
                (String[]) engine.call(BlockAudit.class, "neighbors", new Class<?>[] {String.class}, audit.name());
        return new AuditOutcome(hits(audit, engine, neighbors[0], 1), hits(audit, engine, neighbors[1], 2), DRAWS);
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
                new Class<?>[] {String.class, TableConnections.class, Path.class, String.class},
                audit.name(),
                WAREHOUSE.connections(),
                home,
                newAccount());
        SeededBits bits = new SeededBits(seed);
        return IntStream.range(0, DRAWS)
                .filter(draw -> audit.happens(collected, bits))
                .count();
    }

    private static String newAccount() {
        return "visits-" + accounts++;
    }
}
