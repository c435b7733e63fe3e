package dev.purser.speed;

import dev.purser.lab.Figure;
import dev.purser.lab.Options;
import dev.purser.ledger.LedgerFill;
import dev.purser.speed.Load.Request;
import dev.purser.speed.Load.Result;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/**
 * What a question over HTTP costs, beside a bare servlet on the same connector in the same run. Writes the tables and
 * pictures of docs/performance.md. Options: {@code folder} on the disk to measure, the {@code page}, a folder for the
 * {@code pictures}, which {@code parts}. The system property {@code purser.jar} names the jar.
 */
final class QuestionSpeed {
    /** The numbers of cells of the columns of adult.csv. */
    private static final List<Integer> ADULT_CELLS = List.of(126, 9, 16, 7, 15, 6, 5, 2, 101, 42, 2);

    private static final int CONNECTIONS = 32;
    private static final int ROUNDS = 3;
    private static final int PANELS = 20;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration EACH = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final String DATASET = "people";
    private static final String COUNT = "/v1/datasets/people/queries/count";
    private static final String QUESTION = """
            {"epsilon":"0.0001"}""";

    /** The flags of the image, without the AOT cache, which concerns the start only. */
    private static final List<String> FLAGS = List.of("-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC");

    /** Recordings need stacks as deep as the stacks of a request. */
    private static final String WHOLE_STACKS = "-XX:FlightRecorderOptions:stackdepth=512";

    private final Path folder;
    private final Path page;
    private final Path pictures;
    private int homes;

    private QuestionSpeed(Path folder, Path page, Path pictures) {
        this.folder = folder;
        this.page = page;
        this.pictures = pictures;
    }

