package dev.purser.start;

import dev.purser.libc.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** What this process does when it is asked to end. */
final class TerminationSignals {
    private static final int HANGUP = 1;
    private static final int INTERRUPT = 2;
    private static final int TERMINATE = 15;
    private static final long[] ALL = {HANGUP, INTERRUPT, TERMINATE};

    /** More than a {@code struct sigaction} of any C library; all zeros, it is the default: the process ends. */
    private static final int ACTION_BYTES = 512;

    private static final long IGNORED = 1;

    private final Libc action = Libc.function("sigaction");
    private final Arena arena;
    private final List<MemorySegment> before = new ArrayList<>();

    /** @param arena as long as {@link #restore} may be called */
    TerminationSignals(Arena arena) {
        this.arena = arena;
        for (long signal : ALL) {
            MemorySegment known = arena.allocate(ACTION_BYTES, Long.BYTES);
            action.call(signal, 0, known.address());
            before.add(known);
        }
    }

    /** From now on they end the process at once, but for those it was started to ignore. */
    void endAtOnce() {
        MemorySegment byDefault = arena.allocate(ACTION_BYTES, Long.BYTES);
        for (int i = 0; i < ALL.length; i++) {
            if (before.get(i).get(ValueLayout.JAVA_LONG, 0) != IGNORED) {
                action.call(ALL[i], byDefault.address(), 0);
            }
        }
    }

    void restore() {
        for (int i = 0; i < ALL.length; i++) {
            action.call(ALL[i], before.get(i).address(), 0);
        }
    }
}
