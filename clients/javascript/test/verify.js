// Verifies the protocol documents in a JSON file: node test/verify.js documents.json
import { readFileSync } from "node:fs";
import { verify } from "../purser-device.js";

const documents = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const document of documents) {
    verify(document);
}
console.log(`all test vectors of ${documents.length} documents pass`);
