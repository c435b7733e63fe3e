package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.FingerprintSecrets;
import dev.purser.dataset.Notation;
import dev.purser.dataset.Source;
import dev.purser.ledger.DebitsForTests;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Mechanism;
import dev.purser.mechanism.NoisyHistogram;
import dev.purser.mechanism.NoisyStatistic;
import dev.purser.mechanism.Sensitive;
import dev.purser.mechanism.Statistic;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.tables.TableConnections;
import dev.purser.tables.TableName;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Questions of epsilon 1 about a table of five days, which two neighbouring histories of one unit in one block fill.
 * Every block pays for one of the questions at most, so all answers together lose 1.
 */
enum BlockAudit {
    /** A row from before the first day is in the block of that day; every block is asked how many rows it has. */
    NO_FILTER(new PrivacyUnit.Row(), Filter.ALL_ROWS, "", "('a', '2001-01-01')"),

    /** The same with a filter that leaves out nothing. */
    OPEN_FILTER(
            new PrivacyUnit.Row(),
            new Filter(List.of(new Filter.Between(Days.COLUMN, 0, Long.MAX_VALUE))),
            "",
            "('a', '2001-01-01')"),

    /** A unit of one row a block has rows in two blocks or in the second alone; a histogram asks both. */
    ONE_UNIT(
            new PrivacyUnit.Column("who", 1, PrivacyUnit.IdType.TEXT),
            Filter.ALL_ROWS,
            "('b', '1970-01-02')",
            "('b', '1970-01-01'), ('b', '1970-01-02')");

    /** Apart, because constants of the enumeration use it. */
    private static final class Days {
        private static final Column.Numeric COLUMN = new Column.Numeric("day", new Notation.Dates(), 0, 4, 0L);
        private static final Blocks BLOCKS = Blocks.over("day", new Blocks.Day(), 0, 4);
    }

    private static final PrivacyAllowance ONE = new PrivacyAllowance.Pure(Epsilon.parse("1"));
    private static final double BETA = 0.05;
    private static final long[] BINS = {0, 1, 2};

    private final PrivacyUnit unit;
    private final Filter filter;
    private final String rows;
    private final String neighbor;

    /**
     * @param rows of the table, as a statement inserts them
     * @param neighbor the rows of the neighbour
     */
    BlockAudit(PrivacyUnit unit, Filter filter, String rows, String neighbor) {
        this.unit = unit;
        this.filter = filter;
        this.rows = rows;
        this.neighbor = neighbor;
    }

    String rows() {
        return rows;
    }

    String neighbor() {
        return neighbor;
    }

    /** What the engine collects of the table {@code census.audited} for each question. */
    static List<Sensitive<List<Buckets>>> collected(String audit, TableConnections connections) {
        BlockAudit asked = valueOf(audit);
        Source source = new Source.Table("warehouse", new TableName("census", "audited"));
        Dataset dataset = DatasetsForTests.divided(
                DatasetsForTests.of("audited", asked.unit, 10, List.of(Days.COLUMN), source), Days.BLOCKS);
        DataEngine engine = new TableEngine(connections, FingerprintSecrets.of(7), Duration.ofSeconds(60));
        return asked.windows().stream()
                .map(window ->
                        engine.collect(DebitsForTests.committed("audited", window), dataset, List.of(asked.request())))
                .toList();
    }

    private List<BlockWindow> windows() {
        return this == ONE_UNIT
                ? List.of(new BlockWindow(0, 1))
                : IntStream.range(0, Days.BLOCKS.count())
                        .mapToObj(BlockWindow::of)
                        .toList();
    }

    private BucketRequest request() {
        return this == ONE_UNIT ? BucketRequest.of(Days.COLUMN, filter, BINS) : BucketRequest.rowCount(filter);
    }

    /** Whether fresh answers show the event: all counts are at least 1, or the first alone is. */
    boolean happens(List<Sensitive<List<Buckets>>> collected, RandomBits bits) {
        Neighborhood neighborhood = new Neighborhood(NeighboringRelation.ADD_OR_REMOVE_ONE, unit);
        if (this == ONE_UNIT) {
            List<BigInteger> bins = new NoisyHistogram(ONE, 0, false, BINS, neighborhood, BETA)
                    .release(collected.getFirst(), bits)
                    .counts();
            return bins.get(0).signum() > 0 && bins.get(1).signum() <= 0;
        }
        Mechanism<NoisyStatistic.Answer> count =
                NoisyStatistic.count(ONE, Statistic.Count.ofAll(0, filter.isSelective()), neighborhood, BETA);
        // Without a shortcut: each draw takes the same number of answers.
        return collected.stream()
                        .filter(each -> count.release(each, bits).steps().signum() > 0)
                        .count()
                == collected.size();
    }
}
