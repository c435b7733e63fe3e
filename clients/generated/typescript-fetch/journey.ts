import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as purser from "./client/index.js";

const { PURSER = "", KEY = "", ROWS = "", RUN = "" } = process.env;
const id = `typescript-${RUN}`;
const access = (key: string) => new purser.Configuration({ basePath: PURSER, accessToken: key });
const api = access(KEY);
const datasets = new purser.DatasetsApi(api);
const questions = new purser.QuestionsApi(api);
const quotes = new purser.QuotesApi(api);
const sessions = new purser.ThresholdSessionsApi(api);
const collections = new purser.CollectionsApi(api);
const keys = new purser.KeysApi(api);

async function register(id: string, relation: "add-or-remove-one" | "replace-one", type: string, ending: string) {
    const dataset = await datasets.registerDataset({
        datasetRegistration: {
            id,
            columns: [
                { name: "age", type: "integer", lower: 0, upper: 125, missing: 0 },
                { name: "hours", type: "decimal", lower: 0, upper: 100, resolution: 0.25, missing: 40 },
                { name: "sex", type: "category", categories: ["Female", "Male"], missing: "Male" },
            ],
            privacyUnit: { type: "row" },
            neighboringRelation: relation,
            maxRows: 1000,
            budget: { epsilon: "10" },
            declaredPublic: true,
        },
    });
    assert.deepEqual(dataset.columns.map((column) => column.missing), [0, 40, "Male"]);
    const body = new Blob([new Uint8Array(await readFile(ROWS + ending))]);
    const upload = await datasets.uploadData({ id, body }, async ({ init }) => ({
        ...init,
        headers: { ...init.headers, "Content-Type": type },
        body,
    }));
    assert.equal(upload.state, "ready");
}

await register(id, "replace-one", "text/csv", ".csv");
await register(`${id}-2`, "add-or-remove-one", "application/vnd.apache.parquet", ".parquet");
await questions.askCount({ id: `${id}-2`, countQuestion: { epsilon: "1" } });

// every kind of question
const column = "age";
const epsilon = "1";
const count = await questions.askCount({
    id,
    countQuestion: { epsilon, where: [{ column, above: 30 }, { column: "sex", _in: ["Male"] }] },
    idempotencyKey: "first",
});
assert.equal(count.question.where?.[0]?.column, column);
const sum = await questions.askSum({ id, sumQuestion: { epsilon, column: "hours" } });
const mean = await questions.askMean({ id, meanQuestion: { epsilon, column } });
const histogram = await questions.askHistogram({ id, histogramQuestion: { epsilon, column, edges: [0, 40, 125] } });
const quantile = await questions.askQuantile({ id, quantileQuestion: { epsilon, column, probabilities: [0.5] } });
const threshold = await questions.askThreshold({
    id,
    thresholdQuestion: { epsilon, threshold: 100000, queries: [{ clipLoss: { column, bound: 76, step: 1 } }] },
});
const ranges = await questions.askSparseRange({
    id,
    sparseRangeQuestion: { epsilon, column, threshold: -1000, maxPositives: 1, ranges: [{ atLeast: 0, below: 60 }] },
});
const local = await questions.askLocalMean({ id, localMeanQuestion: { epsilon, column } });
assert.equal(typeof (count.answer.count + sum.answer.sum + mean.answer.mean + local.answer.mean), "number");
assert.deepEqual(histogram.answer.bins.map((bin) => bin.upper), [40, 125]);
assert.equal(typeof quantile.answer.quantiles[0]?.value, "number");
assert.equal(threshold.answer.index, null);
assert.equal(ranges.answer.positives[0]?.range.below, 60);

const again = await questions.getAnswer({ queryId: mean.queryId });
assert(again.kind === "mean" && again.answer.mean === mean.answer.mean);

// quotes
const target = await quotes.quoteCount({
    id, countQuoteRequest: { targetAlpha: 5, where: [{ column, above: 30 }] },
});
assert(Number(target.epsilon) > 0 && target.affordable);
const plan = await quotes.quotePlan({
    id,
    plan: { questions: [{ kind: "count", request: { epsilon } }, { kind: "mean", request: { epsilon, column } }] },
});
assert.deepEqual(plan.items.map((item) => item.kind), ["count", "mean"]);

// a session
const { sessionId } = await sessions.openThresholdSession({
    id, openThresholdSession: { epsilon, threshold: 100000, maxPositives: 1, queries: "counts" },
});
const outcome = await sessions.askThresholdSession({
    sessionId,
    thresholdSessionQuestion: { sequence: 1, query: { count: { where: [{ column, above: 30 }] } } },
});
assert.equal(outcome.outcome, "BELOW");
await sessions.closeThresholdSession({ sessionId });
assert.equal((await sessions.getThresholdSession({ sessionId })).closedBecause, "deleted");

// a refusal with what is missing, and the ledger in pages
const refusal = await questions.askCount({ id, countQuestion: { epsilon: "2" } }).catch((error: unknown) => error);
assert(refusal instanceof purser.ResponseError && refusal.response.status === 409);
assert.equal(purser.ProblemFromJSON(await refusal.response.json()).shortfall?.epsilon, "1");
let entries = 0;
for (let after: string | null = ""; after !== null; ) {
    const page: purser.ListedEntryList = await new purser.BudgetAndLedgerApi(api).listLedger({ id, after, limit: 4 });
    entries += page.items.length;
    after = page.next;
}
assert.equal(entries, 10);

// a collection
await collections.openCollection({
    openCollection: { id, protocol: "hybrid", range: { lower: 0, upper: 120 }, epsilon },
});
assert.equal((await collections.getEstimate({ id })).mean, null);
const counted = await collections.sendReports({ id, reportBatch: { reports: [{ reportId: "a", point: 20000 }] } });
assert.equal(counted.accepted, 1);
assert.equal(typeof (await collections.getEstimate({ id })).mean, "number");

// keys
const made = await keys.createKey({ keyCreation: { name: id, role: "analyst", datasets: [id] } });
assert.ok(made.key);
assert.equal((await new purser.KeysApi(access(made.key)).getOwnKey()).expiresAt, null);
await keys.revokeKey({ keyId: made.keyId });
const listed = await keys.listKeys({ limit: 1000 });
assert.equal(listed.items.find((key) => key.keyId === made.keyId)?.state, "revoked");
