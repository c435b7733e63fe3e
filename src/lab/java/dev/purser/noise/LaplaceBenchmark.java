package dev.purser.noise;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.apache.commons.math3.distribution.LaplaceDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.RandomGeneratorFactory;
import org.apache.commons.math3.random.Well19937c;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One draw of exact noise beside one of floating-point noise, from a secure generator and from a fast insecure one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class LaplaceBenchmark {
    @Param({"1/1", "10/3", "1000/7", "1024/1", "1048576/1", "1099511627776/1"})
    private String scale = "1/1";

    private final RandomBits bits = new SecureBits();
    private DiscreteLaplace exact = new DiscreteLaplace(Rational.ONE);
    private LaplaceDistribution onSecureRandom = on(new Well19937c(), 1);
    private LaplaceDistribution onWell19937c = on(new Well19937c(), 1);

    @Setup
    public void prepare() {
        String[] parts = scale.split("/", 2);
        Rational fraction = new Rational(new BigInteger(parts[0]), new BigInteger(parts[1]));
        exact = new DiscreteLaplace(fraction);
        onSecureRandom = on(RandomGeneratorFactory.createRandomGenerator(new SecureRandom()), fraction.doubleValue());
        onWell19937c = on(new Well19937c(), fraction.doubleValue());
    }

    private static LaplaceDistribution on(RandomGenerator generator, double scale) {
        return new LaplaceDistribution(generator, 0, scale);
    }

    @Benchmark
    public BigInteger exact() {
        return exact.sample(bits);
    }

    @Benchmark
    public double commonsMathOnSecureRandom() {
        return onSecureRandom.sample();
    }

    @Benchmark
    public double commonsMathOnWell19937c() {
        return onWell19937c.sample();
    }
}
