package dev.purser.json;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The elements of an array as they were sent. */
public final class Elements<E> {
    private final ValueReader sent;
    private final FieldType<E> element;
    private final int least;
    private final int most;

    Elements(ValueReader sent, FieldType<E> element, int least, int most) {
        this.sent = sent;
        this.element = element;
        this.least = least;
        this.most = most;
    }

    /** Reads all elements; empty if an element breaks a rule, or if there are too few or too many. */
    public <T> Optional<List<T>> read(Function<? super E, Optional<T>> each) {
        return sent.list(least, most, value -> element.read(value).flatMap(each));
    }
}
