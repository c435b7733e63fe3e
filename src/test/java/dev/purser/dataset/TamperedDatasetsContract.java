package dev.purser.dataset;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.purser.engine.BlockFiles;
import dev.purser.engine.BucketRequest;
import dev.purser.engine.EmbeddedEngine;
import dev.purser.engine.Filter;
import dev.purser.journal.ChangedRows;
import dev.purser.journal.JournalCheck;
import dev.purser.ledger.DebitsForTests;
import dev.purser.ledger.proof.GuardedDatabase;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.ExactForTests;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.RowsFileWriter;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.Order;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import dev.purser.store.Tampering;
import dev.purser.store.TestHomes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Datasets that were changed by somebody who has the database and the files of rows but not the home. */
abstract class TamperedDatasetsContract {
    private static final InstanceId INSTANCE = InstanceId.draw();
    private static final String ROWS = "ab".repeat(32);

    @TempDir
    Path folder;

    private final JournaledDatasets journaled = new JournaledDatasets();
    private final JournalCheck check = new JournalCheck(List.of(
            journaled.registeredDatasets(),
            journaled.loadedBlocks(),
            journaled.registrations(),
            journaled.ownedFingerprints(),
            journaled.usedFingerprintKeys()));
    private LedgerSettings settings;
    private PurserHome home;

    @AutoClose
    private Database database;

