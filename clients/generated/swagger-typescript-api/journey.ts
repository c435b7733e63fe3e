import { Api, ContentType } from "./client.js";
import { request, walk } from "./uploads.js";

const purser = new Api(request);

await walk("swagger-typescript-api", {
    register: (dataset) => purser.v1.registerDataset(dataset),
    // Without a type for the file, the client sends the JSON of the file as text/plain.
    upload: async (id, rows, type) =>
        (await purser.v1.uploadData(id, rows, undefined, { type: type as ContentType })).data,
});
