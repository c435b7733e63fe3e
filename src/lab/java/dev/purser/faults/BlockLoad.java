package dev.purser.faults;

import dev.purser.privacy.BlockWindow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The datasets with blocks of one home, one for each cycle. Under load their blocks are put in any order, some again,
 * and questions are asked about windows of them until their budgets are spent.
 */
final class BlockLoad {
    private static final int PAUSE_MILLIS = 60;
    private static final int MOST_OF_A_WINDOW = 5;
    private static final long NANOS = 1_000_000_000L;
    private static final long LEAST_NANOS = 4 * NANOS;

    private final Witness witness;
    private final Findings findings;
    private final String name;
    private final List<DividedDataset> all = new ArrayList<>();
    private int checks;

    BlockLoad(Witness witness, Findings findings, String name) {
        this.witness = witness;
        this.findings = findings;
        this.name = name;
    }

    /** Registers the dataset of the next cycle, with a budget for a few questions about a block. */
    void begin(Api api, RandomGenerator random) throws IOException, InterruptedException {
        DividedDataset next = new DividedDataset(name + "-v" + all.size(), random.nextLong(20, 60) * NANOS);
        next.register(api);
        for (int block = 0; block < DividedDataset.FIRST_LOADED; block++) {
            client(api).load(next, block, true);
        }
        all.add(next);
    }

    private BlockClient client(Api api) {
        return new BlockClient(api, witness, findings);
    }

    /** Puts one block, mostly one that is not known to be loaded. */
    void load(Api api, RandomGenerator random) throws InterruptedException {
        int block = random.nextInt(DividedDataset.BLOCKS);
        if (!all.getLast().isLoaded(block) || random.nextInt(5) == 0) {
            client(api).load(all.getLast(), block, false);
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Asks one question: of ten questions, three are repeated or of unknown outcome, and the others are new. */
    void ask(Api api, RandomGenerator random, String keys) throws InterruptedException {
        DividedDataset divided = all.getLast();
        int kind = random.nextInt(10);
        Exchange known = kind == 0 ? divided.dataset().someAnswered(random) : null;
        if (kind == 1 || kind == 2) {
            known = divided.dataset().unknown().poll();
        }
        Reply reply = client(api).ask(divided, known == null ? next(divided, random, keys) : known.asked());
        if (reply == null || !reply.isAnswer()) {
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** A new question. Of ten, two are about the latest blocks, one is about any, and seven are about loaded blocks. */
    private static Asked next(DividedDataset divided, RandomGenerator random, String keys) {
        String key = keys + "-" + random.nextLong(Long.MAX_VALUE);
        long nanos = LEAST_NANOS + random.nextLong(NANOS);
        int size = random.nextInt(1, MOST_OF_A_WINDOW + 1);
        int kind = random.nextInt(10);
        if (kind < 2) {
            return Asked.countOf("{\"latest\": " + size + "}", key, divided.id(), nanos);
        }
        int first = random.nextInt(DividedDataset.BLOCKS - size + 1);
        return Asked.countOf(
                kind == 2 ? new BlockWindow(first, first + size - 1) : divided.someLoaded(random, size),
                key,
                divided.id(),
                nanos);
    }

    /** After a restart: every block of unknown outcome is put until it is loaded, and every question is asked again. */
    void resolve(Api api, Duration patience) throws InterruptedException {
        DividedDataset divided = all.getLast();
        BlockClient client = client(api);
        long deadline = System.nanoTime() + patience.toNanos();
        for (int block = 0; block < DividedDataset.BLOCKS; block++) {
            findings.count("blocks of unknown outcome", divided.isUnknown(block) ? 1 : 0);
            while (divided.isUnknown(block) && System.nanoTime() < deadline) {
                client.load(divided, block, true);
            }
            findings.holds(!divided.isUnknown(block), "I15", "block " + block + " cannot be put", divided.id());
        }
        new Recovery(witness, findings, patience).resolve(divided.dataset(), asked -> client.ask(divided, asked));
    }

    /** The dataset of this cycle and one of any cycle, after the rows of their loaded blocks were counted. */
    List<DividedDataset> counted(Api api, RandomGenerator random, Duration patience)
            throws IOException, InterruptedException {
        return counted(api, List.of(all.getLast(), all.get(random.nextInt(all.size()))), patience);
    }

    /** All datasets, after the rows of their loaded blocks were counted. */
    List<DividedDataset> counted(Api api, Duration patience) throws IOException, InterruptedException {
        return counted(api, all, patience);
    }

    private List<DividedDataset> counted(Api api, List<DividedDataset> some, Duration patience)
            throws IOException, InterruptedException {
        for (DividedDataset divided : some) {
            client(api).count(divided, name + "-w" + checks++, patience);
        }
        return some;
    }
}
