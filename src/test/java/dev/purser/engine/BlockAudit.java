package dev.purser.engine;

import dev.purser.dataset.BlockDatasets;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.FingerprintSecrets;
import dev.purser.dataset.Notation;
import dev.purser.dataset.ReadyBlocks;
import dev.purser.dataset.Source;
import dev.purser.ledger.BlockLedger;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Mechanism;
import dev.purser.mechanism.NoisyHistogram;
import dev.purser.mechanism.NoisyStatistic;
import dev.purser.mechanism.Sensitive;
import dev.purser.mechanism.Statistic;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.query.Guarantee;
import dev.purser.tables.TableConnections;
import dev.purser.tables.TableName;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Questions of epsilon 1 about a table of five days, which two neighbouring histories fill. A question is paid from a
 * ledger in which each day has a limit of 1. So for the neighbours of the guarantee, all answers together lose 1.
 */
enum BlockAudit {
    /** A row from before the first day is in the block of that day; every block is asked how many rows it has. */
    NO_FILTER(new PrivacyUnit.Row(), Filter.ALL_ROWS, days(5), BlockAudit::areAllHigh),

    /** As {@link #NO_FILTER}, with a filter that leaves out nothing. */
    OPEN_FILTER(new PrivacyUnit.Row(), Days.OPEN, days(5), BlockAudit::areAllHigh),

    /** A unit of one row a block has rows in two blocks or only in the second. A histogram asks both blocks. */
    ONE_UNIT(Days.BY_WHO, Filter.ALL_ROWS, List.of(new BlockWindow(0, 1)), BlockAudit::isFirstAloneHigh),

    /** A row in the second block, or no row. The first two blocks are counted together, and then the second alone. */
    ALL_PAY(
            new PrivacyUnit.Row(),
            Filter.ALL_ROWS,
            List.of(new BlockWindow(0, 1), BlockWindow.of(1)),
            BlockAudit::areAllHigh),

    /** A unit of one row a block gets a row in the third block, or in three blocks. The three are counted together. */
    PER_BLOCK(
            Days.BY_WHO,
            Filter.ALL_ROWS,
            List.of(new BlockWindow(0, 2)),
            counts -> counts.getFirst().compareTo(BigInteger.TWO) > 0),

    /** One row is in the first block or in the second. Each block is counted. */
    REPLACED(new PrivacyUnit.Row(), Days.OPEN, days(2), BlockAudit::isFirstAloneHigh);

    /** A class apart, because constants of the enumeration use its fields. */
    private static final class Days {
        private static final Column.Numeric COLUMN = new Column.Numeric("day", new Notation.Dates(), 0, 4, 0L);
        private static final Blocks BLOCKS = Blocks.over("day", new Blocks.Day(), 0, 4);
        private static final Filter OPEN = new Filter(List.of(new Filter.Between(COLUMN, 0, Long.MAX_VALUE)));
        private static final PrivacyUnit BY_WHO = new PrivacyUnit.Column("who", 1, PrivacyUnit.IdType.TEXT);
    }

    private static final PrivacyAllowance ONE = new PrivacyAllowance.Pure(Epsilon.parse("1"));
    private static final double BETA = 0.05;
    private static final long[] BINS = {0, 1, 2};

    private final PrivacyUnit unit;
    private final Filter filter;
    private final List<BlockWindow> asked;
    private final Predicate<List<BigInteger>> event;

    /**
     * @param asked for each question, its blocks
     * @param event what the answers may show
     */
    BlockAudit(PrivacyUnit unit, Filter filter, List<BlockWindow> asked, Predicate<List<BigInteger>> event) {
        this.unit = unit;
        this.filter = filter;
        this.asked = asked;
        this.event = event;
    }

    /** Each of the first {@code count} days alone. */
    private static List<BlockWindow> days(int count) {
        return IntStream.range(0, count).mapToObj(BlockWindow::of).toList();
    }

    private static boolean areAllHigh(List<BigInteger> counts) {
        return counts.stream().allMatch(count -> count.signum() > 0);
    }

