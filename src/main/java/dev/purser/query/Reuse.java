package dev.purser.query;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether an earlier answer of the same question will do, and whether the question may be charged without one.
 *
 * @param maxAge the most time since that question was charged
 * @param spend whether it may be charged; null if the request leaves it to the key's role
 */
public record Reuse(
        boolean wanted, Duration maxAge, @Nullable Boolean spend) {
    /** A hundred years: any age. */
    private static final long MOST_SECONDS = 3_155_760_000L;

    /** An earlier answer of any age will do. If there is none, the question is charged. */
    public static final Reuse OR_CHARGED = new Reuse(true, Duration.ofSeconds(MOST_SECONDS), null);

    /** An earlier answer of any age will do, and nothing is charged. */
    public static final Reuse OF_STORED = new Reuse(true, Duration.ofSeconds(MOST_SECONDS), false);

    private static final Field<Boolean> WANTED = Field.optional(
            "reuse",
            FieldType.BOOLEAN,
            "If the same question was answered before on this dataset, to whomever, that answer is returned and"
                    + " nothing is charged. False by default.");

    private static final Field<Long> MAX_AGE = Field.optional(
            "reuseMaxAgeSeconds",
            FieldType.longInteger(1, MOST_SECONDS),
            "With `reuse`: how many seconds ago that question may have been charged, at most. Any number by default.",
            3600);

    static final Field<Boolean> SPEND = Field.optional(
            "spend",
            FieldType.BOOLEAN,
            "With `false`, an earlier answer is returned as with `reuse`, or else the question is refused"
                    + " (`nothing-stored`, with what it would be charged). True by default; with a viewer's key"
                    + " `false`, and `true` is refused.");

    /** The fields as the API describes them. */
    static final List<Field<?>> FIELDS = List.of(WANTED, MAX_AGE, SPEND);

    /** Reads the fields. A field that broke a rule counts as absent, and the violation is noted. */
    public static Reuse read(ObjectReader in) {
        boolean wanted = in.read(WANTED).orElse(false);
        long seconds = in.read(MAX_AGE).orElse(MOST_SECONDS);
        return new Reuse(wanted, Duration.ofSeconds(seconds), in.read(SPEND).orElse(null));
    }
}
