package dev.purser.privacy;

import java.util.Arrays;
import java.util.Optional;

/** The pairs of datasets that must be hard to tell apart. Fixed at registration and stated with every answer. */
public enum NeighboringRelation {
    /** One privacy unit is added or removed. The number of units is private. */
    ADD_OR_REMOVE_ONE("add-or-remove-one"),
    /** One privacy unit is replaced by another unit. The number of units is public. */
    REPLACE_ONE("replace-one");

    private final String label;

    NeighboringRelation(String label) {
        this.label = label;
    }

    /** The name in requests and answers. */
    public String label() {
        return label;
    }

    public static Optional<NeighboringRelation> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(relation -> relation.label.equals(label))
                .findFirst();
    }
}
