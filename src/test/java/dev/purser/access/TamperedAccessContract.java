package dev.purser.access;

import dev.purser.journal.ChangedRows;
import dev.purser.journal.JournalCheck;
import dev.purser.ledger.proof.GuardedDatabase;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.Order;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import dev.purser.store.Tampering;
import dev.purser.store.TestHomes;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.purser.problem.Refusals.refusedAs;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Keys that were changed by somebody who has the database but not the home. */
abstract class TamperedAccessContract {
    private static final KeyChange NO_GRANTS = new KeyChange(Optional.of(Grants.NONE), Optional.empty(), false, null);

    @TempDir
    Path folder;

    private final JournaledKeys journaled = new JournaledKeys();
    private final JournalCheck check =
            new JournalCheck(List.of(journaled.issuedKeys(), journaled.placesOfKeys(), journaled.identitiesOfKeys()));
    private LedgerSettings settings;
    private PurserHome home;

    @AutoClose
    private Database database;

    private KeyRegister register;
    private KeyRegister.Issued ana;
    private KeyRegister.Issued bob;

    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }

    @BeforeEach
    void issueKeys() throws SQLException {
        settings = settings();
        home = TestHomes.at(folder.resolve("home"));
        start();
        ana = issue("ana", null);
        bob = issue("bob", null);
        register.revoke(bob.key().keyId());
    }

    private void start() throws SQLException {
        database = GuardedDatabase.open(home, settings, check);
        register = new KeyRegister(database, Clock.systemUTC());
    }

    private KeyRegister.Issued issue(String name, @Nullable String replaces) {
        return register.issue(new NewKey(
                name,
                Role.ANALYST,
                Grants.of(List.of("a", "b")),
                Grants.NONE,
                Optional.of(Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS)),
                Optional.ofNullable(replaces),
                Optional.empty()));
    }

    private void tamper(String... statements) throws SQLException {
        Tampering.tamper(home.path(), settings, statements);
    }

    private Optional<IssuedKey> opened(KeyRegister.Issued issued) {
        return KeyRegisterTests.opened(register, issued.token());
    }

    private void isRefused(KeyRegister.Issued issued) {
        String object = "key " + issued.key().keyId();
        ChangedRows.refused(object, () -> opened(issued));
        ChangedRows.refused(object, () -> register.stillOpen(KeyRegisterTests.holder(issued)));
        ChangedRows.refused(object, () -> register.find(issued.key().keyId()));
        ChangedRows.refused(object, () -> register.revoke(issued.key().keyId()));
        ChangedRows.refused(object, () -> register.change(issued.key().keyId(), NO_GRANTS));
        ChangedRows.refused(
                object, () -> issue(issued.key().name(), issued.key().keyId()));
    }

    private void theNextStartIsRefused(String object) throws SQLException {
        database.close();
        assertThatThrownBy(this::start).isInstanceOf(StartupRefusal.class).hasMessageContaining(object);
    }

    @Test
    void untouchedKeysOpenAfterTheNextStart() throws SQLException {
        database.close();
        start();
        assertThat(opened(ana)).hasValue(ana.key());
        assertThat(opened(bob)).isEmpty();
        KeyRegister.Issued next = issue("ana", ana.key().keyId());
        database.close();
        start();
        assertThat(opened(ana)).isEmpty();
        assertThat(opened(next)).hasValue(next.key());
        assertThat(register.list(Order.ASC, "", 10)).hasSize(3);
    }

    @Test
    void aChangedKeyOpensNothing() throws SQLException {
        tamper("UPDATE access_key SET role = 'administrator' WHERE name = 'ana'");
        isRefused(ana);
        ChangedRows.refused("key " + ana.key().keyId(), () -> register.list(Order.ASC, "", 10));
        theNextStartIsRefused("key " + ana.key().keyId());
    }

    @Test
    void theEntryOfARevocationIsNotLeftOut() throws SQLException {
        String last = " WHERE chain = '/access' AND sequence = (SELECT max(sequence) FROM journal)";
        tamper("UPDATE access_key SET revoked_at_millis = NULL WHERE name = 'bob'", "DELETE FROM journal" + last);
        theNextStartIsRefused("/access");
    }

    private enum Seen {
        MADE_HERE,
        REPLACED_HERE,
        CHANGED_HERE,
        BEFORE_THE_START,
        READ,
        CHANGE_READ
    }

    /**
     * Somebody hides the revocation or change with its entry while the key is used, and can put it back before the next
     * start.
     */
    @ParameterizedTest
    @EnumSource(Seen.class)
    void aRevocationOrChangeThatWasSeenIsNotHidden(Seen seen) throws SQLException {
        KeyRegister.Issued key = issue("eve", null);
        String keyId = key.key().keyId();
        KeyRegister other = new KeyRegister(database, Clock.systemUTC());
        KeyChange less = new KeyChange(
                Optional.of(Grants.NONE), Optional.empty(), true, Instant.ofEpochMilli(4_102_444_800_000L));
        switch (seen) {
            case MADE_HERE -> register.revoke(keyId);
            case REPLACED_HERE -> issue("eve", keyId);
            case CHANGED_HERE -> register.change(keyId, less);
            case BEFORE_THE_START, READ -> other.revoke(keyId);
            case CHANGE_READ -> other.change(keyId, less);
        }
        if (seen == Seen.BEFORE_THE_START) {
            database.close();
            start();
        } else {
            assertThat(opened(key)).isNotEqualTo(Optional.of(key.key()));
        }
        issue("zoe", null);
        String ofKey = " WHERE object = 'key " + keyId + "'";
        tamper(
                "UPDATE access_key SET revoked_at_millis = NULL, datasets = 'a b', expires_at_millis = "
                        + requireNonNull(key.key().expiresAt()).toEpochMilli() + " WHERE key_id = '" + keyId + "'",
                "DELETE FROM journal" + ofKey + " AND sequence = (SELECT max(sequence) FROM journal" + ofKey + ")");
        isRefused(key);
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> register.unchanged(KeyRegisterTests.holder(key)));
        assertThat(opened(ana)).isPresent();
    }

    @Test
    void anOlderEntryIsNotRepeated() throws SQLException {
        tamper(
                "UPDATE access_key SET revoked_at_millis = NULL WHERE name = 'bob'",
                "INSERT INTO journal SELECT chain, 99, object, content, previous, code FROM journal WHERE object ="
                        + " 'key " + bob.key().keyId()
                        + "' AND sequence = (SELECT min(sequence) FROM journal WHERE object = 'key "
                        + bob.key().keyId() + "')");
        isRefused(bob);
        theNextStartIsRefused("/access");
    }

    /** Whoever adds the key knows its secret. */
    @Test
    void anAddedKeyOpensNothing() throws SQLException {
        KeyToken token = KeyToken.draw(new SecureRandom());
        String zeros = settings.isEmbedded() ? "zeroblob(16)" : "'\\x" + "00".repeat(16) + "'";
        String hash = HexFormat.of().formatHex(token.hash(new byte[16]));
        tamper("INSERT INTO access_key SELECT '" + token.keyId()
                + "', 'eve', 'administrator', '*', '*', " + zeros + ", "
                + (settings.isEmbedded() ? "x'" + hash + "'" : "'\\x" + hash + "'")
                + ", created_at_millis, expires_at_millis, NULL, NULL, NULL, NULL FROM access_key WHERE name = 'ana'");
        ChangedRows.refused("key " + token.keyId(), () -> register.opened(token));
        theNextStartIsRefused("key " + token.keyId());
    }

    @Test
    void aRemovedKeyIsMissedAndItsNameStaysTaken() throws SQLException {
        tamper("DELETE FROM access_key WHERE name = 'ana'");
        ChangedRows.refused("key " + ana.key().keyId(), () -> opened(ana));
        ChangedRows.refused(
                "key " + ana.key().keyId(), () -> register.find(ana.key().keyId()));
        ChangedRows.refused("first key of ana", () -> issue("ana", null));
        theNextStartIsRefused("/access");
    }

    /** Whoever has only the database would give a key of another role to a person that can sign in. */
    @Test
    void anIdentityIsNotGivenToAnotherKey() throws SQLException {
        KeyRegister.Issued eve = issueTo("eve", "s-1");
        KeyRegister.Issued zoe = issueTo("zoe", "s-2");
        Identity first = new Identity("https://id.example", "s-1");
        assertThat(register.opened(first).map(Principal::name)).hasValue("eve");
        tamper(
                "UPDATE access_key SET subject = 's-3' WHERE name = 'eve'",
                "UPDATE access_key SET subject = 's-1' WHERE name = 'zoe'");
        ChangedRows.refused("key " + zoe.key().keyId(), () -> register.opened(first));
        assertThatThrownBy(() -> issueTo("max", "s-1")).isInstanceOf(ProblemException.class);
        ChangedRows.refused("identity s-2 of https://id.example", () -> issueTo("max", "s-2"));
        theNextStartIsRefused("key ");
    }

    /** The service makes no such subject. */
    @Test
    void anIdentityOfAnotherFormIsRefusedByName() throws SQLException {
        KeyRegister.Issued eve = issueTo("eve", "s-1");
        tamper("UPDATE access_key SET subject = '' WHERE name = 'eve'");
        theNextStartIsRefused("key " + eve.key().keyId());
    }

    private KeyRegister.Issued issueTo(String name, String subject) {
        return register.issue(new NewKey(
                name,
                Role.ANALYST,
                Grants.NONE,
                Grants.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Identity("https://id.example", subject))));
    }

    @Test
    void theEntryOfAChangeIsNotLeftOut() throws SQLException {
        register.change(ana.key().keyId(), NO_GRANTS);
        String last = " WHERE chain = '/access' AND sequence = (SELECT max(sequence) FROM journal)";
        tamper("UPDATE access_key SET datasets = 'a b' WHERE name = 'ana'", "DELETE FROM journal" + last);
        theNextStartIsRefused("/access");
    }

    @Test
    void aKeyIsReplacedOnceThoughTheSecondWasRemoved() throws SQLException {
        issue("bob", bob.key().keyId());
        tamper("DELETE FROM access_key WHERE replaces = '" + bob.key().keyId() + "'");
        ChangedRows.refused(
                "key after key " + bob.key().keyId(),
                () -> issue("bob", bob.key().keyId()));
        theNextStartIsRefused("/access");
    }

    @Test
    void aRefusedReplacementLeavesEverythingAsItWas() {
        assertThatThrownBy(() -> issue("ana", bob.key().keyId())).isInstanceOf(ProblemException.class);
        assertThat(opened(ana)).isPresent();
        assertThat(check.fault(database)).isNull();
    }
}
