package dev.purser.upload;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Says that a file cannot be read further because of a fault of the file. */
final class UnreadableFile extends IOException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String column;
    private final String rule;

    /** @param column the column that cannot be read; null if no single column is the cause */
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
