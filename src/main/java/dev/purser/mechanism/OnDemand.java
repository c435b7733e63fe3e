package dev.purser.mechanism;

import java.util.AbstractList;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/** A list whose elements are computed whenever they are read, so that a large answer is not held in two forms. */
public final class OnDemand<T> extends AbstractList<T> implements RandomAccess {
    private final int size;
    private final IntFunction<T> element;

    /** @param element the element of a position, always the same for the same position */
    public OnDemand(int size, IntFunction<T> element) {
        this.size = size;
        this.element = element;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public T get(int index) {
        return element.apply(index);
    }
}
