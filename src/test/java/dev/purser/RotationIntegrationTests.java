package dev.purser;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.ServiceProcess.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The packaged service continues all its work while its keys are rotated. */
@Tag("full")
class RotationIntegrationTests {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String ROWS = "1\n2\n3\n";
    private static final String COUNT = """
            {"epsilon":"0.5"}""";

    @TempDir
    Path folder;

    private Ended run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(ServiceProcess.jar());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PURSER_"));
        return Ended.of(builder);
    }

    private static HttpResponse<String> upload(ServiceProcess service, String key, String id, String more, String rows)
            throws Exception {
        assertStatus(201, service.registerAges(id, key, 5, more));
        return service.uploadAges(id, key, rows);
    }

    private static String asked(ServiceProcess service, String key, String idempotencyKey) throws Exception {
        return JSON.readTree(
                        assertStatus(200, service.ask("/v1/datasets/visits/queries/count", key, idempotencyKey, COUNT))
                                .body())
                .get("queryId")
                .asString();
    }

    private static String receipt(ServiceProcess service, String key, String queryId) throws Exception {
        return assertStatus(200, service.get("/v1/queries/" + queryId + "/receipt", key))
                .body();
    }

    private static String keyId(String receipt) {
        return JSON.readTree(receipt).get("keyId").asString();
    }

    private static String opened(ServiceProcess service, String key) throws Exception {
        return JSON.readTree(assertStatus(201, service.post("/v1/datasets/visits/threshold-sessions", key, """
                        {"epsilon": "1", "threshold": 1000, "maxPositives": 2, "queries": "counts",
                         "payment": "per-positive"}"""))
                        .body())
                .get("sessionId")
                .asString();
    }

    /** Asks a question whose answer is far below the threshold. */
    private static void step(ServiceProcess service, String key, String session, int sequence) throws Exception {
        String reply = assertStatus(
                        200,
                        service.post(
                                "/v1/threshold-sessions/" + session + "/queries",
                                key,
                                "{\"sequence\":" + sequence + ",\"query\":{\"count\":{}}}"))
                .body();
        assertThat(JSON.readTree(reply).get("outcome").asString()).isEqualTo("BELOW");
    }

    private static String spent(ServiceProcess service, String key) throws Exception {
        return JSON.readTree(assertStatus(200, service.get("/v1/datasets/visits/budget", key))
                        .body())
                .at("/spent/epsilon")
                .asString();
    }

    private int verify(String receipt, Path publicKeys) throws Exception {
        Path file = Files.writeString(Files.createTempFile(folder, "receipt", ".json"), receipt);
        return run("verify-receipt", file.toString(), "--public-key", publicKeys.toString())
                .status();
    }

    private record Sealed(byte[] bytes, String boundTo) {}

    private static Sealed sealed(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT sealed_state, interaction_id, kind, account, dataset_id,"
                        + " principal, request, query_id, version, steps FROM interaction")) {
            row.next();
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return new Sealed(
                    row.getBytes(1),
                    String.join(
                            "\n",
                            "purser-interaction-2",
                            row.getString(2),
                            row.getString(3),
                            row.getString(4),
                            row.getString(5),
                            row.getString(6),
                            HexFormat.of().formatHex(sha256.digest(row.getBytes(7))),
                            row.getString(8),
                            row.getString(9),
                            row.getString(10)));
        }
    }

    /** The secret state of the only session, decrypted with this key alone; empty if it is the wrong key. */
    private static byte[] secret(Sealed sealed, String key) throws Exception {
        ByteBuffer bytes = ByteBuffer.wrap(sealed.bytes());
        byte[] nonce = new byte[12];
        bytes.get(nonce);
        byte[] ciphertext = new byte[bytes.remaining()];
        bytes.get(ciphertext);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                Cipher.DECRYPT_MODE,
                new SecretKeySpec(Base64.getDecoder().decode(key), "AES"),
                new GCMParameterSpec(128, nonce));
        cipher.updateAAD(sealed.boundTo().getBytes(StandardCharsets.UTF_8));
        try {
            return cipher.doFinal(ciphertext);
        } catch (AEADBadTagException notThisKey) {
            return new byte[0];
        }
    }

    private static Sealed sealed(Path home) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + home.resolve("ledger.db"))) {
            return sealed(connection);
        }
    }

    private static List<String> lines(Path home, String file) throws IOException {
        return Files.readAllLines(home.resolve(file));
    }

    private static int recorded(Path home) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + home.resolve("ledger.db"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM used_fingerprint_key")) {
            return row.getInt(1);
        }
    }

    @Test
    void everythingGoesOnWhileAllKeysAreRotated() throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder)) {
            Path home = service.home();
            String key = service.key();
            assertStatus(200, upload(service, key, "visits", "", ROWS));
            String first = asked(service, key, "before");
            String before = receipt(service, key, first);
            Path publishedBefore = Files.copy(home.resolve("signing.pub"), folder.resolve("before.pub"));
            String session = opened(service, key);
            step(service, key, session, 1);
            String sealingBefore = lines(home, "sealing.key").getFirst();
            byte[] threshold = secret(sealed(home), sealingBefore);
            assertThat(threshold).isNotEmpty();
            assertThat(spent(service, key)).isEqualTo("1");

            String recipe = OperatingPage.blocks("## Rotate the service's keys").getFirst();
            assertThat(recipe).matches("java -jar purser.jar rotate signing +# or fingerprint, or sealing");
            for (String each : List.of("signing", "fingerprint", "sealing")) {
                Ended rotated = OperatingPage.paste(
                        folder,
                        Map.of("PURSER_HOME", home.toString()),
                        recipe.replace("rotate signing", "rotate " + each));
                assertThat(rotated.status()).as(rotated.output()).isZero();
                assertThat(rotated.output()).contains("There is a new " + each + " key in " + home);
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> !keyId(receipt(service, key, first)).equals(keyId(before)));

            receiptsVerify(service, before, publishedBefore);
            sameRowsStayWithTheirAccount(service, "-running");
            step(service, key, session, 2);
            String sealingAfter = lines(home, "sealing.key").getFirst();
            assertThat(sealingAfter).isNotEqualTo(sealingBefore);
            assertThat(secret(sealed(home), sealingBefore)).isEmpty();
            assertThat(secret(sealed(home), sealingAfter)).isEqualTo(threshold);
            assertThat(spent(service, key)).as("nothing was charged again").isEqualTo("1.5");

            service.killAndRestart();
            receiptsVerify(service, before, publishedBefore);
            sameRowsStayWithTheirAccount(service, "-started");
            step(service, key, session, 3);
            assertThat(secret(sealed(home), sealingAfter)).isEqualTo(threshold);
            assertThat(recorded(home)).isEqualTo(2);
            assertThat(service.log()).doesNotContain("ERROR", "\tat ");
            for (String file : List.of("signing.key", "signing.pub", "fingerprint.key", "sealing.key")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(file))))
                        .isEqualTo("rw-------");
            }
        }
    }

    private void receiptsVerify(ServiceProcess service, String before, Path publishedBefore) throws Exception {
        Path published = service.home().resolve("signing.pub");
        String after = receipt(service, service.key(), asked(service, service.key(), "after"));
        assertThat(keyId(after)).isNotEqualTo(keyId(before));
        assertThat(verify(before, published)).isZero();
        assertThat(verify(after, published)).isZero();
        assertThat(verify(before, publishedBefore)).isZero();
        assertThat(verify(after, publishedBefore)).isEqualTo(1);
    }

    private static void sameRowsStayWithTheirAccount(ServiceProcess service, String when) throws Exception {
        String key = service.key();
        assertStatus(409, upload(service, key, "again" + when, "", "3\n2\n1\n"));
        assertStatus(200, upload(service, key, "shared" + when, ",\"sharesAccountWith\":\"visits\"", ROWS));
        String more = (when.hashCode() & 63) + "\n";
        assertStatus(200, upload(service, key, "new" + when, "", more));
        assertStatus(409, upload(service, key, "new-again" + when, "", more));
    }

    @Test
    void nothingIsRotatedWithOtherSettings() throws Exception {
        Ended nowhere = run("rotate", "sealing", "--purser.home=nowhere");
        assertThat(nowhere.status()).isEqualTo(1);
        assertThat(nowhere.output())
                .contains("There is no home ", "PURSER_HOME")
                .doesNotContain("\tat ");
        assertThat(folder.resolve("nowhere")).doesNotExist();
        Ended configured = run("rotate", "fingerprint", "--purser.home=" + folder, "--purser.fingerprint-key=x");
        assertThat(configured.status()).isEqualTo(1);
        assertThat(configured.output()).contains("The key is set as purser.fingerprint-key and not in the home.");
        Ended shared = run("rotate", "sealing", "--purser.home=" + folder, "--purser.fingerprint-key=x");
        assertThat(shared.status()).isEqualTo(1);
        assertThat(shared.output()).contains("not known to other instances");
    }

    private static String secretKey() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static String signingKey() throws Exception {
        return Base64.getEncoder()
                .encodeToString(KeyPairGenerator.getInstance("Ed25519")
                        .generateKeyPair()
                        .getPrivate()
                        .getEncoded());
    }

    /** Each instance first gets the new keys as its last keys, then as its first keys, one instance after the other. */
    @Test
    void twoInstancesExchangeTheirConfiguredKeysOneAfterTheOther() throws Exception {
        LedgerSettings database = PostgresServer.shared().newDatabase();
        List<String> old = List.of(signingKey(), secretKey(), secretKey());
        List<String> fresh = List.of(signingKey(), secretKey(), secretKey());
        Map<String, String> before = environment(database, old, List.of());
        Map<String, String> between = environment(database, old, fresh);
        Map<String, String> after = environment(database, fresh, old);
        String key = LastOfABudgetIntegrationTests.KEY;
        try (ServiceProcess two = new ServiceProcess(folder.resolve("two"), before)) {
            String session;
            String receipt;
            byte[] threshold;
            try (ServiceProcess one = new ServiceProcess(folder.resolve("one"), before)) {
                assertStatus(200, upload(one, key, "visits", "", ROWS));
                receipt = receipt(one, key, asked(one, key, "before"));
                session = opened(one, key);
                step(two, key, session, 1);
                threshold = secret(sealed(database), old.get(2));
            }
            try (ServiceProcess one = new ServiceProcess(folder.resolve("one"), between)) {
                together(one, two, session, 2);
            }
            two.close();
            try (ServiceProcess one = new ServiceProcess(folder.resolve("one"), between);
                    ServiceProcess next = new ServiceProcess(folder.resolve("two"), after)) {
                together(one, next, session, 4);
                assertThat(secret(sealed(database), fresh.get(2))).isEqualTo(threshold);
                assertThat(verify(receipt, next.home().resolve("signing.pub"))).isZero();
                String later = receipt(next, key, asked(next, key, "after"));
                assertThat(keyId(later)).isNotEqualTo(keyId(receipt));
                assertThat(verify(later, one.home().resolve("signing.pub"))).isZero();
            }
        }
    }

    /** Each instance continues the work of the other. */
    private static void together(ServiceProcess one, ServiceProcess two, String session, int sequence)
            throws Exception {
        String key = LastOfABudgetIntegrationTests.KEY;
        String id = "at-" + sequence;
        String rows = "9\n".repeat(sequence);
        String others = "8\n".repeat(sequence);
        assertStatus(200, upload(one, key, id + "-one", "", rows));
        assertStatus(409, upload(two, key, id + "-one-again", "", rows));
        assertStatus(200, upload(two, key, id + "-two", "", others));
        assertStatus(409, upload(one, key, id + "-two-again", "", others));
        assertStatus(409, upload(one, key, id + "-visits", "", ROWS));
        assertStatus(409, upload(two, key, id + "-visits-again", "", ROWS));
        step(one, key, session, sequence);
        step(two, key, session, sequence + 1);
        for (ServiceProcess each : List.of(one, two)) {
            assertThat(each.log()).doesNotContain("ERROR", "\tat ");
        }
    }

    private static Sealed sealed(LedgerSettings database) throws Exception {
        try (Connection connection =
                DriverManager.getConnection(database.url(), database.user(), database.password())) {
            return sealed(connection);
        }
    }

    private Map<String, String> environment(LedgerSettings database, List<String> first, List<String> then) {
        Map<String, String> environment = new HashMap<>(LastOfABudgetIntegrationTests.environment(database, folder));
        List<String> names = List.of("PURSER_SIGNING_KEY", "PURSER_FINGERPRINT_KEY", "PURSER_SEALING_KEY");
        for (int i = 0; i < names.size(); i++) {
            environment.put(names.get(i), first.get(i) + (then.isEmpty() ? "" : "," + then.get(i)));
        }
        return environment;
    }
}
