package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import dev.purser.mechanism.CellWeights.Run;
import dev.purser.query.AggregateKey;
import dev.purser.query.Beta;
import dev.purser.query.QuantileQuery;
import dev.purser.query.SynopsisCells;
import dev.purser.query.Where;
import dev.purser.synopsis.Selection.Weight;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Questions about one synopsis that are answered together.
 *
 * @param simultaneous whether all numbers are within their intervals together
 */
public record FreeQuestions(List<FreeQuestion> questions, BigDecimal beta, boolean simultaneous, boolean nonNegative) {
    private static final int MAX_QUESTIONS = 100_000;
    private static final int MAX_NUMBERS = 200_000;
    private static final long MAX_WORK = 5_000_000;

    /** Takes some ten milliseconds. */
    private static final long MUCH_WORK = 2_000;

    /** A request that is answered. */
    public static final String EXAMPLE = """
            {"questions": [{"count": {"where": [{"column": "age", "atLeast": 60}]}}, {"mean": {"column": "age"}},
             {"quantile": {"column": "age", "probabilities": [0.25, 0.5, 0.75]}}]}""";

    private static final FieldType<String> COLUMN_NAME = FieldType.text(1, 128);
    private static final Field<String> COLUMN =
            Field.required("column", COLUMN_NAME, "A column of the synopsis.", "age");
    private static final Field<Elements<ValueReader>> EDGES = Field.optional(
            "edges",
            FieldType.elements(FieldType.unread(ColumnValue.SHAPE), 2, MAX_QUESTIONS)
                    .orNone(),
            "2 or more strictly ascending edges of cells.",
            List.of(0, 20, 40, 111));
    private static final Field<Elements<String>> COLUMNS = Field.required(
            "columns",
            FieldType.elements(COLUMN_NAME, 1, SynopsisCells.MAX_COLUMNS),
            "Columns of the synopsis.",
            List.of("age"));
    private static final Field<Elements<String>> TWO_COLUMNS = COLUMNS.of(FieldType.elements(COLUMN_NAME, 2, 2))
            .describedAs("Two columns of one table.")
            .withExample(List.of("age", "minutes"));

    /** The kinds of questions, each with its fields. */
    private enum Kind {
        COUNT("The number of rows.", List.of(Where.FIELD)),
        SUM(
                "A sum of values: of `column`, each value taken as the middle of its cell, or without it of the"
                        + " synopsis's measure.",
                List.of(COLUMN.asOptional(), Where.FIELD)),
        MEAN("The mean of a column, each value taken as the middle of its cell.", List.of(COLUMN, Where.FIELD)),
        VARIANCE("The variance of a column, each value taken as the middle of its cell.", List.of(COLUMN)),
        HISTOGRAM(
                "The numbers of rows in bins: of every cell, or between edges that are edges of cells.",
                List.of(COLUMN, EDGES)),
        TABLE("All cells of a table.", List.of(COLUMNS)),
        QUANTILE("The values that shares of the rows lie below.", List.of(COLUMN, QuantileQuery.PROBABILITIES)),
        CUMULATIVE("The numbers of rows below the upper end of each cell.", List.of(COLUMN)),
        CORRELATION(
                "The correlation of two columns of numbers, each value taken as the middle of its cell.",
                List.of(TWO_COLUMNS));

        private final String description;
        private final List<Field<?>> fields;

        Kind(String description, List<Field<?>> fields) {
            this.description = description;
            this.fields = fields;
        }

        private Field<ObjectReader> field() {
            String name = FieldType.word(this);
            return Field.optional(
                    name,
                    FieldType.object(new Shape.ObjectOf(
                            "Synopsis" + Character.toUpperCase(name.charAt(0)) + name.substring(1), "", fields)),
                    description);
        }
    }

    private static final List<Field<ObjectReader>> KINDS =
            Stream.of(Kind.values()).map(Kind::field).toList();

