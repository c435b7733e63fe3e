import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as purser from "./client/index.js";
import { createClient } from "./client/client/index.js";

const { PURSER = "", KEY = "", ROWS = "", RUN = "" } = process.env;
const id = `hey-${RUN}`;
const access = (key: string) => createClient({ baseUrl: PURSER, auth: () => key });
const client = access(KEY);

/** The data of a request that succeeded. */
function got<T>(reply: { data?: T; error?: unknown }): T {
    assert(reply.data !== undefined, JSON.stringify(reply.error));
    return reply.data;
}

async function register(id: string, relation: "add-or-remove-one" | "replace-one", type: string, ending: string) {
    const body: purser.DatasetRegistration = {
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
    };
    const dataset = got(await purser.registerDataset({ client, body }));
    assert.deepEqual(dataset.columns.map((column) => column.missing), [0, 40, "Male"]);
    const rows = new Blob([new Uint8Array(await readFile(ROWS + ending))]);
    const upload = await purser.uploadData({
        client,
        path: { id },
        body: rows,
        headers: { "Content-Type": type },
    });
    assert.equal(got(upload).state, "ready");
}

await register(id, "replace-one", "text/csv", ".csv");
await register(`${id}-2`, "add-or-remove-one", "application/vnd.apache.parquet", ".parquet");
got(await purser.askCount({ client, path: { id: `${id}-2` }, body: { epsilon: "1" } }));

// every kind of question
const path = { id };
const column = "age";
const epsilon = "1";
const count = got(await purser.askCount({
    client,
    path,
    headers: { "Idempotency-Key": "first" },
    body: { epsilon, where: [{ column, above: 30 }, { column: "sex", in: ["Male"] }] },
}));
assert.equal(count.question.where?.[0]?.column, column);
const sum = got(await purser.askSum({ client, path, body: { epsilon, column: "hours" } }));
const mean = got(await purser.askMean({ client, path, body: { epsilon, column } }));
const histogram = got(await purser.askHistogram({
    client,
    path,
    body: { epsilon, column, edges: [0, 40, 125] },
}));
const quantile = got(await purser.askQuantile({
    client,
    path,
    body: { epsilon, column, probabilities: [0.5] },
}));
const threshold = got(await purser.askThreshold({
    client,
    path,
    body: { epsilon, threshold: 100000, queries: [{ clipLoss: { column, bound: 76, step: 1 } }] },
}));
const ranges = got(await purser.askSparseRange({
    client,
    path,
    body: { epsilon, column, threshold: -1000, maxPositives: 1, ranges: [{ atLeast: 0, below: 60 }] },
}));
const local = got(await purser.askLocalMean({ client, path, body: { epsilon, column } }));
assert.equal(typeof (count.answer.count + sum.answer.sum + mean.answer.mean + local.answer.mean), "number");
assert.deepEqual(histogram.answer.bins.map((bin) => bin.upper), [40, 125]);
assert.equal(typeof quantile.answer.quantiles[0]?.value, "number");
assert.equal(threshold.answer.index, null);
assert.equal(ranges.answer.positives[0]?.range.below, 60);

const again = got(await purser.getAnswer({ client, path: { queryId: mean.queryId } }));
assert(again.kind === "mean" && again.answer.mean === mean.answer.mean);

// quotes
const target = got(await purser.quoteCount({
    client,
    path,
    body: { targetAlpha: 5, where: [{ column, above: 30 }] },
}));
assert(Number(target.epsilon) > 0 && target.affordable);
const plan = got(await purser.quotePlan({
    client,
    path,
    body: { questions: [{ kind: "count", request: { epsilon } }, { kind: "mean", request: { epsilon, column } }] },
}));
assert.deepEqual(plan.items.map((item) => item.kind), ["count", "mean"]);

// a session
const session = got(await purser.openThresholdSession({
    client,
    path,
    body: { epsilon, threshold: 100000, maxPositives: 1, queries: "counts" },
}));
const ofSession = { sessionId: session.sessionId };
const outcome = got(await purser.askThresholdSession({
    client,
    path: ofSession,
    body: { sequence: 1, query: { count: { where: [{ column, above: 30 }] } } },
}));
assert.equal(outcome.outcome, "BELOW");
assert.equal((await purser.closeThresholdSession({ client, path: ofSession })).response?.status, 204);
const closed = got(await purser.getThresholdSession({ client, path: ofSession }));
assert.equal(closed.closedBecause, "deleted");

// a refusal with what is missing, and the ledger in pages
const refused = await purser.askCount({ client, path, body: { epsilon: "2" } });
assert.equal(refused.response?.status, 409);
assert.equal(refused.error?.shortfall?.epsilon, "1");
let entries = 0;
for (let after: string | null = ""; after !== null; ) {
    const page: purser.ListedEntryList = got(await purser.listLedger({
        client,
        path,
        query: { after, limit: 4 },
    }));
    entries += page.items.length;
    after = page.next;
}
assert.equal(entries, 10);

// a collection
const range = { lower: 0, upper: 120 };
got(await purser.openCollection({ client, body: { id, protocol: "hybrid", range, epsilon } }));
const empty = got(await purser.getEstimate({ client, path }));
assert.equal(empty.mean, null);
const counted = got(await purser.sendReports({
    client,
    path,
    body: { reports: [{ reportId: "a", point: 20000 }] },
}));
assert.equal(counted.accepted, 1);
assert.equal(typeof got(await purser.getEstimate({ client, path })).mean, "number");

// keys
const made = got(await purser.createKey({ client, body: { name: id, role: "analyst", datasets: [id] } }));
assert.ok(made.key);
const own = got(await purser.getOwnKey({ client: access(made.key) }));
assert.equal(own.expiresAt, null);
await purser.revokeKey({ client, path: { keyId: made.keyId } });
const keys = got(await purser.listKeys({ client, query: { limit: 1000 } }));
assert.equal(keys.items.find((key) => key.keyId === made.keyId)?.state, "revoked");
