package dev.purser.ledger.attachment;

import dev.purser.digest.Sha256;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.OneAccountLedger;
import dev.purser.ledger.OpenLedger;
import dev.purser.ledger.Settlement;
import dev.purser.ledger.StoredAnswer;
import dev.purser.problem.ProblemException;
import dev.purser.store.Database;
import dev.purser.store.Order;
import dev.purser.store.StorageException;
import dev.purser.store.StoreConnections;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Attachments, to which answers refer, in each kind of database. */
abstract class AttachmentsContract extends OneAccountLedger {
    private static final int PIECE = AttachmentPieces.PIECE_BYTES;

    private void restart() throws SQLException {
        open.close();
        open = new OpenLedger(home, settings());
    }

    /** Content of three pieces and a half. */
    static byte[] content(int seed) {
        byte[] content = new byte[7 * PIECE / 2];
        new Random(seed).nextBytes(content);
        return content;
    }

    private static Attachment first(CommittedDebit debit, byte[] content) {
        return new Attachment(debit.queryId(), content);
    }

    private StoredAnswer settle(CommittedDebit debit, String body, StoredAttachment attached) {
        return open.ledger
                .settle(List.of(new Settlement(debit, body.getBytes(UTF_8), attached)))
                .getFirst();
    }

    CommittedDebit answered(String key, byte[] content) {
        CommittedDebit debit = open.debit(key, "0.1");
        settle(debit, "answer to " + key, open.ledger.attach(debit, first(debit, content)));
        return debit;
    }

    /** The number of stored pieces of a question, readable or not. */
    private int pieces(CommittedDebit debit) {
        return open.database.read(connection -> connection
                .all("SELECT piece FROM attachment_piece WHERE query_id = ?", row -> row.getInt(1), debit.queryId())
                .size());
    }

    /** Makes an attempt that stops after this many pieces. */
    private void attachBeginning(CommittedDebit debit, byte[] content, int pieces) {
        AttachmentStore stopping = new AttachmentStore() {
            private int left = pieces;

            @Override
            public void changeAttachments(Change change) {
                if (left-- == 0) {
                    throw new ArithmeticException("stopped");
                }
                open.database.write(Database.NO_ACCOUNT, connection -> {
                    change.run(Attachments.in(connection));
                    return null;
                });
            }

            @Override
            public <T extends @Nullable Object> T lookAtAttachments(Look<T> look) {
                throw new AssertionError("an attempt reads nothing");
            }
        };
        AttachmentPieces contents = new AttachmentPieces(stopping, () -> 1, PIECE);
        assertThatThrownBy(() -> contents.write(debit.queryId(), first(debit, content)))
                .hasMessage("stopped");
        assertThat(pieces(debit)).isEqualTo(pieces);
    }

    private void assertReads(CommittedDebit debit, byte[] content) {
        assertThat(Arrays.equals(
                        open.ledger.attachment(
                                debit.queryId(), first(debit, content).digest()),
                        content))
                .isTrue();
    }

