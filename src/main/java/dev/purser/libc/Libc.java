package dev.purser.libc;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Functions of the C library, and of others, that take integers and addresses only. All are called in one shape, five words in and one out:
 * in the calling conventions of Linux on x86-64 and AArch64 words that a function does not take are not looked at. One shape is
 * made ready in a tenth of the time of seven.
 */
public final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final FunctionDescriptor WORDS =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private final MethodHandle handle;

    private Libc(MethodHandle handle) {
        this.handle = handle;
    }

    /** A function of the C library, or of the system behind it. */
    public static Libc function(String name) {
        return function(LINKER.defaultLookup(), name);
    }

    /** A function of another library in C. */
    public static Libc function(SymbolLookup library, String name) {
        return new Libc(LINKER.downcallHandle(library.findOrThrow(name), WORDS));
    }

    /** Its result, if that is an {@code int}. */
    public int call(long... words) {
        return (int) word(words);
    }

    /** Its result, if that is a word. */
    public long word(long... words) {
        try {
            return (long) handle.invokeExact(at(words, 0), at(words, 1), at(words, 2), at(words, 3), at(words, 4));
        } catch (Throwable impossible) {
            throw new IllegalStateException("a function of the C library throws nothing", impossible);
        }
    }

    /**
     * Its result, which is not negative.
     *
     * @throws IOException if it is
     */
    public int require(long... words) throws IOException {
        int result = call(words);
        if (result < 0) {
            throw new IOException("the operating system refused a call");
        }
        return result;
    }

    private static long at(long[] words, int index) {
        return index < words.length ? words[index] : 0;
    }
}
