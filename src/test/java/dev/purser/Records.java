package dev.purser;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies of records. */
public final class Records {
    private Records() {}

    /**
     * The record with other values in some components.
     *
     * @param changes names of components, each followed by its value
     */
    @SuppressWarnings("unchecked")
    public static <R extends Record> R with(R record, @Nullable Object... changes) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        List<@Nullable Object> values = new ArrayList<>();
        List<String> names = new ArrayList<>();
        try {
            for (RecordComponent component : components) {
                component.getAccessor().setAccessible(true);
                values.add(component.getAccessor().invoke(record));
                names.add(component.getName());
            }
            for (int i = 0; i < changes.length; i += 2) {
                values.set(names.indexOf(changes[i]), changes[i + 1]);
            }
            Constructor<?> constructor = record.getClass()
                    .getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return (R) constructor.newInstance(values.toArray());
        } catch (ReflectiveOperationException failure) {
            throw new AssertionError(failure);
        }
    }
}