    private static boolean isFirstAloneHigh(List<BigInteger> counts) {
        return counts.get(0).signum() > 0 && counts.get(1).signum() <= 0;
    }

    /** The rows of the two histories, as a statement inserts them. To the guarantee they are neighbours. */
    static String[] neighbors(String audit) {
        return switch (valueOf(audit)) {
            case NO_FILTER, OPEN_FILTER -> new String[] {"", "('a', '1960-01-01')"};
            case ONE_UNIT -> new String[] {"('b', '1970-01-02')", "('b', '1970-01-01'), ('b', '1970-01-02')"};
            case ALL_PAY -> new String[] {"", "('a', '1970-01-02')"};
            case PER_BLOCK -> {
                String two = "('a', '1970-01-01'), ('a', '1970-01-02')";
                yield new String[] {isPerBlock() ? two : "", two + ", ('a', '1970-01-03')"};
            }
            case REPLACED -> new String[] {"('a', '1970-01-01')", "('a', '1970-01-02')"};
        };
    }

    private static boolean isPerBlock() {
        return Guarantee.of(PER_BLOCK.dataset(), ONE.event(), Delta.ZERO)
                        .privacyUnit()
                        .perBlock()
                != null;
    }

    /**
     * What the engine collects of the table {@code census.audited} for each question that is paid.
     *
     * @param home the home of the ledger
     * @param account an account that the ledger does not have yet
     */
    static List<Sensitive<List<Buckets>>> collected(
            String audit, TableConnections connections, Path home, String account) throws SQLException {
        BlockAudit asked = valueOf(audit);
        Dataset dataset = asked.dataset();
        DataEngine engine = new TableEngine(connections, FingerprintSecrets.of(7), Duration.ofSeconds(60));
        try (BlockLedger ledger = new BlockLedger(home, account, Days.BLOCKS)) {
            return asked.asked.stream()
                    .map(ledger::ask)
                    .flatMap(Optional::stream)
                    .map(debit -> engine.collect(debit, dataset, List.of(asked.request())))
                    .toList();
        }
    }

    /** The dataset as registered. Its rows come from a table, which refuses replace-one for another reason too. */
    private Dataset dataset() {
        Source source = new Source.Table("warehouse", new TableName("census", "audited"));
        Dataset divided = DatasetsForTests.divided(
                DatasetsForTests.of("audited", unit, 10, List.of(Days.COLUMN), source), Days.BLOCKS);
        if (relation() == NeighboringRelation.ADD_OR_REMOVE_ONE) {
            return divided;
        }
        BlockDatasets.of("""
                [{"name":"day","type":"date","lower":"1970-01-01","upper":"1970-01-05"}]""", relation(), """
                {"column":"day","width":"day"}""", ReadyBlocks.NONE);
        return DatasetsForTests.replaceOne(divided);
    }

    private NeighboringRelation relation() {
        return this == REPLACED ? NeighboringRelation.REPLACE_ONE : NeighboringRelation.ADD_OR_REMOVE_ONE;
    }

    private BucketRequest request() {
        return this == ONE_UNIT ? BucketRequest.of(Days.COLUMN, filter, BINS) : BucketRequest.rowCount(filter);
    }

    /** Whether fresh answers show the event. */
    boolean happens(List<Sensitive<List<Buckets>>> collected, RandomBits bits) {
        Neighborhood neighborhood = new Neighborhood(relation(), unit);
        if (this == ONE_UNIT) {
            return event.test(new NoisyHistogram(ONE, 0, false, BINS, neighborhood, BETA)
                    .release(collected.getFirst(), bits)
                    .counts());
        }
        Mechanism<NoisyStatistic.Answer> count =
                NoisyStatistic.count(ONE, Statistic.Count.ofAll(0, filter.isSelective()), neighborhood, BETA);
        return event.test(collected.stream()
                .map(each -> count.release(each, bits).steps())
                .toList());
    }
}