    public static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments, "folder", "page", "pictures", "parts");
        QuestionSpeed speed = new QuestionSpeed(
                options.newFolder("question-speed"),
                Path.of(options.text("page", "docs/performance.md")),
                Files.createDirectories(Path.of(options.text("pictures", "docs/performance"))));
        List<String> parts = options.words("parts");
        Map<String, Part> all = new LinkedHashMap<>();
        all.put("first", speed::measureFirst);
        all.put("questions", speed::measureQuestions);
        all.put("plans", speed::measurePlans);
        all.put("synopses", speed::measureSynopses);
        all.put("home", speed::measureHome);
        try {
            for (Map.Entry<String, Part> part : all.entrySet()) {
                if (parts.isEmpty() || parts.contains(part.getKey())) {
                    part.getValue().run();
                }
            }
        } finally {
            FileSystemUtils.deleteRecursively(speed.folder);
        }
    }

    private interface Part {
        void run() throws Exception;
    }

    private MeasuredService service() throws Exception {
        List<String> flags =
                Stream.concat(FLAGS.stream(), Stream.of(WHOLE_STACKS)).toList();
        return new MeasuredService(folder.resolve("service" + homes++), "ana", flags);
    }

    /** The first large question after a start, on a service that has answered nothing else. */
    private void measureFirst() throws Exception {
        double[] seconds = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            try (MeasuredService service = service()) {
                service.dataset(DATASET, 1, 1_000);
                seconds[round] = millis(service, ranges(service, 100_000)) / 1e3;
            }
        }
        Arrays.sort(seconds);
        write(
                "first",
                "The first `sparse-range` of 100,000 ranges after a start took %.1f s (%.1f to %.1f).%n"
                        .formatted(seconds[ROUNDS / 2], seconds[0], seconds[ROUNDS - 1]));
    }

    /** Measures one service, which the minute of full load warms up for the other measurements. */
    private void measureQuestions() throws Exception {
        try (MeasuredService service = service()) {
            service.dataset(DATASET, 4, 1_000);
            Request question = count(service, DATASET);
            measureMemory(service, question);
            measureRequests(service);
            measurePace(service, question);
            measureStages(service, question);
            measureGrowth(service);
        }
    }

    /** Measures one count alone and in plans, in turn, and a dashboard whose panels are stored. */
    private void measurePlans() throws Exception {
        try (MeasuredService service = service()) {
            service.dataset(DATASET, 4, 1_000);
            Map<Integer, List<Result>> results = new LinkedHashMap<>();
            Request single = count(service, DATASET);
            service.load().unpaced(single, CONNECTIONS, WARM_UP.multipliedBy(4));
            for (int round = 0; round < ROUNDS; round++) {
                for (int size : new int[] {1, 10, 100, 1_000}) {
                    Request request = size == 1 ? single : plan(service, size, i -> QUESTION);
                    int connections = size == 1_000 ? 4 : CONNECTIONS;
                    service.load().unpaced(request, connections, SHORT);
                    results.computeIfAbsent(size, each -> new ArrayList<>())
                            .add(service.load().unpaced(request, connections, EACH));
                }
            }
            StringBuilder table = new StringBuilder("""
                    | counts in a request | processor time of a count, µs | times that of one alone | counts/s |
                    |---|---|---|---|
                    """);
            double alone = median(results.get(1));
            results.forEach((size, all) -> table.append("| %,d | %.0f | %.2f | %,.0f |%n"
                    .formatted(
                            size,
                            median(all) / size,
                            median(all) / size / alone,
                            size
                                    * all.stream()
                                            .mapToDouble(Result::perSecond)
                                            .sorted()
                                            .toArray()[ROUNDS / 2])));
            IntFunction<String> panel = i -> """
                    {"epsilon":"0.0001","where":[{"column":"c0","atLeast":%d}]}""".formatted(i);
            exchange(service, plan(service, PANELS, panel));
            Request dashboard = plan(service, PANELS, i -> panel.apply(i).replaceFirst("}$", ",\"spend\":false}"));
            service.load().unpaced(dashboard, CONNECTIONS, SHORT);
            Result shown = service.load().unpaced(dashboard, 1, EACH);
            write(
                    "plans",
                    table
                            + "%nA dashboard of %d panels, all stored, in one plan took %.1f ms, the median of %,.0f/s.%n"
                                    .formatted(PANELS, shown.percentile(50), shown.perSecond()));
        }
    }

    /** Purchases, batches of free answers, and one free answer beside a stored one. */
    private void measureSynopses() throws Exception {
        try (MeasuredService service = service()) {
            service.dataset(DATASET, 1, 1_000);
            service.columns("wide", List.of(2_048), 1_000);
            service.columns("adult", ADULT_CELLS, 32_561);
            String ages = bought(service, "adult", "{\"column\":\"c0\"}", "");
            String stored = find("\"queryId\":\"(\\w+)\"", exchange(service, service.ask(COUNT, QUESTION)));
            Map<String, Request> requests = new LinkedHashMap<>();
            requests.put("stored answer", service.get("/v1/queries/" + stored));
            requests.put("one free count of 126 cells", free(service, ages, 1));
            requests.put("100,000 free counts of 126 cells", free(service, ages, 100_000));
            String wide = bought(service, "wide", "{\"column\":\"c0\"}", "");
            requests.put("one free count of 2,048 cells", free(service, wide, 1));
            requests.put("100,000 free counts of 2,048 cells", free(service, wide, 100_000));
            StringBuilder table = new StringBuilder("""
                    | request | processor time, µs | times that of a stored answer | requests/s |
                    |---|---|---|---|
                    """);
            Map<String, List<Result>> results = new LinkedHashMap<>();
            for (int round = 0; round <= ROUNDS; round++) {
                for (Map.Entry<String, Request> each : requests.entrySet()) {
                    boolean isBatch = each.getKey().startsWith("100,000");
                    Result result = service.load().unpaced(each.getValue(), isBatch ? 2 : CONNECTIONS, EACH);
                    if (round > 0) {
                        results.computeIfAbsent(each.getKey(), unseen -> new ArrayList<>())
                                .add(result);
                    }
                }
            }
            double unit = median(Objects.requireNonNull(results.get("stored answer")));
            results.forEach((name, all) -> table.append("| %s | %,.0f | %.1f | %,.1f |%n"
                    .formatted(
                            name,
                            median(all),
                            median(all) / unit,
                            all.stream().mapToDouble(Result::perSecond).sorted().toArray()[ROUNDS / 2])));
            String everyColumn = list(ADULT_CELLS.size(), i -> "{\"column\":\"c" + i + "\"}");
            everyColumn = everyColumn.substring(1, everyColumn.length() - 1);
            write(
                    "synopses",
                    table
                            + "%nA purchase of 2,048 cells took %.0f ms, of all 55 pairs of Adult's columns %.0f ms."
                                    .formatted(
                                            millis(service, purchase(service, "wide", "{\"column\":\"c0\"}", "")),
                                            millis(
                                                    service,
                                                    purchase(service, "adult", everyColumn, ",\"marginals\":2"))));
        }
    }

    private static Request purchase(MeasuredService service, String dataset, String columns, String more) {
        return service.ask(
                "/v1/datasets/" + dataset + "/synopses",
                "{\"epsilon\":\"1\",\"columns\":[" + columns + "]" + more + "}");
    }

    private static String bought(MeasuredService service, String dataset, String columns, String more)
            throws IOException {
        return find("\"synopsisId\":\"(\\w+)\"", exchange(service, purchase(service, dataset, columns, more)));
    }

    private static Request free(MeasuredService service, String synopsis, int questions) {
        return service.ask(
                "/v1/synopses/" + synopsis + "/answers",
                "{\"questions\":"
                        + list(
                                questions,
                                i -> "{\"count\":{\"where\":[{\"column\":\"c0\",\"atLeast\":" + i % 60 + ",\"below\":"
                                        + (61 + i % 50) + "}]}}")
                        + "}");
    }

    private static Request plan(MeasuredService service, int size, IntFunction<String> request) {
        String items = list(size, i -> "{\"kind\":\"count\",\"request\":" + request.apply(i) + "}");
        return service.ask("/v1/datasets/people/queries", "{\"questions\":" + items + "}");
    }

    /** Each kind of request in turn, and the bare servlet between them. */
    private void measureRequests(MeasuredService service) throws Exception {
        try (BareServlet.Running bare =
                new BareServlet.Running(Files.createDirectories(folder.resolve("bare")), List.of())) {
            Map<String, List<Request>> requests = requests(service);
            Map<String, List<Result>> results = new LinkedHashMap<>();
            requests.forEach((name, request) -> results.put(name, new ArrayList<>()));
            List<Result> baseline = new ArrayList<>();
            bare.load().unpaced(BareServlet.REQUEST, CONNECTIONS, WARM_UP);
            for (List<Request> request : requests.values()) {
                service.load().unpaced(request, CONNECTIONS, WARM_UP);
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (Map.Entry<String, List<Request>> request : requests.entrySet()) {
                    results.get(request.getKey()).add(service.load().unpaced(request.getValue(), CONNECTIONS, EACH));
                }
                baseline.add(bare.load().unpaced(BareServlet.REQUEST, CONNECTIONS, EACH));
            }
            double unit = median(baseline);
            StringBuilder table = new StringBuilder("""
                    | request | processor time, µs | times that of the servlet | requests/s | 99th percentile, ms |
                    |---|---|---|---|---|
                    """);
            table.append(row("bare servlet", baseline, unit));
            results.forEach((name, result) -> table.append(row(name, result, unit)));
            write("requests", table.toString());
        }
    }

    /** The requests whose cost is compared, by their names, one or more for each; the dataset is {@code people}. */
    static Map<String, List<Request>> requests(MeasuredService service) throws Exception {
        Map<String, List<Request>> requests = new LinkedHashMap<>();
        List<Request> replays = IntStream.range(0, CONNECTIONS)
                .mapToObj(i -> service.ask(COUNT, QUESTION, "Idempotency-Key: repeated-" + i))
                .toList();
        String queryId = find("\"queryId\":\"(\\w+)\"", exchange(service, replays.getFirst()));
        requests.put("spending count", List.of(service.ask(COUNT, QUESTION)));
        requests.put("quote", List.of(quote(service)));
        requests.put("stored answer", List.of(service.get("/v1/queries/" + queryId)));
        requests.put("replay", replays);
        requests.put("health", List.of(Request.of("GET", "/actuator/health", "none", "")));
        return requests;
    }

    private static String row(String name, List<Result> results, double unit) {
        Result shown = results.stream()
                .sorted(Comparator.comparingDouble(Result::perSecond))
                .toList()
                .get(results.size() / 2);
        return "| %s | %.0f | %.1f | %,.0f | %.0f |%n"
                .formatted(name, median(results), median(results) / unit, shown.perSecond(), shown.percentile(99));
    }

    private void measurePace(MeasuredService service, Request question) throws Exception {
        StringBuilder table = new StringBuilder("""
                | connections, requests due per second | answered per second | median, ms | 99th percentile, ms | longest, ms |
                |---|---|---|---|---|
                """);
        table.append(paced("1, as fast as answers come", service.load().unpaced(question, 1, EACH)));
        for (int perSecond : new int[] {1_000, 2_000, 3_000}) {
            table.append(paced(
                    CONNECTIONS + ", %,d".formatted(perSecond),
                    service.load().paced(question, CONNECTIONS, perSecond, EACH.multipliedBy(2))));
        }
        write("pace", table.toString());
    }

    private static String paced(String name, Result result) {
        return "| %s | %,.0f | %.1f | %.1f | %.0f |%n"
                .formatted(
                        name, result.perSecond(), result.percentile(50), result.percentile(99), result.percentile(100));
    }

    private void measureStages(MeasuredService service, Request question) throws Exception {
        Path recording = folder.resolve("question.jfr");
        jcmd(
                service,
                "JFR.start",
                "name=question",
                "settings=none",
                "+jdk.CPUTimeSample#enabled=true",
                "+jdk.CPUTimeSample#throttle=2ms");
        Result result = service.load().unpaced(question, CONNECTIONS, EACH.multipliedBy(2));
        jcmd(service, "JFR.stop", "name=question", "filename=" + recording);
        StringBuilder table = new StringBuilder("| stage | share | µs |\n|---|---|---|\n");
        Stages.shares(recording)
                .forEach((stage, share) -> table.append(
                        "| %s | %.1f %% | %.0f |%n".formatted(stage, 100 * share, share * result.micros())));
        write("stages", table.toString());
    }

    private static void jcmd(MeasuredService service, String... words) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        command.add(String.valueOf(service.process().pid()));
        command.addAll(List.of(words));
        Process jcmd = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (jcmd.waitFor() != 0) {
            throw new IllegalStateException(command + " failed");
        }
    }

    private void measureMemory(MeasuredService service, Request question) throws Exception {
        service.load().unpaced(question, CONNECTIONS, Duration.ofMinutes(1));
        write(
                "memory",
                "After a minute of these questions as fast as answers came, %d MB were resident.%n"
                        .formatted(service.residentMegabytes()));
    }

    /** Processor time by the size of the data and of the question. */
    private void measureGrowth(MeasuredService service) throws Exception {
        Map<String, List<Figure.Point>> flat = new LinkedHashMap<>();
        Map<String, List<Figure.Point>> linear = new LinkedHashMap<>();
        for (int rows : new int[] {1_000, 10_000, 100_000, 1_000_000}) {
            service.dataset("rows" + rows, 1, rows);
            measure(service, flat, "rows", rows, count(service, "rows" + rows), CONNECTIONS);
        }
        for (int columns : new int[] {1, 10, 100}) {
            service.dataset("columns" + columns, columns, 1_000);
            measure(service, flat, "columns", columns, count(service, "columns" + columns), CONNECTIONS);
        }
        for (int conditions : new int[] {1, 10, 100}) {
            String where = list(conditions, """
                    {"column":"c0","atLeast":%d}"""::formatted);
            Request question = service.ask(COUNT, """
                    {"epsilon":"0.0001","where":%s}""".formatted(where));
            measure(service, linear, "conditions", conditions, question, CONNECTIONS);
        }
        for (int items : new int[] {1, 10, 100, 1_000}) {
            String counts = list(items, i -> """
                    {"count":{"where":[{"column":"c0","atLeast":%d}]}}""".formatted(i % 1_000));
            Request question = service.ask("/v1/datasets/people/queries/threshold", """
                    {"epsilon":"0.0001","threshold":1000000000,"whenNone":"none","queries":%s}""".formatted(counts));
            measure(service, linear, "items of a threshold question", items, question, 4);
        }
        for (int ranges : new int[] {1, 10, 100, 1_000, 10_000, 100_000}) {
            measure(service, linear, "ranges", ranges, ranges(service, ranges), 4);
        }
        Map<String, Map<String, List<Figure.Point>>> panels = new LinkedHashMap<>();
        panels.put("size of the data", flat);
        panels.put("size of the question", linear);
        Figure.draw(panels, "number of them", "processor time, µs", pictures.resolve("question-growth.svg"));
        write("growth", table(flat) + table(linear));
    }

    /** Processor time as accounts, keys and datasets of a home grow together: a service for each size, in turn. */
    private void measureHome() throws Exception {
        Map<Integer, MeasuredService> services = new LinkedHashMap<>();
        try {
            for (int size : new int[] {1_000, 30_000, 1_000_000}) {
                services.put(size, filled(size));
            }
            MeasuredService largest = services.get(1_000_000);
            Map<MeasuredService, List<Result>> counts = new HashMap<>();
            Map<MeasuredService, List<Result>> quotes = new HashMap<>();
            for (MeasuredService service : services.values()) {
                service.load().unpaced(count(service, DATASET), CONNECTIONS, WARM_UP.multipliedBy(3));
                service.load().unpaced(quote(service), CONNECTIONS, WARM_UP);
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (MeasuredService service : services.values()) {
                    counts.computeIfAbsent(service, each -> new ArrayList<>())
                            .add(service.load().unpaced(count(service, DATASET), CONNECTIONS, SHORT));
                    quotes.computeIfAbsent(service, each -> new ArrayList<>())
                            .add(service.load().unpaced(quote(service), CONNECTIONS, SHORT));
                }
            }
            StringBuilder table = new StringBuilder("""
                    | entries of the account, keys, datasets | spending count, µs | quote, µs |
                    |---|---|---|
                    """);
            services.forEach((size, service) -> table.append("| %,d, %,d, %,d | %.0f | %.0f |%n"
                    .formatted(size, size / 10, size / 100, median(counts.get(service)), median(quotes.get(service)))));
            write("home", table.toString());
            Map<String, List<Figure.Point>> lines = new LinkedHashMap<>();
            lines.put("spending count", points(services, counts));
            lines.put("quote", points(services, quotes));
            Figure.draw(
                    Map.of("size of the home", lines),
                    "entries of the account",
                    "processor time, µs",
                    pictures.resolve("home-growth.svg"));
            measureSlowPaths(largest);
        } finally {
            for (MeasuredService service : services.values()) {
                service.close();
            }
        }
    }

    private static List<Figure.Point> points(
            Map<Integer, MeasuredService> services, Map<MeasuredService, List<Result>> results) {
        return services.entrySet().stream()
                .map(service -> new Figure.Point(service.getKey(), median(results.get(service.getValue()))))
                .toList();
    }

    private MeasuredService filled(int entries) throws Exception {
        Path place = folder.resolve("service" + homes++);
        try (MeasuredService service = new MeasuredService(place, "ana", FLAGS)) {
            service.dataset(DATASET, 1, 1_000);
            together(entries / 100, i -> service.register("other" + i, 1, "pure"));
            together(entries / 10, i -> service.key("key" + i));
        }
        try (Database database = new Database(new PurserHome(place.resolve("home")))) {
            LedgerFill.upTo(database, DATASET, entries);
        }
        return new MeasuredService(place, "bea", FLAGS);
    }

    private interface Call {
        void run(int number) throws Exception;
    }

    /** On as many threads as there are connections. */
    private static void together(int calls, Call call) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            List<Callable<Void>> all = IntStream.range(0, calls)
                    .<Callable<Void>>mapToObj(i -> () -> {
                        call.run(i);
                        return null;
                    })
                    .toList();
            for (Future<Void> done : threads.invokeAll(all)) {
                done.get();
            }
        }
    }

    /** Measures requests that are rare, sent one after another by one client. */
    private void measureSlowPaths(MeasuredService service) throws Exception {
        service.register("concentrated", 1, "zcdp");
        service.fill("concentrated", 1, 1_000);
        service.load().unpaced(count(service, "concentrated"), CONNECTIONS, SHORT);
        String plan = list(100, i -> """
                {"kind":"count","request":{"epsilon":"0.0001"}}""");
        String targets = list(10, i -> """
                {"kind":"mean","request":{"column":"c0","targetAlpha":%d}}""".formatted(i + 1));
        Map<String, Request> requests = new LinkedHashMap<>();
        requests.put(
                "1,000 entries of a ledger under `zcdp`",
                service.ofAdministrator("GET", "/v1/datasets/concentrated/ledger?limit=1000", ""));
        requests.put("1,000 datasets", service.ofAdministrator("GET", "/v1/datasets?limit=1000", ""));
        requests.put("quote of a plan of 100 counts", service.ask("/v1/datasets/people/quotes", questions(plan)));
        requests.put("quote of a mean with a target", service.ask("/v1/datasets/people/quotes/mean", """
                        {"column":"c0","targetAlpha":1}"""));
        requests.put("the same under `zcdp`", service.ask("/v1/datasets/concentrated/quotes/mean", """
                        {"column":"c0","targetAlpha":1}"""));
        requests.put("quote of a plan of 10 targets", service.ask("/v1/datasets/people/quotes", questions(targets)));
        requests.put("OpenAPI document", service.get("/openapi.json"));
        StringBuilder table = new StringBuilder("| request | median, ms |\n|---|---|\n");
        for (Map.Entry<String, Request> request : requests.entrySet()) {
            exchange(service, request.getValue());
            Result result = service.load().unpaced(request.getValue(), 1, SHORT);
            table.append("| %s | %.1f |%n".formatted(request.getKey(), result.percentile(50)));
        }
        write("slow", table.toString());
    }

    private static String questions(String list) {
        return """
                {"questions":%s}""".formatted(list);
    }

    private static Request count(MeasuredService service, String dataset) {
        return service.ask("/v1/datasets/" + dataset + "/queries/count", QUESTION);
    }

    private static Request quote(MeasuredService service) {
        return service.ask("/v1/datasets/people/quotes/count", QUESTION);
    }

    static Request ranges(MeasuredService service, int number) {
        String ranges = list(number, i -> """
                {"atLeast":%d,"below":%d}""".formatted(i % 1_000, i % 1_000 + 1 + i / 1_000));
        return service.ask("/v1/datasets/people/queries/sparse-range", """
                {"epsilon":"0.0001","column":"c0","threshold":1000000000,"maxPositives":1,"release":"indices",\
                "ranges":%s}""".formatted(ranges));
    }

    private static String list(int size, IntFunction<String> item) {
        return IntStream.range(0, size).mapToObj(item).collect(Collectors.joining(",", "[", "]"));
    }

    private static Result measure(
            MeasuredService service,
            Map<String, List<Figure.Point>> lines,
            String line,
            int size,
            Request request,
            int connections)
            throws Exception {
        service.load().unpaced(request, connections, SHORT.dividedBy(2));
        Result result = service.load().unpaced(request, connections, SHORT);
        lines.computeIfAbsent(line, name -> new ArrayList<>()).add(new Figure.Point(size, result.micros()));
        return result;
    }

    private static String table(Map<String, List<Figure.Point>> lines) {
        StringBuilder table = new StringBuilder("| | number of them: processor time, µs |\n|---|---|\n");
        lines.forEach((name, points) -> table.append("| %s | %s |%n"
                .formatted(
                        name,
                        points.stream()
                                .map(point -> "%,.0f: %,.0f".formatted(point.x(), point.y()))
                                .collect(Collectors.joining("; ")))));
        return table.append('\n').toString();
    }

    private static double millis(MeasuredService service, Request request) throws IOException {
        long start = System.nanoTime();
        exchange(service, request);
        return (System.nanoTime() - start) / 1e6;
    }

    private static String exchange(MeasuredService service, Request request) throws IOException {
        try (Load.Connection connection = new Load.Connection(service.port())) {
            return connection.exchange(request);
        }
    }

    private static String find(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("no " + pattern + " in " + text);
        }
        return found.group(1);
    }

    /** The median of the processor time of a request. */
    static double median(List<Result> results) {
        return results.stream().mapToDouble(Result::micros).sorted().toArray()[results.size() / 2];
    }

    /** Prints a part, and replaces it in the page, where comments mark it. */
    private void write(String part, String text) throws IOException {
        System.out.println(text);
        String begin = "<!-- measured: " + part + " -->\n";
        String all = Files.readString(page);
        int from = all.indexOf(begin);
        if (from >= 0) {
            int to = all.indexOf("<!-- end -->", from);
            Files.writeString(page, all.substring(0, from) + begin + "\n" + text.strip() + "\n\n" + all.substring(to));
        }
    }
}
