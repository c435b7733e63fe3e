package dev.purser.upload;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file that cannot be read further, and that is to blame for it. */
final class UnreadableFile extends IOException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String column;
    private final String rule;

    /** @param column the column that cannot be read, if one is to blame */
    UnreadableFile(@Nullable String column, String rule) {
        super(rule);
        this.column = column;
        this.rule = rule;
    }

    @Nullable
    String column() {
        return column;
    }

    String rule() {
        return rule;
    }
}