    private DatasetInstance instance;

    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }

    @BeforeEach
    void loadDatasets() throws Exception {
        settings = settings();
        home = TestHomes.at(folder.resolve("home"));
        start();
        instance.register("visits", "carla", ",\"title\":\"Visits\"");
        instance.register("fresh", "carla", "");
        instance.register("gone", "carla", "");
        put("visits", ROWS, 3, 1);
        put("gone", null);
        instance.deletion().delete("gone");
    }

    private void start() throws SQLException, IOException {
        database = GuardedDatabase.open(home, settings, check);
        instance = onTheSameDatabase();
    }

    /** An instance that remembers nothing. */
    private DatasetInstance onTheSameDatabase() throws IOException {
        return new DatasetInstance(database, folder.resolve("rows"), INSTANCE, FingerprintSecrets.of(1));
    }

    /** @param fingerprint the fingerprint of the rows; null if there are no rows */
    private void put(String id, @Nullable String fingerprint, long... values) throws IOException {
        DatasetLoading.Loading loading =
                instance.loading().begin(instance.catalog().require(id), OptionalInt.empty());
        try {
            loading.commit(
                    write(instance.catalog().require(id), loading.file(), values),
                    fingerprint == null
                            ? List.of()
                            : instance.keys().now().stream()
                                    .map(secret -> secret.fingerprint(fingerprint))
                                    .toList());
        } catch (ProblemException refusal) {
            loading.abandon();
            throw refusal;
        }
    }

    private static byte[] write(Dataset dataset, Path file, long... values) throws IOException {
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), file)) {
            for (long value : values) {
                writer.add(new long[] {value});
            }
            return writer.finish();
        }
    }

    private void tamper(String... statements) throws SQLException {
        Tampering.tamper(home.path(), settings, statements);
    }

    private void isRefused(String object, String id) {
        ChangedRows.refused(object, () -> instance.catalog().require(id));
        ChangedRows.refused(object, () -> instance.catalog().requireReady(id));
        ChangedRows.refused(object, () -> instance.catalog().requireEvenDeleted(id));
        ChangedRows.refused(object, () -> instance.deletion().delete(id));
    }

    private void theNextStartIsRefused(String object) throws SQLException {
        database.close();
        assertThatThrownBy(this::start).isInstanceOf(StartupRefusal.class).hasMessageContaining(object);
    }

    @Test
    void untouchedDatasetsAreServedAfterTheNextStart() throws Exception {
        database.close();
        start();
        Dataset visits = instance.catalog().requireReady("visits");
        assertThat(visits.rowsDigest()).hasSize(64);
        assertThat(errors(DatasetLoading.class, this::onTheSameDatabase)).isEmpty();
        assertThat(visits.registrationDigest()).hasSize(64);
        assertThat(count(visits)).isEqualTo(2);
        assertThat(instance.catalog().list(Order.ASC, "", 10))
                .extracting(ListedDataset::id)
                .containsExactly("fresh", "visits");
        instance.register("shared", "carla", ",\"sharesAccountWith\":\"visits\"");
        put("shared", ROWS, 1, 3);
        database.close();
        start();
        assertThat(instance.catalog().require("shared").account()).isEqualTo("visits");
    }

    @Test
    void aChangedDatasetIsNotServed() throws SQLException {
        tamper("UPDATE dataset SET rows_digest = NULL WHERE id = 'visits'");
        isRefused("dataset visits", "visits");
        ChangedRows.refused("dataset visits", () -> instance.catalog().list(Order.ASC, "", 10));
        theNextStartIsRefused("dataset visits");
    }

    @ParameterizedTest
    @ValueSource(strings = {"account = 'fresh'", "custodian = 'carla'", "custodian = 'eve'"})
    void theAccountOfAChangedDatasetIsNotShared(String change) throws SQLException {
        tamper("UPDATE dataset SET loaded_by = 'x', " + change + " WHERE id = 'visits'");
        ChangedRows.refused(
                "dataset visits",
                () -> instance.register(
                        "new", change.contains("eve") ? "eve" : "carla", ",\"sharesAccountWith\":\"visits\""));
    }

    @Test
    void aStateThatWasPutBackIsNotLoadedAgain() throws SQLException {
        Dataset visits = instance.catalog().require("visits");
        tamper("UPDATE dataset SET state = 'failed' WHERE id = 'visits'");
        ChangedRows.refused("dataset visits", () -> instance.loading().begin(visits, OptionalInt.empty()));
        theNextStartIsRefused("dataset visits");
    }

    private Dataset meters() throws IOException {
        Dataset meters = instance.register("meters", "carla", ",'blocks':{'column':'n','width':5}");
        DatasetLoading.Loading loading = instance.loading().begin(meters, OptionalInt.of(1));
        loading.commit(write(meters, loading.file(), 7), List.of());
        return meters;
    }

    @Test
    void aChangedBlockIsNotReadOrLoadedAgain() throws Exception {
        Dataset meters = meters();
        tamper("UPDATE dataset_block SET state = 'failed', rows_digest = NULL");
        ChangedRows.refused(
                "block 1 of dataset meters", () -> instance.catalog().rowsDigest(meters, 1));
        ChangedRows.refused(
                "block 1 of dataset meters", () -> instance.loading().begin(meters, OptionalInt.of(1)));
        theNextStartIsRefused("block 1 of dataset meters");
    }

    @Test
    void aRemovedBlockIsMissedAndNotLoadedAgain() throws Exception {
        Dataset meters = meters();
        tamper("DELETE FROM dataset_block");
        ChangedRows.refused(
                "block 1 of dataset meters", () -> instance.catalog().rowsDigest(meters, 1));
        ChangedRows.refused(
                "block 1 of dataset meters", () -> instance.loading().begin(meters, OptionalInt.of(1)));
        theNextStartIsRefused("meters/decisions");
    }

    /** The block seems to be ready, but no rows are found for it. */
    @Test
    void aBlockThatWasNotLoadedHasNoRows() throws Exception {
        Dataset meters = meters();
        tamper("INSERT INTO dataset_block SELECT 'meters', 0, 'ready', loaded_by, rows_digest FROM dataset_block");
        ChangedRows.refused(
                "block 0 of dataset meters", () -> instance.catalog().rowsDigest(meters, 0));
        theNextStartIsRefused("block 0 of dataset meters");
    }

    @Test
    void aDeletionIsNotTakenBack() throws SQLException {
        tamper("UPDATE dataset SET state = 'ready' WHERE id = 'gone'");
        isRefused("dataset gone", "gone");
        theNextStartIsRefused("dataset gone");
    }

    @Test
    void aRemovedDatasetIsMissedAndItsIdStaysTaken() throws SQLException {
        tamper("DELETE FROM dataset WHERE id = 'gone'");
        ChangedRows.refused("dataset gone", () -> instance.catalog().require("gone"));
        ChangedRows.refused(
                "dataset gone", () -> instance.register("gone", "carla", ",\"sharesAccountWith\":\"visits\""));
        theNextStartIsRefused("gone/decisions");
    }

    /** An instance that has not read the registration before reads it with another {@code maxRows}. */
    @Test
    void aChangedRegistrationIsNotServed() throws Exception {
        tamper(
                settings.isEmbedded()
                        ? "UPDATE dataset SET registration = CAST(replace(CAST(registration AS TEXT),"
                                + " '\"maxRows\":9', '\"maxRows\":8') AS BLOB) WHERE id = 'visits'"
                        : "UPDATE dataset SET registration = convert_to(replace(convert_from(registration, 'UTF8'),"
                                + " '\"maxRows\":9', '\"maxRows\":8'), 'UTF8') WHERE id = 'visits'");
        instance = onTheSameDatabase();
        isRefused("registration of dataset visits", "visits");
        theNextStartIsRefused("registration of dataset visits");
    }

    @Test
    void anAccountKeepsItsAccountant() throws Exception {
        tamper("UPDATE account SET accountant = 'zcdp' WHERE account = 'visits'");
        instance = onTheSameDatabase();
        isRefused("registration of dataset visits", "visits");
        theNextStartIsRefused("registration of dataset visits");
    }

    @Test
    void aRemovedFingerprintIsNoSecondBudget() throws Exception {
        tamper("DELETE FROM fingerprint");
        ChangedRows.refused("fingerprint " + ROWS, () -> put("fresh", ROWS, 1, 3));
        assertThat(instance.state("fresh")).isEqualTo(DatasetState.FAILED);
        theNextStartIsRefused("visits/decisions");
    }

    @Test
    void aFingerprintStaysWithItsAccount() throws Exception {
        tamper("UPDATE fingerprint SET account = 'fresh'");
        ChangedRows.refused("fingerprint " + ROWS, () -> put("fresh", ROWS, 1, 3));
        theNextStartIsRefused("fingerprint " + ROWS);
    }

    /** Otherwise an instance without the second key would claim rows that are recorded under it. */
    @Test
    void aLaterFingerprintKeyThatIsGoneIsMissed() throws Exception {
        List<FingerprintSecret> secrets = List.of(FingerprintSecrets.of(2), FingerprintSecrets.of(1));
        instance = new DatasetInstance(
                database, folder.resolve("rows"), INSTANCE, new FingerprintKeys(() -> secrets, database));
        instance.register("rotated", "carla", "");
        put("rotated", "cd".repeat(32), 1, 2);
        tamper("DELETE FROM used_fingerprint_key WHERE position = 2");
        ChangedRows.refused("fingerprint key 2", this::onTheSameDatabase);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE FROM used_fingerprint_key", "UPDATE used_fingerprint_key SET check_value = 'x'"})
    void theFingerprintKeyIsNotForgotten(String change) throws SQLException {
        tamper(change.replace("'x'", "'" + "cd".repeat(32) + "'"));
        ChangedRows.refused("fingerprint key", this::onTheSameDatabase);
        theNextStartIsRefused(change.startsWith("DELETE") ? "/access" : "fingerprint key");
    }

    private long count(Dataset dataset) {
        try (EmbeddedEngine engine = new EmbeddedEngine(
                instance.files(), BlockFiles.digests(instance.files()), EmbeddedEngine.Settings.DEFAULT)) {
            Buckets all = ExactForTests.open(engine.collect(
                            DebitsForTests.committed(dataset.account()),
                            dataset,
                            List.of(BucketRequest.rowCount(Filter.ALL_ROWS))))
                    .getFirst();
            return ExactForTests.prefixes(all, new long[0]).counts().getFirst();
        }
    }

    private void isUnreadable(String id) throws IOException {
        assertThat(errors(EmbeddedEngine.class, () -> {
                    Dataset dataset = instance.catalog().requireReady(id);
                    refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> count(dataset));
                }))
                .containsExactly("reading dataset " + id + " failed: dev.purser.rows.OtherRowsException");
        Dataset dataset = instance.catalog().requireReady(id);
        assertThat(instance.catalog().faultOfRows(dataset))
                .contains("the rows of dataset " + id + " are not those that it was loaded with");
        assertThat(errors(DatasetLoading.class, this::onTheSameDatabase))
                .contains("the rows of dataset " + id + " are not those that it was loaded with; they are not read");
    }

    private interface Logging {
        void run() throws IOException;
    }

    private static List<String> errors(Class<?> logger, Logging logging) throws IOException {
        Logger observed = (Logger) LoggerFactory.getLogger(logger);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        observed.addAppender(log);
        try {
            logging.run();
        } finally {
            observed.detachAppender(log);
        }
        assertThat(log.list).allSatisfy(event -> assertThat(event.getLevel()).isEqualTo(Level.ERROR));
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void theRowsOfAnotherDatasetAreNotRead() throws Exception {
        put("fresh", null, 3, 1);
        Path fresh = instance.files().data("fresh");
        Path visits = instance.files().data("visits");
        Path aside = folder.resolve("aside");
        Files.move(fresh, aside);
        Files.move(visits, fresh);
        Files.move(aside, visits);
        isUnreadable("visits");
        isUnreadable("fresh");
    }

    /** The other rows belong to the same dataset, with the same registration. */
    @Test
    void otherRowsOfTheSameDatasetAreNotRead() throws Exception {
        Dataset visits = instance.catalog().require("visits");
        Path other = folder.resolve("other.columns");
        write(visits, other, 3, 2);
        Files.move(other, instance.files().data("visits"), StandardCopyOption.REPLACE_EXISTING);
        isUnreadable("visits");
    }

    @Test
    void rowsThatAreCutOffOrMissingAreNamedAtTheStartAndByAVerification() throws Exception {
        Path file = instance.files().data("visits");
        assertThat(instance.catalog().faultOfRows(instance.catalog().require("visits")))
                .isEmpty();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1);
        }
        isNamed("the rows of dataset visits have lost a part, or got one: their file has another length than it"
                + " states");
        Files.delete(file);
        isNamed("the rows of dataset visits are missing: there is no file visits/rows.columns");
    }

    private void isNamed(String fault) throws IOException {
        assertThat(errors(DatasetLoading.class, this::onTheSameDatabase)).contains(fault + "; they are not read");
        assertThat(instance.catalog().faultOfRows(instance.catalog().require("visits")))
                .contains(fault);
    }
}