    private static final Field<Elements<ObjectReader>> QUESTIONS = Field.required(
            "questions",
            FieldType.elements(
                    FieldType.object(
                            new Shape.ObjectOf("FreeQuestion", "Exactly one of its fields.", List.copyOf(KINDS))),
                    1,
                    MAX_QUESTIONS),
            "At most " + MAX_NUMBERS + " numbers in all.");
    private static final Field<Boolean> SIMULTANEOUS = Field.optional(
                    "simultaneous",
                    FieldType.BOOLEAN,
                    "Whether all numbers of the reply lie within their intervals together, with probability at least"
                            + " 1 − beta; by default each of them does.")
            .withDefault(false);
    private static final Field<Boolean> NON_NEGATIVE = Field.optional(
                    "nonNegative",
                    FieldType.BOOLEAN,
                    "Whether counts below zero, and sums of values that never are, are stated as zero. This biases:"
                            + " what is zero is overstated, and sums of many such numbers more so. Intervals stay as"
                            + " they are.")
            .withDefault(false);

    /** The request body as the API describes it. */
    public static final Shape.ObjectOf FORM =
            new Shape.ObjectOf("SynopsisQuestions", "", List.of(QUESTIONS, Beta.FIELD, SIMULTANEOUS, NON_NEGATIVE));

    /** Reads the questions about a synopsis. */
    public static Optional<FreeQuestions> read(ObjectReader in, Synopsis synopsis) {
        Optional<BigDecimal> beta = in.read(Beta.FIELD);
        Optional<Boolean> simultaneous = in.read(SIMULTANEOUS);
        Optional<Boolean> nonNegative = in.read(NON_NEGATIVE);
        Optional<List<FreeQuestion>> questions =
                in.read(QUESTIONS).flatMap(all -> all.read(each -> question(each, synopsis)));
        questions.ifPresent(known -> {
            long numbers = known.stream().mapToLong(FreeQuestion::numbers).sum();
            long work = known.stream().mapToLong(FreeQuestion::work).sum();
            if (numbers > MAX_NUMBERS || work > MAX_WORK) {
                in.refuse(
                        QUESTIONS,
                        "questions must ask for at most " + MAX_NUMBERS + " numbers, made of at most " + MAX_WORK
                                + " runs of cells; they had " + numbers + " and " + work);
            }
        });
        return in.complete(() -> new FreeQuestions(
                questions.orElseThrow(), beta.orElseThrow(), simultaneous.orElseThrow(), nonNegative.orElseThrow()));
    }

    /** Whether answering takes so long that it must not keep small requests waiting. */
    public boolean isLarge() {
        return questions.stream().mapToLong(FreeQuestion::work).sum() > MUCH_WORK;
    }

    /** How many numbers the answers have. */
    public long numbers() {
        return questions.stream().mapToLong(FreeQuestion::numbers).sum();
    }

    /** The probability with which each number may be outside its interval. */
    double betaOfEach() {
        return beta.doubleValue() / (simultaneous ? numbers() : 1);
    }

    /** Reads one question, an object with exactly one field. */
    static Optional<FreeQuestion> question(ObjectReader in, Synopsis synopsis) {
        Optional<FreeQuestion> question = in.exactlyOne(KINDS)
                .flatMap(sent -> in.read(sent).flatMap(inner -> {
                    Optional<? extends FreeQuestion> read = read(Kind.values()[KINDS.indexOf(sent)], inner, synopsis);
                    return inner.complete(read::orElseThrow);
                }));
        return in.complete(question::orElseThrow);
    }

