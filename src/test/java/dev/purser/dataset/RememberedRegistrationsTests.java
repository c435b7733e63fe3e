package dev.purser.dataset;

import dev.purser.json.JsonDocument;
import dev.purser.problem.ProblemException;
import dev.purser.rows.StoredRange;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class RememberedRegistrationsTests {
    @TempDir
    private Path folder;

    private static byte[] json(String id, int upper) {
        return """
                {"id":"%s","columns":[{"name":"n","type":"integer","lower":0,"upper":%d}],"privacyUnit":{"type":"row"},\
                "neighboringRelation":"add-or-remove-one","maxRows":9,\
                "budget":{"epsilon":"1"}}""".formatted(id, upper).getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void aDatasetIsFoundWithTheRegistrationThatWasRemembered() throws Exception {
        try (Database database = new Database(new PurserHome(folder.resolve("home")))) {
            DatasetInstance one =
                    new DatasetInstance(database, folder.resolve("rows"), InstanceId.draw(), FingerprintSecrets.of(1));
            Dataset registered = one.register("a", "carla", "");
            assertThat(one.catalog().require("a").registration()).isSameAs(registered.registration());
            one.loading().begin(registered, OptionalInt.empty());
            Dataset loading = one.catalog().require("a");
            assertThat(loading.registration()).isSameAs(registered.registration());
            assertThat(loading.state()).as("which is not remembered").isEqualTo(DatasetState.LOADING);
        }
    }

    /** Several callers share a transaction. A registration that is rolled back may be made again with other content. */
    @Test
    void whatIsRolledBackIsNeverServed() throws Exception {
        try (Database database = new Database(new PurserHome(folder.resolve("home")))) {
            DatasetInstance one =
                    new DatasetInstance(database, folder.resolve("rows"), InstanceId.draw(), FingerprintSecrets.of(1));
            CountDownLatch writing = new CountDownLatch(1);
            CountDownLatch mayGoOn = new CountDownLatch(1);
            List<FutureTask<?>> together = List.of(
                    new FutureTask<>(() -> register(one, 9)),
                    new FutureTask<>(() -> register(one, 9)),
                    new FutureTask<>(() -> database.write("z", transaction -> {
                        throw new SQLiteException("of a test", SQLiteErrorCode.SQLITE_FULL);
                    })));
            Thread first = Thread.ofPlatform()
                    .start(() -> database.write(Database.NO_ACCOUNT, transaction -> {
                        writing.countDown();
                        return awaited(mayGoOn);
                    }));
            writing.await();
            for (FutureTask<?> work : together) {
                Thread thread = Thread.ofPlatform().start(work);
                while (thread.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
            }
            mayGoOn.countDown();
            first.join();
            for (FutureTask<?> work : together) {
                assertThat(catchThrowableOfType(ExecutionException.class, work::get))
                        .hasCauseInstanceOf(ProblemException.class);
            }
            assertThat(register(one, 5)).isEqualTo(one.catalog().require("a"));
            assertThat(one.catalog().require("a").columns().getFirst().range()).isEqualTo(new StoredRange(0, 5));
        }
    }

    private static Dataset register(DatasetInstance at, int upper) {
        byte[] body = json("a", upper);
        return at.registrar().register(JsonDocument.parse(body).read(RegistrationReader::read), body, "carla");
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
