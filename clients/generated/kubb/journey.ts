import { setConfig } from "@kubb/plugin-client/clients/axios";
import { registerDataset } from "./client/clients/registerDataset.js";
import { uploadData } from "./client/clients/uploadData.js";
import { request, walk } from "./uploads.js";

setConfig(request as Parameters<typeof setConfig>[0]);

await walk("kubb", {
    register: registerDataset,
    upload: (id, rows, type) => uploadData(id, rows, undefined, undefined, { headers: { "Content-Type": type } }),
});
