package dev.purser.mcp;

import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** No message that a viewer's key sends lowers a budget, whatever it is made of. */
class McpMutationTests extends RunningService {
    private static final long SEED = 20260728;

    /** The ways to call a tool, of both versions of the protocol. */
    private static final List<String> VERSIONS = List.of("2026-07-28", "2025-11-25", "");

    /** Pieces that mean something somewhere. */
    private static final List<String> PIECES = List.of(
            "\"spend\":true",
            "\"spend\":false",
            "\"reuse\":false",
            "ask",
            "ask_free",
            "quote",
            "tools/call",
            "initialize",
            "null",
            "[]",
            "{}",
            "\"",
            ",",
            ":",
            "1e400",
            "\"epsilon\":\"0.5\"",
            "_meta",
            "\\u0000",
            "é",
            "\"name\":\"ask\"",
            "\"id\":2",
            "notifications/",
            "\"jsonrpc\":\"2.0\"",
            "}{",
            "-1");

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void someMutatedMessagesOfAViewerSpendNothing() throws Exception {
        sendMutated(400);
    }

    @Test
    @Tag("full")
    void tenThousandMutatedMessagesOfAViewerSpendNothing() throws Exception {
        sendMutated(10_000);
    }

    private void sendMutated(int times) throws Exception {
        String dataset = dataset("100", "age,hours,sex\n1,1,Male\n50,2.25,Female\n");
        String viewer = keyFor("viewer", "['" + dataset + "']");
        answered(dataset, "count", quoted("{'epsilon':'1'}"));
        String spent = spent(dataset);
        int entries = entries(dataset);
        List<String> messages = messages(dataset);
        int results = 0;
        for (int i = 0; i < times; i++) {
            String message = messages.get(random.nextInt(messages.size()));
            HttpResponse<String> response =
                    sendAs(viewer, "POST", "/mcp", BodyPublishers.ofByteArray(mutated(message)), headers(message));
            assertThat(response.statusCode()).as(response.body()).isLessThan(500);
            results += response.statusCode() == 200 ? 1 : 0;
        }
        // Most mutations break a message. Many leave a message that does something.
        assertThat(results).isBetween(times / 20, times - times / 20);
        assertThat(spent(dataset)).isEqualTo(spent);
        assertThat(entries(dataset)).isEqualTo(entries);
    }

    private static List<String> messages(String dataset) {
        List<String> messages = new ArrayList<>();
        for (String tool : List.of("ask", "ask_free", "quote", "refine", "describe_dataset")) {
            for (String question : List.of(
                    "{'kind':'count','request':{'epsilon':'1'}}",
                    "{'kind':'mean','request':{'epsilon':'0.5','column':'age',"
                            + "'where':[{'column':'sex','in':['Male']}]}}",
                    "{'kind':'histogram','request':{'epsilon':'2','column':'sex'}}")) {
                messages.add(quoted("{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'" + tool
                        + "','_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                        + "'io.modelcontextprotocol/clientCapabilities':{}},'arguments':{'dataset':'" + dataset
                        + "','question':" + question + "}}}"));
            }
        }
        return messages;
    }

    private String[] headers(String message) {
        String version = VERSIONS.get(random.nextInt(VERSIONS.size()));
        String name = message.replaceFirst(".*\"name\":\"([a-z_]+)\".*", "$1");
        List<String> headers = new ArrayList<>(List.of("Content-Type", "application/json"));
        headers.addAll(List.of("Mcp-Method", "tools/call", "Mcp-Name", random.nextInt(8) == 0 ? "ask" : name));
        if (!version.isEmpty()) {
            headers.addAll(List.of("MCP-Protocol-Version", version));
        }
        return headers.toArray(String[]::new);
    }

    private byte[] mutated(String message) {
        StringBuilder text = new StringBuilder(message);
        for (int change = random.nextInt(4); change > 0; change--) {
            int at = random.nextInt(text.length());
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            switch (random.nextInt(5)) {
                case 0 -> text.insert(at, piece);
                case 1 -> text.insert(text.indexOf("{", at) + 1, piece + ",");
                case 2 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(12)));
                case 3 -> text.setCharAt(at, (char) random.nextInt(0x80));
                default -> {
                    String word = List.of("ask_free", "quote", "refine").get(random.nextInt(3));
                    int found = text.indexOf(word);
                    text.replace(Math.max(found, 0), found < 0 ? 0 : found + word.length(), found < 0 ? "" : "ask");
                }
            }
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
