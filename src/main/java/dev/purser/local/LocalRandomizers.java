package dev.purser.local;

import java.util.List;

/**
 * The hand-written list of all protocols of devices. An auditor reads it first. Every listed protocol has a proof note
 * beside its class and an audit with a case of its own ({@code LocalRandomizersTests}). One class may serve two
 * protocols.
 */
public final class LocalRandomizers {
    /** All protocols. */
    public static final List<Listing> ALL = List.of(
            new Listing(
                    "grr",
                    GeneralizedRandomizedResponse.class,
                    "a category of k, epsilon-locally private",
                    "Warner 1965; Kairouz et al. 2016; Wang et al. 2017"),
            new Listing(
                    "oue",
                    OptimizedUnaryEncoding.class,
                    "a category of k as k bits, epsilon-locally private",
                    "Wang et al. 2017, section 4.3"),
            new Listing(
                    "olh",
                    OptimizedLocalHashing.class,
                    "a category of k as a hash function and a hashed value, epsilon-locally private",
                    "Wang et al. 2017, section 4.4"),
            new Listing(
                    "hadamard",
                    HadamardResponse.class,
                    "a category of k as a row of a Hadamard matrix and one sign, epsilon-locally private",
                    "Acharya et al. 2019; Bassily and Smith 2015"),
            new Listing(
                    "harmony",
                    Harmony.class,
                    "a number as one sign, epsilon-locally private",
                    "Duchi et al. 2013; Nguyên et al. 2016"),
            new Listing(
                    "piecewise",
                    Piecewise.class,
                    "a number as one of 65536 points, epsilon-locally private",
                    "Wang et al. 2019, algorithm 2"),
            new Listing(
                    "hybrid",
                    Hybrid.class,
                    "a number as a sign or a point, epsilon-locally private",
                    "Wang et al. 2019, section III-C"),
            new Listing(
                    "sampled-coordinates",
                    SampledCoordinates.class,
                    "several numbers, some by harmony, piecewise or hybrid, epsilon-locally private for all together",
                    "Nguyên et al. 2016; Wang et al. 2019, algorithm 4"),
            new Listing(
                    "laplace",
                    LocalLaplace.class,
                    "a number with discrete Laplace noise, epsilon-locally private",
                    "Dwork et al. 2006; Ghosh et al. 2009"),
            new Listing(
                    "multilevel-laplace",
                    MultilevelLaplace.class,
                    "as laplace, at the epsilon of a public level that is chosen without looking at the number",
                    "Dwork et al. 2006; Ghosh et al. 2009"),
            new Listing(
                    "hiera",
                    LeveledResponse.class,
                    "a private level and a sign, locally private at the largest loss over pairs of levels and values",
                    "Sensors 23(3) 1115, 2023, with the loss derived anew"),
            new Listing(
                    "lhp",
                    LeveledResponse.class,
                    "as hiera, with one epsilon for all levels, which adds to the largest one of the signs",
                    "Sensors 23(3) 1115, 2023, repaired"));

    private LocalRandomizers() {}

    /**
     * One protocol.
     *
     * @param name as requests state it
     * @param type the class that draws reports
     * @param claim what is reported, and the guarantee
     * @param reference the source
     */
    public record Listing(String name, Class<?> type, String claim, String reference) {}
}
