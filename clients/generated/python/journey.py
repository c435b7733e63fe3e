"""The journey of the client that openapi-generator makes for Python."""
import os

import purser_client as purser
from purser_client import models

KEY, RUN, ROWS = os.environ["KEY"], os.environ["RUN"], os.environ["ROWS"]
id = f"python-{RUN}"


def client(key):
    return purser.ApiClient(purser.Configuration(host=os.environ["PURSER"], access_token=key))


api = client(KEY)
datasets, questions, quotes = purser.DatasetsApi(api), purser.QuestionsApi(api), purser.QuotesApi(api)
sessions, ledgers = purser.ThresholdSessionsApi(api), purser.BudgetAndLedgerApi(api)
collections, keys = purser.CollectionsApi(api), purser.KeysApi(api)


def register(id, relation, media_type, ending):
    dataset = datasets.register_dataset(models.DatasetRegistration(
        id=id,
        columns=[
            models.ColumnRegistration(
                name="age", type="integer", lower=models.ColumnValue(0), upper=models.ColumnValue(125),
                missing=models.MissingValue(0)),
            models.ColumnRegistration(
                name="hours", type="decimal", lower=models.ColumnValue(0), upper=models.ColumnValue(100),
                resolution=0.25, missing=models.MissingValue(40)),
            models.ColumnRegistration(
                name="sex", type="category", categories=["Female", "Male"], missing=models.MissingValue("Male")),
        ],
        privacy_unit=models.PrivacyUnit(type="row"),
        neighboring_relation=relation,
        max_rows=1000,
        budget=models.BudgetRegistration(epsilon="10"),
        declared_public=True,
    ))
    assert [column.missing.actual_instance for column in dataset.columns] == [0, 40, "Male"]
    with open(ROWS + ending, "rb") as rows:
        assert datasets.upload_data(id, rows.read(), _content_type=media_type).state == "ready"


register(id, "replace-one", "text/csv", ".csv")
register(id + "-2", "add-or-remove-one", "application/vnd.apache.parquet", ".parquet")
questions.ask_count(id + "-2", models.CountQuestion(epsilon="1"))

# every kind of question
adults = models.Condition(column="age", above=models.ColumnValue(30))
count = questions.ask_count(
    id,
    models.CountQuestion(epsilon="1", where=[adults, models.Condition(column="sex", var_in=["Male"])]),
    idempotency_key="first")
assert count.question.where[0].column == "age"
total = questions.ask_sum(id, models.SumQuestion(epsilon="1", column="hours"))
mean = questions.ask_mean(id, models.MeanQuestion(epsilon="1", column="age"))
histogram = questions.ask_histogram(id, models.HistogramQuestion(
    epsilon="1", column="age", edges=[models.ColumnValue(edge) for edge in (0, 40, 125)]))
quantile = questions.ask_quantile(id, models.QuantileQuestion(epsilon="1", column="age", probabilities=[0.5]))
loss = models.ThresholdItem(clip_loss=models.ThresholdClipLoss(column="age", bound=76, step=1))
threshold = questions.ask_threshold(id, models.ThresholdQuestion(epsilon="1", threshold=100000, queries=[loss]))
young = models.Range(at_least=models.ColumnValue(0), below=models.ColumnValue(60))
ranges = questions.ask_sparse_range(id, models.SparseRangeQuestion(
    epsilon="1", column="age", threshold=-1000, max_positives=1, ranges=[young]))
local = questions.ask_local_mean(id, models.LocalMeanQuestion(epsilon="1", column="age"))
assert isinstance(count.answer.count + total.answer.sum + mean.answer.mean + local.answer.mean, (int, float))
assert [bin.upper.actual_instance for bin in histogram.answer.bins] == [40, 125]
assert 0 <= quantile.answer.quantiles[0].value.actual_instance <= 125
assert threshold.answer.index is None
assert ranges.answer.positives[0].range.below.actual_instance == 60

again = questions.get_answer(mean.query_id).actual_instance
assert isinstance(again, models.MeanAnswer) and again.answer.mean == mean.answer.mean

# quotes
target = quotes.quote_count(id, models.CountQuoteRequest(target_alpha=5, where=[adults]))
assert float(target.epsilon) > 0 and target.affordable
plan = quotes.quote_plan(id, models.Plan(questions=[
    models.PlanItem(models.CountPlanItem(kind="count", request=models.CountQuoteRequest(epsilon="1"))),
    models.PlanItem(models.MeanPlanItem(kind="mean", request=models.MeanQuoteRequest(epsilon="1", column="age"))),
]))
assert [item.kind for item in plan.items] == ["count", "mean"]

# a session
session = sessions.open_threshold_session(
    id, models.OpenThresholdSession(epsilon="1", threshold=100000, max_positives=1, queries="counts"))
outcome = sessions.ask_threshold_session(session.session_id, models.ThresholdSessionQuestion(
    sequence=1, query=models.ThresholdItem(count=models.ThresholdCount(where=[adults]))))
assert outcome.outcome == "BELOW"
sessions.close_threshold_session(session.session_id)
assert sessions.get_threshold_session(session.session_id).closed_because == "deleted"

# a refusal with what is missing, and the ledger in pages
try:
    questions.ask_count(id, models.CountQuestion(epsilon="2"))
    raise AssertionError("more was spent than there is")
except purser.ApiException as refusal:
    assert refusal.data.type == "/problems/budget-exhausted" and refusal.data.shortfall.epsilon == "1"
entries, after = [], ""
while after is not None:
    page = ledgers.list_ledger(id, after=after, limit=4)
    entries += page.items
    after = page.next
assert len(entries) == 10

# a collection
collections.open_collection(models.OpenCollection(
    id=id, protocol="hybrid", range=models.CollectionRange(lower=0, upper=120), epsilon="1"))
assert collections.get_estimate(id).mean is None
assert collections.send_reports(id, models.ReportBatch(
    reports=[models.Report(report_id="a", point=20000)])).accepted == 1
assert 0 <= collections.get_estimate(id).mean <= 120

# keys
made = keys.create_key(models.KeyCreation(name=id, role="analyst", datasets=[id]))
assert purser.KeysApi(client(made.key)).get_own_key().expires_at is None
keys.revoke_key(made.key_id)
assert [key.state for key in keys.list_keys(limit=1000).items if key.key_id == made.key_id] == ["revoked"]
