import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { AxiosRequestConfig } from "axios";

const { PURSER = "", KEY = "", ROWS = "", RUN = "" } = process.env;

/** The options for every request of the clients that send with axios. */
export const request: AxiosRequestConfig = { baseURL: PURSER, headers: { Authorization: `Bearer ${KEY}` } };

/** The calls that a client makes for an upload. */
interface Uploading {
    register(dataset: ReturnType<typeof registration>): Promise<unknown>;
    upload(id: string, rows: File, type: string): Promise<{ state?: string | null; rowsRead: number }>;
}

function registration(id: string) {
    return {
        id,
        columns: [{ name: "age", type: "integer" as const, lower: 0, upper: 125, missing: 0 }],
        privacyUnit: { type: "row" as const },
        neighboringRelation: "replace-one" as const,
        maxRows: 1000,
        budget: { epsilon: "1" },
        declaredPublic: true,
    };
}

/** Uploads CSV and Parquet, byte for byte: the service reads rows of both. */
export async function walk(name: string, client: Uploading) {
    for (const [ending, type] of [["csv", "text/csv"], ["parquet", "application/vnd.apache.parquet"]] as const) {
        const id = `${name}-${ending}-${RUN}`;
        await client.register(registration(id));
        // Under Node, axios sends the type of the file, whatever the header says.
        const rows = new File([new Uint8Array(await readFile(`${ROWS}.${ending}`))], id, { type });
        const report = await client.upload(id, rows, type);
        assert.equal(report.state, "ready");
        assert(report.rowsRead > 0);
    }
}
