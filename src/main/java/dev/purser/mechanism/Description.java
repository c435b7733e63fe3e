package dev.purser.mechanism;

import dev.purser.noise.Rational;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A public description of how an answer was made.
 *
 * @param name the mechanism's name in {@link Mechanisms}
 * @param noise the noise distribution, for example {@code discrete-laplace}
 * @param parameters plain values by name, in a stable order; an {@link InSteps} counts grid steps
 */
public record Description(String name, String noise, Map<String, Object> parameters) {
    static final String DISCRETE_LAPLACE = "discrete-laplace";
    static final String ONE_SIDED_GEOMETRIC = "one-sided-geometric";
    static final String DISCRETE_GAUSSIAN = "discrete-gaussian";
    static final String LOCAL_RANDOMIZER = "local-randomizer";

    public Description {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    static Description discreteLaplace(String name) {
        return new Description(name, DISCRETE_LAPLACE, Map.of());
    }

    /** A parameter in grid steps, which answers show in the unit of the data. */
    public record InSteps(BigDecimal steps) {}

    /** The same description with one more parameter, counted in grid steps. */
    Description withSteps(String parameter, Rational steps) {
        return withSteps(parameter, ExactArithmetic.display(steps));
    }

    /** The same description with one more parameter, counted in grid steps. */
    Description withSteps(String parameter, BigDecimal steps) {
        return with(parameter, new InSteps(steps));
    }

    /** The same description with another distribution. */
    Description withNoise(String distribution) {
        return new Description(name, distribution, parameters);
    }

    /** The same description with one more parameter. */
    Description with(String parameter, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(parameters);
        more.put(parameter, value);
        return new Description(name, noise, more);
    }
}
