import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const { PURSER = "", KEY = "", ROWS = "", RUN = "" } = process.env;
const id = `fetch-${RUN}`;
type Media = "application/json" | "application/problem+json";
const client = (key: string) =>
    createClient<paths, Media>({ baseUrl: PURSER, headers: { Authorization: `Bearer ${key}` } });
const api = client(KEY);

/** The data of a request that succeeded. */
function got<T>(reply: { data?: T; error?: unknown }): T {
    assert(reply.data !== undefined, JSON.stringify(reply.error));
    return reply.data;
}

async function register(id: string, relation: "add-or-remove-one" | "replace-one", type: string, ending: string) {
    const body: components["schemas"]["DatasetRegistration"] = {
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
    const dataset = got(await api.POST("/v1/datasets", { body }));
    assert.deepEqual(dataset.columns.map((column) => column.missing), [0, 40, "Male"]);
    const rows = new Blob([new Uint8Array(await readFile(ROWS + ending))]);
    const upload = await api.PUT("/v1/datasets/{id}/data", {
        params: { path: { id } },
        body: rows as unknown as string,
        bodySerializer: (blob) => blob,
        headers: { "Content-Type": type },
    });
    assert.equal(got(upload).state, "ready");
}

await register(id, "replace-one", "text/csv", ".csv");
await register(`${id}-2`, "add-or-remove-one", "application/vnd.apache.parquet", ".parquet");
got(await api.POST("/v1/datasets/{id}/queries/count", { params: { path: { id: `${id}-2` } }, body: { epsilon: "1" } }));

// every kind of question
const params = { path: { id } };
const column = "age";
const epsilon = "1";
const count = got(await api.POST("/v1/datasets/{id}/queries/count", {
    params: { ...params, header: { "Idempotency-Key": "first" } },
    body: { epsilon, where: [{ column, above: 30 }, { column: "sex", in: ["Male"] }] },
}));
assert.equal(count.question.where?.[0]?.column, column);
const sum = got(await api.POST("/v1/datasets/{id}/queries/sum", { params, body: { epsilon, column: "hours" } }));
const mean = got(await api.POST("/v1/datasets/{id}/queries/mean", { params, body: { epsilon, column } }));
const histogram = got(await api.POST("/v1/datasets/{id}/queries/histogram", {
    params, body: { epsilon, column, edges: [0, 40, 125] },
}));
const quantile = got(await api.POST("/v1/datasets/{id}/queries/quantile", {
    params, body: { epsilon, column, probabilities: [0.5] },
}));
const threshold = got(await api.POST("/v1/datasets/{id}/queries/threshold", {
    params, body: { epsilon, threshold: 100000, queries: [{ clipLoss: { column, bound: 76, step: 1 } }] },
}));
const ranges = got(await api.POST("/v1/datasets/{id}/queries/sparse-range", {
    params, body: { epsilon, column, threshold: -1000, maxPositives: 1, ranges: [{ atLeast: 0, below: 60 }] },
}));
const local = got(await api.POST("/v1/datasets/{id}/queries/local-mean", { params, body: { epsilon, column } }));
assert.equal(typeof (count.answer.count + sum.answer.sum + mean.answer.mean + local.answer.mean), "number");
assert.deepEqual(histogram.answer.bins.map((bin) => bin.upper), [40, 125]);
assert.equal(typeof quantile.answer.quantiles[0]?.value, "number");
assert.equal(threshold.answer.index, null);
assert.equal(ranges.answer.positives[0]?.range.below, 60);

const again = got(await api.GET("/v1/queries/{queryId}", { params: { path: { queryId: mean.queryId } } }));
assert(again.kind === "mean" && again.answer.mean === mean.answer.mean);

// quotes
const target = got(await api.POST("/v1/datasets/{id}/quotes/count", {
    params, body: { targetAlpha: 5, where: [{ column, above: 30 }] },
}));
assert(Number(target.epsilon) > 0 && target.affordable);
const plan = got(await api.POST("/v1/datasets/{id}/quotes", {
    params,
    body: { questions: [{ kind: "count", request: { epsilon } }, { kind: "mean", request: { epsilon, column } }] },
}));
assert.deepEqual(plan.items.map((item) => item.kind), ["count", "mean"]);

// a session
const session = got(await api.POST("/v1/datasets/{id}/threshold-sessions", {
    params, body: { epsilon, threshold: 100000, maxPositives: 1, queries: "counts" },
}));
const ofSession = { path: { sessionId: session.sessionId } };
const outcome = got(await api.POST("/v1/threshold-sessions/{sessionId}/queries", {
    params: ofSession, body: { sequence: 1, query: { count: { where: [{ column, above: 30 }] } } },
}));
assert.equal(outcome.outcome, "BELOW");
assert.equal((await api.DELETE("/v1/threshold-sessions/{sessionId}", { params: ofSession })).response.status, 204);
const closed = got(await api.GET("/v1/threshold-sessions/{sessionId}", { params: ofSession }));
assert.equal(closed.closedBecause, "deleted");

// a refusal with what is missing, and the ledger in pages
const refused = await api.POST("/v1/datasets/{id}/queries/count", { params, body: { epsilon: "2" } });
assert.equal(refused.response.status, 409);
assert.equal(refused.error?.shortfall?.epsilon, "1");
let entries = 0;
for (let after: string | null = ""; after !== null; ) {
    const page: components["schemas"]["ListedEntryList"] = got(await api.GET("/v1/datasets/{id}/ledger", {
        params: { ...params, query: { after, limit: 4 } },
    }));
    entries += page.items.length;
    after = page.next;
}
assert.equal(entries, 10);

// a collection
got(await api.POST("/v1/collections", { body: { id, protocol: "hybrid", range: { lower: 0, upper: 120 }, epsilon } }));
const empty = got(await api.GET("/v1/collections/{id}/estimate", { params }));
assert.equal(empty.mean, null);
const counted = got(await api.POST("/v1/collections/{id}/reports", {
    params, body: { reports: [{ reportId: "a", point: 20000 }] },
}));
assert.equal(counted.accepted, 1);
assert.equal(typeof got(await api.GET("/v1/collections/{id}/estimate", { params })).mean, "number");

// keys
const made = got(await api.POST("/v1/keys", { body: { name: id, role: "analyst", datasets: [id] } }));
assert.ok(made.key);
const own = got(await client(made.key).GET("/v1/keys/self"));
assert.equal(own.expiresAt, null);
await api.DELETE("/v1/keys/{keyId}", { params: { path: { keyId: made.keyId } } });
const keys = got(await api.GET("/v1/keys", { params: { query: { limit: 1000 } } }));
assert.equal(keys.items.find((key) => key.keyId === made.keyId)?.state, "revoked");
