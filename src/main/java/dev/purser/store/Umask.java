package dev.purser.store;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The process's file mode creation mask. Java sets the mode of the files it creates itself; SQLite creates its own in
 * native code and follows the mask alone.
 */
final class Umask {
    private static final int OWNER_ONLY = 077;

    private Umask() {}

    /** From now on, every file this process creates is its owner's alone. */
    static void ownerOnly() {
        Linker linker = Linker.nativeLinker();
        MethodHandle umask = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("umask"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            int before = (int) umask.invokeExact(OWNER_ONLY);
            assert before >= 0;
        } catch (Throwable impossible) {
            throw new IllegalStateException("umask(2) cannot fail", impossible);
        }
    }
}
