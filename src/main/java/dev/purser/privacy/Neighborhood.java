package dev.purser.privacy;

/**
 * Which datasets are neighbours: the relation and the unit together, as fixed at registration. Every sensitivity and
 * every guarantee is stated under it.
 */
public record Neighborhood(NeighboringRelation relation, PrivacyUnit unit) {
    /**
     * Whether the number of rows is public. It is public if units are replaced and each unit is one row. The number of
     * rows that pass a filter is private in any case.
     */
    public boolean hasPublicRowCount() {
        return relation == NeighboringRelation.REPLACE_ONE && unit instanceof PrivacyUnit.Row;
    }
}
