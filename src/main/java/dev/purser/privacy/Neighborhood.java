package dev.purser.privacy;

/**
 * Which datasets are neighbours: the relation and the unit together, as fixed at registration. Every sensitivity and
 * every guarantee is stated under it.
 */
public record Neighborhood(NeighboringRelation relation, PrivacyUnit unit) {
    /**
     * Whether the number of rows is public: units are replaced, never added, and each is one row. The number of rows
     * that pass a filter is private all the same.
     */
    public boolean hasPublicRowCount() {
        return relation == NeighboringRelation.REPLACE_ONE && unit instanceof PrivacyUnit.Row;
    }
}
