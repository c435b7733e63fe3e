package dev.purser.dataset;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the instances of one ledger share: who owns which dataset, and by which key rows are recognized. */
class DatasetInstancesTests {
    private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);
    private static final InstanceId ONE = InstanceId.draw();
    private static final InstanceId OTHER = InstanceId.draw();

    @TempDir
    private Path folder;

    private PurserHome home;

    @AutoClose
    private Database database;

    @BeforeEach
    void open() {
        home = new PurserHome(folder.resolve("home"));
        database = new Database(home);
    }

    private DatasetInstance start(InstanceId id) throws IOException {
        return start(id, KEY);
    }

    private DatasetInstance start(InstanceId id, String key) throws IOException {
        return new DatasetInstance(database, folder.resolve("rows"), id, FingerprintKeys.of(key, home, database));
    }

    @Test
    void anAccountIsSharedByItsCustodianOnlyAndOthersCannotTellThatItIsThere() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("hers", "carla", "");
        String missing = refusedSharing(one, "dora", "missing").replace("missing", "hers");
        assertThat(refusedSharing(one, "dora", "hers")).isEqualTo(missing);
        Dataset shared = one.register("also-hers", "carla", ",'sharesAccountWith':'hers'");
        assertThat(shared.account()).isEqualTo("hers");
        assertThat(start(OTHER).catalog().require("also-hers").account()).isEqualTo("hers");
    }

    private static String refusedSharing(DatasetInstance at, String custodian, String with) {
        ProblemException refusal = refusedAs(
                ProblemType.VALIDATION_FAILED,
                () -> at.register("new", custodian, ",'sharesAccountWith':'" + with + "'"));
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

    @Test
    void keepsKeyAndIdInTheHome() throws Exception {
        FingerprintKeys drawn = FingerprintKeys.of("", home, database);
        assertThat(FingerprintKeys.of("", home, database).first().checkValue())
                .isEqualTo(drawn.first().checkValue());
        assertThatExceptionOfType(StartupRefusal.class).isThrownBy(() -> FingerprintKeys.of(KEY, home, database));
        assertThat(InstanceId.of(home)).isEqualTo(InstanceId.of(home));
        Files.writeString(home.path().resolve("instance.id"), "../x");
        Files.writeString(home.path().resolve("fingerprint.key"), "");
        assertThatExceptionOfType(StartupRefusal.class).isThrownBy(() -> InstanceId.of(home));
        assertThatExceptionOfType(StartupRefusal.class).isThrownBy(() -> FingerprintKeys.of("", home, database));
    }

    /** Each key differs from the check value that is shown of the secret, and from every other key. */
    @Test
    void everyUseOfTheSecretHasAKeyOfItsOwn() {
        FingerprintSecret secret = FingerprintSecrets.of(1);
        assertThat(secret.rowsKey())
                .hasSize(32)
                .isEqualTo(FingerprintSecrets.of(1).rowsKey());
        assertThat(secret.rowsKey()).isNotEqualTo(FingerprintSecrets.of(2).rowsKey());
        assertThat(secret.rankingKey("a")).isNotEqualTo(secret.rankingKey("b")).isNotEqualTo(secret.rowsKey());
        assertThat(java.util.HexFormat.of().formatHex(secret.rowsKey())).isNotEqualTo(secret.checkValue());
        assertThat(secret.rowsKey()).isNotEqualTo(new byte[32]);
    }

    @Test
    void fingerprintsAreNeitherChangedNorRemoved() throws Exception {
        DatasetInstance one = start(ONE);
        Dataset dataset = one.register("kept", "carla", "");
        DatasetLoading.Loading loading = one.loading().begin(dataset, OptionalInt.empty());
        Files.writeString(loading.file(), "rows");
        loading.commit(new byte[32], List.of(one.keys().first().fingerprint("0".repeat(64))));
        for (String sql : new String[] {
            "UPDATE fingerprint SET account = account",
            "DELETE FROM fingerprint",
            "UPDATE used_fingerprint_key SET check_value = replace(check_value, 'a', 'b')",
            "UPDATE used_fingerprint_key SET position = position + 1",
            "DELETE FROM used_fingerprint_key"
        }) {
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> database.write(Database.NO_ACCOUNT, connection -> connection.update(sql)));
        }
    }
}
