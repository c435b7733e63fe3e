package dev.purser.collection;

import dev.purser.access.Grants;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.collection.CollectionFor.Use;
import dev.purser.collection.StoredCollection.Kind;
import dev.purser.journal.Journal;
import dev.purser.journal.JournalCheck;
import dev.purser.json.JsonDocument;
import dev.purser.json.RequestLimits;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.Order;
import dev.purser.store.PurserHome;
import dev.purser.store.Tampering;
import dev.purser.store.TestHomes;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.collection.JournaledCollections.COLLECTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Collections and trainings that were changed by somebody who has the database but not the home. */
abstract class TamperedCollectionsContract {
    private static final BigDecimal BETA = new BigDecimal("0.05");
    private static final String TALLY = "tally of collection signs";
    private static final String TRAINING = "training model";

    @TempDir
    Path folder;

    private LedgerSettings settings;
    private PurserHome home;

    @AutoClose
    private Database database;

    private VisibleCollections visible;
    private ReportCollections collections;
    private Trainings trainings;
    private List<String> tickets;

    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }

    /**
     * The collection has ten reports. The training has two rounds of four reports, two reports of the third round, and
     * one late report.
     */
    @BeforeEach
    void collect() {
        settings = settings();
        home = TestHomes.at(folder);
        database = new Database(home, settings);
        serve();
        open("signs");
        send(0, 10);
        byte[] training = bytes("{'id':'model','model':'linear','features':1,'protocol':'harmony','epsilon':1,"
                + "'groupSize':4,'rounds':5}");
        trainings.open(JsonDocument.parse(training).read(TrainingDeclaration::read), training, "carla");
        tickets = trainings.tickets(model(), new Trainings.TicketCount(20));
        gradients(1, 0, 4);
        gradients(2, 4, 8);
        gradients(1, 8, 9);
        gradients(3, 9, 11);
    }

    private void restart() throws SQLException {
        database.close();
        database = new Database(home, settings);
        serve();
    }

    /** Starts the services with nothing in memory. */
    private void serve() {
        RequestLimits limits = new RequestLimits(1 << 25, 100_001, 16, 2_000_000, 0);
        Clock clock = Clock.systemUTC();
        Pieces pieces = new Pieces(database, clock);
        visible = new VisibleCollections(database);
        collections = new ReportCollections(database, limits, new JsonMapper(), clock, pieces);
        trainings = new Trainings(database, limits, new JsonMapper(), clock, pieces);
    }

    private void tamper(String... statements) throws SQLException {
        Tampering.tamper(folder, settings, statements);
        serve();
    }

    /** Changes tables without a check that something changed. */
    private void alter(String... statements) throws SQLException {
        try (Connection connection = Tampering.connect(folder, settings);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private static JournalCheck check() {
        JournaledCollections journaled = new JournaledCollections();
        return new JournalCheck(List.of(
                journaled.collectionRows(), journaled.protocolRows(), journaled.tallyRows(), journaled.trainingRows()));
    }

    private String fault() {
        return String.valueOf(check().fault(database));
    }

    @Test
    void whatNobodyTouchedIsSound() throws SQLException {
        send(5, 15);
        collections.close(signs());
        open("short");
        collections.delete(found("short"));
        gradients(3, 11, 19);
        trainings.close(model());
        assertThat(fault()).isEqualTo("null");
        restart();
        assertThat(fault()).isEqualTo("null");
        assertThat(collections.estimate(signs(), BETA).reports()).isEqualTo(15);
        assertThat(trainings.view(model()).curve()).hasSize(3);
        collections.delete(signs());
        trainings.delete(model());
        trainings.delete(model());
        assertThat(fault()).isEqualTo("null");
        assertThat(found("model").isDeleted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE collection_tally SET sums = (SELECT sums FROM collection_tally WHERE collection <> {signs})"
                        + " WHERE collection = {signs}",
                "UPDATE collection_tally SET reports = 11 WHERE collection = {signs}",
                "UPDATE collection_tally SET ids = (SELECT ids FROM collection_tally WHERE collection <> {signs})"
                        + " WHERE collection = {signs}",
                "UPDATE collection_tally SET ids = NULL WHERE collection = {signs}",
                "DELETE FROM collection_tally WHERE collection = {signs}",
            })
    void changedSumsAreNotUsed(String sql) throws SQLException {
        tamper(filled(sql));
        assertThat(fault()).startsWith(TALLY);
        assertRefused(TALLY, () -> collections.estimate(signs(), BETA));
        assertRefused(TALLY, () -> send(10, 11));
    }

    @Test
    void olderSumsAreNotUsed() throws SQLException {
        alter(
                "CREATE TABLE older AS SELECT * FROM collection_tally",
                "CREATE TABLE older_ids AS SELECT * FROM collection_report");
        send(10, 20);
        tamper(
                "DELETE FROM collection_report",
                "INSERT INTO collection_report SELECT * FROM older_ids",
                "DELETE FROM collection_tally",
                "INSERT INTO collection_tally SELECT * FROM older");
        assertThat(fault()).startsWith(TALLY);
        assertRefused(TALLY, () -> collections.estimate(signs(), BETA));
        assertRefused(TALLY, () -> send(0, 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM collection_report WHERE report = (SELECT min(report) FROM collection_report)",
                "INSERT INTO collection_report VALUES ({signs}, {id})",
            })
    void changedIdsAreNoticedAtTheStart(String sql) throws SQLException {
        tamper(filled(sql).replace("{id}", "(SELECT min(ticket) FROM training_ticket)"));
        assertThat(fault()).startsWith(TALLY);
    }

    /**
     * This holds even if the id is removed twice, so that the digest is the digest without the id, or is stored twice.
     */
    @Test
    void aReportThatCountsTwiceIsNoticedAtTheStart() throws SQLException {
        alter("CREATE TABLE kept AS SELECT * FROM collection_report");
        tamper("DELETE FROM collection_report");
        send(0, 1);
        assertThat(fault()).startsWith(TALLY);
        tamper("DELETE FROM collection_report", "INSERT INTO collection_report SELECT * FROM kept");
        assertThat(fault()).startsWith(TALLY);
        byte[] key = Reports.key("r0");
        String first = (settings.isEmbedded() ? "x'" : "'\\x") + HexFormat.of().formatHex(key) + "'";
        tamper("DELETE FROM collection_report WHERE report = " + first);
        assertThat(fault()).as("nine ids and their digest, and eleven reports").startsWith(TALLY);
        alter(
                "DROP TABLE collection_report",
                "CREATE TABLE collection_report AS SELECT * FROM kept",
                "INSERT INTO collection_report SELECT * FROM kept WHERE report = " + first);
        assertThat(fault()).as("eleven ids and their digest, one of them twice").startsWith(TALLY);
    }

    @Test
    void aChangedCollectionIsNotUsed() throws SQLException {
        StoredCollection known = signs();
        collections.close(known);
        tamper("UPDATE collection SET is_closed = 0 WHERE id = 'signs'");
        assertThat(fault()).startsWith("collection signs was changed");
        assertRefused("collection signs", this::signs);
        assertRefused("collection signs", () -> collections.close(known));
        assertRefused("collection signs", () -> collections.delete(known));
    }

    @Test
    void aCollectionOfAChangedCustodianIsNotUsed() throws SQLException {
        tamper("UPDATE collection SET custodian = 'mallory' WHERE id = 'signs'");
        Principal mallory = custodian("mallory");
        assertRefused("collection signs", () -> visible.require(mallory, Use.DELETING, Kind.COLLECTION, "signs"));
        assertRefused("collection signs", () -> visible.list(mallory, Kind.COLLECTION, Order.ASC, "", 10));
    }

    @Test
    void reportsAreNotTakenForAClosedCollectionThatWasOpenedAgain() throws SQLException {
        StoredCollection before = signs();
        collections.close(before);
        tamper("UPDATE collection SET is_closed = 0, closes_millis = NULL WHERE id = 'signs'");
        assertRefused("collection signs", () -> send(before, 10, 11));
    }

    @Test
    void aDeletedCollectionStaysDeleted() throws SQLException {
        alter("CREATE TABLE kept AS SELECT * FROM collection_tally");
        StoredCollection before = signs();
        collections.delete(before);
        tamper("INSERT INTO collection_tally SELECT * FROM kept WHERE collection = " + before.number());
        assertThat(fault()).startsWith(TALLY);
        assertRefused(TALLY, () -> collections.estimate(before, BETA));
        tamper("UPDATE collection SET is_deleted = 0 WHERE id = 'signs'");
        assertThat(fault()).startsWith("collection signs was changed");
        assertRefused("collection signs", this::signs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"declaration", "document"})
    void aChangedProtocolIsNotUsed(String column) throws SQLException {
        StoredCollection known = signs();
        tamper("UPDATE collection SET " + column + " = (SELECT " + column
                + " FROM collection WHERE id = 'model') WHERE id = 'signs'");
        String protocol = "protocol of collection signs";
        assertThat(fault()).startsWith(protocol);
        assertRefused(protocol, () -> collections.view(known));
        assertRefused(protocol, () -> collections.estimate(known, BETA));
        assertRefused(protocol, () -> send(known, 10, 11));
    }

    @Test
    void anIdWhoseCollectionWasRemovedStaysTaken() throws SQLException {
        tamper(
                "DELETE FROM collection_tally WHERE collection = " + signs().number(),
                "DELETE FROM collection WHERE id = 'signs'");
        assertThat(fault()).endsWith("rows that the journal's chain signs/reports records are missing");
        assertRefused("collection signs", () -> open("signs"));
        assertRefused("collection signs", this::signs);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "parameters = (SELECT gradient FROM training_round WHERE round = 1)",
                "round = 1",
                "round_reports = 3",
                "unused = 0",
                "tickets = NULL",
                "rounds = NULL",
            })
    void aChangedTrainingIsNotUsed(String changes) throws SQLException {
        tamper("UPDATE training SET " + changes);
        assertThat(fault()).startsWith(TRAINING);
        assertRefused(TRAINING, () -> trainings.view(model()));
        assertRefused(TRAINING, () -> gradients(3, 11, 12));
        assertRefused(TRAINING, () -> trainings.tickets(model(), new Trainings.TicketCount(1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE training_round SET loss_change = 7 WHERE round = 2",
                "UPDATE training_round SET squared_gradient = 7 WHERE round = 2",
                "UPDATE training_round SET gradient = parameters WHERE round = 2",
                "UPDATE training_round SET round = 5 WHERE round = 2",
                "DELETE FROM training_round WHERE round = 2",
            })
    void aChangedRoundIsNotUsed(String sql) throws SQLException {
        tamper(sql);
        assertThat(fault()).startsWith(TRAINING);
        assertRefused(TRAINING, () -> trainings.view(model()));
        assertRefused("round 2 of training model", () -> gradients(3, 11, 13));
    }

    @Test
    void anEarlierRoundIsNotShownIfItWasChanged() throws SQLException {
        tamper("UPDATE training_round SET loss_change = 7 WHERE round = 1");
        assertThat(fault()).startsWith(TRAINING);
        assertRefused(TRAINING, () -> trainings.view(model()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE training_ticket SET round = 3 WHERE round IS NULL",
                "UPDATE training_ticket SET round = 4294967299 WHERE round = 3",
                "DELETE FROM training_ticket WHERE round IS NULL",
                "INSERT INTO training_ticket SELECT collection, min(report), NULL FROM collection_report"
                        + " GROUP BY collection",
            })
    void changedTicketsAreNoticedAtTheStart(String sql) throws SQLException {
        long model = model().number();
        tamper(sql.replace("SELECT collection", "SELECT " + model));
        assertThat(fault()).startsWith(TRAINING);
    }

    /** This holds even if the use is removed twice, so that the digest is the digest of an unused ticket. */
    @Test
    void aTicketThatWasUsedTwiceIsNoticedAtTheStart() throws SQLException {
        String unuse = "UPDATE training_ticket SET round = NULL WHERE round = 3";
        tamper(unuse);
        gradients(3, 9, 10);
        assertThat(fault()).startsWith(TRAINING);
        gradients(3, 10, 11);
        tamper(unuse);
        assertThat(fault()).as("all 20 tickets with the digest of their states").startsWith(TRAINING);
    }

    @Test
    void nothingIsRecordedOfWhatIsUndone() {
        StoredCollection signs = signs();
        StoredCollection model = model();
        long before = entries();
        assertThatIllegalStateException()
                .isThrownBy(() -> database.write("signs", transaction -> {
                    CollectionTable.tally(transaction, signs).orElseThrow().ids();
                    CollectionTable.keep(
                            transaction,
                            signs,
                            CollectionTable.tally(transaction, signs).orElseThrow());
                    TrainingTable.insertTickets(transaction, model, List.of(new byte[16]));
                    CollectionTable.close(transaction, signs, Instant.EPOCH);
                    CollectionTable.delete(transaction, model);
                    throw new IllegalStateException("undone");
                }));
        assertThat(entries()).isEqualTo(before);
        assertThat(fault()).isEqualTo("null");
        send(10, 11);
        assertThat(entries()).isEqualTo(before + 1);
        assertThat(fault()).isEqualTo("null");
    }

    private long entries() {
        return database.read(connection -> new Journal(connection).heads()).values().stream()
                .mapToLong(head -> head.sequence())
                .sum();
    }

    private static Principal custodian(String name) {
        return new Principal(
                name, Role.CUSTODIAN, null, Map.of(), new Grants(false, Set.of()), new Grants(false, Set.of()));
    }

    private String filled(String sql) {
        return sql.replace("{signs}", Long.toString(signs().number()));
    }

    private void open(String id) {
        byte[] declaration =
                bytes("{'id':'" + id + "','protocol':'harmony','range':{'lower':-1,'upper':1},'epsilon':1}");
        collections.open(
                JsonDocument.parse(declaration).read(in -> CollectionDeclaration.read(in, Instant.EPOCH)),
                declaration,
                "carla");
    }

    private StoredCollection signs() {
        return found("signs");
    }

    private StoredCollection model() {
        return found("model");
    }

    private StoredCollection found(String id) {
        return database.read(connection -> COLLECTIONS.find(connection, id)).orElseThrow();
    }

    private void send(int from, int to) {
        send(signs(), from, to);
    }

    private void send(StoredCollection collection, int from, int to) {
        String lines = IntStream.range(from, to)
                .mapToObj(i -> "{'reportId':'r" + i + "','sign':1}")
                .collect(Collectors.joining("\n"));
        collections.addLines(collection, bytes(lines), 0, counted -> {});
    }

    private void gradients(int round, int from, int to) {
        StoredCollection model = model();
        byte[] body = bytes(tickets.subList(from, to).stream()
                .map(ticket -> "{'ticket':'" + ticket + "','coordinate':0,'sign':1}")
                .collect(Collectors.joining(",", "{'round':" + round + ",'reports':[", "]}")));
        trainings.add(model, JsonDocument.parse(body).read(in -> trainings.read(in, model)));
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static void assertRefused(String object, Runnable work) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(work::run)
                .satisfies(problem -> assertThat(problem.type()).isEqualTo(ProblemType.INTERNAL_ERROR))
                .withMessageContaining(object + " is not used");
    }
}
