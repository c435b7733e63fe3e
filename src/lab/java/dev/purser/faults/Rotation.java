package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The command {@code rotate} draws a new key of the service under load; one in four is killed together with the
 * service. The load goes on, sessions too. A receipt from before the rotation verifies offline with the public keys
 * from after it.
 *
 * @param work where receipts lie
 */
record Rotation(Path work, Iterator<String> keys) implements Nemesis {
    private static final String INVARIANT = "I18";
    private static final JsonMapper JSON = new JsonMapper();
    private static final long PATIENCE_NANOS = 15_000_000_000L;

    /** The service looks for new keys every two seconds. */
    private static final int NOTICED_MILLIS = 2_500;

    /** Takes the keys in turn. */
    Rotation(Path work) {
        this(
                work,
                Stream.generate(() -> List.of("signing", "sealing", "fingerprint"))
                        .flatMap(List::stream)
                        .iterator());
    }

    @Override
    public String name() {
        return "rotation";
    }

    @Override
    public int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException {
        Thread.sleep(random.nextInt(300, 1_000));
        Path place = Files.createTempDirectory(work, "rotation");
        ServiceUnderTest service = battle.service();
        Findings findings = battle.findings();
        String key = keys.next();
        Path file = service.home().resolve(key + ".key");
        byte[] present = Files.readAllBytes(file);
        try (Api api = new Api(service.port(), ServiceUnderTest.ADMIN_KEY)) {
            Exchange some = battle.dataset().someAnswered(random);
            // A plan has no receipt: each of its answers has one.
            Exchange answered = some == null || some.asked().isPlan() ? null : some;
            String before = answered == null ? null : keep(api, answered, place);
            Process rotate = service.begin(service.home(), "rotate", key);
            if (random.nextInt(4) == 0) {
                rotate.waitFor(random.nextInt(500, 6_000), TimeUnit.MILLISECONDS);
                service.kill();
                rotate.destroyForcibly();
            }
            boolean rotated = rotate.waitFor() == 0;
            findings.holds(rotated || !service.isAlive(), INVARIANT, "a " + key + " key was not rotated", "");
            findings.holds(
                    !rotated || !Arrays.equals(present, Files.readAllBytes(file)),
                    INVARIANT,
                    "there is no new " + key + " key",
                    "");
            findings.count(rotated ? "rotated: " + key : "rotations killed");
            if (before != null) {
                if (rotated && service.isAlive() && key.equals("signing")) {
                    awaitNewKey(api, answered, place, before, findings);
                    verify(service, place, "after", answered, findings);
                }
                verify(service, place, "before", answered, findings);
            }
            if (service.isAlive()) {
                Thread.sleep(NOTICED_MILLIS);
            }
            FileSystemUtils.deleteRecursively(place);
            return rotated ? 1 : 0;
        }
    }

    /** Keeps a receipt with its answer and its request, and gives the id of the key that signed it. */
    private static String keep(Api api, Exchange answered, Path place) throws IOException, InterruptedException {
        String id = api.ask(answered.asked()).json().path("queryId").stringValue("");
        Files.write(place.resolve("answer"), api.bytes("/v1/queries/" + id));
        Files.writeString(place.resolve("request"), answered.asked().body());
        return receipt(api, id, place.resolve("before"));
    }

    private static String receipt(Api api, String id, Path file) throws IOException, InterruptedException {
        byte[] receipt = api.bytes("/v1/queries/" + id + "/receipt");
        Files.write(file, receipt);
        return JSON.readTree(receipt).path("keyId").stringValue("");
    }

    /** The service soon signs with the new key, and the new receipt verifies too. */
    private static void awaitNewKey(Api api, Exchange answered, Path place, String before, Findings findings)
            throws IOException, InterruptedException {
        JsonNode answer = JSON.readTree(Files.readAllBytes(place.resolve("answer")));
        String id = answer.path("queryId").stringValue("");
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (receipt(api, id, place.resolve("after")).equals(before)) {
            if (System.nanoTime() > deadline) {
                findings.broken(
                        INVARIANT,
                        "receipts are signed with the earlier key",
                        answered.asked().key());
                return;
            }
            Thread.sleep(100);
        }
    }

    private static void verify(
            ServiceUnderTest service, Path place, String receipt, Exchange answered, Findings findings)
            throws IOException, InterruptedException {
        int status = service.begin(
                        service.home(),
                        "verify-receipt",
                        place.resolve(receipt).toString(),
                        "--answer",
                        place.resolve("answer").toString(),
                        "--request",
                        place.resolve("request").toString(),
                        "--public-key",
                        service.home().resolve("signing.pub").toString())
                .waitFor();
        findings.count("receipts verified offline");
        findings.holds(
                status == 0,
                INVARIANT,
                "the receipt of " + receipt + " the rotation is not proven",
                answered.asked().key());
    }
}
