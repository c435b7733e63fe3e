package dev.purser.synopsis;

import dev.purser.access.Principal;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.Receipts;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.StoredAnswer;
import dev.purser.mechanism.ConsistentTables;
import dev.purser.mechanism.Hierarchy;
import dev.purser.mechanism.Precision;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.query.NoisyTables;
import dev.purser.query.SynopsisQuery;
import dev.purser.store.Order;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds synopses in the books. Nothing is remembered: the stored answers say what was bought, and what is attached to
 * them is read and compared with their digests whenever it is needed.
 */
@Service
public class Synopses {
    private final BudgetLedger ledger;
    private final VisibleDatasets datasets;
    private final Receipts receipts;
    private final ObjectReader documents;

    public Synopses(BudgetLedger ledger, VisibleDatasets datasets, Receipts receipts, JsonMapper json) {
        this.ledger = ledger;
        this.receipts = receipts;
        this.datasets = datasets;
        this.documents = json.reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    }

    /**
     * A synopsis of a dataset that the principal may read. It outlives the dataset's rows.
     *
     * @throws ProblemException {@code not-found}
     */
    public Synopsis visible(Principal principal, String id) {
        return ledger.answer(id)
                .filter(answer -> answer.kind().equals(SynopsisQuery.KIND.name()))
                .filter(answer -> datasets.showsAnswer(principal, true, answer.datasetId()))
                .map(answer -> synopsis(answer, datasets.requireEvenDeleted(principal, answer.datasetId())))
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "there is no such synopsis"));
    }

    /** The synopses of a dataset, by id. */
    public List<Synopsis> of(Dataset dataset, Order order, String after, int limit) {
        List<String> ids = ledger.firstOfSeries(dataset.id(), order, after, limit);
        return ids.isEmpty()
                ? List.of()
                : ledger.answers(ids).stream()
                        .map(answer -> synopsis(answer, dataset))
                        .toList();
    }

    /**
     * The newest synopses of a dataset that can be read without a turn. One that is too large is passed over.
     *
     * @param limit no more are looked at
     * @param maxBytes of the stored answers of all together
     */
    public List<Synopsis> newest(Dataset dataset, int limit, long maxBytes) {
        List<Synopsis> newest = new ArrayList<>();
        long bytes = 0;
        List<String> ids = ledger.firstOfSeries(dataset.id(), Order.DESC, Order.DESC.beforeIds(), limit);
        for (StoredAnswer first : ids.isEmpty() ? List.<StoredAnswer>of() : ledger.answers(ids)) {
            List<StoredAnswer> more = more(first);
            long own = first.length()
                    + more.stream().mapToLong(StoredAnswer::length).sum();
            if (bytes + own <= maxBytes) {
                bytes += own;
                newest.add(synopsis(first, more, dataset));
            }
        }
        return newest;
    }

    private Synopsis synopsis(StoredAnswer first, Dataset dataset) {
        return synopsis(first, more(first), dataset);
    }

    private Synopsis synopsis(StoredAnswer first, List<StoredAnswer> more, Dataset dataset) {
        List<Purchase> purchases = new ArrayList<>(List.of(purchase(first, dataset)));
        more.stream()
                .map(answer -> purchase(answer, dataset))
                .filter(purchase -> purchase.refines(first.queryId()))
                .forEach(purchases::add);
        return new Synopsis(first.queryId(), dataset, purchases);
    }

    /** The answers of the further purchases of a series. */
    private List<StoredAnswer> more(StoredAnswer first) {
        List<String> more = ledger.series(first.queryId()).stream()
                .filter(id -> !id.equals(first.queryId()))
                .toList();
        return more.isEmpty() ? List.of() : ledger.answers(more);
    }

    private Purchase purchase(StoredAnswer answer, Dataset dataset) {
        return Purchase.of(document(answer), dataset);
    }

    private JsonNode document(StoredAnswer answer) {
        try (InputStream in = ledger.open(answer, 0)) {
            return documents.readTree(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Reads all noisy numbers, and estimates from them. */
    Estimates estimates(Synopsis synopsis) {
        Precision precision = synopsis.precision();
        return new Estimates(synopsis, precision, new ConsistentTables(precision, numbers(synopsis)));
    }

    private Stream<long[]> numbers(Synopsis synopsis) {
        return synopsis.counted().stream()
                .flatMap(purchase ->
                        NoisyTables.read(ledger.attachment(purchase.queryId(), purchase.digest()), purchase.nodes()));
    }

    /** Answers questions about a synopsis. */
    public FreeAnswers answers(Synopsis synopsis, FreeQuestions asked) {
        Estimates estimates = estimates(synopsis);
        double beta = asked.betaOfEach();
        return new FreeAnswers(
                asked.questions().stream()
                        .map(question -> question.answer(estimates, beta, asked.nonNegative()))
                        .toList(),
                Statements.of(synopsis, asked.beta(), asked.simultaneous(), asked.nonNegative()));
    }

    /** A table, whose cells are computed when they are read. */
    public TableView table(Principal principal, TableRequest request) {
        Synopsis synopsis = request.synopsis();
        FreeAnswer cells = new FreeQuestion.Table(request.columns(), request.keys())
                .answer(estimates(synopsis), request.beta().doubleValue(), false);
        return new TableView(
                SynopsisView.of(synopsis),
                request.columns().stream().map(synopsis.names()::get).toList(),
                request.beta(),
                Statements.of(synopsis, request.beta(), false, false),
                synopsis.purchases().stream()
                        .flatMap(purchase -> receipts.receipt(purchase.queryId()).stream())
                        .filter(receipt ->
                                datasets.showsReceipt(principal, receipt.entry().analyst(), receipt.datasetId()))
                        .toList(),
                Objects.requireNonNull(cells.cells()),
                request.keys());
    }

    /**
     * Rows that follow the tables of a synopsis. Nothing of them is kept.
     *
     * @throws ProblemException {@code validation-failed} if they would take too much memory or time
     */
    public RowsView rows(RowsRequest request) {
        Estimates estimates = estimates(request.synopsis());
        int count = request.count(estimates.rows());
        int[] sizes =
                request.synopsis().columns().stream().mapToInt(Hierarchy::cells).toArray();
        InventedRows rows = new InventedRows(sizes, estimates::cells, count, request.seed());
        return RowsView.of(rows, request, RowsCertificate.of(rows, estimates));
    }

    /**
     * The dataset of a synopsis that is to be refined.
     *
     * @throws ProblemException as {@link VisibleDatasets#requireReady}
     */
    public Dataset toRefine(Principal principal, Synopsis synopsis) {
        return datasets.requireReady(principal, synopsis.dataset().id());
    }

    /**
     * The answer that a request refines: the newest of the synopsis, or for a repeated request that of the first time.
     *
     * @throws ProblemException {@code not-found} if the synopsis is gone
     */
    public StoredAnswer refinedBy(RequestIdentity identity, Synopsis synopsis) {
        String newest = synopsis.counted().getLast().queryId();
        return ledger.answer(ledger.refinedUnder(synopsis.dataset().account(), identity)
                        .orElse(newest))
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "there is no such synopsis"));
    }

    /** The synopsis that a purchase is of. A first one is not read: its answer can be long. */
    public String idOf(StoredAnswer purchase) {
        return purchase.kind().equals(SynopsisQuery.KIND.name())
                ? purchase.queryId()
                : document(purchase).at("/answer/synopsisId").asString();
    }
}
