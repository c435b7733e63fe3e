import { getPurser } from "./client.js";
import { request, walk } from "./uploads.js";

const purser = getPurser();

await walk("orval", {
    register: (dataset) => purser.registerDataset(dataset, request),
    upload: async (id, rows, type) =>
        (await purser.uploadData(id, rows, { ...request, headers: { ...request.headers, "Content-Type": type } })).data,
});
