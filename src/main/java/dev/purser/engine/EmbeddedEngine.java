package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.ledger.CommittedDebit;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.rows.Prefixes;
import dev.purser.rows.RowsFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers from uploaded rows. Each dataset has one {@link RowsFile}, whose values are already on the grid and within
 * their bounds. The heap use follows from the groups and edges of a question and the number of threads.
 *
 * <p>Counts and sums of one column without a filter are looked up in its profile, and so are the counts of the groups
 * of one key. Every other request is a {@link RowScan}; requests with the same column, filter and keys share a pass.
 * Neither branches on a value, so for a given number of rows the time follows from the request, as far as a program can
 * ensure it.
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
     * @param threads that read rows, for all questions together
     * @param maxOpen the number of datasets whose files stay open between questions
     * @param timeout for all passes of one question
     */
    public record Settings(int threads, int maxOpen, Duration timeout) {
        public static final Settings DEFAULT = new Settings(2, 4, Duration.ofSeconds(120));

        public Settings {
            if (threads < 1 || maxOpen < 1 || !timeout.isPositive()) {
                throw new IllegalArgumentException("at least one thread, one open dataset and some time are needed");
            }
        }
    }

    public EmbeddedEngine(DatasetFiles files, Settings settings) {
        open = new OpenRows(files, settings.maxOpen());
        threads = settings.threads();
        timeout = settings.timeout();
        // Platform threads: reading rows blocks on nothing that a virtual thread could wait for.
        scanners = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("engine-", 0).factory());
    }

    @Override
    public Sensitive<List<Buckets>> collect(CommittedDebit debit, Dataset dataset, List<BucketRequest> requests) {
        Objects.requireNonNull(debit, "rows are read for a committed debit only");
        List<SharedPass> passes = requests.stream()
                .map(request -> SharedPass.of(dataset, request))
                .toList();
        long deadline = System.nanoTime() + timeout.toNanos();
        try (OpenRows.Lease lease = open.borrow(dataset)) {
            return Sensitive.of(collect(lease.rows(), dataset, requests, passes, deadline));
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
            RowsFile rows, Dataset dataset, List<BucketRequest> requests, List<SharedPass> passes, long deadline)
            throws IOException, TimeoutException, InterruptedException, ExecutionException {
        Map<SharedPass, List<Integer>> scans = new LinkedHashMap<>();
        Buckets[] collected = new Buckets[requests.size()];
        for (int i = 0; i < collected.length; i++) {
            BucketRequest request = requests.get(i);
            if (isInProfile(request)) {
                collected[i] = lookUp(rows, dataset, request);
            } else {
                scans.computeIfAbsent(passes.get(i), pass -> new ArrayList<>()).add(i);
            }
        }
        for (Map.Entry<SharedPass, List<Integer>> scan : scans.entrySet()) {
            List<BucketRequest> sharing =
                    scan.getValue().stream().map(requests::get).toList();
            List<Buckets> buckets = scan(rows, dataset, scan.getKey(), sharing, deadline);
            for (int i = 0; i < sharing.size(); i++) {
                collected[scan.getValue().get(i)] = buckets.get(i);
            }
        }
        return List.of(collected);
    }

    /** A profile knows counts and sums of all rows by the values of one column. */
    private static boolean isInProfile(BucketRequest request) {
        int keys = request.keys().size();
        return !request.filter().isSelective()
                && !request.squares()
                && (keys == 0 || keys == 1 && request.column() == null);
    }

    private static Buckets lookUp(RowsFile rows, Dataset dataset, BucketRequest request) throws IOException {
        if (!request.keys().isEmpty()) {
            return lookUpKey(rows, dataset, request.keys().getFirst());
        }
        long[] edges = request.edges();
        if (request.column() == null) {
            return Buckets.ofPrefixes(edges, new long[] {rows.rows()}, new long[1], new long[1]);
        }
        Prefixes below = below(rows, dataset, request.column(), edges);
        return Buckets.ofPrefixes(edges, below.counts(), below.sumsHigh(), below.sumsLow());
    }

    private static Buckets lookUpKey(RowsFile rows, Dataset dataset, GroupKey key) throws IOException {
        long[] counts = below(rows, dataset, key.column(), key.edges()).counts();
        Buckets.Builder groups = Buckets.counts(key.groups());
        for (int group = 0; group < key.groups(); group++) {
            groups.add(group, 0, counts[group + 1] - counts[group]);
        }
        return groups.build();
    }

    private static Prefixes below(RowsFile rows, Dataset dataset, Column column, long[] edges) throws IOException {
        return rows.profile(dataset.columns().indexOf(column)).below(edges);
    }

    private List<Buckets> scan(
            RowsFile rows, Dataset dataset, SharedPass pass, List<BucketRequest> requests, long deadline)
            throws InterruptedException, ExecutionException {
        List<Buckets.Builder> builders =
                requests.stream().map(BucketRequest::builder).toList();
        RowScan scan = new RowScan(rows, dataset, pass, requests, builders);
        List<Callable<@Nullable Void>> parts = new ArrayList<>();
        for (int part = 0; part < threads; part++) {
            long from = share(rows.rows(), part);
            long to = share(rows.rows(), part + 1);
            parts.add(() -> {
                scan.add(from, to, deadline);
                return null;
            });
        }
        // All parts have ended when this returns. After an interrupt they may find their file closed, and fail.
        for (Future<?> part : scanners.invokeAll(parts)) {
            part.get();
        }
        return builders.stream().map(Buckets.Builder::build).toList();
    }

    /** The first row of a thread's share, for any number of rows, without overflow. */
    private long share(long rows, int part) {
        return rows / threads * part + Math.min(part, rows % threads);
    }

    /** Closes the dataset's file for good, once no question reads it. To be called before the file is deleted. */
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
