package dev.purser.mechanism;

import java.util.List;
import java.util.Objects;

/**
 * An exact statistic of private rows on its way from an engine to a mechanism. Any code can wrap a value. Only this
 * package can open it. It prints as redacted, is compared by identity, and has no property for a serializer.
 */
public final class Sensitive<T> {
    private final T exact;

    private Sensitive(T exact) {
        this.exact = exact;
    }

    public static <T> Sensitive<T> of(T exact) {
        return new Sensitive<>(Objects.requireNonNull(exact));
    }

    /** A part of several values that were collected together. It stays wrapped. */
    public static <T> Sensitive<List<T>> part(Sensitive<List<T>> all, int from, int to) {
        return new Sensitive<>(List.copyOf(all.exact.subList(from, to)));
    }

    T open() {
        return exact;
    }

    @Override
    public String toString() {
        return "Sensitive[redacted]";
    }
}
