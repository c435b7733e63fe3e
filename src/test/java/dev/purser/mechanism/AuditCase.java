package dev.purser.mechanism;

import dev.purser.privacy.AuditOutcome;
import java.util.function.Supplier;

/**
 * An audit and what it should see of a mechanism that is as it claims.
 *
 * @param exact the probabilities of the event, found without the mechanism's code
 */
record AuditCase(Audit<?> audit, Supplier<Probabilities> exact) {
    String mechanism() {
        return audit.mechanism().description().name();
    }

    /**
     * Of an audit's event.
     *
     * @param onRows on the dataset
     * @param onNeighbor on its neighbour
     */
    record Probabilities(double onRows, double onNeighbor) {
        /** The probability that an audit shows less than it should: below {@link #SIGMAS} on one side. */
        static final double FALSE_ALARM = 1e-5;

        /** Standard deviations that leave {@link #FALSE_ALARM} on one side. */
        private static final double SIGMAS = 4.27;

        /**
         * So many that the bound on the loss falls below its share of {@link #detectable} by chance alone that rarely.
         *
         * @param leastDraws at least so many
         * @param power of what an audit could see, what it has to see
         */
        int enoughDraws(double delta, int leastDraws, double power) {
            int draws = leastDraws;
            while ((1 - power) * detectable(draws, delta) < SIGMAS * deviation(draws)) {
                draws = Math.multiplyExact(draws / 4, 5);
            }
            return draws;
        }

        /** The bound on the loss that exactly these probabilities would show: what so many draws can hope to see. */
        double detectable(int draws, double delta) {
            return new AuditOutcome(Math.round(draws * onRows), Math.round(draws * onNeighbor), draws)
                    .lossLowerBound(delta);
        }

        /** The standard deviation of ln(P/P') as measured by so many draws. */
        private double deviation(int draws) {
            return Math.sqrt(((1 - onRows) / onRows + (1 - onNeighbor) / onNeighbor) / draws);
        }
    }
}
