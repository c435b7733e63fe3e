package dev.purser.ledger;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Calls from many virtual threads, each of which makes its next call when its last has returned. */
final class Calls {
    /** What is called, with a number of its own each time. */
    @FunctionalInterface
    interface Call {
        void run(long number) throws Exception;
    }

    private final AtomicLong numbers = new AtomicLong();
    private final int threads;
    private final Call call;

    Calls(int threads, Call call) {
        this.threads = threads;
        this.call = call;
    }

    /** Calls for this time and gives how many calls returned per second. */
    double perSecond(double seconds) throws InterruptedException {
        AtomicLong returned = new AtomicLong();
        CountDownLatch done = new CountDownLatch(threads);
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        for (int i = 0; i < threads; i++) {
            Thread.ofVirtual().start(() -> {
                try {
                    while (System.nanoTime() < end) {
                        call.run(numbers.getAndIncrement());
                        returned.incrementAndGet();
                    }
                } catch (Exception failure) {
                    failure.printStackTrace();
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        return returned.get() / ((System.nanoTime() - start) / 1e9);
    }
}
