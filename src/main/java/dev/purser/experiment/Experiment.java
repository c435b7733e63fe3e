package dev.purser.experiment;

import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A comparison of methods, read and bounded, that is ready to run. */
public sealed interface Experiment permits MeanExperiment, RegressionExperiment {
    /** How many reports it draws. */
    long reports();

    /** Draws all reports. */
    ExperimentResult run(Progress progress, RandomBits bits);

    /** Reads the nominal epsilons. The largest level is five times as much, and a protocol's epsilon at most 100. */
    static Optional<List<Epsilon>> epsilons(ObjectReader in) {
        return in.required("epsilons")
                .list(1, 10, each -> each.epsilon(Epsilon.parse("0.01"), Epsilon.parse("5")))
                .map(sent -> sent.stream().distinct().toList());
    }

    /** Reads some of these words; without a list, all of them. */
    static <T extends Enum<T>> Optional<List<T>> words(ObjectReader in, String name, List<T> all) {
        if (!in.hasElements(name)) {
            return Optional.of(all);
        }
        T[] none = Arrays.copyOf(all.getFirst().getDeclaringClass().getEnumConstants(), 0);
        return in.optional(name)
                .list(1, all.size(), each -> each.label(all.toArray(none), Method::word))
                .map(sent -> sent.stream().distinct().toList());
    }

    /** A number of [-1, 1]. */
    static Optional<Double> unit(ValueReader sent) {
        return sent.decimal(BigDecimal.ONE.negate(), BigDecimal.ONE).map(BigDecimal::doubleValue);
    }

    /** Refuses an experiment that draws too many reports. */
    static <T extends Experiment> Optional<T> bounded(ObjectReader in, Optional<T> read, long most) {
        return read.filter(experiment -> {
            boolean fits = experiment.reports() <= most;
            if (!fits) {
                in.refuse("an experiment may draw at most " + most + " reports, this one would draw "
                        + experiment.reports());
            }
            return fits;
        });
    }
}
