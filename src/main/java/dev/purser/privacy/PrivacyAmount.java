package dev.purser.privacy;

/**
 * Exact privacy amounts, as the ledger keeps them: a limit, the spent or remaining amount, or one charge. Each
 * accountant uses its own components and leaves all other components zero: {@code pure} epsilon, {@code approximate}
 * epsilon and delta, {@code zcdp} rho. A {@code zcdp} limit also keeps the epsilon and delta that it was computed from.
 */
public record PrivacyAmount(Epsilon epsilon, Delta delta, Rho rho) {
    public static final PrivacyAmount ZERO = new PrivacyAmount(Epsilon.ZERO, Delta.ZERO);

    /** An amount without a rho. */
    public PrivacyAmount(Epsilon epsilon, Delta delta) {
        this(epsilon, delta, Rho.ZERO);
    }

    /** {@code epsilon} with delta 0. */
    public static PrivacyAmount pure(Epsilon epsilon) {
        return new PrivacyAmount(epsilon, Delta.ZERO);
    }

    /** Rho alone. */
    public static PrivacyAmount concentrated(Rho rho) {
        return new PrivacyAmount(Epsilon.ZERO, Delta.ZERO, rho);
    }

    /**
     * The exact sum.
     *
     * @throws IllegalArgumentException if a component would exceed its type's ceiling
     */
    public PrivacyAmount plus(PrivacyAmount other) {
        return new PrivacyAmount(
                new Epsilon(epsilon.nanos() + other.epsilon.nanos()),
                new Delta(delta.attos() + other.delta.attos()),
                new Rho(rho.picos() + other.rho.picos()));
    }

    /**
     * The sum, with each component at most its type's ceiling: a delta of 1 or more guarantees nothing. This sum is for
     * display only. Amounts that are compared with a limit are added exactly.
     */
    public PrivacyAmount plusUpToCeiling(PrivacyAmount other) {
        return new PrivacyAmount(
                new Epsilon(
                        Math.min(epsilon.nanos() + other.epsilon.nanos(), Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT)),
                new Delta(Math.min(delta.attos() + other.delta.attos(), Delta.ATTOS_PER_UNIT)),
                new Rho(Math.min(rho.picos() + other.rho.picos(), Rho.MAX.picos())));
    }

    /** This minus {@code other}, each component at least zero: what remains of a limit, or what exceeds it. */
    public PrivacyAmount minusDownToZero(PrivacyAmount other) {
        return new PrivacyAmount(
                new Epsilon(Math.max(0, epsilon.nanos() - other.epsilon.nanos())),
                new Delta(Math.max(0, delta.attos() - other.delta.attos())),
                new Rho(Math.max(0, rho.picos() - other.rho.picos())));
    }

    /** The componentwise minimum: what remains under two limits at once. */
    public PrivacyAmount least(PrivacyAmount other) {
        return new PrivacyAmount(
                epsilon.compareTo(other.epsilon) <= 0 ? epsilon : other.epsilon,
                delta.compareTo(other.delta) <= 0 ? delta : other.delta,
                rho.compareTo(other.rho) <= 0 ? rho : other.rho);
    }

    /** The componentwise maximum: for each component, the larger of the amounts spent of two blocks. */
    public PrivacyAmount most(PrivacyAmount other) {
        return new PrivacyAmount(
                epsilon.compareTo(other.epsilon) >= 0 ? epsilon : other.epsilon,
                delta.compareTo(other.delta) >= 0 ? delta : other.delta,
                rho.compareTo(other.rho) >= 0 ? rho : other.rho);
    }

    /** Whether every component is at most the component of {@code limit}. */
    public boolean fitsWithin(PrivacyAmount limit) {
        return epsilon.compareTo(limit.epsilon) <= 0
                && delta.compareTo(limit.delta) <= 0
                && rho.compareTo(limit.rho) <= 0;
    }

    /** How many times this amount, which is not zero, fits into {@code available}. */
    public long timesWithin(PrivacyAmount available) {
        long times = Long.MAX_VALUE;
        times = Math.min(times, quotient(available.epsilon.nanos(), epsilon.nanos()));
        times = Math.min(times, quotient(available.delta.attos(), delta.attos()));
        return Math.min(times, quotient(available.rho.picos(), rho.picos()));
    }

    private static long quotient(long available, long each) {
        return each == 0 ? Long.MAX_VALUE : available / each;
    }
}
