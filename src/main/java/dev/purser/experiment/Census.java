package dev.purser.experiment;

import dev.purser.noise.DiscreteGaussian;
import dev.purser.noise.RandomBits;

/**
 * Generated people with eight features in [-1, 1], and an income that depends linearly on five of them, with noise. Age
 * is uniform. Years of education are normal with a standard deviation of 0.3, hours of work of 0.25. Sex is -1 or 1.
 * Married is 1 with a probability that grows with age, else -1. Three more features do not affect the income.
 */
final class Census {
    static final String STATEMENT = "Generated people: age uniform in [-1, 1]; education normal, standard deviation"
            + " 0.3; hours normal, 0.25; sex -1 or 1; married 1 with probability (age + 1)/2, else -1; three uniform"
            + " features that say nothing; income = -0.1 + 0.15 age + 0.4 education + 0.3 hours + 0.1 sex + 0.15"
            + " married + noise of standard deviation 0.1, all clamped to [-1, 1].";

    private static final double[] WEIGHTS = {0.15, 0.4, 0.3, 0.1, 0.15, 0, 0, 0};
    private static final double INTERCEPT = -0.1;
    private static final DiscreteGaussian EDUCATION = new DiscreteGaussian(Distribution.variance(3, 10));
    private static final DiscreteGaussian HOURS = new DiscreteGaussian(Distribution.variance(1, 4));
    private static final DiscreteGaussian NOISE = new DiscreteGaussian(Distribution.variance(1, 10));

    private Census() {}

    /** A person's features, then the income. */
    static double[] person(RandomBits bits) {
        double[] person = new double[WEIGHTS.length + 1];
        person[0] = uniform(bits);
        person[1] = normal(EDUCATION, bits);
        person[2] = normal(HOURS, bits);
        person[3] = 2.0 * bits.next(1) - 1;
        person[4] = uniform(bits) < person[0] ? 1 : -1;
        double income = INTERCEPT + normal(NOISE, bits);
        for (int j = 0; j < WEIGHTS.length; j++) {
            if (j > 4) {
                person[j] = uniform(bits);
            }
            income += WEIGHTS[j] * person[j];
        }
        person[WEIGHTS.length] = Math.clamp(income, -1.0, 1.0);
        return person;
    }

    private static double uniform(RandomBits bits) {
        return (double) Distribution.UNIFORM.value(bits) / Distribution.STEPS;
    }

    private static double normal(DiscreteGaussian steps, RandomBits bits) {
        return Math.clamp(steps.sample(bits).doubleValue() / Distribution.STEPS, -1.0, 1.0);
    }
}
