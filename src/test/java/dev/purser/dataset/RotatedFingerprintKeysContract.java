package dev.purser.dataset;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.StartupRefusal;
import dev.purser.tables.TableName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** However the fingerprint keys change, the same rows belong to one account. */
abstract class RotatedFingerprintKeysContract {
    private static final FingerprintSecret OLD = FingerprintSecrets.of(1);
    private static final FingerprintSecret NEW = FingerprintSecrets.of(2);
    private static final TableName TABLE = TableName.parse("public.loans").orElseThrow();
    private static final InstanceId HERE = InstanceId.draw();
    private static final InstanceId THERE = InstanceId.draw();

    @TempDir
    Path folder;

    private List<Database> databases;
    private int datasets;

    /** The databases of two instances, which may be one database. */
    abstract List<Database> open(Path folder);

    @BeforeEach
    void openTheLedger() {
        databases = open(folder);
        keys(databases.getFirst(), OLD);
    }

    @AfterEach
    void closeTheLedger() throws SQLException {
        for (Database database : new LinkedHashSet<>(databases)) {
            database.close();
        }
    }

    private static FingerprintKeys keys(Database database, FingerprintSecret... newestFirst) {
        return new FingerprintKeys(() -> List.of(newestFirst), database);
    }

    private DatasetInstance here(FingerprintSecret... newestFirst) throws IOException {
        return new DatasetInstance(
                databases.getFirst(), folder.resolve("rows"), HERE, keys(databases.getFirst(), newestFirst));
    }

    private DatasetInstance there(FingerprintSecret... newestFirst) throws IOException {
        return new DatasetInstance(
                databases.getLast(), folder.resolve("rows"), THERE, keys(databases.getLast(), newestFirst));
    }

    private Dataset registered(DatasetInstance at) {
        return at.register("of-" + ++datasets, "carla", "");
    }

    /** The fingerprints of {@code rows} under the keys that the instance knows now. Any text stands for rows here. */
    private static List<Fingerprint> of(String rows, DatasetInstance at) {
        return at.keys().now().stream()
                .map(secret -> secret.ofTable(new Source.Table(rows, TABLE)))
                .toList();
    }

    /** Uploads rows for a dataset; returns "taken", or the type of the refusal. */
    private static String put(DatasetInstance at, Dataset dataset, String rows) throws IOException {
        return put(at, dataset, of(rows, at));
    }

    private static String put(DatasetInstance at, Dataset dataset, List<Fingerprint> rows) throws IOException {
        DatasetLoading.Loading loading = at.loading().begin(dataset, OptionalInt.empty());
        try {
            Files.writeString(loading.file(), "rows");
            loading.commit(new byte[32], rows);
            return "taken";
        } catch (ProblemException refusal) {
            loading.abandon();
            return refusal.type().slug();
        }
    }

    private List<String> recorded() {
        return databases
                .getFirst()
                .write(
                        Database.NO_ACCOUNT,
                        transaction -> transaction.all("SELECT fingerprint FROM fingerprint", row -> row.getString(1)));
    }

    @Test
    void whatWasRecordedUnderAnEarlierKeyStaysWithItsAccount() throws IOException {
        DatasetInstance before = here(OLD);
        Dataset owner = registered(before);
        assertThat(put(before, owner, "a")).isEqualTo("taken");

        DatasetInstance after = here(NEW, OLD);
        Dataset sharing = after.register("sharing", "carla", ",\"sharesAccountWith\":\"" + owner.id() + "\"");
        assertThat(put(after, registered(after), "a")).isEqualTo("already-exists");
        assertThat(put(after, sharing, "a")).isEqualTo("taken");
        assertThat(put(after, registered(after), "b")).isEqualTo("taken");
        assertThat(put(here(NEW, OLD), registered(after), "b")).isEqualTo("already-exists");
    }

    /** Somebody who learns the earlier key later cannot use it to test guesses of rows of later uploads. */
    @Test
    void whatIsNewIsRecordedUnderTheNewestKeyAlone() throws IOException {
        DatasetInstance at = here(NEW, OLD);
        put(at, registered(at), "a");
        assertThat(recorded()).containsExactly(of("a", at).getFirst().hex());
    }

