package dev.purser.collection;

import dev.purser.collection.StoredCollection.Kind;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.json.RequestLimits;
import dev.purser.json.Shape;
import dev.purser.problem.ProblemException;
import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/**
 * Opens collections, takes reports and estimates from them. Reports are already private when they arrive, so nothing is
 * charged to an account here.
 *
 * <p>A batch is checked as a whole and written in {@link Pieces}. A piece is one transaction. It notes the ids of its
 * reports, and adds the reports with new ids to the sums. A batch that is sent again is not counted again.
 */
@Service
public class ReportCollections extends LifeCycle<CollectionDeclaration> {
    /** The most reports of one batch, or of one part of a long request. */
    public static final int MOST_TOGETHER = Reports.MAX;

    // A stored declaration was valid when the collection was opened, even if the collection has closed since.
    public ReportCollections(Database database, RequestLimits limits, JsonMapper json, Clock clock, Pieces pieces) {
        super(
                Kind.COLLECTION,
                database,
                limits,
                json,
                clock,
                pieces,
                in -> CollectionDeclaration.read(in, Instant.MIN));
    }

    /** How many reports of a batch, or of a piece of it, were counted. */
    @Schema(name = "CountedReports")
    public record Counted(
            @Schema(description = "Reports that are now in.", example = "1000")
            long accepted,

            @Schema(description = "Reports whose id was in before, or twice in the request.", example = "0")
            long duplicates) {
        /** The sum of both. */
        public Counted plus(Counted more) {
            return new Counted(accepted + more.accepted, duplicates + more.duplicates);
        }
    }

    /** Reports of one request, each checked by the protocol of its collection. */
    public record Batch<R>(Protocol<R> protocol, Reports<R> reports) {
        static final Field<Elements<ObjectReader>> REPORTS =
                Reports.field("Report", Reports.ID, Protocols.REPORT_FIELDS);

        public static final Shape.ObjectOf FORM = new Shape.ObjectOf("ReportBatch", REPORTS);

        public static final String MINUTES = """
                {"reports": [{"reportId": "b7e2d1", "sign": -1}, {"reportId": "c40a9f", "sign": 1}]}""";

        public static final String BY = """
                {"reports": [{"reportId": "b7e2d1", "category": "bus"}, {"reportId": "c40a9f", "category": "foot"}]}""";

        public static final String LINES = """
                {"reportId": "d91c35", "sign": 1}""";
    }

    /** Reads {@code {"reports": [...]}}; empty if a report broke a rule. */
    public Optional<Batch> read(ObjectReader in, StoredCollection collection) {
        return read(in, declaration(collection).protocol());
    }

    static <R> Optional<Batch> read(ObjectReader in, Protocol<R> protocol) {
        return Reports.read(in, protocol).map(reports -> new Batch<>(protocol, reports));
    }

    /** Everything that is public about a collection. */
    public CollectionView view(StoredCollection collection) {
        byte[] document = database.read(connection -> CollectionTable.stored(connection, collection.id()))
                .document();
        return CollectionView.of(collection, declaration(collection), document, collection.isOpenAt(now()));
    }

    /**
     * Counts the reports of a batch.
     *
     * @param durable receives what was counted of each piece
     * @throws ProblemException {@code collection-closed}
     */
    public <R> void add(StoredCollection collection, Batch<R> batch, Consumer<Counted> durable) {
        pieces.write(
                collection,
                batch.reports(),
                batch.protocol().together(),
                (transaction, piece) -> count(transaction, collection, batch.protocol(), piece),
                durable);
    }

    /**
     * Counts the reports of a part of a long request, one on each line. If a report breaks a rule, none is counted.
     *
     * @param linesBefore how many lines the earlier parts have
     * @throws ProblemException as {@link #add}, with the number of the line
     */
    public void addLines(StoredCollection collection, byte[] lines, long linesBefore, Consumer<Counted> durable) {
        add(collection, batch(declaration(collection).protocol(), lines, linesBefore), durable);
    }

    private <R> Batch<R> batch(Protocol<R> protocol, byte[] lines, long linesBefore) {
        return new Batch<>(protocol, Reports.ofLines(protocol.form(), lines, linesBefore, limits.document()));
    }

    private static <R> Counted count(
            StoreConnection transaction, StoredCollection collection, Protocol<R> protocol, Reports<R> piece)
            throws SQLException {
        CollectionTable.Tally tally =
                CollectionTable.tally(transaction, collection).orElseThrow();
        int[] isNew = CollectionTable.note(transaction, collection, piece.keys());
        long accepted = 0;
        for (int i = 0; i < isNew.length; i++) {
            if (isNew[i] == 1) {
                protocol.sums().add(piece.reports().get(i), tally.sums(), 0);
                tally.ids().change(piece.keys().get(i), CollectionTable.COUNTED);
                accepted++;
            }
        }
        CollectionTable.keep(
                transaction,
                collection,
                new CollectionTable.Tally(tally.reports() + accepted, tally.sums(), tally.ids()));
        return new Counted(accepted, isNew.length - accepted);
    }

    /**
     * The estimates from all reports so far.
     *
     * @param beta the probability that at least one of the intervals misses
     */
    public EstimateView estimate(StoredCollection collection, BigDecimal beta) {
        CollectionTable.Tally tally = database.read(connection -> CollectionTable.tally(connection, collection))
                .orElseThrow(VisibleCollections::notFound);
        Declared declared = declaration(collection).declared();
        @Nullable
        Estimate estimate = tally.reports() == 0
                ? null
                : declared.protocol().estimator().of(tally.sums(), tally.reports(), beta.doubleValue());
        return EstimateView.of(tally.reports(), declared, estimate, beta);
    }
}