    private static Optional<? extends FreeQuestion> read(Kind kind, ObjectReader in, Synopsis synopsis) {
        Column.Numeric measure = synopsis.cells().measure();
        if (measure != null && kind != Kind.SUM && kind != Kind.TABLE) {
            in.refuse("the synopsis holds sums of \"" + measure.name()
                    + "\" and no numbers of rows: it answers sum and table");
        }
        return switch (kind) {
            case COUNT -> selected(in, synopsis).map(cells -> new FreeQuestion.Linear(cells, true));
            case SUM -> sum(in, synopsis);
            case MEAN ->
                selected(in, synopsis)
                        .flatMap(cells -> numbers(in, synopsis)
                                .filter(place -> isTogether(in, synopsis, cells, place))
                                .map(place -> new FreeQuestion.Mean(cells, place, key(synopsis, place))));
            case VARIANCE -> numbers(in, synopsis).map(place -> new FreeQuestion.Variance(place, key(synopsis, place)));
            case HISTOGRAM -> histogram(in, synopsis);
            case TABLE -> table(in, synopsis);
            case QUANTILE -> quantiles(in, synopsis);
            case CUMULATIVE ->
                ordered(in, synopsis).map(place -> new FreeQuestion.Cumulative(place, key(synopsis, place)));
            case CORRELATION -> correlation(in, synopsis);
        };
    }

    private static AggregateKey key(Synopsis synopsis, int place) {
        return synopsis.cells().keys().get(place);
    }

    private static Optional<Selection> selected(ObjectReader in, Synopsis synopsis) {
        ChosenCells chosen = new ChosenCells(synopsis, in, Where.FIELD);
        return Where.read(in, synopsis.dataset())
                .flatMap(chosen::of)
                .filter(cells -> chosen.requireTogether(List.copyOf(cells.keySet())))
                .map(Selection::of);
    }

    private static boolean isTogether(ObjectReader in, Synopsis synopsis, Selection cells, int place) {
        return new ChosenCells(synopsis, in, COLUMN)
                .requireTogether(cells.weighted(place, Weight.ONE, List.of()).divided());
    }

    private static Optional<FreeQuestion.Linear> sum(ObjectReader in, Synopsis synopsis) {
        Column.Numeric measure = synopsis.cells().measure();
        Optional<Selection> cells = selected(in, synopsis);
        in.know(COLUMN);
        if (measure != null) {
            if (in.has(COLUMN)) {
                in.refuse(COLUMN, "column must be left out: the synopsis holds sums of \"" + measure.name() + "\"");
            }
            return cells.map(selection -> new FreeQuestion.Linear(selection, synopsis.isNeverNegative()));
        }
        if (!in.has(COLUMN)) {
            in.refuse(COLUMN, "column is required: the synopsis has no measure");
            return Optional.empty();
        }
        return cells.flatMap(selection -> numbers(in, synopsis)
                .filter(place -> isTogether(in, synopsis, selection, place))
                .map(place -> new FreeQuestion.Linear(
                        selection.weighted(
                                place,
                                Weight.VALUE,
                                List.of(new Run(0, key(synopsis, place).groups()))),
                        FreeQuestion.ordered(key(synopsis, place)).lower() >= 0)));
    }

    private static Optional<FreeQuestion.Histogram> histogram(ObjectReader in, Synopsis synopsis) {
        // The field is read here in any case, so that it does not count as an unknown field.
        in.know(EDGES);
        Optional<Integer> place = place(in, synopsis);
        return place.flatMap(known -> {
            AggregateKey key = key(synopsis, known);
            if (!in.has(EDGES)) {
                return Optional.of(new FreeQuestion.Histogram(
                        known, key, IntStream.rangeClosed(0, key.groups()).toArray()));
            }
            if (!(key.column() instanceof Column.Numeric column)) {
                in.refuse(EDGES, "edges are for columns of numbers, dates or timestamps");
                return Optional.empty();
            }
            return edges(in, synopsis, key, column).map(edges -> new FreeQuestion.Histogram(known, key, edges));
        });
    }

