import { getPurser } from "./client.js";
import { request, walk } from "./uploads.js";

const purser = getPurser();

await walk("orval", {
    register: (dataset) => purser.registerDataset(dataset, request),
    upload: async (id, rows, type) => {
        const headers = { ...request.headers, "Content-Type": type };
        return (await purser.uploadData(id, rows, undefined, { ...request, headers })).data;
    },
});
