package dev.purser.cli;

import dev.purser.PurserApplication;
import dev.purser.web.RunningService;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Receipts from a running service, and the command that checks them against the ledger without the service. */
class VerifyReceiptTests extends RunningService {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String COUNT = """
            {"epsilon":"0.5"}""";

    @TempDir
    Path folder;

    private Path receipt;
    private Path answer;
    private Path request;
    private Path firstPage;
    private Path secondPage;

    @BeforeEach
    void files() {
        receipt = folder.resolve("receipt.json");
        answer = folder.resolve("answer.json");
        request = folder.resolve("request.json");
        firstPage = folder.resolve("ledger-1.json");
        secondPage = folder.resolve("ledger-2.json");
    }

    private void take(String accountant, String delta) throws Exception {
        String id = dataset(accountant, "5", delta);
        ask(id, "count", """
                {"epsilon":"0.1"}""");
        HttpResponse<String> asked = assertStatus(200, ask(id, "count", COUNT));
        ask(id, "count", """
                {"epsilon":"0.2"}""");
        String queryId = json(asked).get("queryId").asString();
        Files.writeString(answer, asked.body());
        Files.writeString(request, COUNT);
        Files.writeString(
                receipt,
                assertStatus(200, get("/v1/queries/" + queryId + "/receipt")).body());
        Files.writeString(
                firstPage, get("/v1/datasets/" + id + "/ledger?limit=2").body());
        Files.writeString(
                secondPage, get("/v1/datasets/" + id + "/ledger?after=2").body());
        JsonNode head = JSON.readTree(Files.readAllBytes(receipt)).at("/head/hash");
        assertThat(json(get("/v1/datasets/" + id + "/ledger/verification")))
                .isEqualTo(JSON.readTree("""
                {"entries":4,"head":%s,"valid":true,"fault":null,"covers":["entries","account",\
                "allotments","charges","rows","answers","blocks","datasets","fingerprints","forms","plans",\
                "refinements","registrations","releases","sessions","steps"]}""".formatted(head)));
    }

    private int verify(String... more) {
        List<String> arguments = new ArrayList<>(List.of("verify-receipt", receipt.toString()));
        arguments.addAll(List.of(more));
        return CommandsTests.run(arguments.toArray(String[]::new));
    }

    private int verifyAll() {
        return verify(
                "--answer",
                answer.toString(),
                "--request",
                request.toString(),
                "--public-key",
                signingPub().toString(),
                "--ledger",
                firstPage.toString(),
                secondPage.toString());
    }

    private static Path signingPub() {
        return home().resolve("signing.pub");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pure 0", "approximate 0.000001", "zcdp 0.000001"})
    void provesAReceiptAgainstEverythingElse(String accountantAndDelta) throws Exception {
        String[] words = accountantAndDelta.split(" ");
        take(words[0], words[1]);

        assertThat(verify()).isZero();
        assertThat(verifyAll()).isZero();
        everyChangedFieldFails();
    }

    private void everyChangedFieldFails() throws IOException {
        JsonNode whole = JSON.readTree(Files.readAllBytes(receipt));
        List<String> pointers = new ArrayList<>();
        collect("", whole, pointers);
        assertThat(pointers).hasSizeGreaterThan(25);
        for (String pointer : pointers) {
            ObjectNode changed = (ObjectNode) whole.deepCopy();
            int slash = pointer.lastIndexOf('/');
            ObjectNode parent = (ObjectNode) changed.at(pointer.substring(0, slash));
            String name = pointer.substring(slash + 1);
            change(parent, name);
            Files.write(receipt, JSON.writeValueAsBytes(changed));
            assertThat(verify()).as("changed " + pointer).isEqualTo(1);
            parent.remove(name);
            Files.write(receipt, JSON.writeValueAsBytes(changed));
            assertThat(verify()).as("removed " + pointer).isEqualTo(1);
        }
        ObjectNode more = (ObjectNode) whole.deepCopy();
        Files.write(receipt, JSON.writeValueAsBytes(more.put("more", 1)));
        assertThat(verify()).isEqualTo(1);
    }

    private static void collect(String pointer, JsonNode node, List<String> into) {
        if (node.isObject()) {
            node.propertyNames().forEach(name -> collect(pointer + "/" + name, node.get(name), into));
        } else {
            into.add(pointer);
        }
    }

    private static void change(ObjectNode parent, String name) {
        JsonNode value = parent.get(name);
        if (value.isNumber()) {
            parent.put(name, value.asLong() + 1);
        } else if (value.isNull()) {
            parent.put(name, "x");
        } else {
            String text = value.asString();
            int at = text.length() / 2;
            char other = text.charAt(at) == '1' ? '2' : '1';
            parent.put(name, text.substring(0, at) + other + text.substring(at + 1));
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void failsOnAnotherAnswerRequestKeyOrLedger(CapturedOutput output) throws Exception {
        take("pure", "0");
        Files.writeString(folder.resolve("other"), "{}");
        String other = folder.resolve("other").toString();

        assertThat(verify("--answer", other)).isEqualTo(1);
        assertThat(verify("--request", other)).isEqualTo(1);
        assertThat(verify("--public-key", other)).isEqualTo(1);
        assertThat(verify("--ledger", other)).isEqualTo(1);
        assertThat(output).contains("Not proven: a file is not as the service sent it: it has no \"items\".");
        assertThat(verify("--ledger", secondPage.toString(), firstPage.toString()))
                .isEqualTo(1);
        assertThat(verify("--ledger", firstPage.toString()))
                .as("a ledger cut off before the entry")
                .isEqualTo(1);
        Files.writeString(firstPage, Files.readString(firstPage).replaceFirst("0\\.1\"", "0.2\""));
        assertThat(verify("--ledger", firstPage.toString(), secondPage.toString()))
                .isEqualTo(1);
    }

    @Test
    void saysWhenItIsUsedWrongly() {
        assertThat(verify()).as("no such file").isEqualTo(2);
        assertThat(CommandsTests.run("verify-receipt")).isEqualTo(2);
        assertThat(verify("--no-such-option")).isEqualTo(2);
    }

    /** The program as it is started, without Spring and without a home. */
    @Test
    void runsByItself() throws Exception {
        take("pure", "0");
        assertThat(runMain("--answer", answer.toString())).startsWith("0 Proven: the receipt, the answer");
        Files.writeString(answer, "{}");
        assertThat(runMain("--answer", answer.toString()))
                .startsWith("1 Not proven: The answer is not the one that was stored.");
        assertThat(folder.resolve("purser-home")).doesNotExist();
    }

    private String runMain(String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                PurserApplication.class.getName(),
                "verify-receipt",
                receipt.toString()));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + output;
    }

    @Test
    void aReceiptOfNoQuestionIsNotFound() throws Exception {
        assertProblem(404, "not-found", get("/v1/queries/01ARZ3NDEKTSV4RRFFQ69G5FAV/receipt"));
        assertProblem(404, "not-found", get("/v1/datasets/none/ledger/verification"));
    }
}
