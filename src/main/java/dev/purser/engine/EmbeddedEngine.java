package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.ledger.CommittedDebit;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.rows.RowsFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers from uploaded rows. Each dataset has one {@link RowsFile}, whose values are already on the grid and within
 * their bounds. A dataset with blocks has one file for each loaded block. The files of the blocks that paid are read,
 * and their statistics are added up. No file is open before it is read. The heap use follows from the groups and edges
 * of a question and the number of threads.
 *
 * <p>Counts and sums of one column without a filter are looked up in its profile. The counts of the groups of one key
 * are looked up in the same way. Every other request is a {@link RowScan}. Requests with the same column, filter and
 * keys share a pass. No look-up and no scan branches on a value, so for a given number of rows the time follows from
 * the request, as far as a program can ensure it.
 *
 * <p>Every failure to read the rows (a missing, truncated or damaged file, too little memory, too much time) becomes
 * one problem with one text. The log gets the class of the failure and the dataset's id.
 */
public final class EmbeddedEngine implements DataEngine, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedEngine.class);

    private final OpenRows open;
    private final int threads;
    private final Duration timeout;
    private final ExecutorService scanners;

    /**
     * @param threads the number of threads that read rows, for all questions together
     * @param maxOpen the number of files that stay open between questions
     * @param timeout the time for all passes of one question
     */
    public record Settings(int threads, int maxOpen, Duration timeout) {
        public static final Settings DEFAULT = new Settings(2, 4, Duration.ofSeconds(120));

        public Settings {
            if (threads < 1 || maxOpen < 1 || !timeout.isPositive()) {
                throw new IllegalArgumentException("at least one thread, one open file and some time are needed");
            }
        }
    }

    public EmbeddedEngine(DatasetFiles files, BlockDigests digests, Settings settings) {
        open = new OpenRows(files, digests, settings.maxOpen());
        threads = settings.threads();
        timeout = settings.timeout();
        // These are platform threads, because reading rows has no wait in which a virtual thread could give way.
        scanners = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("engine-", 0).factory());
    }

    @Override
    public Sensitive<List<Buckets>> collect(CommittedDebit debit, Dataset dataset, List<BucketRequest> requests) {
        List<OptionalInt> files = PaidBlocks.of(debit, dataset)
                .map(paid -> IntStream.rangeClosed(paid.first(), paid.last())
                        .mapToObj(OptionalInt::of)
                        .toList())
                .orElse(List.of(OptionalInt.empty()));
        List<SharedPass> passes = requests.stream()
                .map(request -> SharedPass.of(dataset, request))
                .toList();
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            return Sensitive.of(collect(dataset, files, requests, passes, deadline));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Unanswered.because(e, dataset, LOG);
        } catch (ExecutionException e) {
            throw Unanswered.because(Objects.requireNonNullElse(e.getCause(), e), dataset, LOG);
        } catch (IOException | TimeoutException | RuntimeException e) {
            throw Unanswered.because(e, dataset, LOG);
        }
    }

    private List<Buckets> collect(
            Dataset dataset,
            List<OptionalInt> files,
            List<BucketRequest> requests,
            List<SharedPass> passes,
            long deadline)
            throws IOException, TimeoutException, InterruptedException, ExecutionException {
        List<ProfileLookup> lookups = new ArrayList<>();
        Map<SharedPass, RowScan> scans = new LinkedHashMap<>();
        List<Supplier<Buckets>> collected = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            BucketRequest request = requests.get(i);
            if (ProfileLookup.answers(request)) {
                ProfileLookup lookup = new ProfileLookup(dataset, request);
                lookups.add(lookup);
                collected.add(lookup::build);
            } else {
                Buckets.Builder into = request.builder();
                scans.computeIfAbsent(passes.get(i), pass -> new RowScan(dataset, pass))
                        .serve(request, into);
                collected.add(into::build);
            }
        }
        if (!lookups.isEmpty()) {
            lookUp(dataset, files, lookups, deadline);
        }
        if (!scans.isEmpty()) {
            scan(dataset, files, scans.values(), deadline);
        }
        return collected.stream().map(Supplier::get).toList();
    }

    private void lookUp(Dataset dataset, List<OptionalInt> files, List<ProfileLookup> lookups, long deadline)
            throws IOException, TimeoutException {
        for (OptionalInt file : files) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException();
            }
            try (OpenRows.Lease lease = open.borrow(dataset, file)) {
                for (ProfileLookup lookup : lookups) {
                    lookup.add(lease.rows());
                }
            }
        }
    }

    /** Threads take one file after another. If there are more threads than files, several threads share a file. */
    private void scan(Dataset dataset, List<OptionalInt> files, Collection<RowScan> scans, long deadline)
            throws InterruptedException, ExecutionException {
        int shares = Math.ceilDiv(threads, files.size());
        List<Callable<@Nullable Void>> tasks = new ArrayList<>();
        for (OptionalInt file : files) {
            for (int share = 0; share < shares; share++) {
                int number = share;
                tasks.add(() -> {
                    scanShare(dataset, file, scans, number, shares, deadline);
                    return null;
                });
            }
        }
        // All tasks have ended when invokeAll returns. After an interrupt, tasks may find their file closed, and fail.
        for (Future<?> task : scanners.invokeAll(tasks)) {
            task.get();
        }
    }

    private void scanShare(
            Dataset dataset, OptionalInt file, Collection<RowScan> scans, int number, int shares, long deadline)
            throws IOException, TimeoutException {
        try (OpenRows.Lease lease = open.borrow(dataset, file)) {
            RowsFile rows = lease.rows();
            for (RowScan scan : scans) {
                // A unit's rows must not be counted by two threads: units are counted by the first thread alone.
                int of = scan.isOfUnits() ? 1 : shares;
                if (number < of) {
                    scan.add(rows, begin(rows.rows(), number, of), begin(rows.rows(), number + 1, of), deadline);
                }
            }
        }
    }

    /** The first row of a share, for any number of rows, without overflow. */
    private static long begin(long rows, int share, int shares) {
        return rows / shares * share + Math.min(share, rows % shares);
    }

    /** Closes the dataset's files for good, once no question reads them. It is called before the files are deleted. */
    public void forget(String datasetId) {
        open.forget(datasetId);
    }

    @Override
    public void close() {
        // Running scans end first. Their files are closed after them.
        scanners.shutdown();
        open.close();
    }
}
