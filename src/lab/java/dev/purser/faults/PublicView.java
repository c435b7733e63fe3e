package dev.purser.faults;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/** Compares what the service says of a ledger over HTTP with the database of the ledger. */
final class PublicView {
    private final Api api;
    private final Findings findings;

    PublicView(Api api, Findings findings) {
        this.api = api;
        this.findings = findings;
    }

    void check(TestDataset dataset, List<Booked> entries, RandomGenerator random)
            throws IOException, InterruptedException {
        JsonNode budget = api.get("/v1/datasets/" + dataset.id() + "/budget");
        findings.holds(
                budget.at("/spent/epsilon")
                                .stringValue()
                                .equals(Asked.decimal(dataset.seen().spentNanos()))
                        && budget.at("/limit/epsilon")
                                .stringValue()
                                .equals(Asked.decimal(dataset.seen().limitNanos())),
                "I1",
                "the budget is " + budget + ", the account " + dataset.seen(),
                "");
        long verified = verify(dataset.id());
        findings.holds(
                verified == entries.size(),
                "I7",
                verified + " entries were verified, the database has " + entries.size(),
                "");
        checkPages(dataset, entries, random.nextInt(200, 1_000));
    }

    /** Has the service verify a ledger itself, and gives the number of its entries. */
    long verify(String dataset) throws IOException, InterruptedException {
        JsonNode verification = api.get("/v1/datasets/" + dataset + "/ledger/verification");
        findings.count("ledgers verified by the service");
        findings.holds(
                verification.path("valid").booleanValue(false),
                "I7",
                "the service finds its ledger of " + dataset + " wrong: " + verification,
                "");
        return verification.path("entries").longValue(-1);
    }

    private void checkPages(TestDataset dataset, List<Booked> entries, int limit)
            throws IOException, InterruptedException {
        String after = "0";
        int seen = 0;
        while (after != null) {
            JsonNode page = api.get("/v1/datasets/" + dataset.id() + "/ledger?after=" + after + "&limit=" + limit);
            for (JsonNode item : page.path("items")) {
                if (seen >= entries.size() || !agrees(item, entries.get(seen))) {
                    findings.broken("I7", "the ledger's page says " + item + " where the database has another entry");
                    return;
                }
                seen++;
            }
            after = page.path("next").isNull() ? null : page.path("next").asString();
        }
        findings.holds(seen == entries.size(), "I7", "the pages have " + seen + " entries of " + entries.size(), "");
    }

    private static boolean agrees(JsonNode item, Booked entry) {
        return item.path("sequence").longValue() == entry.sequence()
                && item.path("type").stringValue("").equals(entry.type())
                && item.path("analyst").stringValue("").equals(entry.analyst())
                && item.path("hash").stringValue("").equals(entry.hash())
                && item.path("previousHash").stringValue("").equals(entry.previousHash())
                && item.at("/charge/epsilon").stringValue("").equals(Asked.decimal(entry.chargedNanos()))
                && item.at("/spentAfter/epsilon").stringValue("").equals(Asked.decimal(entry.spentNanos()))
                && Objects.equals(DividedDataset.window(item.path("blocks")), entry.window());
    }

    /** The stored answer of a question, as anybody may fetch it again. */
    void checkStored(Booked entry) throws IOException, InterruptedException {
        findings.count("stored answers fetched");
        findings.holds(
                Digests.sha256(api.bytes("/v1/queries/" + entry.queryId())).equals(entry.bodyDigest()),
                "I5",
                "the answer that is served is not the one that is stored",
                entry.key());
    }
}
