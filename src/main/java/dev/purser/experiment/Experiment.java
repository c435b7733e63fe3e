package dev.purser.experiment;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** A comparison of methods, read and bounded, that is ready to run. */
public sealed interface Experiment permits MeanExperiment, RegressionExperiment {
    /** How many reports it draws. */
    long reports();

    /** Draws all reports. */
    ExperimentResult run(Progress progress, RandomBits bits);

    /**
     * The nominal epsilons. The largest level's epsilon is five times as much, and a protocol's epsilon is at most 100.
     */
    Field<List<Epsilon>> EPSILONS = Field.required(
            "epsilons",
            FieldType.listOf(FieldType.epsilon(Epsilon.parse("0.01"), Epsilon.parse("5")), 1, 10)
                    .then((_, sent) -> distinct(sent)),
            "");

    /** A field with a list of some of these words. Without a list it has all of them. */
    static <T extends Enum<T>> Field<List<T>> words(String name, List<T> all) {
        return Field.optional(
                        name,
                        FieldType.listOf(FieldType.choice(all, Method::word), 1, all.size())
                                .then((_, sent) -> distinct(sent))
                                .orNone(),
                        "")
                .withDefault(all);
    }

    private static <T> Optional<List<T>> distinct(List<T> sent) {
        return Optional.of(sent.stream().distinct().toList());
    }

    /** A number of [-1, 1]. */
    FieldType<Double> UNIT = FieldType.number(BigDecimal.ONE.negate(), BigDecimal.ONE)
            .then((_, sent) -> Optional.of(sent.doubleValue()));

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
