package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.PureAccountant;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.TestHomes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

import static dev.purser.Records.with;

/** A ledger on a real database in a folder, with short methods for what tests do often. */
public final class OpenLedger implements AutoCloseable {
    public static final String ACCOUNT = "adult";

    public final Database database;
    public final BudgetLedger ledger;

    public OpenLedger(Path home) {
        this(home, LedgerSettings.embedded());
    }

    public OpenLedger(Path home, LedgerSettings settings) {
        this(home, settings, Clock.systemUTC());
    }

    OpenLedger(Path home, LedgerSettings settings, Clock clock) {
        database = new Database(TestHomes.at(home), settings);
        ledger = new BudgetLedger(database, clock, new SecureRandom());
    }

    static final CanonicalForm ANY_FORM = CanonicalForm.of(new byte[0], new TreeSet<>());

    public OpenLedger withAccount(String account, String epsilonLimit) {
        return withAccount(account, new PureAccountant(), PrivacyAmount.pure(Epsilon.parse(epsilonLimit)));
    }

    public OpenLedger withAccount(String account, Accountant accountant, PrivacyAmount limit) {
        return withAccount(account, accountant, limit, null);
    }

    public OpenLedger withAccount(String account, Accountant accountant, PrivacyAmount limit, @Nullable Blocks blocks) {
        database.write(account, transaction -> {
            ledger.open(transaction, account, accountant, limit, blocks, "carla");
            return null;
        });
        return this;
    }

    public ReserveOutcome reserve(String key, String epsilon) {
        return ledger.reserve(question(ACCOUNT, "ana", key, epsilon));
    }

    public CommittedDebit debit(String key, String epsilon) {
        return ((ReserveOutcome.Reserved) reserve(key, epsilon)).debit();
    }

    public static ChargeRequest question(String account, String analyst, String key, String epsilon) {
        return question(account, analyst, key, new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse(epsilon)));
    }

    public static ChargeRequest question(String account, String analyst, String key, PrivacyEvent event) {
        return new ChargeRequest(
                account,
                account,
                "mean",
                event,
                new RequestIdentity(analyst, "POST /v1/datasets/" + account + "/queries/mean", key),
                String.valueOf(event).getBytes(StandardCharsets.UTF_8),
                ANY_FORM,
                null);
    }

    /** The same question, charged to each block of a window. */
    public static ChargeRequest of(BlockWindow window, ChargeRequest question) {
        return with(question, "blocks", window);
    }

    /** A question of a form of its own, for which an answer of at most this age may be reused. */
    public ReserveOutcome reserve(String analyst, String key, String form, @Nullable Duration reuse) {
        return ledger.reserve(question(ACCOUNT, analyst, key, form, reuse));
    }

    /** The question of {@link #reserve(String, String, String, Duration)}. */
    public static ChargeRequest question(
            String account, String analyst, String key, String form, @Nullable Duration reuse) {
        CanonicalForm canonical = CanonicalForm.of(form.getBytes(StandardCharsets.UTF_8), new TreeSet<>());
        return with(question(account, analyst, key, "0.1"), "form", canonical, "reuse", reuse);
    }

    /** A plan of this many questions at epsilon 0.1 each, for which nothing may be reused. */
    static PlanRequest plan(String account, String analyst, String key, int questions) {
        RequestIdentity identity = new RequestIdentity(analyst, "POST /v1/datasets/" + account + "/queries", key);
        ChargeRequest question = question(account, analyst, key, "0.1");
        return new PlanRequest(
                account,
                account,
                identity,
                ("plan of " + questions).getBytes(StandardCharsets.UTF_8),
                Collections.nCopies(questions, question));
    }

    public String spent() {
        return ledger.budget(ACCOUNT).spent().epsilon().toString();
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}
