package dev.purser.faults;

import java.io.IOException;

/** The end of a budget: the rest can be spent to the last nano-epsilon, and after that nothing can be spent. */
final class Boundary {
    private static final long LEAST_NANOS = 1_000;

    private final Client client;
    private final Api api;
    private final Findings findings;

    Boundary(Client client, Api api, Findings findings) {
        this.client = client;
        this.api = api;
        this.findings = findings;
    }

    void check(TestDataset dataset, long seed) throws IOException, InterruptedException {
        Questions questions = new Questions(seed, dataset.id() + "-b" + Long.toUnsignedString(seed, 36));
        long remaining = remaining(dataset);
        if (remaining >= LEAST_NANOS) {
            Reply all = client.ask(dataset, questions.next(dataset.id(), remaining));
            findings.holds(
                    all != null && all.isAnswer() && remaining(dataset) == 0,
                    "I2",
                    "what remains, " + remaining + " nano-epsilon, could not be spent: " + all,
                    "");
        }
        Reply more = client.ask(dataset, questions.next(dataset.id(), LEAST_NANOS));
        findings.holds(
                more != null && more.isExhausted(), "I2", "a question after the last one was not refused: " + more, "");
        findings.count("budgets spent to the last unit");
    }

    private long remaining(TestDataset dataset) throws IOException, InterruptedException {
        return Asked.nanos(api.get("/v1/datasets/" + dataset.id() + "/budget")
                .at("/remaining/epsilon")
                .stringValue());
    }
}
