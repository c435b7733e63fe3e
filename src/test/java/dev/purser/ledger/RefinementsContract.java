package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.ledger.proof.GuardedDatabase;
import dev.purser.privacy.Epsilon;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refusals;
import dev.purser.store.PurserHome;
import dev.purser.store.Tampering;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.purser.Records.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Which answers can be refined and which were refined, in each kind of database. */
abstract class RefinementsContract extends OneAccountLedger {
    private static final byte[] SERIES = Sha256.of(new byte[0]);

    private static ChargeRequest refining(String key, String queryId) {
        ChargeRequest question = OpenLedger.question(OpenLedger.ACCOUNT, "ana", key, "0.1");
        return with(question, "kind", "refinement", "refines", new Refines(queryId, Epsilon.parse("0.2")));
    }

    private CommittedDebit answered(String key) {
        CommittedDebit debit = open.debit(key, "0.1");
        settle(debit, "0.1");
        return debit;
    }

    private void settle(CommittedDebit debit, String epsilon) {
        Released released =
                new Released(SERIES, Epsilon.parse(epsilon), ("1 *10/1 " + debit.sequence()).getBytes(UTF_8));
        open.ledger.settle(List.of(new Settlement(debit, "answer".getBytes(UTF_8), null, released)));
    }

    private CommittedDebit refined(String key, CommittedDebit answer) {
        return ((ReserveOutcome.Reserved) open.ledger.reserve(refining(key, answer.queryId()))).debit();
    }

    private ProblemException refusedAs(ProblemType type, String key, String queryId) {
        return Refusals.refusedAs(type, () -> open.ledger.reserve(refining(key, queryId)));
    }

    @Test
    void aRefinementBeginsWithWhatWasReleased() {
        CommittedDebit first = answered("first");

        CommittedDebit second = refined("second", first);

        assertThat(open.ledger.refinedIn(second.queryId())).hasValue(first.queryId());
        Released released = open.ledger.refinedBy(second, first.queryId()).orElseThrow();
        assertThat(new String(released.integers(), UTF_8)).isEqualTo("1 *10/1 " + first.sequence());
        assertThat(open.ledger.refinedBy(second, second.queryId())).isEmpty();
        assertThat(open.ledger.refinedIn(first.queryId())).isEmpty();
        assertThat(open.spent()).isEqualTo("0.2");
    }

    @Test
    void onlyTheNewestIsRefined() {
        CommittedDebit first = answered("first");
        CommittedDebit second = refined("second", first);
        // A refinement that is not drawn yet counts, and cannot be refined itself.
        refusedAs(ProblemType.ALREADY_REFINED, "again", first.queryId());
        refusedAs(ProblemType.REQUEST_IN_FLIGHT, "early", second.queryId());
        settle(second, "0.2");
        CommittedDebit third = refined("third", second);

        ProblemException refusal = refusedAs(ProblemType.ALREADY_REFINED, "late", first.queryId());

        assertThat(refusal.members()).containsEntry("newest", new Refines(third.queryId(), Epsilon.parse("0.2")));
        // The same request is the same charge.
        assertThat(open.ledger.reserve(refining("second", first.queryId())))
                .isInstanceOf(ReserveOutcome.Replayed.class);
        assertThat(open.spent()).isEqualTo("0.3");
    }

    @Test
    void whatWasNotKeptIsNotRefined() {
        CommittedDebit old = open.debit("old", "0.1");
        open.ledger.settle(old, "answer".getBytes(UTF_8));

        refusedAs(ProblemType.NOT_REFINABLE, "k", old.queryId());
        assertThat(open.spent()).isEqualTo("0.1");
    }

    @Test
    void theFirstOfTwoDrawsIsKept() {
        CommittedDebit debit = open.debit("k", "0.1");
        settle(debit, "0.1");
        Released other = new Released(SERIES, Epsilon.parse("0.1"), "1 *10/1 99".getBytes(UTF_8));
        open.ledger.settle(List.of(new Settlement(debit, "other".getBytes(UTF_8), null, other)));

        assertThat(new String(
                        open.ledger.released(debit.queryId()).orElseThrow().integers(), UTF_8))
                .isEqualTo("1 *10/1 " + debit.sequence());
    }

    /** Two instances of the service have one ledger. */
    @Test
    void oneOfFiftyRefinesAnAnswer() throws Exception {
        CommittedDebit first = answered("first");
        try (ExecutorService clients = Executors.newFixedThreadPool(16)) {
            List<Future<Boolean>> replies = IntStream.range(0, 50)
                    .mapToObj(i -> clients.submit(() -> {
                        try {
                            return open.ledger.reserve(refining("k" + i, first.queryId()))
                                    instanceof ReserveOutcome.Reserved;
                        } catch (ProblemException refusal) {
                            assertThat(refusal.type()).isEqualTo(ProblemType.ALREADY_REFINED);
                            return false;
                        }
                    }))
                    .toList();
            int charged = 0;
            for (Future<Boolean> reply : replies) {
                charged += reply.get() ? 1 : 0;
            }
            assertThat(charged).isOne();
        }
        assertThat(open.spent()).isEqualTo("0.2");
    }

    @Test
    void theLargestEpsilonBelowIsFound() {
        CommittedDebit first = answered("first");
        CommittedDebit second = refined("second", first);
        settle(second, "0.2");

        Refines found = new Refines(second.queryId(), Epsilon.parse("0.2"));
        assertThat(open.ledger.refinable(OpenLedger.ACCOUNT, SERIES, Epsilon.parse("0.3")))
                .hasValue(found);
        assertThat(open.ledger.refinable(OpenLedger.ACCOUNT, SERIES, Epsilon.parse("0.2")))
                .isEmpty();
        assertThat(open.ledger.refinable("other", SERIES, Epsilon.parse("0.3"))).isEmpty();
    }

    /** A copy of the ledger lacks the refinement of an answer, so the answer would be refined again. */
    @Test
    void anAcceptedLossEndsAllChains() {
        CommittedDebit first = answered("first");
        settle(refined("second", first), "0.2");
        CommittedDebit alone = answered("alone");

        GuardedDatabase.accept(open.database, new PurserHome(home));

        assertThat(refusedAs(ProblemType.NOT_REFINABLE, "k", alone.queryId()))
                .hasMessageContaining("restored from a copy");
        assertThat(open.ledger.refinable(OpenLedger.ACCOUNT, SERIES, Epsilon.parse("9")))
                .isEqualTo(Optional.empty());
        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM refinement",
                "UPDATE released_integers SET epsilon_nanos = 1",
                "DELETE FROM refinement; DELETE FROM released_integers"
            })
    void whatAChainRestsOnIsNoticedWhenItIsChanged(String change) throws SQLException {
        CommittedDebit first = answered("first");
        refined("second", first);

        Tampering.tamper(new PurserHome(home).path(), settings(), change.split("; ", -1));

        refusedAs(ProblemType.INTERNAL_ERROR, "again", first.queryId());
        assertThat(open.spent()).isEqualTo("0.2");
    }
}
