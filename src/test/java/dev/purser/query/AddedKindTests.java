package dev.purser.query;

import dev.purser.PurserApplication;
import dev.purser.ServiceProcess;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** A new kind of question is one class and one line in {@link QuestionKinds}. */
@Tag("full")
class AddedKindTests {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path LIST = SOURCES.resolve("dev/purser/query/QuestionKinds.java");
    private static final String LAST_LINE = "LocalMeanQuery.KIND);";

    /** The purchase of a synopsis has a path of its own. */
    private static final Pattern KIND_OF_A_CLASS = Pattern.compile("\\b(?!Synopsis)\\w+Query\\.KIND\\b");

    private static final String DATASET = "/v1/datasets/visits";

    @TempDir
    private Path folder;

    private String key = "";

    @Test
    void onlyTheListNamesKinds() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            assertThat(files.filter(Files::isRegularFile).filter(AddedKindTests::namesAKind))
                    .containsExactly(LIST);
        }
    }

    private static boolean namesAKind(Path file) {
        try {
            return KIND_OF_A_CLASS.matcher(Files.readString(file)).find();
        } catch (IOException unreadable) {
            throw new java.io.UncheckedIOException(unreadable);
        }
    }

    @Test
    void oneClassAndOneLineAddAKind() throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder, Map.of(), withTheAddedKind())) {
            key = service.key();
            assertThat(service.post("/v1/datasets", key, REGISTRATION).statusCode())
                    .isEqualTo(201);
            assertThat(service.putCsv(DATASET + "/data", key, "age,ward\n40,a\n41,b\n42,a\n")
                            .statusCode())
                    .isEqualTo(200);
            isAsked(service);
            isQuoted(service);
            isListed(service);
            isDescribed(service);
        }
    }

    private static final String REGISTRATION = """
            {"id": "visits", "columns": [{"name": "age", "type": "integer", "lower": 0, "upper": 110},
             {"name": "ward", "type": "category", "categories": ["a", "b"]}], "privacyUnit": {"type": "row"},
             "neighboringRelation": "add-or-remove-one", "maxRows": 1000, "budget": {"epsilon": "200"}}""";

    private void isAsked(ServiceProcess service) throws Exception {
        String asked = DATASET + "/queries/added-kind";
        JsonNode answer = json(service.post(asked, key, quoted("{'epsilon': '100', 'column': 'age'}")));
        assertThat(answer.get("kind").asString()).isEqualTo("added-kind");
        assertThat(answer.at("/answer/rows").asInt()).isEqualTo(3);
        JsonNode charge = json(service.get(DATASET + "/ledger?order=desc", key)).at("/items/0");
        assertThat(charge.get("kind").asString()).isEqualTo("added-kind");
        assertThat(charge.get("queryId")).isEqualTo(answer.get("queryId"));
        assertThat(charge.at("/charge/epsilon").asString()).isEqualTo("100");
    }

    private void isQuoted(ServiceProcess service) throws Exception {
        String question = quoted("{'targetAlpha': 5, 'column': 'age'}");
        JsonNode quote = json(service.post(DATASET + "/quotes/added-kind", key, question));
        assertThat(quote.get("kind").asString()).isEqualTo("added-kind");
        String plan =
                quoted("{'questions': [{'kind': 'added-kind', 'request': %s}]}").formatted(question);
        assertThat(json(service.post(DATASET + "/quotes", key, plan)).at("/items/0/charge"))
                .isEqualTo(quote.get("charge"));
    }

    private void isListed(ServiceProcess service) throws Exception {
        assertThat(json(service.get(DATASET + "/queries?kind=added-kind", key)).get("items"))
                .hasSize(1);
        assertThat(service.post(DATASET + "/queries/adding-kind", key, "{}").body())
                .contains("\\\"added-kind\\\"");
        String sumOfDates = quoted("{'epsilon': 1, 'column': 'ward'}");
        assertThat(service.post(DATASET + "/queries/sum", key, sumOfDates).body())
                .contains("can be asked about with count, histogram, aggregate, threshold\"");
    }

    private void isDescribed(ServiceProcess service) throws Exception {
        JsonNode api = json(service.get("/openapi.json", ""));
        for (String about : List.of("queries", "quotes")) {
            JsonNode operation = api.at("/paths")
                    .get("/v1/datasets/{id}/" + about + "/added-kind")
                    .get("post");
            assertThat(operation.get("summary").asString()).endsWith(AddedQuery.KIND.summary());
        }
        assertThat(api.at("/components/schemas/AddedKindQuestion/required")).hasSize(2);
        assertThat(api.at("/components/schemas/AddedKindAnswer/properties/answer/$ref")
                        .asString())
                .endsWith("/AddedKindAnswerValue");
    }

    private static JsonNode json(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    /** The command that starts the service with the class and with a list that has one more line. */
    private List<String> withTheAddedKind() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Path list = folder.resolve("QuestionKinds.java");
        String listed = Files.readString(LIST);
        assertThat(listed).containsOnlyOnce(LAST_LINE);
        Files.writeString(list, listed.replace(LAST_LINE, "LocalMeanQuery.KIND,\nAddedQuery.KIND);"));
        compile(classes, list, Path.of("src/test/java/dev/purser/query/AddedQuery.java"));
        String withoutTests = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
        return ServiceProcess.java(
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes + File.pathSeparator + withoutTests,
                PurserApplication.class.getName());
    }

    private static void compile(Path classes, Path... sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        List<String> options = List.of(
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                "-proc:none",
                "-nowarn",
                "-parameters");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            assertThat(compiler.getTask(complaints, files, null, options, null, files.getJavaFileObjects(sources))
                            .call())
                    .as(complaints.toString())
                    .isTrue();
        }
    }
}
