package dev.purser.mcp;

import dev.purser.Leftovers;
import dev.purser.web.RunningService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

/** The protocol's own conformance program, from npm. Where npm installs nothing, it is left out with the reason. */
@Tag("full")
class McpConformanceTests extends RunningService {
    private static final String PROGRAM = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

    /** The program needs a function of this version of Node.js. */
    private static final int LEAST_NODE = 22;

    /** The program knows no keys, so every request of its process is given one. */
    private static final String WITH_KEY = """
            import http from "node:http";
            import { Agent, setGlobalDispatcher } from "undici";
            const key = "Bearer " + process.env.MCP_KEY;
            const request = http.request;
            http.request = (options, ...more) =>
              request({ ...options, headers: { ...options.headers, Authorization: key } }, ...more);
            setGlobalDispatcher(new Agent().compose((dispatch) => (options, handler) => {
              const sent = options.headers;
              const headers = Array.isArray(sent) ? [...sent, "Authorization", key]
                : Object.assign(Object.fromEntries(Symbol.iterator in Object(sent) ? sent : []),
                    Symbol.iterator in Object(sent) ? {} : sent, { Authorization: key });
              return dispatch({ ...options, headers }, handler);
            }));
            """;

    /** Checks that call what Purser does not offer: diagnostic tools, prompts and resources. */
    private static final Map<String, List<String>> NOT_OFFERED = Map.of(
            "server-stateless",
            List.of(
                    "sep-2575-server-rejects-undeclared-capability",
                    "sep-2575-missing-capability-http-400",
                    "sep-2575-http-server-no-independent-requests-on-stream",
                    "sep-2575-server-no-log-without-loglevel"),
            "caching",
            List.of(
                    "sep-2549-prompts-list-caching-hints",
                    "sep-2549-resources-list-caching-hints",
                    "sep-2549-resources-templates-list-caching-hints"));

    @Test
    void theScenariosOfAServerWithToolsPass(@TempDir Path folder) throws Exception {
        String key = keyFor("analyst", "['" + dataset("1", "age,hours,sex\n1,1,Male\n") + "']");
        String node = installed(folder);
        Map<String, TreeSet<String>> failed = new TreeMap<>();
        for (String scenario : List.of(
                "server-stateless", "tools-list", "dns-rebinding-protection", "caching", "http-header-validation")) {
            failed.put(scenario, failed(folder, node, key, scenario, "2026-07-28"));
            failed.get(scenario).removeAll(NOT_OFFERED.getOrDefault(scenario, List.of()));
        }
        for (String scenario : List.of("server-initialize", "ping", "tools-list", "dns-rebinding-protection")) {
            failed.put("older " + scenario, failed(folder, node, key, scenario, "2025-11-25"));
        }
        failed.values().removeIf(TreeSet::isEmpty);
        assertThat(failed).isEmpty();
    }

    /** The Node.js to use. */
    private static String installed(Path folder) throws Exception {
        List<String> install =
                new ArrayList<>(List.of("npm", "install", "--no-audit", "--no-fund", PROGRAM, "undici@7"));
        boolean isOld = version() < LEAST_NODE;
        if (isOld) {
            install.add("node@" + LEAST_NODE);
        }
        Files.writeString(folder.resolve("package.json"), "{\"private\":true}");
        Files.writeString(folder.resolve("key.mjs"), WITH_KEY);
        Ran ran = run(folder, "", install);
        if (ran.status() != 0) {
            return abort("left out: npm does not install " + PROGRAM);
        }
        return isOld ? folder.resolve("node_modules/node/bin/node").toString() : "node";
    }

    private static int version() throws Exception {
        String version = run(Path.of("."), "", List.of("node", "--version")).output();
        return Integer.parseInt(version.substring(1, version.indexOf('.')));
    }

    private TreeSet<String> failed(Path folder, String node, String key, String scenario, String version)
            throws Exception {
        Path results = Files.createTempDirectory(folder, "results");
        Ran ran = run(
                folder,
                key,
                List.of(
                        node,
                        "--import",
                        "./key.mjs",
                        "node_modules/@modelcontextprotocol/conformance/dist/index.js",
                        "server",
                        "--url",
                        "http://127.0.0.1:" + port + "/mcp",
                        "--scenario",
                        scenario,
                        "--spec-version",
                        version,
                        "-o",
                        results.toString()));
        TreeSet<String> failed = new TreeSet<>();
        int checks = 0;
        for (Path file : filesBelow(results)) {
            for (JsonNode check : JsonMapper.shared().readTree(file.toFile())) {
                checks++;
                if (check.path("status").asString().equals("FAILURE")) {
                    failed.add(check.get("id").asString());
                }
            }
        }
        assertThat(checks).as(scenario + ": " + ran.output()).isPositive();
        return failed;
    }

    private static List<Path> filesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith("checks.json")).toList();
        }
    }

    private record Ran(int status, String output) {}

    private static Ran run(Path folder, String key, List<String> command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("MCP_KEY", key);
        try {
            Process process = Leftovers.watched(builder.start());
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ran(process.waitFor(), output);
        } catch (IOException missing) {
            return abort("left out: " + command.getFirst() + " is not installed");
        }
    }
}
