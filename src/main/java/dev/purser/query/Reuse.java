package dev.purser.query;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether an earlier answer of the same question will do, and whether the question may be charged without one.
 *
 * @param maxAge the most time since that question was charged
 * @param spend whether it may be charged; null if the request leaves it to the key's role
 */
public record Reuse(
        boolean wanted, Duration maxAge, @Nullable Boolean spend) {
    static final String SPEND = "spend";

    private static final String WANTED = "reuse";
    private static final String MAX_AGE = "reuseMaxAgeSeconds";
    /** A hundred years: any age. */
    private static final long MOST_SECONDS = 3_155_760_000L;

    /** An earlier answer of any age will do, and without one the question is charged. */
    public static final Reuse OR_CHARGED = new Reuse(true, Duration.ofSeconds(MOST_SECONDS), null);

    /** An earlier answer of any age will do, and nothing is charged. */
    public static final Reuse OF_STORED = new Reuse(true, Duration.ofSeconds(MOST_SECONDS), false);

    /** The fields as the API describes them. */
    static final List<Field> FIELDS = List.of(
            Field.optional(
                    WANTED,
                    new FieldType.Plain(boolean.class),
                    "If the same question was answered before on this dataset, to whomever, that answer is returned and"
                            + " nothing is charged. False by default."),
            Field.optional(
                            MAX_AGE,
                            new FieldType.Plain(long.class),
                            "With `reuse`: how many seconds ago that question may have been charged, at most. Any"
                                    + " number by default.")
                    .withExample(3600),
            Field.optional(
                    SPEND,
                    new FieldType.Plain(boolean.class),
                    "With `false`, an earlier answer is returned as with `reuse`, or else the question is refused"
                            + " (`nothing-stored`, with what it would be charged). True by default; with a viewer's key"
                            + " `false`, and `true` is refused."));

    /** Reads the fields; empty if one broke a rule. */
    public static Optional<Reuse> read(ObjectReader in) {
        Optional<Boolean> wanted = in.has(WANTED) ? in.required(WANTED).bool() : Optional.of(false);
        Optional<Long> seconds =
                in.has(MAX_AGE) ? in.required(MAX_AGE).integer(1, MOST_SECONDS) : Optional.of(MOST_SECONDS);
        Optional<Boolean> spend = in.optional(SPEND).bool();
        boolean isSpendRead = spend.isPresent() || !in.has(SPEND);
        return wanted.flatMap(known -> seconds.filter(most -> isSpendRead)
                .map(most -> new Reuse(known, Duration.ofSeconds(most), spend.orElse(null))));
    }
}
