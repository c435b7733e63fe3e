package dev.purser.mechanism;

import dev.purser.privacy.AuditOutcome;
import java.util.function.Supplier;

/**
 * An audit, and what it should see if the mechanism is as it claims.
 *
 * @param exact the probabilities of the event, found without the mechanism's code
 */
record AuditCase(Audit<?> audit, Supplier<Probabilities> exact) {
    String mechanism() {
        return audit.mechanism().description().name();
    }

    /**
     * The probabilities of an audit's event.
     *
     * @param onRows on the dataset
     * @param onNeighbor on its neighbour
     */
    record Probabilities(double onRows, double onNeighbor) {
        /** The probability that an audit shows less than it should, by chance: beyond {@link #SIGMAS} on one side. */
        static final double FALSE_ALARM = 1e-5;

        /** Standard deviations that leave {@link #FALSE_ALARM} on one side. */
        private static final double SIGMAS = 4.27;

        /**
         * A number of draws after which the bound on the loss is below {@code power} times {@link #detectable} with
         * probability at most {@link #FALSE_ALARM}.
         *
         * @param leastDraws the number is at least this
         * @param power the share of what an audit could see that it has to see
         */
        int enoughDraws(double delta, int leastDraws, double power) {
            int draws = leastDraws;
            while ((1 - power) * detectable(draws, delta) < SIGMAS * deviation(draws)) {
                draws = Math.multiplyExact(draws / 4, 5);
            }
            return draws;
        }

        /** The bound on the loss that exactly these probabilities would show: what {@code draws} can hope to see. */
        double detectable(int draws, double delta) {
            return new AuditOutcome(Math.round(draws * onRows), Math.round(draws * onNeighbor), draws)
                    .lossLowerBound(delta);
        }

        /** The standard deviation of ln(P/P') as measured by this number of draws. */
        private double deviation(int draws) {
            return Math.sqrt(((1 - onRows) / onRows + (1 - onNeighbor) / onNeighbor) / draws);
        }
    }
}
