package dev.purser.json;

import org.jspecify.annotations.Nullable;

/** A place in a document. It is formatted only for a violation. */
record Pointer(@Nullable Pointer parent, String step) {
    static final Pointer ROOT = new Pointer(null, "");

    Pointer child(String name) {
        return new Pointer(this, name);
    }

    /** The JSON pointer (RFC 6901). */
    @Override
    public String toString() {
        return parent == null ? "" : parent + "/" + step.replace("~", "~0").replace("/", "~1");
    }
}
