package dev.purser.ledger;

/** Proof that all pieces of an attachment are stored. Only {@link BudgetLedger#attach} creates one. */
public final class Attached {
    private final String queryId;
    private final String series;
    private final byte[] digest;
    private final int pieces;

    Attached(String queryId, String series, byte[] digest, int pieces) {
        this.queryId = queryId;
        this.series = series;
        this.digest = digest;
        this.pieces = pieces;
    }

    String queryId() {
        return queryId;
    }

    String series() {
        return series;
    }

    byte[] digest() {
        return digest;
    }

    int pieces() {
        return pieces;
    }
}
