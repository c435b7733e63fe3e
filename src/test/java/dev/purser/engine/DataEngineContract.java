package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.Notation;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.DebitsForTests;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.ExactForTests;
import dev.purser.mechanism.Sensitive;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Grid;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.TemporalAdjuster;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * The contract of every engine: it gives the same results as an oracle that reads one row at a time. A new engine is
 * accepted when it passes this contract.
 */
public abstract class DataEngineContract {
    private static final Column.Numeric AGE = DatasetsForTests.decimal("age", "1", -50, 50, 0L);
    private static final Column.Numeric HOURS = DatasetsForTests.decimal("hours", "0.25", -1000, 4000, 0L);
    private static final Column.Category SEX = DatasetsForTests.category("sex", 0, "F", "M", "X");
    private static final Column.Numeric HUGE =
            DatasetsForTests.decimal("'; drop table \"rows\"; --", "1", -Grid.MAX_MAGNITUDE, Grid.MAX_MAGNITUDE, 0L);
    private static final List<Column> COLUMNS = List.of(AGE, HOURS, SEX, HUGE);
    private static final CommittedDebit DEBIT = DebitsForTests.committed("contract");

    private int datasets;

    /** The engine under test. */
    protected abstract DataEngine engine();

    /**
     * Gives the engine a dataset with these rows of grid integers and category indices, in the order of its columns.
     */
    protected abstract void store(Dataset dataset, Stream<long[]> rows) throws Exception;

    /** As {@link #store}, with 2^{@code doublings} rows equal to {@code row}. */
    protected void storeDoubled(Dataset dataset, long[] row, int doublings) throws Exception {
        store(dataset, LongStream.range(0, 1L << doublings).mapToObj(i -> row));
    }

    /** Takes the rows away without telling the engine. */
    protected abstract void breakRows(Dataset dataset) throws Exception;

    /** A dataset of this id, of the kind that the engine serves. */
    protected Dataset dataset(String id, Column... columns) {
        return DatasetsForTests.rows(id, columns);
    }

    private Dataset newDataset(Column... columns) {
        return dataset("contract-" + datasets++, columns);
    }

    private Dataset stored(List<long[]> rows) throws Exception {
        Dataset dataset = newDataset(COLUMNS.toArray(Column[]::new));
        store(dataset, rows.stream());
        return dataset;
    }

