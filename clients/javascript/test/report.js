// Verifies the protocol documents in a JSON file and prints, for each, a list of reports as JSON. Among the values that
// are reported are some that no document asks for: node test/report.js documents.json
import { readFileSync } from "node:fs";
import { gradient, report, verify } from "../purser-device.js";

const VALUES = [3, [0.5, -1, 7], "b", "none of the categories", -1e308, Number.NaN, undefined];

const documents = JSON.parse(readFileSync(process.argv[2], "utf8"));
const reports = documents.map((document) => {
    verify(document);
    const own = document.model ? [gradient(document, [0.5], 1)] : [];
    return [...own, ...VALUES].map((value) => report(document, value, { level: 1 }));
});
console.log(JSON.stringify(reports));
