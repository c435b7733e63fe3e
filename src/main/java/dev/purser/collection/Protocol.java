package dev.purser.collection;

import dev.purser.local.ReportSums;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.noise.RecordedBits;
import dev.purser.privacy.Epsilon;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A local randomizer as a collection runs it.
 *
 * @param <R> a report
 * @param randomizer the name of the randomizer in {@code LocalRandomizers}
 * @param epsilon the local epsilon of one whole report, for any value of the device
 * @param remark a sentence that a reader of {@code epsilon} has to know; empty if there is none
 * @param form how reports are written
 * @param sums the sums that are kept instead of the reports
 * @param together how many reports are counted in one transaction
 * @param estimator makes estimates from the sums
 * @param basis the basis of the intervals, in words
 * @param constants the constants that a device needs, as integers and exact rationals
 * @param examples examples of reports, with public values
 */
record Protocol<R>(
        String randomizer,
        Epsilon epsilon,
        String remark,
        ReportForm<R> form,
        ReportSums<R> sums,
        int together,
        Estimator estimator,
        String basis,
        Map<String, Object> constants,
        List<Example<R>> examples) {
    /** Grid steps of the range of numbers. A device rounds its value to the nearest. */
    static final long WIDTH = 1 << 16;

    /** The version, which changes when the same random bits lead to another report. */
    private static final int VERSION = 1;

    /** Estimates from sums. */
    @FunctionalInterface
    interface Estimator {
        /**
         * The estimates, for numbers as positions of [-1, 1].
         *
         * @param reports at least 1
         * @param beta the probability that at least one of the intervals misses
         */
        Estimate of(long[] sums, long reports, double beta);
    }

    /**
     * A public value, and how a device reports it.
     *
     * @param value the value as the document shows it
     */
    record Example<R>(Map<String, Object> value, Function<RandomBits, R> report) {}

    /**
     * Everything that a device needs, with examples drawn from {@code bits}, so that the author of a device can
     * compare.
     */
    Map<String, Object> document(RandomBits bits) {
        List<Map<String, Object>> vectors = examples.stream()
                .map(example -> {
                    RecordedBits recorded = new RecordedBits(bits);
                    R report = example.report().apply(recorded);
                    Map<String, Object> vector = new LinkedHashMap<>();
                    vector.put("value", example.value());
                    vector.put("randomness", recorded.hex());
                    vector.put("report", form.write(report));
                    return vector;
                })
                .toList();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("randomizer", randomizer);
        document.put("version", VERSION);
        document.put("constants", constants);
        document.put("testVectors", vectors);
        return document;
    }

    /** The guarantee in words. */
    String statement() {
        return "One report is " + epsilon + "-locally differentially private: for any two values of a device, the"
                + " probabilities of a report differ by a factor of at most e^" + epsilon + ". " + remark
                + "The epsilons of all collections that one device answers add up. Nothing is gained by shuffling"
                + " reports. A device that reports again with fresh randomness spends epsilon again, so it has to keep"
                + " its report.";
    }

    /** A constant of a device: epsilon, or one of its equal parts. */
    static String constant(Epsilon epsilon, int parts) {
        return constant(Rational.of(epsilon.nanos(), Epsilon.NANOS_PER_UNIT).dividedBy(Rational.of(parts, 1)));
    }

    /** A constant of a device. */
    static String constant(Rational number) {
        return number.numerator() + "/" + number.denominator();
    }
}
