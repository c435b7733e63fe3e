package dev.purser.access;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.StorageException;
import dev.purser.store.TestHomes;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.core.AuthenticationException;

import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KeyRegisterTests {
    private static final Instant START = Instant.parse("2031-01-01T00:00:00Z");

    /** The number of readers that can read at once. */
    private static final int READERS = 4;

    @TempDir
    Path folder;

    private Instant now = START;
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);

    @AutoClose
    private Database database;

    private KeyRegister register;

    @BeforeEach
    void open() {
        database = new Database(TestHomes.at(folder.resolve("home")));
        register = new KeyRegister(database, clock);
    }

    private static NewKey wanted(String name, Optional<Instant> expiresAt, Optional<String> replaces) {
        return new NewKey(
                name, Role.ANALYST, Grants.of(List.of("b", "a")), Grants.NONE, expiresAt, replaces, Optional.empty());
    }

    private KeyRegister.Issued issue(String name) {
        return register.issue(wanted(name, Optional.empty(), Optional.empty()));
    }

    private Optional<IssuedKey> opened(String token) {
        return opened(register, token);
    }

    static Optional<IssuedKey> opened(KeyRegister register, String token) {
        return KeyToken.parse(token).flatMap(register::opened).map(Principal::key);
    }

    /** The holder of a key that was issued first. */
    static Principal holder(KeyRegister.Issued issued) {
        return Principal.holding(issued.key(), Map.of("key " + issued.key().keyId(), 1L));
    }

    @Test
    void aKeyOpensAsWhatItWasMadeFor() {
        KeyRegister.Issued issued = issue("ana");
        assertThat(issued.token()).matches("purser_[a-z2-7]{16}_[A-Za-z0-9_-]{43}");
        assertThat(opened(issued.token())).hasValue(issued.key());
        assertThat(issued.key().datasets().ids()).containsExactly("a", "b");
        assertThat(opened(new KeyRegister(database, clock), issued.token())).hasValue(issued.key());
        assertThat(issue("bob").token()).isNotEqualTo(issued.token());
    }

    @Test
    void everyOtherSecretAndEveryOtherIdOpenNothing() {
        String token = issue("ana").token();
        String other = issue("bob").token();
        for (int i = 0; i < token.length(); i++) {
            char changed = token.charAt(i) == 'a' ? 'b' : 'a';
            assertThat(opened(token.substring(0, i) + changed + token.substring(i + 1)))
                    .isEmpty();
            assertThat(opened(token.substring(0, i))).isEmpty();
        }
        assertThat(opened(token.substring(0, 24) + other.substring(24))).isEmpty();
        assertThat(opened(token)).isPresent();
    }

    @Test
    void aKeyThatWasRefusedStaysRefusedWhenTheClockGoesBack() {
        Instant end = START.plusMillis(1000);
        KeyRegister.Issued issued = register.issue(wanted("ana", Optional.of(end), Optional.empty()));
        now = end;
        assertThat(opened(issued.token())).isEmpty();
        now = START;
        assertThat(opened(issued.token())).isEmpty();
        assertThat(register.now()).isEqualTo(end);
        assertThatThrownBy(() -> register.stillOpen(holder(issued))).isInstanceOf(AuthenticationException.class);
        KeyRegister.Issued later = register.issue(wanted("bob", Optional.of(end.plusMillis(1)), Optional.empty()));
        assertThat(later.key().createdAt()).isEqualTo(end);
        assertThat(opened(later.token())).isPresent();
    }

    @Test
    void aKeyExpiresAtItsInstantAndNotBefore() {
        Instant end = START.plusMillis(1000);
        KeyRegister.Issued issued = register.issue(wanted("ana", Optional.of(end), Optional.empty()));
        Principal holder = holder(issued);
        now = end.minusMillis(1);
        assertThat(opened(issued.token())).isPresent();
        register.stillOpen(holder);
        assertThat(register.unchanged(holder)).isSameAs(holder);
        now = end;
        assertThat(opened(issued.token())).isEmpty();
        assertThatThrownBy(() -> register.stillOpen(holder)).isInstanceOf(AuthenticationException.class);
        assertThatThrownBy(() -> register.unchanged(holder)).isInstanceOf(AuthenticationException.class);
        assertThat(register.find(issued.key().keyId()).orElseThrow().stateAt(end))
                .isEqualTo(IssuedKey.State.EXPIRED);
    }

    @Test
    void aRevokedKeyOpensNothingInEveryProcess() {
        KeyRegister.Issued issued = issue("ana");
        KeyRegister elsewhere = new KeyRegister(database, clock);
        KeyToken token = KeyToken.parse(issued.token()).orElseThrow();
        assertThat(elsewhere.opened(token)).isPresent();
        register.revoke(issued.key().keyId());
        assertThat(elsewhere.opened(token)).isEmpty();
        assertThatThrownBy(() -> elsewhere.stillOpen(holder(issued))).isInstanceOf(AuthenticationException.class);
        Instant first = now;
        now = first.plus(Duration.ofDays(1));
        register.revoke(issued.key().keyId());
        assertThat(register.find(issued.key().keyId()).orElseThrow().revokedAt())
                .isEqualTo(first);
        refusedAs(ProblemType.NOT_FOUND, () -> register.revoke("aaaaaaaaaaaaaaaa"));
        register.stillOpen(Principal.ADMINISTRATOR);
    }

    @Test
    void aNameIsOnePrincipalForEver() {
        String first = issue("ana").key().keyId();
        assertRefused("ana", Optional.empty(), ProblemType.ALREADY_EXISTS);
        assertRefused("admin", Optional.empty(), ProblemType.ALREADY_EXISTS);
        register.revoke(first);
        assertRefused("ana", Optional.empty(), ProblemType.ALREADY_EXISTS);
        assertRefused("bob", Optional.of(first), ProblemType.VALIDATION_FAILED);
        assertRefused("ana", Optional.of("aaaaaaaaaaaaaaaa"), ProblemType.VALIDATION_FAILED);
        issue("bob");
        assertRefused("bob", Optional.of(first), ProblemType.VALIDATION_FAILED);
    }

    private void assertRefused(String name, Optional<String> replaces, ProblemType type) {
        refusedAs(type, () -> register.issue(wanted(name, Optional.empty(), replaces)));
    }

    @Test
    void ofANamesKeysOnlyTheLastIsOpen() {
        KeyRegister.Issued first = issue("ana");
        Optional<String> firstId = Optional.of(first.key().keyId());
        KeyRegister.Issued second = register.issue(wanted("ana", Optional.empty(), firstId));
        assertThat(opened(first.token())).isEmpty();
        assertThat(opened(second.token())).isPresent();
        assertRefused("ana", firstId, ProblemType.VALIDATION_FAILED);
        assertThat(opened(second.token())).isPresent();
        register.revoke(second.key().keyId());
        KeyRegister.Issued third = register.issue(
                wanted("ana", Optional.empty(), Optional.of(second.key().keyId())));
        assertThat(opened(third.token())).isPresent();
    }

    @Test
    void ofManyReplacementsAtOnceOneIsMade() throws Exception {
        String first = issue("ana").key().keyId();
        Callable<String> replacing = () -> {
            try {
                return register.issue(wanted("ana", Optional.empty(), Optional.of(first)))
                        .token();
            } catch (ProblemException refused) {
                return "";
            }
        };
        List<String> tokens = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<String> each : threads.invokeAll(Collections.nCopies(20, replacing))) {
                tokens.add(each.get());
            }
        }
        assertThat(tokens.stream().filter(token -> !token.isEmpty()))
                .singleElement()
                .satisfies(token -> assertThat(opened(token)).isPresent());
    }

    /** The new key is shown only once, and the key that it replaces is revoked already. */
    @Test
    void aNewKeyIsShownThoughNothingCanBeReadAfterItsCommit() throws Exception {
        String first = issue("ana").key().keyId();
        Semaphore reading = new Semaphore(0);
        Semaphore shown = new Semaphore(0);
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicBoolean isCommitted = new AtomicBoolean();
            database.witness(heads -> {
                if (!isCommitted.getAndSet(true)) {
                    for (int i = 0; i < READERS; i++) {
                        readers.submit(() -> database.read(connection -> {
                            reading.release();
                            shown.acquireUninterruptibly();
                            return null;
                        }));
                    }
                    reading.acquireUninterruptibly(READERS);
                }
            });
            try {
                assertThat(register.issue(wanted("ana", Optional.empty(), Optional.of(first)))
                                .token())
                        .isNotEmpty();
                assertThat(isCommitted).isTrue();
            } finally {
                shown.release(READERS);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE access_key SET revoked_at_millis = NULL WHERE name = 'over'",
                "UPDATE access_key SET revoked_at_millis = 5 WHERE name = 'over'",
                "UPDATE access_key SET role = 'administrator'",
                "UPDATE access_key SET revoked_at_millis = 5, role = 'administrator' WHERE name = 'ana'",
                "UPDATE access_key SET revoked_at_millis = 5, datasets = '*' WHERE name = 'ana'",
                "UPDATE access_key SET revoked_at_millis = 5, expires_at_millis = 9 WHERE name = 'ana'",
                "UPDATE access_key SET revoked_at_millis = 5, hash = salt || salt WHERE name = 'ana'",
                "UPDATE access_key SET datasets = '*'",
                "UPDATE access_key SET name = 'eve'",
                "DELETE FROM access_key WHERE name = 'ana'",
                "INSERT INTO access_key SELECT 'bbbbbbbbbbbbbbbb', name, role, datasets, collections, salt, hash, 0, "
                        + "NULL, NULL,"
                        + " NULL, NULL, NULL FROM access_key WHERE name = 'ana'",
                "INSERT INTO access_key SELECT 'bbbbbbbbbbbbbbbb', 'bob', role, datasets, collections, salt, hash, 0, "
                        + "NULL, NULL,"
                        + " key_id, NULL, NULL FROM access_key WHERE name = 'ana'",
                "INSERT INTO access_key SELECT 'bbbbbbbbbbbbbbbb', 'admin', role, datasets, collections, salt, hash, "
                        + "0, NULL,"
                        + " NULL, NULL, NULL, NULL FROM access_key WHERE name = 'ana'",
                "INSERT INTO access_key SELECT 'bbbbbbbbbbbbbbbb', 'bob', role, datasets, collections, salt, hash, 0, "
                        + "NULL, NULL, NULL, 'https://id.example', 's' FROM access_key WHERE name = 'ana'",
                "INSERT INTO access_key SELECT 'bbbbbbbbbbbbbbbb', 'bob', role, datasets, collections, NULL, NULL, 0, "
                        + "NULL, NULL, NULL, NULL, 's' FROM access_key WHERE name = 'ana'"
            })
    void theTableKeepsTheRulesByItself(String statement) {
        issue("ana");
        register.revoke(issue("over").key().keyId());
        assertThatThrownBy(() -> database.write(Database.NO_ACCOUNT, transaction -> transaction.update(statement)))
                .isInstanceOf(StorageException.class);
        assertThat(database.<Integer>write(
                        Database.NO_ACCOUNT,
                        transaction ->
                                transaction.update("UPDATE access_key SET revoked_at_millis = 5 WHERE name = 'ana'")))
                .isEqualTo(1);
    }

    @Test
    void noValueThatCouldBeLoggedCarriesASecretOrItsHash() {
        KeyRegister.Issued issued = issue("ana");
        KeyToken token = KeyToken.parse(issued.token()).orElseThrow();
        assertThat(token).asString().doesNotContain(token.secret());
        assertThat(issued).asString().doesNotContain(token.secret());
        assertThat(issued.key()).asString().doesNotContain(token.secret());
    }

    /** Without the index, each new key would read all names while every debit waits. */
    @Test
    void aNameIsLookedUpInTheIndexOfNames() {
        String plan = database.read(connection -> connection
                .first("EXPLAIN QUERY PLAN " + KeyRegister.NAME_TAKEN, row -> row.getString("detail"), "ana")
                .orElseThrow());

        assertThat(plan).contains("SEARCH access_key USING INDEX access_key_name (name=?)");
    }
}
