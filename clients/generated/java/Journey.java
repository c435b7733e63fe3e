import dev.purser.client.ApiClient;
import dev.purser.client.ApiException;
import dev.purser.client.api.*;
import dev.purser.client.model.*;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The journey of the client that openapi-generator makes for Java. */
public final class Journey {
    private static final String ID = "java-" + System.getenv("RUN");
    private static final String AGE = "age";

    private static final ApiClient API = client(System.getenv("KEY"));
    private static final DatasetsApi DATASETS = new DatasetsApi(API);
    private static final QuestionsApi QUESTIONS = new QuestionsApi(API);

    private static ApiClient client(String key) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("PURSER"));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
        return client;
    }

    private static void check(boolean holds, Object seen) {
        if (!holds) {
            throw new AssertionError(String.valueOf(seen));
        }
    }

    private static BigDecimal number(long value) {
        return BigDecimal.valueOf(value);
    }

    private static ColumnValue value(long value) {
        return new ColumnValue(number(value));
    }

    public static void main(String[] arguments) throws ApiException, IOException {
        register(ID, DatasetRegistration.NeighboringRelationEnum.REPLACE_ONE, "text/csv", ".csv");
        register(
                ID + "-2",
                DatasetRegistration.NeighboringRelationEnum.ADD_OR_REMOVE_ONE,
                "application/vnd.apache.parquet",
                ".parquet");
        QUESTIONS.askCount(ID + "-2", new CountQuestion().epsilon("1"), null);
        everyKindOfQuestion();
        quotes();
        session();
        refusalAndLedger();
        collection();
        keys();
    }

    private static void register(
            String id, DatasetRegistration.NeighboringRelationEnum relation, String type, String ending)
            throws ApiException, IOException {
        Dataset dataset = DATASETS.registerDataset(new DatasetRegistration()
                .id(id)
                .addColumnsItem(new ColumnRegistration()
                        .name(AGE)
                        .type(ColumnRegistration.TypeEnum.INTEGER)
                        .lower(value(0))
                        .upper(value(125))
                        .missing(new MissingValue(number(0))))
                .addColumnsItem(new ColumnRegistration()
                        .name("hours")
                        .type(ColumnRegistration.TypeEnum.DECIMAL)
                        .lower(value(0))
                        .upper(value(100))
                        .resolution(new BigDecimal("0.25"))
                        .missing(new MissingValue(number(40))))
                .addColumnsItem(new ColumnRegistration()
                        .name("sex")
                        .type(ColumnRegistration.TypeEnum.CATEGORY)
                        .categories(List.of("Female", "Male"))
                        .missing(new MissingValue("Male")))
                .privacyUnit(new PrivacyUnit().type(PrivacyUnit.TypeEnum.ROW))
                .neighboringRelation(relation)
                .maxRows(1000L)
                .budget(new BudgetRegistration().epsilon("10"))
                .declaredPublic(true));
        List<Object> missing = new ArrayList<>();
        dataset.getColumns().forEach(column -> missing.add(column.getMissing().getActualInstance()));
        check(missing.equals(List.of(number(0), number(40), "Male")), missing);
        // The generator would write the file as JSON, so the interceptor puts its bytes there.
        Path rows = Path.of(System.getenv("ROWS") + ending);
        byte[] bytes = Files.readAllBytes(rows);
        ApiClient sender = client(System.getenv("KEY"));
        sender.setRequestInterceptor(sender.getRequestInterceptor()
                .andThen(request -> request.setHeader("Content-Type", type).PUT(BodyPublishers.ofByteArray(bytes))));
        UploadReport report = new DatasetsApi(sender).uploadData(id, rows.toFile(), null, null, null);
        check(report.getState() == UploadReport.StateEnum.READY, report);
    }

    private static void everyKindOfQuestion() throws ApiException {
        CountAnswer count = QUESTIONS.askCount(
                ID,
                new CountQuestion()
                        .epsilon("1")
                        .addWhereItem(new Condition().column(AGE).above(value(30)))
                        .addWhereItem(new Condition().column("sex").addInItem("Male")),
                "first");
        check(count.getQuestion().getWhere().getFirst().getColumn().equals(AGE), count);
        QUESTIONS.askSum(ID, new SumQuestion().epsilon("1").column("hours"), null).getAnswer().getSum();
        MeanAnswer mean = QUESTIONS.askMean(ID, new MeanQuestion().epsilon("1").column(AGE), null);
        HistogramAnswer histogram = QUESTIONS.askHistogram(
                ID,
                new HistogramQuestion().epsilon("1").column(AGE).edges(List.of(value(0), value(40), value(125))),
                null);
        check(histogram.getAnswer().getBins().get(1).getUpper().equals(value(125)), histogram);
        QuantileAnswer quantile = QUESTIONS.askQuantile(
                ID, new QuantileQuestion().epsilon("1").column(AGE).addProbabilitiesItem(new BigDecimal("0.5")), null);
        check(quantile.getAnswer().getQuantiles().getFirst().getValue().getBigDecimal().signum() >= 0, quantile);
        ThresholdClipLoss loss = new ThresholdClipLoss().column(AGE).bound(number(76)).step(number(1));
        ThresholdAnswer threshold = QUESTIONS.askThreshold(
                ID,
                new ThresholdQuestion()
                        .epsilon("1")
                        .threshold(number(100_000))
                        .addQueriesItem(new ThresholdItem().clipLoss(loss)),
                null);
        check(threshold.getAnswer().getIndex() == null, threshold);
        SparseRangeAnswer ranges = QUESTIONS.askSparseRange(
                ID,
                new SparseRangeQuestion()
                        .epsilon("1")
                        .column(AGE)
                        .threshold(number(-1000))
                        .maxPositives(1)
                        .addRangesItem(new Range().atLeast(value(0)).below(value(60))),
                null);
        check(ranges.getAnswer().getPositives().getFirst().getRange().getBelow().equals(value(60)), ranges);
        QUESTIONS.askLocalMean(ID, new LocalMeanQuestion().epsilon("1").column(AGE), null).getAnswer().getMean();
        Answer again = QUESTIONS.getAnswer(mean.getQueryId());
        check(again.getMeanAnswer().equals(mean), again);
    }

    private static void quotes() throws ApiException {
        QuotesApi quotes = new QuotesApi(API);
        Quote quote = quotes.quoteCount(
                ID,
                new CountQuoteRequest()
                        .targetAlpha(number(5))
                        .addWhereItem(new Condition().column(AGE).above(value(30))));
        check(new BigDecimal(quote.getEpsilon()).signum() > 0 && quote.getAffordable(), quote);
        PlanQuote plan = quotes.quotePlan(
                ID,
                new Plan()
                        .addQuestionsItem(new PlanItem(new CountPlanItem()
                                .kind(CountPlanItem.KindEnum.COUNT)
                                .request(new CountQuoteRequest().epsilon("1"))))
                        .addQuestionsItem(new PlanItem(new MeanPlanItem()
                                .kind(MeanPlanItem.KindEnum.MEAN)
                                .request(new MeanQuoteRequest().epsilon("1").column(AGE)))));
        check(plan.getItems().get(1).getKind().equals("mean"), plan);
    }

    private static void session() throws ApiException {
        ThresholdSessionsApi sessions = new ThresholdSessionsApi(API);
        String id = sessions.openThresholdSession(
                        ID,
                        new OpenThresholdSession()
                                .epsilon("1")
                                .threshold(number(100_000))
                                .maxPositives(1)
                                .queries(OpenThresholdSession.QueriesEnum.COUNTS),
                        null)
                .getSessionId();
        ThresholdSessionOutcome outcome = sessions.askThresholdSession(
                id,
                new ThresholdSessionQuestion()
                        .sequence(1L)
                        .query(new ThresholdItem().count(new ThresholdCount())));
        check(outcome.getOutcome() == ThresholdSessionOutcome.OutcomeEnum.BELOW, outcome);
        sessions.closeThresholdSession(id);
        ThresholdSession closed = sessions.getThresholdSession(id);
        check(closed.getClosedBecause() == ThresholdSession.ClosedBecauseEnum.DELETED, closed);
    }

    private static void refusalAndLedger() throws ApiException, IOException {
        try {
            QUESTIONS.askCount(ID, new CountQuestion().epsilon("2"), null);
            throw new AssertionError("more was spent than there is");
        } catch (ApiException refusal) {
            Problem problem = API.getObjectMapper().readValue(refusal.getResponseBody(), Problem.class);
            check(refusal.getCode() == 409 && problem.getShortfall().getEpsilon().equals("1"), problem);
        }
        int entries = 0;
        for (String after = ""; after != null; ) {
            ListedEntryList page = new BudgetAndLedgerApi(API).listLedger(ID, after, 4, null);
            entries += page.getItems().size();
            after = page.getNext();
        }
        check(entries == 10, entries);
    }

    private static void collection() throws ApiException {
        CollectionsApi collections = new CollectionsApi(API);
        collections.openCollection(new OpenCollection()
                .id(ID)
                .protocol(OpenCollection.ProtocolEnum.HYBRID)
                .range(new CollectionRange().lower(number(0)).upper(number(120)))
                .epsilon("1"));
        check(collections.getEstimate(ID, null).getMean() == null, "an estimate of nothing");
        Report report = new Report().reportId("a").point(20_000);
        CountedReports counted = collections.sendReports(ID, new ReportBatch().addReportsItem(report));
        check(counted.getAccepted() == 1, counted);
        check(collections.getEstimate(ID, null).getMean() instanceof Number, "an estimate");
    }

    private static void keys() throws ApiException {
        KeysApi keys = new KeysApi(API);
        IssuedKey made = keys.createKey(new KeyCreation()
                .name(ID)
                .role(KeyCreation.RoleEnum.ANALYST)
                .addDatasetsItem(ID));
        check(new KeysApi(client(made.getKey())).getOwnKey().getExpiresAt() == null, made);
        keys.revokeKey(made.getKeyId());
        List<Key> listed = keys.listKeys(null, 1000, null).getItems();
        listed.removeIf(key -> !key.getKeyId().equals(made.getKeyId()));
        check(listed.size() == 1 && listed.get(0).getState() == Key.StateEnum.REVOKED, listed);
    }
}