    private static Optional<int[]> edges(ObjectReader in, Synopsis synopsis, AggregateKey key, Column.Numeric column) {
        ChosenCells chosen = new ChosenCells(synopsis, in, EDGES);
        Optional<List<Long>> sent = in.read(EDGES).flatMap(all -> all.read(column.notation()::read));
        List<Integer> edges = new ArrayList<>();
        sent.orElse(List.of()).forEach(edge -> chosen.edge(key, column, edge).ifPresent(edges::add));
        boolean ascending = IntStream.range(1, edges.size()).allMatch(i -> edges.get(i - 1) < edges.get(i));
        if (sent.isPresent() && !ascending) {
            in.refuse(EDGES, "edges must be strictly ascending, with a cell of the synopsis between any two");
        }
        return sent.filter(all -> ascending && edges.size() == all.size())
                .map(all -> edges.stream().mapToInt(Integer::intValue).toArray());
    }

    private static Optional<FreeQuestion.Table> table(ObjectReader in, Synopsis synopsis) {
        return places(
                        in,
                        COLUMNS.of(FieldType.elements(
                                COLUMN_NAME, 1, synopsis.columns().size())),
                        synopsis)
                .map(places -> new FreeQuestion.Table(
                        places,
                        places.stream().map(place -> key(synopsis, place)).toList()));
    }

    private static Optional<FreeQuestion.Quantiles> quantiles(ObjectReader in, Synopsis synopsis) {
        Optional<List<BigDecimal>> probabilities = in.read(QuantileQuery.PROBABILITIES);
        return ordered(in, synopsis)
                .flatMap(place ->
                        probabilities.map(known -> new FreeQuestion.Quantiles(place, key(synopsis, place), known)));
    }

    private static Optional<FreeQuestion.Correlation> correlation(ObjectReader in, Synopsis synopsis) {
        return places(in, TWO_COLUMNS, synopsis)
                .filter(places -> places.stream().allMatch(place -> isOfNumbers(in, COLUMNS, synopsis, place)))
                .map(places -> new FreeQuestion.Correlation(
                        places.get(0), key(synopsis, places.get(0)), places.get(1), key(synopsis, places.get(1))));
    }

    /** Distinct columns of one table. */
    private static Optional<List<Integer>> places(ObjectReader in, Field<Elements<String>> field, Synopsis synopsis) {
        Optional<List<Integer>> places =
                in.read(field).flatMap(all -> all.read(name -> place(name, in, field, synopsis)));
        places.filter(known -> known.stream().distinct().count() < known.size())
                .ifPresent(repeated -> in.refuse(COLUMNS, "columns must differ"));
        ChosenCells chosen = new ChosenCells(synopsis, in, COLUMNS);
        return places.filter(known -> in.isIntact())
                .filter(known -> chosen.requireTogether(known.stream().sorted().toList()));
    }

    private static Optional<Integer> place(ObjectReader in, Synopsis synopsis) {
        return in.required(COLUMN).flatMap(name -> place(name, in, COLUMN, synopsis));
    }

    private static Optional<Integer> place(String name, ObjectReader in, Field<?> field, Synopsis synopsis) {
        return Optional.of(new ChosenCells(synopsis, in, field).place(name)).filter(place -> place >= 0);
    }

    private static Optional<Integer> ordered(ObjectReader in, Synopsis synopsis) {
        return place(in, synopsis)
                .filter(place -> is(
                        key(synopsis, place).column() instanceof Column.Numeric,
                        in,
                        COLUMN,
                        "numbers, dates or timestamps"));
    }

    private static Optional<Integer> numbers(ObjectReader in, Synopsis synopsis) {
        return place(in, synopsis).filter(place -> isOfNumbers(in, COLUMN, synopsis, place));
    }

    private static boolean isOfNumbers(ObjectReader in, Field<?> field, Synopsis synopsis, int place) {
        return is(key(synopsis, place).hasNumbers(), in, field, "numbers");
    }

    private static boolean is(boolean holds, ObjectReader in, Field<?> field, String holding) {
        if (!holds) {
            in.refuse(field, field.name() + " must be of " + holding);
        }
        return holds;
    }
}
