package dev.purser.faults;

import dev.purser.privacy.BlockWindow;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Loads blocks and asks about them under the eyes of the witness, and says at once what no reply may be. */
final class BlockClient {
    private static final int BACK_OFF_MILLIS = 50;

    /** Noise at epsilon 4 or more exceeds this with probability 2e-14. */
    private static final long NOISE = 8;

    private static final long CHECKED_NANOS = 4_000_000_000L;

    private final Api api;
    private final Client client;
    private final Witness witness;
    private final Findings findings;

    BlockClient(Api api, Witness witness, Findings findings) {
        this.api = api;
        this.client = new Client(api, witness, findings);
        this.witness = witness;
        this.findings = findings;
    }

    /**
     * Puts a block, for the first time or again.
     *
     * @param isQuiet whether nobody else can be loading it, so that it is loaded if it is refused
     */
    void load(DividedDataset divided, int block, boolean isQuiet) throws InterruptedException {
        String about = divided.id() + " block " + block;
        divided.sends(block);
        witness.note("puts " + about);
        try {
            Reply reply = api.putBlock(divided.id(), block, DividedDataset.csv(block));
            witness.note("put " + about + " " + reply.status() + " " + reply.problem());
            if (reply.status() >= 500) {
                findings.holds(reply.status() == 503, "I15", about + " got " + reply.body(), divided.id());
                return;
            }
            boolean isRefused = reply.status() == 409 && reply.problem().equals("already-exists");
            boolean isNews = (reply.isAnswer() || isQuiet) && divided.isLoadedNow(block);
            findings.count("blocks loaded", isNews ? 1 : 0);
            findings.holds(reply.isAnswer() ? isNews : isRefused, "I22", about + " got " + reply.body(), divided.id());
        } catch (IOException lost) {
            witness.note("lost " + about + " " + lost.getClass().getSimpleName());
        }
    }

    /** Sends a question, for the first time or again; null if nothing came back. */
    Reply ask(DividedDataset divided, Asked asked) throws InterruptedException {
        BlockWindow window = DividedDataset.window(asked.blocks());
        BlockWindow all = window == null ? new BlockWindow(0, DividedDataset.BLOCKS - 1) : window;
        boolean isReady = DividedDataset.blocks(all).allMatch(divided::isLoaded);
        long paid = window == null ? 0 : divided.mostPaid(window);
        Reply reply = client.ask(divided.dataset(), asked);
        if (reply != null && reply.isAnswer()) {
            checkAnswer(divided, asked, reply);
        } else if (reply != null && reply.isExhausted()) {
            checkRefusal(divided, asked, reply, all, divided.limitNanos() - paid);
        } else if (reply != null && reply.isOfBlocksNotReady()) {
            findings.count("refused: block not ready");
            findings.holds(!isReady, "I22", "blocks are loaded and not ready: " + reply.body(), asked.key());
        }
        return reply;
    }

    /** I22, I23: the answer is about the blocks that were asked about, and has the rows that they were loaded with. */
    private void checkAnswer(DividedDataset divided, Asked asked, Reply reply) {
        BlockWindow answered =
                DividedDataset.window(reply.json().path("question").path("blocks"));
        long rows = reply.json().at("/answer/count").asLong();
        findings.count("rows of blocks compared");
        findings.holds(
                asked.canMean(answered) && Math.abs(rows - DividedDataset.rows(answered)) < NOISE,
                "I23",
                "asked about " + asked.blocks() + ", answered about " + answered + " with " + rows + " rows of "
                        + DividedDataset.rows(answered),
                asked.key());
        findings.holds(
                DividedDataset.blocks(answered).noneMatch(divided::wasNeverSent),
                "I22",
                "answered about a block that was never put: " + answered,
                asked.key());
        divided.answered(asked, answered);
    }

    /**
     * I21: the blocks that a refusal names were asked about and cannot pay, and the refusal states no larger remainder
     * than the answers seen have left.
     */
    private void checkRefusal(DividedDataset divided, Asked asked, Reply reply, BlockWindow all, long left) {
        findings.count("refused: blocks exhausted");
        long remaining = nanos(reply.json());
        long least = Long.MAX_VALUE;
        for (JsonNode run : reply.json().path("blocks")) {
            BlockWindow named = DividedDataset.window(run);
            findings.holds(
                    all.hull(named).equals(all) && nanos(run) < asked.epsilonNanos(),
                    "I21",
                    "named, although not asked about or able to pay: " + reply.body(),
                    asked.key());
            divided.refusedAt(named, divided.limitNanos() - nanos(run));
            least = Math.min(least, nanos(run));
        }
        findings.holds(
                remaining == least && remaining <= left,
                "I21",
                "by the answers seen " + left + " remain, refused was with " + reply.body(),
                asked.key());
    }

    private static long nanos(JsonNode refusal) {
        return Asked.nanos(refusal.at("/remaining/epsilon").asString());
    }

    /** I22: counts the rows of every run of loaded blocks, after the limit was raised for it. */
    void count(DividedDataset divided, String keys, Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        divided.raise(api, CHECKED_NANOS);
        int[] first = IntStream.range(0, DividedDataset.BLOCKS)
                .filter(block -> divided.isLoaded(block) && (block == 0 || !divided.isLoaded(block - 1)))
                .toArray();
        for (int from : first) {
            int to = IntStream.range(from, DividedDataset.BLOCKS)
                    .takeWhile(divided::isLoaded)
                    .max()
                    .orElseThrow();
            Asked asked = Asked.countOf(new BlockWindow(from, to), keys + "-" + from, divided.id(), CHECKED_NANOS);
            Reply reply = ask(divided, asked);
            while ((reply == null || reply.status() >= 500) && System.nanoTime() < deadline) {
                Thread.sleep(BACK_OFF_MILLIS);
                reply = ask(divided, asked);
            }
            findings.holds(
                    reply != null && reply.isAnswer(), "I22", "loaded blocks cannot be counted: " + reply, asked.key());
        }
    }
}
