package dev.purser.dataset;

import dev.purser.dataset.ingest.CsvIngest;
import dev.purser.dataset.ingest.ParserInProcess;
import dev.purser.dataset.parser.UploadFormat;
import dev.purser.json.JsonDocument;
import dev.purser.ledger.BudgetLedger;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import dev.purser.tables.TableConnections;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Instances that start, stop and fail beside each other on one ledger and one folder of rows. */
class DatasetInstancesTests {
    private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);
    private static final InstanceId ONE = InstanceId.draw();
    private static final InstanceId OTHER = InstanceId.draw();

    @TempDir
    private Path folder;

    private PurserHome home;
    private Database database;

    @BeforeEach
    void open() {
        home = new PurserHome(folder.resolve("home"));
        database = new Database(home);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    /** What an instance consists of here. */
    private record Instance(DatasetCatalog catalog, DatasetUploads uploads, DatasetFiles files) {
        String upload(String id, String csv) throws IOException {
            return upload(id, new ByteArrayInputStream(csv.getBytes(StandardCharsets.UTF_8)));
        }

        String upload(String id, InputStream csv) throws IOException {
            try {
                uploads.take(catalog.require(id), UploadFormat.CSV, csv, -1, null, () -> {});
                return "taken";
            } catch (ProblemException refusal) {
                return refusal.type().slug();
            }
        }
    }

    private Instance start(InstanceId id) throws IOException {
        return start(id, KEY);
    }

    private Instance start(InstanceId id, String key) throws IOException {
        DatasetFiles files = new DatasetFiles(folder.resolve("rows"), id);
        FingerprintSecret secret = FingerprintSecret.of(key, home);
        DatasetCatalog catalog = new DatasetCatalog(
                database,
                new BudgetLedger(database, Clock.systemUTC(), new SecureRandom()),
                files,
                new Fingerprints(database, secret),
                new TableSources(new TableConnections(Map.of())),
                id,
                event -> {},
                Clock.systemUTC());
        ParserInProcess parser = new ParserInProcess();
        CsvIngest ingest = new CsvIngest(secret.bytes(), parser, DataSize.ofMegabytes(1));
        return new Instance(catalog, new DatasetUploads(catalog, files, ingest, parser), files);
    }

    private static Dataset register(Instance at, String id, String custodian, String changes) {
        byte[] body = ("{\"id\":\"" + id
                        + "\",\"columns\":[{\"name\":\"n\",\"type\":\"integer\",\"lower\":0,\"upper\":9}],"
                        + "\"privacyUnit\":{\"type\":\"row\"},\"neighboringRelation\":\"add-or-remove-one\","
                        + "\"maxRows\":9,\"budget\":{\"epsilon\":\"1\"}" + changes + "}")
                .getBytes(StandardCharsets.UTF_8);
        return at.catalog().register(JsonDocument.parse(body).read(RegistrationReader::read), body, custodian);
    }

    @Test
    void aStartFailsItsOwnTornUploadsOnly() throws Exception {
        Instance one = start(ONE);
        register(one, "torn", "carla", "");
        one.catalog().beginLoading("torn");
        Path upload = Files.writeString(one.files().upload("torn"), "half the ro");

        Instance other = start(OTHER);
        assertThat(other.catalog().require("torn").state()).isEqualTo(DatasetState.LOADING);
        assertThat(upload).exists();
        assertThat(other.upload("torn", "n\n1\n")).isEqualTo("already-exists");

        Instance again = start(ONE);
        assertThat(again.catalog().require("torn").state()).isEqualTo(DatasetState.FAILED);
        assertThat(upload).doesNotExist();
        assertThat(other.upload("torn", "n\n1\n")).isEqualTo("taken");
        assertThat(again.catalog().requireReady("torn").state()).isEqualTo(DatasetState.READY);
    }

    @Test
    void anUploadGoesOnWhileAnotherInstanceStarts() throws Exception {
        Instance one = start(ONE);
        register(one, "busy", "carla", "");
        InputStream csv = new ByteArrayInputStream("n\n1\n2\n".getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                try {
                    start(OTHER);
                } catch (IOException failure) {
                    throw new AssertionError(failure);
                }
                return super.read(into, offset, Math.min(length, 2));
            }
        };
        assertThat(one.upload("busy", csv)).isEqualTo("taken");
        assertThat(start(OTHER).catalog().requireReady("busy").id()).isEqualTo("busy");
    }

    @Test
    void aStartRemovesWhatADeletionLeft() throws Exception {
        Instance one = start(ONE);
        register(one, "gone", "carla", "");
        assertThat(one.upload("gone", "n\n1\n")).isEqualTo("taken");
        one.catalog().delete("gone");
        Path left = Files.writeString(
                Files.createDirectories(folder.resolve("rows/gone")).resolve("rows.columns"), "rows");
        start(OTHER);
        assertThat(left).doesNotExist();
    }

    @Test
    void anInstanceWithoutTheRowsSaysSoBeforeAnythingIsCharged() throws Exception {
        Instance one = start(ONE);
        register(one, "away", "carla", "");
        assertThat(one.upload("away", "n\n1\n")).isEqualTo("taken");
        Files.delete(one.files().data("away"));
        ProblemException refusal =
                catchThrowableOfType(ProblemException.class, () -> one.catalog().requireReady("away"));
        assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
    }

    @Test
    void rowsAreKnownAfterARestartAndAtEveryInstance() throws Exception {
        Instance one = start(ONE);
        register(one, "first", "carla", "");
        assertThat(one.upload("first", "n\n1\n2\n")).isEqualTo("taken");
        database.close();
        database = new Database(home);
        Instance again = start(ONE);
        register(again, "second", "carla", "");
        assertThat(again.upload("second", "n\n3\n")).isEqualTo("taken");
        register(again, "third", "dora", "");
        assertThat(again.upload("third", "n\n2\n1\n")).isEqualTo("already-exists");
        assertThat(start(OTHER).upload("third", "n\n2\n1\n")).isEqualTo("already-exists");
        assertThat(again.catalog().require("third").state()).isEqualTo(DatasetState.FAILED);
        assertThat(folder.resolve("rows/third")).doesNotExist();
    }

    @Test
    void anAccountIsSharedByItsCustodianOnlyAndOthersCannotTellThatItIsThere() throws Exception {
        Instance one = start(ONE);
        register(one, "hers", "carla", "");
        String missing = refusedSharing(one, "dora", "missing").replace("missing", "hers");
        assertThat(refusedSharing(one, "dora", "hers")).isEqualTo(missing);
        Dataset shared = register(one, "also-hers", "carla", ",\"sharesAccountWith\":\"hers\"");
        assertThat(shared.account()).isEqualTo("hers");
        assertThat(one.upload("hers", "n\n1\n")).isEqualTo("taken");
        assertThat(one.upload("also-hers", "n\n1\n")).isEqualTo("taken");
    }

    private static String refusedSharing(Instance at, String custodian, String with) {
        ProblemException refusal = catchThrowableOfType(
                ProblemException.class,
                () -> register(at, "new", custodian, ",\"sharesAccountWith\":\"" + with + "\""));
        assertThat(refusal.type()).isEqualTo(ProblemType.VALIDATION_FAILED);
        return refusal.violations().toString();
    }

    @Test
    void anInstanceWithAnotherFingerprintKeyDoesNotStart() throws Exception {
        start(ONE);
        String other = Base64.getEncoder()
                .encodeToString("another secret of 32 bytes......".getBytes(StandardCharsets.US_ASCII));
        assertThatExceptionOfType(StartupRefusal.class).isThrownBy(() -> start(OTHER, other));
        start(OTHER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AAAA", "not base64 at all", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="})
    void refusesAFingerprintKeyOfAnotherForm(String key) {
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> FingerprintSecret.of(key, home))
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain(key + " "));
    }

    @Test
    void keepsKeyAndIdInTheHome() throws Exception {
        FingerprintSecret drawn = FingerprintSecret.of("", home);
        assertThat(FingerprintSecret.of("", home).checkValue()).isEqualTo(drawn.checkValue());
        assertThat(FingerprintSecret.of(KEY, home).checkValue()).isNotEqualTo(drawn.checkValue());
        assertThat(InstanceId.of(home)).isEqualTo(InstanceId.of(home));
        Files.writeString(home.path().resolve("instance.id"), "../x");
        Files.writeString(home.path().resolve("fingerprint.key"), "");
        assertThatExceptionOfType(StartupRefusal.class).isThrownBy(() -> InstanceId.of(home));
        assertThatExceptionOfType(StartupRefusal.class).isThrownBy(() -> FingerprintSecret.of("", home));
    }

    @Test
    void fingerprintsAreNeitherChangedNorRemoved() throws Exception {
        Instance one = start(ONE);
        register(one, "kept", "carla", "");
        assertThat(one.upload("kept", "n\n1\n")).isEqualTo("taken");
        for (String sql : new String[] {
            "UPDATE fingerprint SET account = account",
            "DELETE FROM fingerprint",
            "UPDATE fingerprint_key SET check_value = check_value",
            "DELETE FROM fingerprint_key"
        }) {
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> database.write(Database.NO_ACCOUNT, session -> session.update(sql)));
        }
    }
}