    @Test
    void whatWasAttachedIsReadAfterARestart() throws SQLException {
        CommittedDebit debit = answered("k", content(1));
        assertReads(debit, content(1));
        restart();
        assertReads(debit, content(1));
        assertThat(open.ledger.answer(debit.queryId()).orElseThrow().beginning())
                .asString(UTF_8)
                .isEqualTo("answer to k");
        assertThat(open.spent()).isEqualTo("0.1");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE})
    void aContentOfAnyLengthIsRead(int length) {
        byte[] content = Arrays.copyOf(content(1), length);
        CommittedDebit debit = answered("k", content);
        assertReads(debit, content);
        assertThat(pieces(debit)).isEqualTo(Math.ceilDiv(length, PIECE));
    }

    /** The ledger has one writer, so each piece is written in its own transaction. */
    @Test
    void othersGetInBetweenTwoPieces() {
        CommittedDebit debit = open.debit("k", "0.1");
        long before = StoreConnections.commits(open.database);
        open.ledger.attach(debit, first(debit, content(1)));
        assertThat(StoreConnections.commits(open.database) - before).isEqualTo(4);
    }

    @Test
    void ofTwoAttemptsUnderOneDebitOneIsKeptWhole() {
        CommittedDebit debit = open.debit("k", "0.1");
        byte[] ones = content(1);
        byte[] others = Arrays.copyOf(ones, ones.length);
        others[others.length - 1]++;
        StoredAttachment one = open.ledger.attach(debit, first(debit, ones));
        StoredAttachment other = open.ledger.attach(debit, first(debit, others));

        assertThat(settle(debit, "other", other).beginning()).asString(UTF_8).isEqualTo("other");
        assertThat(settle(debit, "one", one).beginning()).asString(UTF_8).isEqualTo("other");

        assertReads(debit, others);
        open.ledger.removeLeftovers();
        assertReads(debit, others);
        assertThat(pieces(debit)).isEqualTo(4);
        assertThat(open.ledger.series(debit.queryId())).containsExactly(debit.queryId());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatACrashLeftIsDrawnAgainUnderTheSameDebit(int written) throws SQLException {
        CommittedDebit debit = open.debit("k", "0.1");
        attachBeginning(debit, content(1), written);
        restart();
        open.ledger.removeLeftovers();
        assertThat(pieces(debit)).as("an attempt may still go on").isEqualTo(written);

        CommittedDebit again = open.debit("k", "0.1");
        assertThat(again.queryId()).isEqualTo(debit.queryId());
        settle(again, "second", open.ledger.attach(again, first(again, content(2))));
        open.ledger.removeLeftovers();

        assertReads(debit, content(2));
        assertThat(pieces(debit)).isEqualTo(4);
        assertThat(open.spent()).isEqualTo("0.1");
    }

    @Test
    void whatWasWrittenAndNotSettledIsInNoSeriesAndDrawnAgain() throws SQLException {
        CommittedDebit debit = open.debit("k", "0.1");
        open.ledger.attach(debit, first(debit, content(1)));
        restart();
        assertThat(open.ledger.answer(debit.queryId())).isEmpty();
        assertThat(open.ledger.series(debit.queryId())).isEmpty();
        assertThat(open.ledger.firstOfSeries(OpenLedger.ACCOUNT, Order.ASC, "", 10))
                .isEmpty();

        settle(debit, "second", open.ledger.attach(debit, first(debit, content(2))));
        restart();
        open.ledger.removeLeftovers();
        assertReads(debit, content(2));
        assertThat(pieces(debit)).isEqualTo(4);
    }

    @Test
    void whatAnAnswerWithoutAnAttachmentLeftIsRemoved() {
        CommittedDebit debit = open.debit("k", "0.1");
        attachBeginning(debit, content(1), 2);
        open.ledger.settle(debit, "refers to nothing".getBytes(UTF_8));
        open.ledger.removeLeftovers();
        assertThat(pieces(debit)).isZero();
    }

    /** Otherwise somebody who has the database would have two draws of noise for one charge. */
    @Test
    void noDrawIsReadableBeforeItsAnswer() {
        CommittedDebit debit = open.debit("k", "0.1");
        byte[] content = new byte[2 * PIECE];
        open.ledger.attach(debit, first(debit, content));
        open.ledger.attach(debit, first(debit, content));

        assertThat(stored(debit)).hasSize(4).doesNotHaveDuplicates();
        assertThatThrownBy(() -> assertReads(debit, content)).isInstanceOf(ProblemException.class);
    }

    private List<String> stored(CommittedDebit debit) {
        return open.database.read(connection -> connection.all(
                "SELECT content FROM attachment_piece WHERE query_id = ?",
                row -> Sha256.hexOf(row.getBytes(1)),
                debit.queryId()));
    }

    @Test
    void theSameContentIsAttachedTwice() {
        CommittedDebit debit = open.debit("k", "0.1");
        open.ledger.attach(debit, first(debit, content(1)));
        settle(debit, "answer", open.ledger.attach(debit, first(debit, content(1))));
        open.ledger.removeLeftovers();
        assertReads(debit, content(1));
        assertThat(pieces(debit)).isEqualTo(4);
    }

    @Test
    void anAnswerWithoutAllPiecesOfItsAttachmentIsNotStored() {
        CommittedDebit debit = open.debit("k", "0.1");
        StoredAttachment attached = open.ledger.attach(debit, first(debit, content(1)));
        execute("DELETE FROM attachment_piece WHERE piece = 3");
        assertThatIllegalStateException()
                .isThrownBy(() -> settle(debit, "answer", attached))
                .withMessageContaining("has 3 of 4 pieces");
        assertThat(open.ledger.answer(debit.queryId())).isEmpty();
        assertThat(open.ledger.series(debit.queryId())).isEmpty();
    }

    @Test
    void anAttachmentBelongsToOneQuestion() {
        CommittedDebit debit = open.debit("k", "0.1");
        StoredAttachment attached = open.ledger.attach(debit, first(debit, content(1)));
        CommittedDebit other = open.debit("other", "0.1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Settlement(other, new byte[1], attached))
                .withMessageContaining(other.queryId());
        assertThatThrownBy(() -> open.ledger.attachment(
                        other.queryId(), first(debit, content(1)).digest()))
                .isInstanceOf(ProblemException.class);
    }

    @Test
    void aSeriesListsWhatWasAddedToItsFirst() {
        byte[] content = {1};
        CommittedDebit first = answered("a", content);
        CommittedDebit second = open.debit("b", "0.1");
        settle(second, "b", open.ledger.attach(second, new Attachment(first.queryId(), content)));
        CommittedDebit another = answered("c", content);

        assertThat(open.ledger.series(first.queryId())).containsExactly(first.queryId(), second.queryId());
        assertThat(open.ledger.series(second.queryId())).isEmpty();
        assertThat(open.ledger.series(another.queryId())).containsExactly(another.queryId());
        assertThat(open.ledger.firstOfSeries(OpenLedger.ACCOUNT, Order.ASC, "", 10))
                .containsExactlyInAnyOrder(first.queryId(), another.queryId())
                .isSorted();
        String least =
                open.ledger.firstOfSeries(OpenLedger.ACCOUNT, Order.ASC, "", 1).getFirst();
        assertThat(open.ledger.firstOfSeries(OpenLedger.ACCOUNT, Order.ASC, least, 10))
                .hasSize(1)
                .doesNotContain(least);
        assertThat(open.ledger.firstOfSeries("other", Order.ASC, "", 10)).isEmpty();
    }

    @Test
    void aSeriesBeginsWithAnAnswer() {
        CommittedDebit unanswered = open.debit("a", "0.1");
        CommittedDebit debit = open.debit("b", "0.1");
        StoredAttachment attached = open.ledger.attach(debit, new Attachment(unanswered.queryId(), new byte[1]));
        assertThatThrownBy(() -> settle(debit, "b", attached)).isInstanceOf(StorageException.class);
        assertThat(open.ledger.answer(debit.queryId())).isEmpty();
    }

    @Test
    void anAttachmentHasBytesAndALimit() {
        for (int length : new int[] {0, Attachment.MAX_BYTES + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Attachment("", new byte[length]))
                    .withMessageContaining("had " + length);
        }
    }

    /** Changes by a program error, or by somebody at the database. The database itself must refuse each of them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE attachment SET series = query_id",
                "DELETE FROM attachment",
                "UPDATE attachment_piece SET content = draw",
                "DELETE FROM attachment_piece",
                "DELETE FROM attachment_piece WHERE piece = 3",
                "INSERT INTO attachment SELECT query_id, dataset_id, query_id, request_digest, request_digest"
                        + " FROM question"
            })
    void theDatabaseItselfKeepsAttachments(String statement) {
        CommittedDebit debit = answered("k", content(1));
        assertThatThrownBy(() -> execute(statement)).isInstanceOf(StorageException.class);
        assertReads(debit, content(1));
    }

    private void execute(String statement) {
        open.database.write("", connection -> connection.update(statement));
    }
}
