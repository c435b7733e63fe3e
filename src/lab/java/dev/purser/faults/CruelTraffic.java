package dev.purser.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Requests that are legal and cost the service much. The bodies are made once: each is the largest of its kind that the
 * service accepts.
 */
final class CruelTraffic {
    /** A dataset on which the largest questions can be asked. */
    private static final String REGISTRATION = """
            {"id": "%s", "title": "Cruel load",
             "columns": [
               {"name": "amount", "type": "integer", "lower": 0, "upper": 99999},
               {"name": "sex", "type": "category", "categories": ["Female", "Male"]},
               {"name": "code", "type": "category", "categories": [%s]},
               {"name": "id", "type": "integer", "lower": 0, "upper": 999999}],
             "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", "maxRows": 100000,
             "budget": {"epsilon": "1000000", "delta": "0"}, "accountant": "pure",
             "source": {"type": "upload"}, "declaredPublic": true}
            """;

    static final String WIDE = "wide";

    private static final int COLUMNS = 40;

    private static final long NANOS = 1_000_000;

    private static final int MOST = 100_000;
    /** As many counts as two million tokens allow. */
    private static final int MOST_COUNTS = 83_000;
    /** The most questions of one plan; below, the most of them with a target. */
    private static final int PLANNED = 1_000;

    private static final int TARGETS = 10;

    private static final int BODY_BYTES = 32 << 20;

    private static final int CODES = 8_192;
    /** As many sets of nearly all codes as two million tokens allow. */
    private static final int SETS = 240;

    /** What a request does. */
    sealed interface Request {
        /** Spends {@link #NANOS}. The body is one object for all requests, because the witness remembers all bodies. */
        record Question(String kind, String body) implements Request {
            Asked asked(String principal, String key, String dataset) {
                return new Asked(principal, key, dataset, kind, NANOS, body);
            }
        }

        /** Spends, and the client closes the connection when the answer begins to come. */
        record Aborted(Question question) implements Request {}

        /** Asks the synopsis that was bought before the load; spends nothing. */
        record Free(String body) implements Request {}

        /** Spends nothing. The path has the placeholders of {@link #path}. */
        record Post(String path, String body) implements Request {}

        record Get(String path, String mediaType) implements Request {
            Get(String path) {
                this(path, "application/json");
            }
        }

        /** Without a key, and not a valid address. */
        record Malformed(String address) implements Request {}
    }

    private CruelTraffic() {}

    /**
     * A path, in which {@code %1$s} stands for the dataset, 2 for its longest answer, 3 for its synopsis and 4 for the
     * synopsis of many tables.
     */
    static String path(String path, String dataset, String answer, String synopsis, String ofManyTables) {
        return path.formatted(dataset, answer, synopsis, ofManyTables);
    }

    /** A dataset of as many columns as a synopsis can have. */
    static String wideRegistration() {
        return """
                {"id": "%s", "title": "Many columns", "columns": [%s],
                 "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", "maxRows": 100,
                 "budget": {"epsilon": "1000", "delta": "0"}, "accountant": "pure",
                 "source": {"type": "upload"}, "declaredPublic": true}
                """.formatted(WIDE, list(COLUMNS, i -> "{\"name\": \"c" + i + "\", \"type\": \"boolean\"}"));
    }

    static String wideCsv() {
        return list(COLUMNS, i -> "c" + i) + "\n" + list(COLUMNS, i -> "true") + "\n";
    }

    /** A synopsis of 9,880 tables. What is stored of each of its purchases has more than a megabyte. */
    static String ofManyTables() {
        return "{\"epsilon\": \"1\", \"marginals\": 3, \"columns\": ["
                + list(COLUMNS, i -> "{\"column\": \"c" + i + "\"}") + "]}";
    }

    static String registration(String id) {
        return REGISTRATION.formatted(id, list(CODES, CruelTraffic::code));
    }

    static String csv() {
        return IntStream.range(0, 20_000)
                .mapToObj(row ->
                        row * 37 % MOST + (row % 3 == 0 ? ",Female," : ",Male,") + row % CODES + "," + row * 37 + "\n")
                .collect(Collectors.joining("", "amount,sex,code,id\n", ""));
    }

    /** A registration that is nearly as large as one can be. */
    static String largeRegistration(int number) {
        String categories = list(10_000, i -> '"' + "c".repeat(80) + i + '"');
        return REGISTRATION.formatted("large-" + number, categories);
    }

    /** The synopsis with the most cells. */
    static Request.Question synopsis() {
        return question(Asked.SYNOPSIS, "'columns': [{'column': 'id'}]");
    }

    /** The question with the longest answer. */
    static Request.Question longestAnswer() {
        return question(
                "aggregate",
                "'groupBy': [{'column': 'amount', 'step': 1}], 'aggregates': [{'standardDeviation': {'column':"
                        + " 'amount'}}, {'standardDeviation': {'column': 'amount', 'upper': 50000}, 'name':"
                        + " 'narrow'}]");
    }

    /** As many questions as a synopsis answers in one request. */
    static Request.Free freeQuestions() {
        return new Request.Free("{'questions': [%s]}"
                .formatted(list(
                        MOST,
                        i -> "{'count': {'where': [{'column': 'id', 'atLeast': " + i + ", 'below': " + (2 * i + 1)
                                + "}]}}"))
                .replace('\'', '"'));
    }

