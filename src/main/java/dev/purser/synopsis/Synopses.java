package dev.purser.synopsis;

import dev.purser.access.Principal;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.JsonDocument;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.StoredAnswer;
import dev.purser.ledger.proof.Receipts;
import dev.purser.mechanism.ConsistentTables;
import dev.purser.mechanism.Grain;
import dev.purser.mechanism.Hierarchy;
import dev.purser.mechanism.NoisyTables;
import dev.purser.mechanism.Precision;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.query.AskedBlocks;
import dev.purser.store.Order;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds synopses in the books. No synopsis is kept in memory: the stored answers say what was bought. Their attachments
 * are read and compared with their digests whenever they are needed.
 */
@Service
public class Synopses {
    private final BudgetLedger ledger;
    private final VisibleDatasets datasets;
    private final Receipts receipts;
    private final AdmissionControl admission;
    private final ObjectReader documents;

    public Synopses(
            BudgetLedger ledger,
            VisibleDatasets datasets,
            Receipts receipts,
            AdmissionControl admission,
            JsonMapper json) {
        this.ledger = ledger;
        this.admission = admission;
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
                .map(answer -> read(principal, answer, datasets.requireEvenDeleted(principal, answer.datasetId())))
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "there is no such synopsis"));
    }

    /** A synopsis that was read a while ago, and is still visible. It is read again if more was bought since. */
    public Synopsis latest(Principal principal, Synopsis synopsis) {
        boolean isLatest =
                ledger.series(synopsis.id()).size() == synopsis.purchases().size();
        return isLatest ? synopsis : visible(principal, synopsis.id());
    }

    /** The first purchases of the synopses of a dataset, by id. */
    public List<StoredAnswer> of(Dataset dataset, Order order, String after, int limit) {
        return ledger.answers(ledger.firstOfSeries(dataset.id(), order, after, limit));
    }

    /**
     * The newest synopses of a dataset that can be read without a turn. A synopsis that is too large is left out.
     *
     * @param limit the most synopses that are looked at
     * @param maxBytes the most bytes of all stored answers; the purchases of a synopsis have about the same length
     */
    List<Synopsis> newest(Dataset dataset, int limit, long maxBytes) {
        List<Synopsis> newest = new ArrayList<>();
        long bytes = 0;
        for (StoredAnswer first : of(dataset, Order.DESC, Order.DESC.beforeIds(), limit)) {
            List<String> series = ledger.series(first.queryId());
            long own = first.length() * series.size();
            if (bytes + own <= maxBytes) {
                bytes += own;
                newest.add(synopsis(first, series, dataset));
            }
        }
        return newest;
    }

    /** The newest synopses, read in turn, to be shown to a principal. */
    public List<Synopsis> newest(Principal principal, Dataset dataset, int limit, long maxBytes) {
        return admission.looking(principal.name(), () -> newest(dataset, limit, maxBytes));
    }

    /** Reads a synopsis. A large synopsis is read in turn with heavy work. */
    public Synopsis read(Principal principal, StoredAnswer first, Dataset dataset) {
        return first.whole() == null
                ? synopsis(first, dataset)
                : admission.heavily(principal.name(), () -> synopsis(first, dataset));
    }

    private Synopsis synopsis(StoredAnswer first, Dataset dataset) {
        return synopsis(first, ledger.series(first.queryId()), dataset);
    }

    /** @param series the ids of all purchases, the first purchase included */
    private Synopsis synopsis(StoredAnswer first, List<String> series, Dataset dataset) {
        List<JsonNode> asked = new ArrayList<>();
        List<Purchase> purchases = new ArrayList<>(List.of(purchase(first, asked::add, _ -> {})));
        List<String> later =
                series.stream().filter(id -> !id.equals(first.queryId())).toList();
        ledger.answers(later).stream()
                .map(answer -> purchase(answer, _ -> {}, _ -> {}))
                .filter(purchase -> purchase.refines(first.queryId()))
                .forEach(purchases::add);
        String question = asked.getFirst().toString();
        return JsonDocument.parse(question.getBytes(StandardCharsets.UTF_8))
                .read(in -> SynopsisCells.read(in, dataset)
                        .map(cells -> new Synopsis(
                                first.queryId(),
                                dataset,
                                cells,
                                question,
                                AskedBlocks.read(in, dataset)
                                        .map(AskedBlocks::window)
                                        .orElse(null),
                                purchases.getFirst().columns(cells.keys()),
                                purchases)));
    }

    private Purchase purchase(StoredAnswer answer, Consumer<JsonNode> question, Consumer<JsonNode> table) {
        try (JsonParser in = documents.createParser(ledger.open(answer, 0))) {
            return Purchase.read(answer, in, question, table);
        }
    }

    /** The precision of everything that can be computed from all purchases together. */
    Precision precision(Synopsis synopsis) {
        return measured(synopsis).precision();
    }

    /**
     * The precision of a synopsis, and the sizes of its measured tables.
     *
     * @param nodes for each purchase, how many noisy numbers each table has
     */
    private record Measured(Precision precision, List<List<Long>> nodes) {}

    private Measured measured(Synopsis synopsis) {
        Map<Grain, Grain> grains = new HashMap<>();
        List<Precision.Measurement> tables = new ArrayList<>();
        List<List<Long>> nodes = new ArrayList<>();
        for (Purchase purchase : synopsis.counted()) {
            List<Long> own = new ArrayList<>();
            nodes.add(own);
            purchase(purchase.stored(), _ -> {}, table -> {
                // All purchases have the same grains, which take most of the memory.
                Grain grain = grains.computeIfAbsent(Purchase.grain(table, synopsis), Function.identity());
                tables.add(Purchase.measurement(table, grain, synopsis));
                own.add(table.get("cells").asLong());
            });
        }
        return new Measured(new Precision(synopsis.columns(), tables), nodes);
    }

    /** Reads all noisy numbers, and estimates from them. */
    Estimates estimates(Synopsis synopsis) {
        Measured measured = measured(synopsis);
        Iterator<List<Long>> nodes = measured.nodes().iterator();
        Stream<long[]> numbers = synopsis.counted().stream()
                .flatMap(purchase ->
                        NoisyTables.read(ledger.attachment(purchase.queryId(), purchase.digest()), nodes.next()));
        return new Estimates(synopsis, measured.precision(), new ConsistentTables(measured.precision(), numbers));
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
     * Rows that follow the tables of a synopsis. The rows are not kept.
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
     * The answer that a request refines: the newest answer of the synopsis, or the answer that a repeated request
     * refined the first time.
     *
     * @throws ProblemException {@code not-found} if the synopsis is gone
     */
    public StoredAnswer refinedBy(RequestIdentity identity, Synopsis synopsis) {
        String newest = synopsis.counted().getLast().queryId();
        return ledger.answer(ledger.chargedUnder(synopsis.dataset().account(), identity)
                        .flatMap(ledger::refinedIn)
                        .orElse(newest))
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "there is no such synopsis"));
    }

    /** The id of a purchase's synopsis. The answer of a first purchase is not read, because it can be long. */
    public String idOf(StoredAnswer purchase) {
        return purchase.kind().equals(SynopsisQuery.KIND.name())
                ? purchase.queryId()
                : purchase(purchase, _ -> {}, _ -> {}).answer("synopsisId").asString();
    }
}
