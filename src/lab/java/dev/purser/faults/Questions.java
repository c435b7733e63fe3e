package dev.purser.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The questions of one client, from a seed. Most charges are powers of two of a nano-epsilon, so that a wrong sum
 * identifies the debit that is missing or double. The others use all nine digits.
 */
final class Questions {
    /** One question is charged at least a thousand nano-epsilon. The range begins with the next power of two. */
    private static final int LEAST_POWER = 10;

    private static final int POWERS = 20;

    /** The least charge of a plan or a synopsis. Each of its questions or tables is charged a part of it. */
    static final int LEAST_OF_PARTS = 8_000;

    /** With a smaller charge, most noisy numbers have three bytes. */
    private static final int MOST_OF_PIECES = 1 << 18;

    private static final int ANY_NANOS = 100_000_000;

    /** The charge of a refinement. The first charge is at least 1,000 times this, so the noise nearly always stays. */
    private static final int OF_A_REFINEMENT = 1_000;

    /** The least charge of an answer that is refined. */
    static final int LEAST_TO_REFINE = 1_000 * OF_A_REFINEMENT;

    /** The mean charge of a question, in nano-epsilon. */
    static final long MEAN_NANOS = (7 * ((1L << LEAST_POWER + POWERS) / POWERS) + 3 * (ANY_NANOS / 2)) / 10;

    private final RandomGenerator random;
    private final String prefix;
    private int asked;

    Questions(long seed, String prefix) {
        this.random = new SplittableRandom(seed);
        this.prefix = prefix;
    }

    Asked next(String dataset) {
        asked++;
        long nanos =
                random.nextInt(10) < 7 ? 1L << LEAST_POWER + random.nextInt(POWERS) : random.nextInt(1_000, ANY_NANOS);
        return next(dataset, nanos);
    }

    Asked next(String dataset, long nanos) {
        String key = prefix + "-" + asked++;
        if (nanos >= LEAST_OF_PARTS) {
            switch (random.nextInt(12)) {
                case 0, 1 -> {
                    return plan(key, dataset, nanos);
                }
                case 2 -> {
                    return synopsis(key, dataset, nanos);
                }
                default -> {}
            }
        }
        return switch (random.nextInt(10)) {
            case 0 -> question(key, dataset, "sum", nanos, ", 'column': 'age'");
            case 1 -> question(key, dataset, "histogram", nanos, ", 'column': 'sex'");
            case 2 ->
                question(
                        key,
                        dataset,
                        "count",
                        nanos,
                        ", 'where': [{'column': 'age', 'above': " + random.nextInt(90) + "}]");
            default -> question(key, dataset, "count", nanos, "");
        };
    }

    /** Makes an answer more precise by almost nothing. */
    Asked refining(Exchange answered, String dataset) {
        return Asked.refining(answered.queryId(), prefix + "-" + asked++, dataset, OF_A_REFINEMENT);
    }

    /** A few synopses have so many cells, with so much noise, that their numbers have several pieces. */
    private Asked synopsis(String key, String dataset, long nanos) {
        boolean large = nanos < MOST_OF_PIECES && random.nextInt(8) == 0;
        String column = large ? TestDataset.MANY_CELLS : "age";
        return question(key, dataset, Asked.SYNOPSIS, nanos, ", 'columns': [{'column': '" + column + "'}]");
    }

    /** Two to four questions, which may share a pass, and which are charged this amount together. */
    private Asked plan(String key, String dataset, long nanos) {
        List<String> items = new ArrayList<>();
        int parts = random.nextInt(2, 5);
        long left = nanos;
        for (int i = 0; i < parts; i++) {
            long part = i == parts - 1 ? left : nanos / parts - i;
            left -= part;
            items.add(
                    switch (random.nextInt(3)) {
                        case 0 -> item("sum", part, ", 'column': 'age'");
                        case 1 -> item("count", part, ", 'where': [{'column': 'sex', 'in': ['Male']}]");
                        default -> item("count", part, "");
                    });
        }
        String body = "{'questions': [" + String.join(", ", items) + "]}";
        return Asked.byAdministrator(key, dataset, Asked.PLAN, nanos, body.replace('\'', '"'));
    }

    private static String item(String kind, long nanos, String members) {
        return "{'kind': '" + kind + "', 'request': {'epsilon': '" + Asked.decimal(nanos) + "'" + members + "}}";
    }

    private static Asked question(String key, String dataset, String kind, long nanos, String members) {
        String body = "{'epsilon': '" + Asked.decimal(nanos) + "'" + members + "}";
        return Asked.byAdministrator(key, dataset, kind, nanos, body.replace('\'', '"'));
    }

    /** A request that has to be refused whatever the budget is. */
    Asked invalid(String dataset) {
        String key = prefix + "-bad" + asked++;
        String body = switch (random.nextInt(5)) {
            case 0 -> "{\"epsilon\": \"0.1\"";
            case 1 -> """
                    {"epsilon": "-1"}""";
            case 2 -> """
                    {"epsilon": "0.0000000001"}""";
            case 3 -> """
                    {"epsilon": NaN}""";
            default -> """
                    {"epsilon": "0.1", "unknown": 1}""";
        };
        return Asked.byAdministrator(key, dataset, "count", 0, body);
    }

    RandomGenerator random() {
        return random;
    }
}
