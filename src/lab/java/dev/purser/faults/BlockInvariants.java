package dev.purser.faults;

import dev.purser.privacy.BlockWindow;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** I21 to I23: compares what the service says of each block with the ledger's entries and with what the clients saw. */
record BlockInvariants(Api api, Witness witness, Findings findings) {
    void check(DividedDataset divided, List<Booked> entries) throws IOException, InterruptedException {
        long[] sums = new long[DividedDataset.BLOCKS];
        for (Booked entry : entries) {
            if (entry.isCharge()) {
                DividedDataset.blocks(entry.charged()).forEach(block -> sums[block] += entry.chargedNanos());
                checkWindow(entry);
            }
        }
        long[] least = divided.leastSpent().toArray();
        long[] served = new long[DividedDataset.BLOCKS];
        Arrays.fill(served, -1);
        for (JsonNode run : api.get("/v1/datasets/" + divided.id() + "/blocks").path("items")) {
            long spent = Asked.nanos(run.at("/spent/epsilon").asString());
            boolean isReady = run.path("state").asString().equals("ready");
            DividedDataset.blocks(DividedDataset.window(run)).forEach(block -> {
                served[block] = spent;
                findings.holds(
                        isReady == divided.isLoaded(block),
                        "I22",
                        "block " + block + (isReady ? " is ready and was not loaded" : " was loaded and is not ready"),
                        divided.id());
            });
        }
        for (int block = 0; block < DividedDataset.BLOCKS; block++) {
            findings.count("blocks checked");
            findings.holds(
                    served[block] == sums[block] && least[block] <= sums[block] && sums[block] <= divided.limitNanos(),
                    "I21",
                    "of block " + block + " " + served[block] + " is spent of " + divided.limitNanos()
                            + ", its entries sum to " + sums[block] + ", the replies seen to " + least[block],
                    divided.id());
        }
    }

    /** Each block of the entry was asked about, and it is the window of the answer. */
    private void checkWindow(Booked entry) {
        Exchange exchange = witness.exchange(entry.key());
        if (exchange != null) {
            BlockWindow answered = exchange.window();
            findings.holds(
                    exchange.asked().canMean(entry.charged()),
                    "I21",
                    "asked about " + exchange.asked().blocks() + ", charged to " + entry.charged(),
                    entry.key());
            findings.holds(
                    answered == null || answered.equals(entry.charged()),
                    "I23",
                    "charged to " + entry.charged() + ", answered about " + answered,
                    entry.key());
        }
    }
}