    /** The largest questions of every kind, alone. */
    static List<Request> largest() {
        return List.of(
                question("histogram", "'column': 'amount', 'edges': [" + list(MOST + 1, i -> "" + i) + "]"),
                question(
                        "sparse-range",
                        "'column': 'amount', 'threshold': 10, 'maxPositives': 1000, 'release': 'values', 'ranges': ["
                                + list(MOST, i -> "{'atLeast': " + i + ", 'below': 99999}")
                                + "]"),
                question(
                        "threshold",
                        "'threshold': 30000, 'whenNone': 'none', 'queries': ["
                                + list(
                                        MOST_COUNTS,
                                        i -> "{'count': {'where': [{'column': 'amount', 'above': " + i % 1000
                                                + ", 'below': 99000}, {'column': 'sex', 'in': ['Male']}]}}")
                                + "]"),
                question(
                        "threshold",
                        "'threshold': 30000, 'queries': ["
                                + list(
                                        SETS,
                                        i -> "{'count': {'where': [{'column': 'code', 'in': ["
                                                + list(CODES - 1, j -> code(j < i ? j : j + 1))
                                                + "]}]}}")
                                + "]"),
                longestAnswer(),
                question("quantile", "'column': 'amount', 'probabilities': [" + probabilities() + "]"),
                question("mean", "'column': 'amount', 'method': 'auto-clip'"),
                question("sum", "'column': 'amount', 'where': [" + conditions() + "]"),
                question("count", "'where': [" + conditions() + "]"),
                synopsis(),
                freeQuestions(),
                // Blanks are legal between any two tokens.
                question("count", " ".repeat(BODY_BYTES - 100) + "'beta': 0.05"));
    }

    /** The largest questions, and everything else that is cheap to send. */
    static List<Request> everything() {
        List<Request> all = new ArrayList<>(largest());
        Request.Question histogram = (Request.Question) all.getFirst();
        all.add(new Request.Aborted(histogram));
        for (int i = 0; i < 8; i++) {
            all.add(question("count", "'where': []"));
        }
        String planned = list(
                PLANNED,
                i -> "{'kind': 'quantile', 'request': {'column': 'amount', 'probabilities': [0.5, 0.9], "
                        + (i < TARGETS ? "'targetAlpha': 50}}" : "'epsilon': '0.1'}}"));
        all.add(new Request.Post("/v1/datasets/%1$s/quotes", ("{'questions': [" + planned + "]}").replace('\'', '"')));
        all.add(new Request.Post("/v1/datasets/%1$s/quotes/histogram", """
                {"targetAlpha": 50, "column": "amount", "edges": [%s]}""".formatted(list(MOST + 1, i -> "" + i))));
        all.add(new Request.Get("/v1/queries/%2$s"));
        all.add(new Request.Get("/v1/queries/%2$s", "text/csv"));
        all.add(new Request.Get("/v1/synopses/%3$s/tables", "text/csv"));
        all.addAll(smallest());
        all.add(new Request.Get("/v1/datasets?limit=1000"));
        all.add(new Request.Get("/v1/datasets/large-1"));
        all.add(new Request.Get("/v1/datasets/%1$s/queries?limit=1000"));
        all.add(new Request.Get("/v1/datasets/%1$s/answers?limit=1000&order=desc"));
        all.add(new Request.Get("/openapi.json"));
        all.add(new Request.Malformed("/actuator/health?%"));
        all.add(new Request.Malformed("/docs?%"));
        all.add(new Request.Malformed("/problems?a=%ff"));
        all.add(new Request.Malformed("/problems?" + "a=1&".repeat(101)));
        return all;
    }

    /** The smallest request of every kind that spends nothing. */
    private static List<Request> smallest() {
        return List.of(
                new Request.Post("/v1/datasets/%1$s/quotes/count", "{\"epsilon\":\"1\"}"),
                new Request.Post("/v1/synopses/%3$s/answers", "{\"questions\":[{\"count\":{}}]}"),
                new Request.Get("/v1/synopses/%3$s"),
                new Request.Get("/v1/datasets/%1$s/synopses?limit=1000"),
                new Request.Get("/v1/synopses/%4$s"),
                new Request.Get("/v1/datasets/" + WIDE + "/synopses"),
                new Request.Post("/v1/synopses/%4$s/answers", "{\"questions\":[{\"count\":{}}]}"),
                new Request.Post("/v1/datasets/" + WIDE + "/quotes/count", "{\"epsilon\":\"1\"}"),
                new Request.Get("/v1/datasets/%1$s/threshold-sessions"),
                new Request.Get("/v1/datasets/%1$s/budget"),
                new Request.Get("/v1/datasets/%1$s"),
                new Request.Get("/v1/mechanisms"),
                new Request.Get("/v1/keys/self"));
    }

    private static Request.Question question(String kind, String fields) {
        String body = "{'epsilon': '" + Asked.decimal(NANOS) + "', " + fields + "}";
        return new Request.Question(kind, body.replace('\'', '"'));
    }

    private static String code(int number) {
        return "\"" + number + '"';
    }

    private static String probabilities() {
        return list(100, i -> "0." + (100 + i * 8));
    }

    private static String conditions() {
        return list(100, i -> "{'column': 'amount', 'above': " + i + "}");
    }

    private static String list(int size, IntFunction<String> item) {
        return IntStream.range(0, size).mapToObj(item).collect(Collectors.joining(","));
    }
}
