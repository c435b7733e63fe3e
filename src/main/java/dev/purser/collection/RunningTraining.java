package dev.purser.collection;

import dev.purser.collection.CollectionTable.Tally;
import dev.purser.collection.TrainingTable.Round;
import dev.purser.collection.TrainingTable.State;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;

/** A training while a batch is added to it. */
final class RunningTraining {
    private final TrainingDeclaration declaration;
    private State state;
    private Tally tally;

    RunningTraining(TrainingDeclaration declaration, State state, Tally tally) {
        this.declaration = declaration;
        this.state = state;
        this.tally = tally;
    }

    State state() {
        return state;
    }

    Tally tally() {
        return tally;
    }

    /**
     * Adds a report of a round. The last report of the group ends the round. A report of an earlier round is not used.
     */
    <R> void add(StoreConnection transaction, StoredCollection training, Protocol<R> protocol, R report, long round)
            throws SQLException {
        if (round < state.round()) {
            state = state.with(state.roundReports(), state.unused() + 1);
            return;
        }
        protocol.sums().add(report, tally.sums(), 0);
        tally = new Tally(tally.reports() + 1, tally.sums(), tally.ids());
        state = state.with(state.roundReports() + 1, state.unused());
        if (state.roundReports() == declaration.groupSize()) {
            end(transaction, training, protocol);
        }
    }

    private void end(StoreConnection transaction, StoredCollection training, Protocol<?> protocol) throws SQLException {
        // In the estimate, beta affects only the intervals.
        Estimate estimate = protocol.estimator().of(tally.sums(), state.roundReports(), 0.5);
        Optional<Round> before = TrainingTable.lastRound(transaction, training, state);
        Round ended = round(estimate, before);
        TrainingTable.insert(transaction, training, state.round(), ended);
        state = new State(
                state.round() + 1,
                0,
                state.unused(),
                declaration.descent().next(state.parameters(), state.round(), estimate.values()),
                state.tickets(),
                ended.digest(state.round(), state.rounds()));
        tally = new Tally(tally.reports(), new long[tally.sums().length], tally.ids());
    }

    private Round round(Estimate estimate, Optional<Round> before) {
        double[] gradient = estimate.values();
        double squared = Arrays.stream(gradient).map(each -> each * each).sum();
        double ofNoise = Arrays.stream(estimate.variances()).sum();
        // The noise of the gradient at the end of a step is independent of the step. The noise at its beginning is a
        // part of the step.
        double change = before.map(Round::lossChange).orElse(0.0);
        if (before.isPresent()) {
            Round last = before.orElseThrow();
            for (int j = 0; j < gradient.length; j++) {
                double step = state.parameters()[j] - last.parameters()[j];
                change += step * gradient[j];
            }
        }
        return new Round(state.parameters(), gradient, squared - ofNoise, change);
    }
}