    private static List<long[]> randomRows(Random random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new long[] {
                    random.nextInt(101) - 50,
                    random.nextInt(5001) - 1000,
                    random.nextInt(3),
                    switch (random.nextInt(4)) {
                        case 0 -> Grid.MAX_MAGNITUDE;
                        case 1 -> -Grid.MAX_MAGNITUDE;
                        default -> random.nextLong() >> 23;
                    }
                })
                .toList();
    }

    private void checkAll(Dataset dataset, List<long[]> rows, BucketRequest... requests) {
        checkAll(DEBIT, dataset, rows, requests);
    }

    private void checkAll(CommittedDebit debit, Dataset dataset, List<long[]> rows, BucketRequest... requests) {
        List<Buckets> collected = ExactForTests.open(engine().collect(debit, dataset, List.of(requests)));
        assertThat(collected).hasSameSizeAs(requests);
        for (int i = 0; i < requests.length; i++) {
            BucketRequest request = requests[i];
            List<Buckets> groups = ExactForTests.groups(collected.get(i));
            assertThat(groups).as("%s", request).hasSize(request.groups());
            List<List<long[]>> rowsOf = grouped(dataset, rows, request);
            for (int group = 0; group < groups.size(); group++) {
                Buckets buckets = groups.get(group);
                assertThat(ExactForTests.prefixes(buckets, request.edges()))
                        .as("group %d of %s", group, request)
                        .isEqualTo(oracle(dataset, rowsOf.get(group), request));
                if (request.squares()) {
                    assertThat(ExactForTests.squares(buckets, request.edges()))
                            .as("squares of group %d of %s", group, request)
                            .isEqualTo(squares(dataset, rowsOf.get(group), request));
                }
            }
        }
    }

    /** The rows of each group that pass the filter, one row at a time. */
    private static List<List<long[]>> grouped(Dataset dataset, List<long[]> rows, BucketRequest request) {
        List<List<long[]>> groups = Stream.<List<long[]>>generate(ArrayList::new)
                .limit(request.groups())
                .toList();
        for (long[] row : rows) {
            int group = passes(dataset, request.filter(), row) ? 0 : -1;
            for (GroupKey key : request.keys()) {
                long value = row[dataset.columns().indexOf(key.column())];
                int part = -1;
                for (int i = 0; i < key.groups(); i++) {
                    if (value >= key.edges()[i] && value < key.edges()[i + 1]) {
                        part = i;
                    }
                }
                group = group < 0 || part < 0 ? -1 : group * key.groups() + part;
            }
            if (group >= 0) {
                groups.get(group).add(row);
            }
        }
        return groups;
    }

    private static ExactForTests.Prefixes oracle(Dataset dataset, List<long[]> rows, BucketRequest request) {
        long[] edges = request.edges();
        long[] counts = new long[edges.length + 1];
        BigInteger[] sums = new BigInteger[edges.length + 1];
        Arrays.fill(sums, BigInteger.ZERO);
        for (long[] row : rows) {
            Column column = request.column();
            long value = column == null ? 0 : row[dataset.columns().indexOf(column)];
            for (int i = 0; i < counts.length; i++) {
                if (i == edges.length || value < edges[i]) {
                    counts[i]++;
                    sums[i] = sums[i].add(BigInteger.valueOf(value));
                }
            }
        }
        return new ExactForTests.Prefixes(Arrays.stream(counts).boxed().toList(), List.of(sums));
    }

    private static List<BigInteger> squares(Dataset dataset, List<long[]> rows, BucketRequest request) {
        int column = dataset.columns().indexOf(Objects.requireNonNull(request.column()));
        return LongStream.concat(Arrays.stream(request.edges()), LongStream.of(Long.MAX_VALUE))
                .mapToObj(edge -> rows.stream()
                        .map(row -> row[column])
                        .filter(value -> value < edge)
                        .map(value -> BigInteger.valueOf(value).pow(2))
                        .reduce(BigInteger.ZERO, BigInteger::add))
                .toList();
    }

    private static boolean passes(Dataset dataset, Filter filter, long[] row) {
        for (Filter.Condition condition : filter.conditions()) {
            long value = row[dataset.columns().indexOf(condition.column())];
            boolean passes = switch (condition) {
                case Filter.Between between ->
                    (between.from() == Long.MIN_VALUE || value >= between.from())
                            && (between.to() == Long.MAX_VALUE || value < between.to());
                case Filter.OneOf oneOf -> oneOf.categories().contains((int) value);
            };
            if (!passes) {
                return false;
            }
        }
        return true;
    }

    private static Filter where(Filter.Condition... conditions) {
        return new Filter(List.of(conditions));
    }

    private static Filter.OneOf sexIn(Integer... indices) {
        return new Filter.OneOf(SEX, new CategorySet(new TreeSet<>(List.of(indices)), false));
    }

    private static Filter.OneOf sexNotIn(Integer... indices) {
        return new Filter.OneOf(SEX, new CategorySet(new TreeSet<>(List.of(indices)), true));
    }

    private static BucketRequest buckets(Column column, Filter filter, long... edges) {
        return BucketRequest.of(column, filter, edges);
    }

    @Test
    void countsAndSumsRandomRowsLikeTheOracle() throws Exception {
        Random random = new Random(11);
        List<long[]> rows = randomRows(random, 5000);
        Dataset dataset = stored(rows);
        for (int trial = 0; trial < 60; trial++) {
            checkAll(dataset, rows, randomRequest(random), randomRequest(random), randomRequest(random));
        }
    }

    /** Groups of several keys, of which some leave values out, with and without a column and squares. */
    @Test
    void groupsRandomRowsLikeTheOracle() throws Exception {
        Random random = new Random(20);
        List<long[]> rows = randomRows(random, 5000);
        Dataset dataset = stored(rows);
        for (int trial = 0; trial < 40; trial++) {
            checkAll(dataset, rows, randomTable(random), randomTable(random), randomTable(random));
        }
    }

    @Test
    void countsRowsInNoGroupNowhere() throws Exception {
        List<long[]> rows = randomRows(new Random(21), 1000);
        GroupKey sexes = new GroupKey(SEX, new long[] {0, 1, 2, 3});
        GroupKey middle = new GroupKey(AGE, new long[] {-10, 0, 20});
        GroupKey absent = new GroupKey(AGE, new long[] {51, 60});
        checkAll(
                stored(rows),
                rows,
                table(null, Filter.ALL_ROWS, sexes),
                table(null, Filter.ALL_ROWS, middle),
                table(null, Filter.ALL_ROWS, absent),
                table(null, where(sexIn(1)), sexes),
                table(null, where(sexIn()), sexes),
                table(HOURS, Filter.ALL_ROWS, middle, sexes),
                table(HOURS, Filter.ALL_ROWS, sexes, absent),
                table(AGE, where(sexNotIn(0)), middle),
                table(AGE, Filter.ALL_ROWS, middle, middle),
                table(HUGE, Filter.ALL_ROWS),
                table(HUGE, Filter.ALL_ROWS, sexes, middle));
    }

    private static BucketRequest table(@Nullable Column column, Filter filter, GroupKey... keys) {
        return new BucketRequest(
                column, filter, List.of(keys), column == null ? new long[0] : new long[] {-5, 7}, column != null);
    }

    @Test
    void groupsAnEmptyTable() throws Exception {
        GroupKey sexes = new GroupKey(SEX, new long[] {0, 1, 2, 3});
        checkAll(
                stored(List.of()),
                List.of(),
                table(null, Filter.ALL_ROWS, sexes),
                table(AGE, Filter.ALL_ROWS, sexes),
                table(HUGE, where(sexIn(1)), sexes, sexes));
    }

    @Test
    void tablesThatShareAPassHaveTheirOwnEdgesAndSquares() throws Exception {
        List<long[]> rows = randomRows(new Random(22), 1000);
        List<GroupKey> keys = List.of(new GroupKey(SEX, new long[] {0, 1, 3}));
        checkAll(
                stored(rows),
                rows,
                new BucketRequest(HUGE, Filter.ALL_ROWS, keys, new long[] {-3, 0}, false),
                new BucketRequest(HUGE, Filter.ALL_ROWS, keys, new long[] {0, 9, 1L << 39}, true),
                new BucketRequest(HUGE, Filter.ALL_ROWS, List.of(), new long[] {0}, true),
                new BucketRequest(HUGE, Filter.ALL_ROWS, List.of(), new long[] {1}, false));
    }

    /** Two keys with ten thousand groups together, and a hundred edges in each group. */
    @Test
    void servesManyGroupsAndEdges() throws Exception {
        List<long[]> rows = randomRows(new Random(23), 300);
        long[] steps = LongStream.rangeClosed(0, 100).map(i -> i * 50 - 1000).toArray();
        GroupKey hours = new GroupKey(HOURS, steps);
        GroupKey ages = new GroupKey(AGE, LongStream.rangeClosed(-50, 50).toArray());
        Dataset dataset = stored(rows);
        checkAll(dataset, rows, table(null, Filter.ALL_ROWS, hours, ages));
        checkAll(
                dataset,
                rows,
                new BucketRequest(
                        AGE,
                        where(sexIn(1)),
                        List.of(hours),
                        LongStream.range(-50, 51).toArray(),
                        true));
    }

    private static BucketRequest randomTable(Random random) {
        BucketRequest request = randomRequest(random);
        Column column = random.nextInt(4) == 0 ? null : request.column();
        return new BucketRequest(
                column,
                random.nextInt(3) == 0 ? Filter.ALL_ROWS : request.filter(),
                Stream.generate(() -> randomKey(random))
                        .limit(random.nextInt(4))
                        .toList(),
                column == null ? new long[0] : request.edges(),
                column != null && random.nextBoolean());
    }

    private static GroupKey randomKey(Random random) {
        Column column = COLUMNS.get(random.nextInt(COLUMNS.size()));
        long lower = column.range().lower();
        long upper = column.range().upper();
        long width = Math.max(1, (upper - lower) / (2 + random.nextInt(5)));
        return new GroupKey(
                column,
                switch (random.nextInt(5)) {
                    // Every value of a short range, or of an end of a long range.
                    case 0 ->
                        LongStream.rangeClosed(lower, Math.min(lower + 7, upper + 1))
                                .toArray();
                    // Steps over the whole range.
                    case 1 ->
                        LongStream.iterate(lower, edge -> edge <= upper + width, edge -> edge + width)
                                .toArray();
                    // Edges, of which most or all divide nothing.
                    case 2 -> new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, lower, lower + 1, Long.MAX_VALUE};
                    case 3 -> new long[] {upper + 1 + random.nextInt(3) - 2, upper + 2, Long.MAX_VALUE};
                    default ->
                        LongStream.concat(
                                        LongStream.of(lower + random.nextInt(2), upper + random.nextInt(2)),
                                        random.longs(random.nextInt(4), lower - 3, upper + 3))
                                .sorted()
                                .distinct()
                                .toArray();
                });
    }

    private static BucketRequest randomRequest(Random random) {
        List<Filter.Condition> conditions = new ArrayList<>();
        if (random.nextBoolean()) {
            conditions.add(
                    new Filter.Between(AGE, randomEnd(random, Long.MIN_VALUE), randomEnd(random, Long.MAX_VALUE)));
        }
        if (random.nextBoolean()) {
            long from = random.nextInt(4000) - 1000;
            conditions.add(new Filter.Between(HOURS, from, from + random.nextInt(3000)));
        }
        if (random.nextBoolean()) {
            Integer[] named = random.nextInt(3) == 2 ? new Integer[] {1} : new Integer[] {0, 2};
            conditions.add(random.nextBoolean() ? sexIn(named) : sexNotIn(named));
        }
        Column.Numeric column = List.of(AGE, HOURS, HUGE).get(random.nextInt(3));
        long spread = column.upper() - column.lower() + 20;
        long[] edges = random.longs(random.nextInt(30), column.lower() - 10, column.lower() - 10 + spread)
                .sorted()
                .distinct()
                .toArray();
        return BucketRequest.of(column, new Filter(conditions), edges);
    }

    /** Columns on both sides of each width in which an engine may keep values. */
    @Test
    void readsColumnsOfEverySize() throws Exception {
        Random random = new Random(18);
        for (long size : new long[] {1, 2, 1L << 8, 1L << 14, 1L << 16, 1L << 20, 1L << 32, 1L << 40}) {
            for (long more : new long[] {0, 1}) {
                for (long lower : new long[] {-Grid.MAX_MAGNITUDE, -7, 0}) {
                    checkSize(random, lower, size + more);
                }
            }
        }
    }

    private void checkSize(Random random, long lower, long size) throws Exception {
        long upper = Math.min(lower + size - 1, Grid.MAX_MAGNITUDE);
        Column.Numeric column = DatasetsForTests.decimal("sized", "1", lower, upper, lower);
        Dataset dataset = newDataset(column);
        List<long[]> rows = Stream.concat(
                        Stream.of(lower, upper, upper, lower + (upper - lower) / 2),
                        random.longs(50, lower, upper + 1).boxed())
                .map(value -> new long[] {value})
                .toList();
        store(dataset, rows.stream());
        long[] edges = LongStream.concat(
                        LongStream.of(Long.MIN_VALUE, lower, lower + 1, upper, upper + 1, Long.MAX_VALUE),
                        random.longs(20, lower - 3, upper + 3))
                .sorted()
                .distinct()
                .toArray();
        Filter open = where(new Filter.Between(column, Long.MIN_VALUE, Long.MAX_VALUE));
        Filter cut = where(new Filter.Between(column, lower + 1, upper));
        checkAll(
                dataset,
                rows,
                buckets(column, Filter.ALL_ROWS, edges),
                buckets(column, open, edges),
                buckets(column, cut, edges));
    }

    @Test
    void answersASingleRow() throws Exception {
        List<long[]> rows = List.of(new long[] {-50, 4000, 0, -Grid.MAX_MAGNITUDE});
        long[] around = {-Grid.MAX_MAGNITUDE - 1, -Grid.MAX_MAGNITUDE, -Grid.MAX_MAGNITUDE + 1, Grid.MAX_MAGNITUDE};
        checkAll(
                stored(rows),
                rows,
                BucketRequest.rowCount(Filter.ALL_ROWS),
                buckets(HUGE, Filter.ALL_ROWS, around),
                buckets(HUGE, where(sexIn(0)), around),
                buckets(HUGE, where(sexIn(1)), around),
                buckets(AGE, where(new Filter.Between(HUGE, -Grid.MAX_MAGNITUDE, -Grid.MAX_MAGNITUDE + 1)), -50, -49),
                buckets(AGE, where(new Filter.Between(HOURS, 4000, 4001)), -50, -49));
    }

    private static long randomEnd(Random random, long open) {
        return random.nextInt(4) == 0 ? open : random.nextInt(140) - 70;
    }

    @Test
    void countsRowsWithoutAColumn() throws Exception {
        List<long[]> rows = randomRows(new Random(12), 1000);
        checkAll(
                stored(rows),
                rows,
                BucketRequest.rowCount(Filter.ALL_ROWS),
                BucketRequest.rowCount(where(sexIn(1))),
                BucketRequest.rowCount(where(sexIn(0, 1, 2), new Filter.Between(AGE, 0, Long.MAX_VALUE))));
    }

    @Test
    void groupsCategoriesByTheirPositionInTheList() throws Exception {
        List<long[]> rows = randomRows(new Random(17), 1000);
        checkAll(
                stored(rows),
                rows,
                buckets(SEX, Filter.ALL_ROWS, 0, 1, 2, 3),
                buckets(SEX, Filter.ALL_ROWS, 1),
                buckets(SEX, where(sexIn(0, 2)), 0, 1, 2, 3),
                buckets(SEX, where(sexNotIn(0, 2)), 0, 1, 2, 3),
                buckets(SEX, where(new Filter.Between(AGE, 0, 20)), 0, 1, 2, 3),
                buckets(AGE, where(sexIn(0, 2)), 0),
                buckets(AGE, where(sexNotIn(1)), 0));
    }

    @Test
    void answersAnEmptyTable() throws Exception {
        checkAll(
                stored(List.of()),
                List.of(),
                BucketRequest.rowCount(Filter.ALL_ROWS),
                buckets(AGE, Filter.ALL_ROWS, -3, 0, 3),
                buckets(SEX, Filter.ALL_ROWS, 0, 1, 2, 3),
                buckets(HUGE, where(sexIn(1))));
    }

    @Test
    void answersRowsThatAreAllEqual() throws Exception {
        List<long[]> rows = IntStream.range(0, 3000)
                .mapToObj(i -> new long[] {-7, 13, 2, 1})
                .toList();
        checkAll(
                stored(rows),
                rows,
                buckets(AGE, Filter.ALL_ROWS, -8, -7, -6),
                buckets(HOURS, where(sexIn(2)), 13, 14),
                buckets(HOURS, where(sexIn(0, 1)), 13, 14));
    }

    @Test
    void treatsEmptyConditionsAsNoRowAndOpenEndsAsAll() throws Exception {
        List<long[]> rows = randomRows(new Random(13), 500);
        checkAll(
                stored(rows),
                rows,
                buckets(AGE, where(new Filter.Between(AGE, 5, 5)), 0),
                buckets(AGE, where(new Filter.Between(AGE, 9, -9)), 0),
                buckets(AGE, where(new Filter.Between(AGE, Long.MAX_VALUE, Long.MIN_VALUE)), 0),
                buckets(AGE, where(sexIn()), 0),
                buckets(AGE, where(sexNotIn()), 0),
                buckets(AGE, where(sexNotIn(0, 1, 2)), 0),
                buckets(AGE, where(new Filter.Between(AGE, Long.MIN_VALUE, Long.MAX_VALUE)), 0),
                buckets(AGE, where(new Filter.Between(AGE, Long.MIN_VALUE, 0)), 0),
                buckets(AGE, where(new Filter.Between(AGE, 0, Long.MAX_VALUE)), 0),
                buckets(AGE, where(new Filter.Between(AGE, 0, 20), new Filter.Between(AGE, 10, 30)), 12),
                buckets(AGE, where(new Filter.Between(AGE, -1000, 1000)), -51, -50, 50, 51));
    }

    @Test
    void readsDatesTimesAndTruthValues() throws Exception {
        Column.Numeric day = new Column.Numeric("day", new Notation.Dates(), -719_162, 2_932_896, 0L);
        Column.Numeric time = new Column.Numeric(
                "time", new Notation.Timestamps(new Grid(new BigDecimal("0.25"))), -4000, 1L << 34, 0L);
        Column.Category smoker = DatasetsForTests.truth("smoker", 0);
        Random random = new Random(19);
        List<long[]> rows = IntStream.range(0, 500)
                .mapToObj(i -> new long[] {
                    random.nextLong(day.lower(), day.upper() + 1),
                    random.nextInt(4) == 0 ? random.nextLong(time.upper()) : random.nextInt(8001) - 4000,
                    random.nextInt(2)
                })
                .toList();
        Dataset dataset = newDataset(day, time, smoker);
        store(dataset, rows.stream());
        Filter.OneOf smokes = new Filter.OneOf(smoker, new CategorySet(new TreeSet<>(Set.of(1)), false));
        Filter.Between past = new Filter.Between(day, -200_000, 0);
        checkAll(
                dataset,
                rows,
                buckets(day, where(smokes), -719_162, -1, 0, 1, 20_000, 2_932_896),
                buckets(time, where(past, smokes), -4000, -3, 0, 1, 1L << 33),
                buckets(smoker, where(past), 0, 1),
                buckets(smoker, where(new Filter.Between(time, -50, 1000)), 1));
    }

    @Test
    void sumsBeyondSixtyFourBitsExactly() throws Exception {
        // 2^23 rows of 2^40 sum to 2^63.
        int doublings = 23;
        long rows = 1L << doublings;
        Dataset dataset = newDataset(HUGE);
        storeDoubled(dataset, new long[] {Grid.MAX_MAGNITUDE}, doublings);
        BigInteger sum = BigInteger.valueOf(Grid.MAX_MAGNITUDE).multiply(BigInteger.valueOf(rows));
        assertThat(sum.bitLength()).isGreaterThan(63);
        for (Filter filter : waysToASum(where(new Filter.Between(HUGE, 0, Long.MAX_VALUE)))) {
            BucketRequest request = buckets(HUGE, filter, Grid.MAX_MAGNITUDE, Grid.MAX_MAGNITUDE + 1);
            Buckets buckets = ExactForTests.open(engine().collect(DEBIT, dataset, List.of(request)))
                    .getFirst();
            assertThat(ExactForTests.prefixes(buckets, request.edges()))
                    .isEqualTo(new ExactForTests.Prefixes(List.of(0L, rows, rows), List.of(BigInteger.ZERO, sum, sum)));
        }
        for (List<GroupKey> keys :
                List.of(List.<GroupKey>of(), List.of(new GroupKey(HUGE, new long[] {0, Long.MAX_VALUE})))) {
            BucketRequest request = new BucketRequest(HUGE, Filter.ALL_ROWS, keys, new long[] {0}, true);
            Buckets buckets = ExactForTests.open(engine().collect(DEBIT, dataset, List.of(request)))
                    .getFirst();
            assertThat(ExactForTests.squares(buckets, request.edges()))
                    .containsExactly(BigInteger.ZERO, sum.multiply(BigInteger.valueOf(Grid.MAX_MAGNITUDE)));
        }
    }

    /** Filters that every row passes, one for each way in which the engine computes a sum. */
    protected List<Filter> waysToASum(Filter condition) {
        return List.of(Filter.ALL_ROWS, condition);
    }

    @Test
    void servesManyEdges() throws Exception {
        List<long[]> rows = randomRows(new Random(14), 300);
        long[] edges = LongStream.range(0, 5001).map(i -> i - 1001).toArray();
        checkAll(
                stored(rows),
                rows,
                buckets(HOURS, Filter.ALL_ROWS, edges),
                buckets(HOURS, where(sexIn(1)), edges),
                // All edges side by side in a range of 2^41.
                buckets(HUGE, Filter.ALL_ROWS, edges),
                buckets(HUGE, where(sexIn(1)), edges));
    }

    /** These are more categories than a statement of some databases can have parameters. */
    @Test
    void filtersByTensOfThousandsOfCategories() throws Exception {
        String[] names = IntStream.range(0, 10_000).mapToObj(i -> "n" + i).toArray(String[]::new);
        Column.Category place = DatasetsForTests.category("place", 0, names);
        Dataset dataset = newDataset(place);
        List<long[]> rows =
                LongStream.range(0, 2000).mapToObj(i -> new long[] {i * 5}).toList();
        store(dataset, rows.stream());
        Filter.Condition[] conditions = IntStream.range(0, 8)
                .mapToObj(left -> new Filter.OneOf(
                        place,
                        IntStream.range(0, 10_000)
                                .filter(index -> index != 5 * left)
                                .boxed()
                                .collect(Collectors.collectingAndThen(
                                        Collectors.toCollection(TreeSet::new), set -> new CategorySet(set, false)))))
                .toArray(Filter.Condition[]::new);
        CategorySet even = new CategorySet(
                IntStream.range(0, 5_000).mapToObj(i -> 2 * i).collect(Collectors.toCollection(TreeSet::new)), true);
        checkAll(
                dataset,
                rows,
                buckets(place, where(conditions), 0, 10, 40, 9_999),
                buckets(place, where(new Filter.OneOf(place, even)), 0, 10, 40, 9_999));
    }

    @Test
    void answersRequestsThatShareAPassEachWithItsOwnEdges() throws Exception {
        List<long[]> rows = randomRows(new Random(15), 2000);
        BucketRequest one = buckets(AGE, where(sexIn(1)), -10, 10);
        checkAll(
                stored(rows),
                rows,
                one,
                buckets(AGE, where(sexIn(1)), 0),
                buckets(HOURS, where(sexIn(1)), 0),
                one,
                buckets(AGE, Filter.ALL_ROWS, 0),
                buckets(AGE, where(sexIn(1))));
    }

    @Test
    void answersNoRequestsWithNothing() throws Exception {
        checkAll(stored(List.of()), List.of());
    }

    @Test
    void refusesAColumnOfAnotherDataset() throws Exception {
        Dataset dataset = newDataset(AGE);
        store(dataset, Stream.of(new long[] {1}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine().collect(DEBIT, dataset, List.of(buckets(HOURS, Filter.ALL_ROWS))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine().collect(DEBIT, dataset, List.of(buckets(AGE, where(sexIn(1))))));
        GroupKey key = new GroupKey(SEX, new long[] {0, 1});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine().collect(DEBIT, dataset, List.of(table(AGE, Filter.ALL_ROWS, key))));
    }

    private static Column.Numeric days(String first, String last) {
        long lower = LocalDate.parse(first).toEpochDay();
        return new Column.Numeric(
                "b", new Notation.Dates(), lower, LocalDate.parse(last).toEpochDay(), lower);
    }

    private static Column.Numeric integers(String resolution, long lower, long upper) {
        Grid grid = new Grid(new BigDecimal(resolution));
        return new Column.Numeric("b", new Notation.Numbers(true, grid), lower, upper, lower);
    }

    /**
     * A division into blocks, and the name of the block of a stored integer, found without the code under test.
     *
     * @param width the width as it is registered
     */
    private record Division(Column.Numeric column, String width, LongFunction<String> name) {
        static Division ofDates(Column.Numeric column, String width, Function<LocalDate, Object> name) {
            return new Division(
                    column,
                    width,
                    value -> name.apply(LocalDate.ofEpochDay(value)).toString());
        }

        /** A block is named by the multiple of its width at or below the number. */
        static Division ofIntegers(Column.Numeric column, long width) {
            BigDecimal size = BigDecimal.valueOf(width);
            return new Division(
                    column,
                    String.valueOf(width),
                    value -> column.grid()
                            .toDecimal(value)
                            .divide(size, 0, RoundingMode.FLOOR)
                            .multiply(size)
                            .toPlainString());
        }

        Blocks blocks() {
            return Blocks.over("b", Blocks.Width.of(width), value(column.lower()), value(column.upper()));
        }

        private long value(long steps) {
            return column.grid().toDecimal(steps).longValueExact();
        }
    }

    private static List<Division> divisions() {
        TemporalAdjuster monday = TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY);
        return List.of(
                Division.ofDates(days("2024-02-26", "2024-03-02"), "day", day -> day),
                Division.ofDates(days("1969-12-30", "1970-01-02"), "day", day -> day),
                // Each of these ranges begins and ends within a week. A week may belong to two years.
                Division.ofDates(days("2024-12-25", "2025-01-14"), "week", day -> day.with(monday)),
                Division.ofDates(days("1969-12-10", "1970-01-06"), "week", day -> day.with(monday)),
                // Ranges with 29 February, without it, and in the years of centuries.
                Division.ofDates(days("2023-11-15", "2024-03-10"), "month", YearMonth::from),
                Division.ofDates(days("1899-12-31", "1900-03-01"), "month", YearMonth::from),
                Division.ofDates(days("1999-12-31", "2000-03-01"), "month", YearMonth::from),
                Division.ofIntegers(integers("1", -23, 16), 7),
                Division.ofIntegers(integers("5", -7, 11), 15),
                Division.ofIntegers(integers("1", 3, 90), 1000),
                Division.ofIntegers(integers("1", -5, 5), 1000));
    }

    /** One to three rows of each value of the block column, in no order. */
    private static List<long[]> rowsOf(Division division, Random random) {
        Column.Numeric column = division.column();
        List<long[]> rows = new ArrayList<>();
        for (long value = column.lower(); value <= column.upper(); value++) {
            for (int i = random.nextInt(3); i >= 0; i--) {
                rows.add(new long[] {random.nextInt(101) - 50, value, random.nextInt(3)});
            }
        }
        Collections.shuffle(rows, random);
        return rows;
    }

    /** Each block alone, all of them, all but the first and all but the last. */
    private static List<BlockWindow> windows(Blocks blocks) {
        int last = blocks.count() - 1;
        return Stream.concat(
                        IntStream.rangeClosed(0, last).mapToObj(BlockWindow::of),
                        Stream.of(
                                blocks.all(),
                                new BlockWindow(Math.min(1, last), last),
                                new BlockWindow(0, Math.max(0, last - 1))))
                .distinct()
                .toList();
    }

    /** Every shape of a request, with filters that leave out nothing and with filters that name the block column. */
    private static BucketRequest[] shapes(Column.Numeric column) {
        GroupKey sexes = new GroupKey(SEX, new long[] {0, 1, 2, 3});
        long middle = (column.lower() + column.upper()) / 2;
        GroupKey halves = new GroupKey(column, new long[] {Long.MIN_VALUE, middle, Long.MAX_VALUE});
        Filter open = where(new Filter.Between(column, Long.MIN_VALUE, Long.MAX_VALUE));
        Filter half = where(new Filter.Between(column, middle, Long.MAX_VALUE), sexNotIn(1));
        return new BucketRequest[] {
            BucketRequest.rowCount(Filter.ALL_ROWS),
            BucketRequest.rowCount(open),
            BucketRequest.rowCount(half),
            buckets(AGE, Filter.ALL_ROWS, -3, 4),
            buckets(AGE, open, -3, 4),
            buckets(AGE, half, -3, 4),
            buckets(column, Filter.ALL_ROWS, middle),
            table(null, Filter.ALL_ROWS, sexes),
            table(null, Filter.ALL_ROWS, halves),
            table(null, Filter.ALL_ROWS, sexes, halves),
            table(null, half, halves),
            table(AGE, Filter.ALL_ROWS),
            table(AGE, Filter.ALL_ROWS, sexes),
            table(AGE, open, halves, sexes),
            table(column, half)
        };
    }

    @Test
    void readsTheRowsOfTheBlocksThatPaidAndNoOthers() throws Exception {
        Random random = new Random(29);
        for (Division division : divisions()) {
            Blocks blocks = division.blocks();
            Dataset dataset = DatasetsForTests.divided(newDataset(AGE, division.column(), SEX), blocks);
            List<long[]> rows = rowsOf(division, random);
            store(dataset, rows.stream());
            for (BlockWindow window : windows(blocks)) {
                Set<String> paid = IntStream.rangeClosed(window.first(), window.last())
                        .mapToObj(blocks::label)
                        .collect(Collectors.toSet());
                checkAll(
                        DebitsForTests.committed("contract", window),
                        dataset,
                        rows.stream()
                                .filter(row -> paid.contains(division.name().apply(row[1])))
                                .toList(),
                        shapes(division.column()));
            }
        }
    }

    /** There is nothing to read. An engine that reads before it checks would say that the rows cannot be read. */
    @Test
    void refusesADebitOfOtherBlocksBeforeItReads() {
        Dataset whole = newDataset(AGE);
        Dataset divided = DatasetsForTests.divided(newDataset(AGE), Blocks.over("age", Blocks.Width.of("10"), 0, 29));
        List<BucketRequest> requests = List.of(BucketRequest.rowCount(Filter.ALL_ROWS));
        assertThatIllegalArgumentException().isThrownBy(() -> engine().collect(DEBIT, divided, requests));
        for (BlockWindow window : List.of(BlockWindow.of(0), new BlockWindow(2, 3))) {
            CommittedDebit ofBlocks = DebitsForTests.committed("contract", window);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine().collect(ofBlocks, window.last() < 3 ? whole : divided, requests));
        }
    }

    @Test
    void saysOneAndTheSameWhateverGoesWrong() throws Exception {
        Dataset missing = newDataset(AGE);
        Dataset broken = newDataset(AGE);
        store(broken, Stream.of(new long[] {1}));
        breakRows(broken);
        List<BucketRequest> requests = List.of(buckets(AGE, Filter.ALL_ROWS, 0));
        ProblemException first =
                catchThrowableOfType(ProblemException.class, () -> engine().collect(DEBIT, missing, requests));
        ProblemException second =
                catchThrowableOfType(ProblemException.class, () -> engine().collect(DEBIT, broken, requests));
        assertThat(first.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
        assertThat(second.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
        assertThat(second.detail()).isEqualTo(first.detail()).doesNotContain("contract-");
        assertThat(first.members()).isEmpty();
        assertThat(second.members()).isEmpty();
    }

    @Test
    void showsNothingOutsideTheSensitive() throws Exception {
        Sensitive<List<Buckets>> collected = engine().collect(
                        DEBIT,
                        stored(randomRows(new Random(16), 77)),
                        List.of(BucketRequest.rowCount(Filter.ALL_ROWS)));
        assertThat(collected.toString()).doesNotContain("77");
        assertThat(ExactForTests.open(collected).toString()).doesNotContain("77");
    }
}
