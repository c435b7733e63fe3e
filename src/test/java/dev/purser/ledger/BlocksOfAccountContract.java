package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.ApproximateAccountant;
import dev.purser.accounting.PureAccountant;
import dev.purser.journal.ChangedRows;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.LedgerSettings;
import dev.purser.store.StoreConnection;
import dev.purser.store.Tampering;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.purser.Records.with;
import static dev.purser.problem.Refusals.refusedAs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Accounts with a budget for each block. */
abstract class BlocksOfAccountContract {
    private static final String VISITS = "visits";
    private static final Blocks TEN_DAYS = Blocks.from("day", new Blocks.Day(), "2026-03-01", 10);

    @TempDir
    Path home;

    private LedgerSettings settings;
    private OpenLedger open;
    private int asked;
    private boolean isTampered;

    /** The settings of an empty database. */
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }

    @BeforeEach
    void openAccounts() {
        settings = settings();
        open = new OpenLedger(home, settings)
                .withAccount(OpenLedger.ACCOUNT, "1")
                .withAccount(VISITS, new PureAccountant(), epsilon("1"), TEN_DAYS);
    }

    @AfterEach
    void verifyAndClose() throws SQLException {
        if (!isTampered) {
            assertThat(open.ledger.verify(VISITS).fault()).isNull();
            assertThat(open.ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
        }
        open.close();
    }

    private static PrivacyAmount epsilon(String epsilon) {
        return PrivacyAmount.pure(Epsilon.parse(epsilon));
    }

    private static ChargeRequest question(String account, String analyst, String key, BlockWindow window, String of) {
        return OpenLedger.of(window, OpenLedger.question(account, analyst, key, of));
    }

    private ChargeRequest question(String analyst, BlockWindow window, String of) {
        return question(VISITS, analyst, "k" + asked++, window, of);
    }

    private CommittedDebit ask(String analyst, int first, int last, String of) {
        return ((ReserveOutcome.Reserved) open.ledger.reserve(question(analyst, new BlockWindow(first, last), of)))
                .debit();
    }

    private ProblemException refused(ThrowingCallable asked) {
        ProblemException refusal = refusedAs(ProblemType.BUDGET_EXHAUSTED, asked);
        return refusal;
    }

    private List<String> spent(String principal) {
        return open.ledger.blocks(VISITS, principal, TEN_DAYS.all()).runs(TEN_DAYS.all()).stream()
                .map(run -> run.blocks().first() + "-" + run.blocks().last() + " "
                        + run.spent().epsilon() + " " + run.remaining().epsilon())
                .toList();
    }

    private LedgerEntry last() {
        return open.ledger.entries(VISITS, 0, 10_000).getLast();
    }

    private void assertAfter(String account, String window) {
        assertThat(last().spentAfter()).isEqualTo(epsilon(account));
        assertThat(Objects.requireNonNull(last().charged()).spentAfter()).isEqualTo(epsilon(window));
    }

    @Test
    void eachBlockOfTheWindowPaysTheWholeCharge() {
        assertThat(ask("ana", 0, 6, "0.4").remainingAfter()).isEqualTo(epsilon("0.6"));
        assertAfter("0.4", "0.4");
        ask("ana", 5, 9, "0.5");
        assertAfter("0.9", "0.9");
        ProblemException refusal = refused(() -> ask("ana", 0, 9, "0.2"));
        assertThat(refusal.members().get("remaining")).hasToString(stated("0.1"));
        assertThat(refusal.members().get("shortfall")).hasToString(stated("0.1"));
        assertThat(refusal.members().get("blocks"))
                .isEqualTo(List.of(new NamedBlocks(
                        "2026-03-06", "2026-03-07", new PureAccountant().stated(epsilon("0.1"), epsilon("1")))));
        ask("ana", 7, 9, "0.5");
        assertAfter("1", "1");
        ask("ana", 0, 4, "0.6");
        assertAfter("1", "1");
        assertThat(ask("ana", 5, 6, "0.1").remainingAfter()).isEqualTo(PrivacyAmount.ZERO);
        assertAfter("1", "1");
        assertThat(spent("ana")).containsExactly("0-9 1 0");
        refused(() -> ask("ana", 4, 4, "0.000000001"));
    }

    private static String stated(String epsilon) {
        return new PureAccountant().stated(epsilon(epsilon), epsilon("1")).toString();
    }

    @Test
    void theAccountKeepsTheMostThatIsSpentOfABlock() {
        ask("ana", 0, 0, "0.1");
        ask("ana", 9, 9, "0.05");
        assertAfter("0.1", "0.05");
        assertThat(open.ledger.budget(VISITS).spent()).isEqualTo(epsilon("0.1"));
        assertThat(spent("ana")).containsExactly("0-0 0.1 0.9", "1-8 0 1", "9-9 0.05 0.95");
    }

    @Test
    void eachComponentIsComparedWithTheMostOfTheWindow() {
        PrivacyAmount limit = new PrivacyAmount(Epsilon.parse("1"), Delta.parse("0.000006"));
        Accountant accountant = new ApproximateAccountant();
        Blocks two = Blocks.from("day", new Blocks.Day(), "2026-03-01", 2);
        open.withAccount("approximate", accountant, limit, two);
        approximate(0, 0, "0.6", "0.000001");
        approximate(1, 1, "0.1", "0.000005");
        ProblemException refusal = refused(() -> approximate(0, 1, "0.4", "0.000002"));
        assertThat(refusal.members().get("blocks"))
                .isEqualTo(List.of(new NamedBlocks(
                        "2026-03-02",
                        "2026-03-02",
                        accountant.stated(new PrivacyAmount(Epsilon.parse("0.9"), Delta.parse("0.000001")), limit))));
        approximate(0, 1, "0.4", "0.000001");
        BlockBooks books = open.ledger.blocks("approximate", "ana", two.all());
        assertThat(books.spent(BlockWindow.of(0)))
                .isEqualTo(new PrivacyAmount(Epsilon.parse("1"), Delta.parse("0.000002")));
        assertThat(books.spent(BlockWindow.of(1)))
                .isEqualTo(new PrivacyAmount(Epsilon.parse("0.5"), Delta.parse("0.000006")));
        assertThat(open.ledger.verify("approximate").fault()).isNull();
    }

    private void approximate(int first, int last, String epsilon, String delta) {
        open.ledger.reserve(OpenLedger.of(
                new BlockWindow(first, last),
                OpenLedger.question(
                        "approximate",
                        "ana",
                        "k" + asked++,
                        new PrivacyEvent.ApproximateDifferentialPrivacy(Epsilon.parse(epsilon), Delta.parse(delta)))));
    }

    @Test
    void aChargeNamesBlocksThatThereAre() {
        assertThatIllegalArgumentException().isThrownBy(() -> ask("ana", 9, 10, "0.1"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open.ledger.reserve(OpenLedger.question(VISITS, "ana", "k", "0.1")));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> open.ledger.reserve(question(OpenLedger.ACCOUNT, "ana", "k", BlockWindow.of(0), "0.1")));
        assertThat(open.ledger.entries(VISITS, 0, 10)).hasSize(1);
    }

    @Test
    void aRetryAndAResumedQuestionHaveTheWindowThatWasCharged() {
        ChargeRequest request = question("ana", new BlockWindow(2, 3), "0.4");
        CommittedDebit debit = ((ReserveOutcome.Reserved) open.ledger.reserve(request)).debit();
        assertThat(debit.blocks()).contains(new BlockWindow(2, 3));
        ChargeRequest nextDay = OpenLedger.of(new BlockWindow(3, 4), request);
        CommittedDebit again = ((ReserveOutcome.Reserved) open.ledger.reserve(nextDay)).debit();
        assertThat(again.blocks()).contains(new BlockWindow(2, 3));
        assertThat(again.remainingAfter()).isEqualTo(epsilon("0.6"));
        assertThat(open.ledger.reservations("", 1).getFirst().debit().blocks()).contains(new BlockWindow(2, 3));
        assertThat(spent("ana")).containsExactly("0-1 0 1", "2-3 0.4 0.6", "4-9 0 1");
    }

    @Test
    void anAllotmentHoldsForEachBlockAndCountsWhatWasChargedBefore() {
        ask("ana", 0, 4, "0.3");
        ask("bob", 4, 9, "0.2");
        assertThatThrownBy(() -> open.ledger.setAllotment(VISITS, "ana", epsilon("0.299999999"), "carla"))
                .isInstanceOf(ProblemException.class);
        open.ledger.setAllotment(VISITS, "ana", epsilon("0.5"), "carla");
        assertThat(last().allotmentAfter()).isEqualTo(new Allotment("ana", epsilon("0.5"), epsilon("0.3")));
        assertThat(spent("ana")).containsExactly("0-3 0.3 0.2", "4-4 0.5 0.2", "5-9 0.2 0.5");
        assertThat(refused(() -> ask("ana", 4, 5, "0.3")).members()).containsEntry("scope", "analyst");
        assertThat(ask("ana", 5, 9, "0.4").remainingAfter()).isEqualTo(epsilon("0.1"));
        assertThat(last().allotmentAfter()).isEqualTo(new Allotment("ana", epsilon("0.5"), epsilon("0.4")));
        ask("ana", 0, 3, "0.2");
        assertThat(last().allotmentAfter()).isEqualTo(new Allotment("ana", epsilon("0.5"), epsilon("0.5")));
        open.ledger.setAllotment(VISITS, "ana", epsilon("0.6"), "carla");
        assertThat(spent("ana")).containsExactly("0-3 0.5 0.1", "4-4 0.5 0.3", "5-9 0.6 0.2");
        assertThat(spent("bob")).containsExactly("0-4 0.5 0.5", "5-9 0.6 0.4");
        open.ledger.setAllotment(VISITS, "carl", epsilon("0.1"), "carla");
        assertThat(ask("carl", 0, 0, "0.1").remainingAfter()).isEqualTo(PrivacyAmount.ZERO);
    }

    @Test
    void aPlanIsCountedPerBlock() {
        PlanRequest fits = plan("p1", List.of(new BlockWindow(0, 4), new BlockWindow(5, 9)), "0.9");
        assertThat(open.ledger.reserve(fits)).hasSize(2);
        PlanRequest exceeds = plan("p2", List.of(new BlockWindow(0, 1), new BlockWindow(1, 2)), "0.1");
        ProblemException refusal = refused(() -> open.ledger.reserve(exceeds));
        assertThat(refusal.members()).containsEntry("firstThatDoesNotFit", 1);
        assertThat(refusal.members().get("requested")).hasToString(stated("0.2"));
        assertThat(refusal.members().get("remaining")).hasToString(stated("0.1"));
        assertThat(refusal.members().get("blocks"))
                .asString()
                .contains("2026-03-02")
                .doesNotContain("2026-03-01");
        assertThat(spent("ana")).containsExactly("0-9 0.9 0.1");
    }

    private static PlanRequest plan(String key, List<BlockWindow> windows, String each) {
        return new PlanRequest(
                VISITS,
                VISITS,
                new RequestIdentity("ana", "POST /v1/datasets/visits/queries", key),
                key.getBytes(UTF_8),
                windows.stream()
                        .map(window -> question(VISITS, "ana", key, window, each))
                        .toList());
    }

    @Test
    void aRestoredAccountHasNothingLeftOfAnyBlock() {
        ask("ana", 0, 3, "0.4");
        ask("ana", 2, 2, "0.6");
        close(new LastBlocks(Map.of()));
        assertThat(spent("ana")).containsExactly("0-9 1 0");
        assertThat(open.ledger.entries(VISITS, 0, 10)).hasSize(3 + 3);
    }

    private void close(LastBlocks lastBlocks) {
        open.database.write(VISITS, connection -> {
            lastBlocks.requireOf(connection);
            return new Forfeiture(connection, lastBlocks).charge(VISITS, Instant.EPOCH);
        });
    }

    @Test
    void blocksAfterTheLastOneThatWasAskedAboutKeepTheirBudget() {
        ask("ana", 0, 3, "0.4");
        close(new LastBlocks(Map.of(VISITS, "2026-03-06")));
        assertThat(spent("ana")).containsExactly("0-5 1 0", "6-9 0 1");
        assertThat(open.ledger.verify(VISITS).fault()).isNull();
    }

    @Test
    void allBlocksBeforeTheLastOneAreClosed() {
        close(new LastBlocks(Map.of(VISITS, "2026-03-10")));
        assertThat(spent("ana")).containsExactly("0-9 1 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "visits|2026-03-03|names the block 2026-03-03; a later block of the account visits was asked about.",
                "visits|2026-04-01|the blocks of the account visits are called 2026-03-01 to 2026-03-10.",
                "visit|2026-03-03|names the account visit, which is not in the ledger.",
                "plain|2026-03-03|names the account plain, which has no blocks."
            })
    void whatCannotBeTrueOfTheLastBlockIsRefused(String account, String block, String reason) {
        open.withAccount("plain", "1");
        ask("ana", 0, 3, "0.4");
        assertThatThrownBy(() -> close(new LastBlocks(Map.of(account, block)))).hasMessageContaining(reason);
        assertThat(spent("ana")).containsExactly("0-3 0.4 0.6", "4-9 0 1");
    }

    /** The database enforces the rules too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE block_spent SET epsilon_nanos = epsilon_nanos - 1",
                "UPDATE block_spent SET block = block + 100",
                "UPDATE block_spent SET holder = 'bob'",
                "DELETE FROM block_spent",
                "UPDATE account SET blocks = 'day 2026-03-01 11 day', head_sequence = head_sequence + 1"
                        + " WHERE account = 'visits'",
                "UPDATE account SET blocks = NULL, head_sequence = head_sequence + 1 WHERE account = 'visits'"
            })
    void theDatabaseRefusesWhatWouldLoseAChargeOfABlock(String statement) {
        ask("ana", 0, 3, "0.4");
        assertThatThrownBy(() -> open.database.write(VISITS, connection -> connection.update(statement)))
                .hasMessageMatching("(?s).*(refunded|removed|keeps its blocks).*");
    }

    /** An entry is written after its blocks. */
    @Test
    void theDatabaseRefusesAnEntryWhoseBlocksDidNotPay() {
        ask("ana", 0, 3, "0.4");
        for (BlockCharge forged :
                new BlockCharge[] {new BlockCharge(new BlockWindow(0, 3), epsilon("0.4"), null), null}) {
            assertThatThrownBy(() -> open.database.write(VISITS, connection -> {
                        SqlBooks books = new SqlBooks(connection);
                        AccountSnapshot standing = books.standing(
                                        VISITS, new RequestIdentity("ana", "o", "k"), new BlockWindow(0, 3))
                                .orElseThrow();
                        Step step = LedgerRules.charge(
                                standing, question("ana", new BlockWindow(0, 3), "0.1"), Instant.EPOCH, "0".repeat(26));
                        return books.append(with(step, "entry", with(step.entry(), "charged", forged)));
                    }))
                    .hasMessageContaining("an entry agrees with what is spent of its blocks");
        }
    }

    @Test
    void entriesThatWereMadeBeforeStayAsTheyAre() {
        open.ledger.reserve(OpenLedger.question(OpenLedger.ACCOUNT, "ana", "k", "0.1"));
        LedgerEntry entry = open.ledger.entries(OpenLedger.ACCOUNT, 0, 10).getLast();
        assertThat(entry.charged()).isNull();
        assertThat(entry.hash()).isEqualTo(LedgerChain.hash(OpenLedger.ACCOUNT, entry));
        assertThat(open.ledger.entries(VISITS, 0, 1).getFirst().opened()).isEqualTo(TEN_DAYS);
    }

    @Test
    void aFewRandomChargesAgreeWithAPlainArray() {
        compareWithAnArray(1_000);
    }

    @Test
    @Tag("deep")
    void manyRandomChargesAgreeWithAPlainArray() {
        compareWithAnArray(100_000);
    }

    private void compareWithAnArray(int charges) {
        int blocks = 400;
        long limit = 2_000_000_000L;
        Blocks many = Blocks.from("day", new Blocks.Day(), "2026-01-01", blocks);
        open.withAccount("many", new PureAccountant(), PrivacyAmount.pure(new Epsilon(limit)), many);
        long[] spent = new long[blocks];
        Random random = new Random(37);
        int refused = 0;
        for (int i = 0; i < charges; i++) {
            int first = random.nextInt(blocks);
            BlockWindow window = new BlockWindow(first, Math.min(blocks - 1, first + random.nextInt(1 + i % 60)));
            long charge = 1 + random.nextInt(400_000_000 / (1 + i / 500));
            long most = IntStream.rangeClosed(window.first(), window.last())
                    .mapToLong(block -> spent[block])
                    .max()
                    .orElseThrow();
            boolean fits = most + charge <= limit;
            ChargeRequest request = OpenLedger.of(
                    window,
                    OpenLedger.question(
                            "many", "ana", "k" + i, new PrivacyEvent.PureDifferentialPrivacy(new Epsilon(charge))));
            try {
                CommittedDebit debit = ((ReserveOutcome.Reserved) open.ledger.reserve(request)).debit();
                assertThat(fits).as("charge %s", i).isTrue();
                assertThat(debit.remainingAfter().epsilon().nanos()).isEqualTo(limit - most - charge);
                Arrays.setAll(
                        spent,
                        block -> block >= window.first() && block <= window.last()
                                ? spent[block] + charge
                                : spent[block]);
            } catch (ProblemException exhausted) {
                assertThat(fits).as("charge %s", i).isFalse();
                refused++;
            }
        }
        BlockBooks books = open.ledger.blocks("many", "ana", many.all());
        for (int block = 0; block < blocks; block++) {
            assertThat(books.spent(BlockWindow.of(block)).epsilon().nanos()).isEqualTo(spent[block]);
        }
        assertThat(refused).isBetween(charges / 20, charges * 19 / 20);
        assertThat(open.ledger.verify("many").fault()).isNull();
    }

    /** Nothing is ever refunded, so a refused question is refused later too. */
    @Test
    void aThousandContendersOnWindowsThatOverlapSpendWhatThereIs() throws Exception {
        Random random = new Random(5);
        List<ChargeRequest> requests = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int first = random.nextInt(10);
            requests.add(question("ana", new BlockWindow(first, Math.min(9, first + random.nextInt(4))), "0.1"));
        }
        List<ChargeRequest> refused = new ArrayList<>();
        int admitted = 0;
        try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> outcomes = requests.stream()
                    .map(request -> askers.submit(() -> isAdmitted(request)))
                    .toList();
            for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i).get()) {
                    admitted++;
                } else {
                    refused.add(requests.get(i));
                }
            }
        }
        assertThat(refused).isNotEmpty().noneMatch(this::isAdmitted);
        assertThat(open.ledger.entries(VISITS, 0, 10_000)).hasSize(1 + admitted);
        assertThat(open.ledger.budget(VISITS).spent()).isEqualTo(epsilon("1"));
    }

    private boolean isAdmitted(ChargeRequest request) {
        try {
            return open.ledger.reserve(request) instanceof ReserveOutcome.Reserved;
        } catch (ProblemException refusal) {
            assertThat(refusal.type()).isEqualTo(ProblemType.BUDGET_EXHAUSTED);
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE block_spent SET epsilon_nanos = epsilon_nanos - 1 WHERE block = 2",
                "UPDATE block_spent SET epsilon_nanos = epsilon_nanos + 1 WHERE block = 2",
                "UPDATE block_spent SET block = 9 WHERE block = 2",
                "UPDATE block_spent SET holder = 'bob' WHERE holder = 'ana'",
                "DELETE FROM block_spent WHERE block = 2",
                "DELETE FROM block_spent",
                "INSERT INTO block_spent VALUES ('visits', '', 9, 1, 0, 0)",
                "INSERT INTO block_spent VALUES ('visits', 'eve', 1, 1, 0, 0)",
                "INSERT INTO block_spent VALUES ('adult', '', 0, 1, 0, 0)",
                "UPDATE entry SET first_block = 1 WHERE first_block IS NOT NULL",
                "UPDATE entry SET last_block = 2 WHERE last_block IS NOT NULL",
                "UPDATE entry SET window_after_epsilon_nanos = 1 WHERE first_block IS NOT NULL",
                "UPDATE entry SET allotted_after_epsilon_nanos = 1 WHERE allotted_after_epsilon_nanos IS NOT NULL",
                "UPDATE entry SET blocks = 'day 2026-03-01 11 day' WHERE blocks IS NOT NULL",
                "UPDATE account SET blocks = 'day 2026-03-01 11 day' WHERE blocks IS NOT NULL",
                "UPDATE account SET blocks = NULL"
            })
    void verificationFindsBlocksThatWereChanged(String change) throws SQLException {
        open.ledger.setAllotment(VISITS, "ana", epsilon("0.5"), "carla");
        ask("ana", 0, 3, "0.4");
        Tampering.tamper(home, settings, change);
        isTampered = true;
        String account = change.contains("'adult'") ? OpenLedger.ACCOUNT : VISITS;
        assertThat(open.ledger.verify(account).fault()).isNotNull();
    }

    /**
     * Each change would let somebody ask again about blocks that are spent. A change to more than before is refused
     * too.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE block_spent SET epsilon_nanos = 0",
                "UPDATE block_spent SET epsilon_nanos = epsilon_nanos - 1 WHERE holder = ''",
                "UPDATE block_spent SET epsilon_nanos = epsilon_nanos - 1 WHERE holder = 'ana'",
                "UPDATE block_spent SET epsilon_nanos = epsilon_nanos + 1 WHERE holder = ''",
                "UPDATE block_spent SET block = block + 90",
                "UPDATE block_spent SET holder = 'bob' WHERE holder = 'ana'",
                "DELETE FROM block_spent",
                "UPDATE account SET blocks = 'day 2026-03-01 11 day' WHERE blocks IS NOT NULL"
            })
    void nothingIsChargedOnceTheBlocksWereChangedUnderARunningService(String change) throws SQLException {
        open.ledger.setAllotment(VISITS, "ana", epsilon("0.8"), "carla");
        ask("ana", 0, 3, "0.4");
        ask("ana", 2, 4, "0.3");
        ask("bob", 9, 9, "0.1");
        isTampered = true;
        Tampering.tamper(home, settings, change);
        ChangedRows.refused("account " + VISITS, () -> ask("ana", 1, 3, "0.05"));
    }

    /** The remembered amounts end with an entry. A rollback may remove that entry. */
    @Test
    void whatIsRememberedOfBlocksIsReadAgainAfterARollback() {
        ask("ana", 0, 3, "0.1");
        assertThatThrownBy(() -> open.database.write(VISITS, connection -> {
                    for (int i = 0; i < 3; i++) {
                        appendAsBob(connection, new BlockWindow(3, 4), "lost " + i);
                    }
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessageContaining("rolled back");
        ask("ana", 3, 5, "0.1");
        ask("ana", 3, 5, "0.1");
        assertThat(spent("bob")).containsExactly("0-2 0.1 0.9", "3-3 0.3 0.7", "4-5 0.2 0.8", "6-9 0 1");
    }

    /**
     * Each instance adds to the amounts that the other remembers. With SQLite, the instances run one after the other.
     */
    @Test
    void twoInstancesChargeTheSameBlocks() throws SQLException {
        ask("ana", 0, 3, "0.1");
        if (settings.isEmbedded()) {
            open.close();
        }
        try (OpenLedger other = new OpenLedger(settings.isEmbedded() ? home : home.resolve("other"), settings)) {
            for (int i = 0; i < 3; i++) {
                other.ledger.reserve(question("bob", new BlockWindow(2, 4), "0.1"));
                if (!settings.isEmbedded()) {
                    ask("ana", 4, 5, "0.1");
                }
            }
        }
        if (settings.isEmbedded()) {
            open = new OpenLedger(home, settings);
        }
        ask("ana", 3, 3, "0.6");
        refused(() -> ask("ana", 2, 3, "0.1"));
    }

    private static boolean appendAsBob(StoreConnection connection, BlockWindow window, String key) throws SQLException {
        SqlBooks books = new SqlBooks(connection);
        ChargeRequest request = question(VISITS, "bob", key, window, "0.1");
        AccountSnapshot standing =
                books.standing(VISITS, request.identity(), window).orElseThrow();
        return books.append(LedgerRules.charge(standing, request, Instant.EPOCH, QueryIds.next(0, key::hashCode)));
    }
}