    @Test
    void theKeysThatAreDerivedStayThoseOfTheFirst() {
        for (FingerprintKeys keys :
                List.of(keys(databases.getLast(), NEW, OLD), keys(databases.getFirst(), OLD, NEW))) {
            assertThat(keys.first().rankingKey("x")).isEqualTo(OLD.rankingKey("x"));
            assertThat(keys.first().stateKey()).isEqualTo(OLD.stateKey());
        }
    }

    /** An upload begins before a rotation and ends after it, or an instance was not told of the new key. */
    @Test
    void rowsAreNotClaimedByWhoeverDoesNotKnowAKeyThatWasUsed() throws IOException {
        DatasetInstance old = here(OLD);
        DatasetInstance rotated = there(NEW, OLD);
        Dataset late = registered(old);
        assertThat(put(old, registered(old), "before its first use")).isEqualTo("taken");
        assertThat(put(rotated, registered(rotated), "a")).isEqualTo("taken");

        assertThat(put(old, late, "a")).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE.slug());
        assertThat(old.state(late.id())).isEqualTo(DatasetState.FAILED);
        assertThat(old.files().isPresent(RowsPart.all(late.id()))).isFalse();
        assertThat(put(old, registered(old), "b")).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE.slug());
        assertThat(put(rotated, late, "a")).isEqualTo("already-exists");
        assertThat(put(rotated, late, "b")).isEqualTo("taken");
        assertThat(recorded()).hasSize(3);
    }

    @Test
    void anInstanceThatLacksAUsedKeyDoesNotStart() throws IOException {
        here(OLD);
        there(NEW, OLD);
        here(OLD);
        DatasetInstance rotated = there(NEW, OLD);
        put(rotated, registered(rotated), "a");

        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> here(OLD))
                .withMessage("A fingerprint key is missing: rows were recorded under one that is not known here.");
        assertThatExceptionOfType(StartupRefusal.class).isThrownBy(() -> here(NEW));
        here(OLD, NEW);
    }

    /** While a configured key is exchanged, the first key differs between instances. */
    @Test
    void ofTheSameRowsAtTheSameTimeOneAccountGetsThem() throws Exception {
        DatasetInstance one = here(OLD, NEW);
        DatasetInstance other = there(NEW, OLD);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < 40; round++) {
                String rows = "round " + round;
                CyclicBarrier together = new CyclicBarrier(2);
                List<Future<String>> both = new ArrayList<>();
                for (DatasetInstance at : List.of(one, other)) {
                    Dataset dataset = registered(at);
                    Callable<String> put = () -> {
                        together.await();
                        return put(at, dataset, rows);
                    };
                    both.add(threads.submit(put));
                }
                assertThat(List.of(both.get(0).get(), both.get(1).get()))
                        .containsExactlyInAnyOrder("taken", "already-exists");
            }
        }
    }

    @Test
    void aTableStaysWithItsAccountToo() throws IOException {
        AtomicReference<List<FingerprintSecret>> known = new AtomicReference<>(List.of(OLD));
        Database database = databases.getFirst();
        Fingerprints fingerprints = new Fingerprints(new FingerprintKeys(known::get, database));
        Source.Table table = new Source.Table("books", TABLE);
        String one = account();
        String other = account();

        assertThat(claims(database, fingerprints, table, one)).isTrue();
        known.set(List.of(NEW, OLD));
        assertThat(claims(database, fingerprints, table, other)).isFalse();
        assertThat(claims(database, fingerprints, table, one)).isTrue();
        assertThat(recorded()).containsExactly(OLD.ofTable(table).hex());
    }

    private String account() throws IOException {
        return registered(here(OLD)).account();
    }

    private static boolean claims(Database database, Fingerprints fingerprints, Source.Table table, String account) {
        return database.write(Database.NO_ACCOUNT, transaction -> fingerprints.claim(transaction, table, account));
    }
}
