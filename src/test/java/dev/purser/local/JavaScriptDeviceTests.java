package dev.purser.local;

import dev.purser.NodeJs;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The module for devices in {@code clients/javascript} draws the same reports as these classes from the same bits,
 * under Node.
 */
class JavaScriptDeviceTests {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private static final long WIDTH = 65_536;
    private static final String GRADIENT = "hiera-coordinate";
    private static final List<String> WARDS = List.of("emergency", "maternity", "outpatient", "surgery", "other");

    /** Bits that are recorded, first bit first. */
    private static final class RecordedBits implements RandomBits {
        private final RandomBits source;
        private final StringBuilder binary = new StringBuilder();

        RecordedBits(RandomBits source) {
            this.source = source;
        }

        @Override
        public long next(int count) {
            long drawn = source.next(count);
            for (int bit = count - 1; bit >= 0; bit--) {
                binary.append(drawn >>> bit & 1);
            }
            return drawn;
        }

        /** In whole bytes, the last one padded with zeros. */
        String hex() {
            byte[] bytes = new byte[Math.ceilDiv(binary.length(), 8)];
            for (int bit = 0; bit < binary.length(); bit++) {
                bytes[bit / 8] |= (byte) ((binary.charAt(bit) - '0') << (7 - bit % 8));
            }
            return HexFormat.of().formatHex(bytes);
        }
    }

    /**
     * Bits that samplers seldom see: digits that tie with the digit before, and digits on an edge, where a multiple of
     * {@code unit} decides. One in four draws is fair, so that all draws end.
     */
    private static final class AwkwardBits implements RandomBits {
        private static final int DIGIT_BITS = 62;

        private final Rational unit;
        private final Random random;
        private long last;

        AwkwardBits(Rational unit, long seed) {
            this.unit = unit;
            random = new Random(seed);
        }

        @Override
        public long next(int count) {
            if (count == DIGIT_BITS) {
                last = switch (random.nextInt(4)) {
                    case 0 -> random.nextLong() >>> (Long.SIZE - count);
                    case 1 -> last;
                    case 2 -> edge(1);
                    default -> edge(1 + random.nextInt(1000));
                };
                return last;
            }
            return random.nextLong() >>> (Long.SIZE - count);
        }

        /** The digit in which a multiple of the unit lies, or the digit before. */
        private long edge(long multiple) {
            BigInteger scaled =
                    unit.numerator().multiply(BigInteger.valueOf(multiple)).shiftLeft(DIGIT_BITS);
            return scaled.divide(unit.denominator())
                    .subtract(BigInteger.valueOf(random.nextInt(2)))
                    .mod(BigInteger.ONE.shiftLeft(DIGIT_BITS))
                    .longValueExact();
        }
    }

    /**
     * A value, in the form of a randomizer and in the form of a test vector.
     *
     * @param place the value as JSON
     */
    private record Value<V>(V value, Map<String, Object> place) {}

    /**
     * A protocol.
     *
     * @param edges multiples of this number decide draws
     * @param draw draws a report, as JSON
     */
    private record Protocol<V>(
            String name,
            Epsilon epsilon,
            Map<String, Object> constants,
            Rational edges,
            List<Value<V>> values,
            BiFunction<V, RandomBits, Map<String, ?>> draw) {
        /** What a server sends, with some vectors of each value. Every second vector is drawn from awkward bits. */
        Map<String, Object> document(int vectorsPerValue) {
            String id = constants.containsKey("dimensions") ? name + "-several" : name;
            List<Map<String, Object>> vectors = new ArrayList<>();
            for (Value<V> value : values) {
                for (int i = 0; i < vectorsPerValue; i++) {
                    long seed = (id + epsilon).hashCode() * 1_000_003L + vectors.size();
                    RecordedBits bits =
                            new RecordedBits(i % 2 == 0 ? new SeededBits(seed) : new AwkwardBits(edges, seed));
                    Map<String, ?> report = draw.apply(value.value, bits);
                    vectors.add(Map.of("value", value.place, "randomness", bits.hex(), "report", report));
                }
            }
            Map<String, Object> device =
                    Map.of("randomizer", name, "version", 1, "constants", constants, "testVectors", vectors);
            Map<String, Object> document = new HashMap<>(Map.of(
                    "id", id, "protocol", name, "guarantee", Map.of("epsilon", epsilon.toString()), "device", device));
            if (constants.containsKey("categories")) {
                document.put("categories", WARDS);
            } else if (name.equals(GRADIENT)) {
                document.put("features", THREE_PARTS.getFirst().value().size() - 1);
            } else {
                document.put("range", Map.of("lower", -1, "upper", 1));
            }
            return document;
        }
    }

    private static final List<Value<Position>> PARTS = Stream.of(0L, 1L, 20_000L, 32_768L, WIDTH)
            .map(part -> new Value<>(new Position(part, WIDTH), Map.<String, Object>of("part", part)))
            .toList();

    private static final List<Value<List<Position>>> THREE_PARTS =
            List.of(parts(0, 32_768, WIDTH), parts(WIDTH, 12_345, 1), parts(40_000, 40_000, 40_000));

    private static final List<Value<Integer>> CATEGORIES = IntStream.range(0, WARDS.size())
            .mapToObj(category -> new Value<>(category, Map.<String, Object>of("category", category)))
            .toList();

    private static Value<List<Position>> parts(long... parts) {
        List<Position> positions =
                LongStream.of(parts).mapToObj(part -> new Position(part, WIDTH)).toList();
        return new Value<>(positions, Map.of("parts", parts));
    }

    private static String exact(Epsilon epsilon) {
        return LocalEpsilon.of(epsilon).amount().toString();
    }

    private static Map<String, ?> written(SignOrPoint report) {
        return switch (report) {
            case Sign sign -> Map.of("sign", sign.factor());
            case Point point -> Map.of("point", point.index());
        };
    }

    private static Map<String, ?> written(CoordinateReport<? extends SignOrPoint> report) {
        Map<String, Object> written = new HashMap<>(written(report.report()));
        written.put("coordinate", report.coordinate());
        return written;
    }

    private static <V, R> Protocol<V> protocol(
            String name,
            LocalRandomizer<V, R> randomizer,
            Map<String, Object> constants,
            List<Value<V>> values,
            Function<R, Map<String, ?>> written) {
        int sampled = (int) constants.getOrDefault("sampled", 1);
        Rational edges =
                LocalEpsilon.of(randomizer.epsilon()).dividedBy(sampled).amount();
        return protocol(name, randomizer, constants, edges, values, written);
    }

    private static <V, R> Protocol<V> protocol(
            String name,
            LocalRandomizer<V, R> randomizer,
            Map<String, Object> constants,
            Rational edges,
            List<Value<V>> values,
            Function<R, Map<String, ?>> written) {
        return new Protocol<>(
                name,
                randomizer.epsilon(),
                constants,
                edges,
                values,
                (value, bits) -> written.apply(randomizer.report(value, bits)));
    }

    /** The constants of one number of several, or of the only number. */
    private static Map<String, Object> numeric(Epsilon epsilon, int dimensions, int sampled) {
        LocalEpsilon share = LocalEpsilon.of(epsilon).dividedBy(sampled);
        Map<String, Object> constants =
                new HashMap<>(Map.of("width", WIDTH, "epsilon", share.amount().toString()));
        if (dimensions > 1) {
            constants.putAll(Map.of("dimensions", dimensions, "sampled", sampled));
        }
        return constants;
    }

    private static Map<String, Object> withPoints(Map<String, Object> constants, LocalEpsilon share) {
        constants.putAll(Map.of("points", Piecewise.POINTS, "band", new Piecewise(share).band()));
        return constants;
    }

    private static Map<String, Object> withSignsOrPoints(Map<String, Object> constants, LocalEpsilon share) {
        boolean signsOnly = share.value() <= Hybrid.LEAST_EPSILON_WITH_POINTS;
        constants.put(
                "signExponent",
                signsOnly ? "0/1" : share.amount().dividedBy(Rational.of(2, 1)).toString());
        return signsOnly ? constants : withPoints(constants, share);
    }

    private static List<Protocol<?>> ofNumbers(String text) {
        Epsilon epsilon = Epsilon.parse(text);
        LocalEpsilon whole = LocalEpsilon.of(epsilon);
        LocalLaplace laplace = new LocalLaplace(epsilon, WIDTH);
        Map<String, Object> noise = Map.of(
                "width",
                WIDTH,
                "epsilon",
                exact(epsilon),
                "scale",
                laplace.scale().toString());
        return List.of(
                protocol(
                        "harmony", new Harmony(epsilon), numeric(epsilon, 1, 1), PARTS, JavaScriptDeviceTests::written),
                protocol(
                        "piecewise",
                        new Piecewise(epsilon),
                        withPoints(numeric(epsilon, 1, 1), whole),
                        PARTS,
                        JavaScriptDeviceTests::written),
                protocol(
                        "hybrid",
                        new Hybrid(epsilon),
                        withSignsOrPoints(numeric(epsilon, 1, 1), whole),
                        PARTS,
                        JavaScriptDeviceTests::written),
                new Protocol<>(
                        "laplace",
                        epsilon,
                        noise,
                        Rational.ONE.dividedBy(laplace.scale()),
                        PARTS,
                        (part, bits) -> Map.of("noisy", laplace.report(part, bits))));
    }

    private static List<Protocol<?>> ofSeveralNumbers(String text) {
        Epsilon epsilon = Epsilon.parse(text);
        SampledCoordinates<Sign> signs = SampledCoordinates.harmony(3, epsilon);
        SampledCoordinates<Point> points = SampledCoordinates.piecewise(3, epsilon);
        SampledCoordinates<SignOrPoint> both = SampledCoordinates.hybrid(3, epsilon);
        LocalEpsilon share = LocalEpsilon.of(epsilon).dividedBy(points.sampled());
        return List.of(
                protocol("harmony", signs, numeric(epsilon, 3, 1), THREE_PARTS, reports -> written(reports.getFirst())),
                protocol(
                        "piecewise",
                        points,
                        withPoints(numeric(epsilon, 3, points.sampled()), share),
                        THREE_PARTS,
                        JavaScriptDeviceTests::coordinates),
                protocol(
                        "hybrid",
                        both,
                        withSignsOrPoints(numeric(epsilon, 3, both.sampled()), share),
                        THREE_PARTS,
                        JavaScriptDeviceTests::coordinates));
    }

    private static Map<String, ?> coordinates(List<? extends CoordinateReport<? extends SignOrPoint>> reports) {
        return Map.of(
                "coordinates",
                reports.stream().map(JavaScriptDeviceTests::written).toList());
    }

    private static Protocol<?> multilevel(List<Epsilon> epsilons) {
        List<Map<String, String>> levels = new ArrayList<>();
        List<Value<LeveledPosition>> values = new ArrayList<>();
        for (int level = 1; level <= epsilons.size(); level++) {
            Rational scale = new LocalLaplace(epsilons.get(level - 1), WIDTH).scale();
            levels.add(Map.of("epsilon", exact(epsilons.get(level - 1)), "scale", scale.toString()));
            values.add(leveled(level, 20_000));
        }
        return new Protocol<>(
                "multilevel-laplace",
                epsilons.getFirst(),
                Map.of("width", WIDTH, "levels", levels),
                Rational.ONE.dividedBy(new LocalLaplace(epsilons.getLast(), WIDTH).scale()),
                values,
                (value, bits) -> {
                    LeveledNoise report =
                            new MultilevelLaplace(epsilons, value.level(), WIDTH).report(value.position(), bits);
                    return Map.of("level", report.level(), "noisy", report.steps());
                });
    }

    private static Protocol<?> hiera(List<Epsilon> epsilons) {
        return leveledResponse("hiera", new LeveledResponse(epsilons), epsilons, epsilons);
    }

    /** The protocol of a training. In test vectors, the level of each coordinate is 1. */
    private static Protocol<?> gradient(List<Epsilon> epsilons) {
        LeveledResponse each = new LeveledResponse(epsilons);
        Map<String, Object> constants =
                numeric(each.epsilon(), THREE_PARTS.getFirst().value().size(), 1);
        constants.put("levels", levels(epsilons, epsilons));
        return protocol(
                GRADIENT,
                SampledCoordinates.leveled(each, Collections.nCopies(3, 1)),
                constants,
                LocalEpsilon.of(epsilons.getLast()).amount(),
                THREE_PARTS,
                reports -> {
                    CoordinateReport<LeveledSign> only = reports.getFirst();
                    Map<String, Object> written = new HashMap<>(written(only.report()));
                    written.put("coordinate", only.coordinate());
                    return written;
                });
    }

    private static Map<String, ?> written(LeveledSign report) {
        return Map.of("level", report.level(), "sign", report.sign().factor());
    }

    private static List<Map<String, String>> levels(List<Epsilon> ofLevels, List<Epsilon> ofSigns) {
        return IntStream.range(0, ofSigns.size())
                .mapToObj(level ->
                        Map.of("levelEpsilon", exact(ofLevels.get(level)), "signEpsilon", exact(ofSigns.get(level))))
                .toList();
    }

    private static Protocol<?> lhp(Epsilon ofLevel, List<Epsilon> ofSigns) {
        List<Epsilon> ofLevels = Collections.nCopies(ofSigns.size(), ofLevel);
        return leveledResponse("lhp", new LeveledResponse(ofLevel, ofSigns), ofLevels, ofSigns);
    }

    private static Protocol<?> leveledResponse(
            String name, LeveledResponse response, List<Epsilon> ofLevels, List<Epsilon> ofSigns) {
        List<Value<LeveledPosition>> values = new ArrayList<>();
        for (int level = 1; level <= ofSigns.size(); level++) {
            values.add(leveled(level, WIDTH - 10_000L * level));
        }
        return protocol(
                name,
                response,
                Map.of("width", WIDTH, "levels", levels(ofLevels, ofSigns)),
                LocalEpsilon.of(ofSigns.getLast()).amount(),
                values,
                JavaScriptDeviceTests::written);
    }

    private static Value<LeveledPosition> leveled(int level, long part) {
        return new Value<>(new LeveledPosition(level, new Position(part, WIDTH)), Map.of("level", level, "part", part));
    }

    private static List<Protocol<?>> ofCategories(String text) {
        Epsilon epsilon = Epsilon.parse(text);
        int count = WARDS.size();
        OptimizedLocalHashing hashing = new OptimizedLocalHashing(count, epsilon);
        HadamardResponse hadamard = new HadamardResponse(count, epsilon);
        return List.of(
                protocol(
                        "grr",
                        new GeneralizedRandomizedResponse(count, epsilon),
                        ofCategories(epsilon, Map.of()),
                        CATEGORIES,
                        category -> Map.of("category", WARDS.get(category))),
                protocol(
                        "oue",
                        new OptimizedUnaryEncoding(count, epsilon),
                        ofCategories(epsilon, Map.of()),
                        CATEGORIES,
                        report -> Map.of("bits", hex(report.ones(), count))),
                protocol(
                        "olh",
                        hashing,
                        ofCategories(
                                epsilon,
                                Map.of(
                                        "values", hashing.values(),
                                        "prime", Long.toString(OptimizedLocalHashing.PRIME))),
                        CATEGORIES,
                        report -> Map.of(
                                "multiplier", report.multiplier(), "shift", report.shift(), "value", report.value())),
                protocol(
                        "hadamard",
                        hadamard,
                        ofCategories(epsilon, Map.of("size", hadamard.tallies())),
                        CATEGORIES,
                        report -> Map.of(
                                "row", report.row(), "sign", report.sign().factor())));
    }

    private static Map<String, Object> ofCategories(Epsilon epsilon, Map<String, Object> more) {
        Map<String, Object> constants = new HashMap<>(more);
        constants.putAll(Map.of("categories", WARDS.size(), "epsilon", exact(epsilon)));
        return constants;
    }

    /** Category 0 is the most significant bit of the first digit. */
    private static String hex(BitSet ones, int count) {
        StringBuilder digits = new StringBuilder();
        for (int first = 0; first < count; first += 4) {
            int digit = 0;
            for (int bit = 0; bit < 4; bit++) {
                digit = 2 * digit + (ones.get(first + bit) ? 1 : 0);
            }
            digits.append(Integer.toHexString(digit));
        }
        return digits.toString();
    }

    private static List<Epsilon> epsilons(String... texts) {
        return Stream.of(texts).map(Epsilon::parse).toList();
    }

    private static String documents(List<Protocol<?>> protocols, int vectorsPerValue) {
        return JSON.writerWithDefaultPrettyPrinter()
                        .writeValueAsString(protocols.stream()
                                .map(each -> each.document(vectorsPerValue))
                                .toList())
                + "\n";
    }

    @Test
    void drawsTheReportsOfTheJavaRandomizersFromTheSameBits(@TempDir Path folder) throws Exception {
        List<Protocol<?>> protocols = new ArrayList<>(
                List.of(hiera(epsilons("5", "4", "3", "2", "1")), hiera(epsilons("0.3", "0.3", "0.123456789"))));
        protocols.add(multilevel(epsilons("2", "1", "0.123456789")));
        protocols.add(lhp(Epsilon.parse("0.7"), epsilons("2.5", "1", "0.123456789")));
        protocols.add(gradient(epsilons("0.3", "0.3", "0.123456789")));
        for (String epsilon : List.of("0.123456789", "1", "3.75")) {
            protocols.addAll(ofNumbers(epsilon));
            protocols.addAll(ofSeveralNumbers(epsilon));
            protocols.addAll(ofCategories(epsilon));
        }
        protocols.addAll(ofNumbers("10"));
        protocols.addAll(ofSeveralNumbers("10"));
        Path documents = Files.writeString(folder.resolve("documents.json"), documents(protocols, 8));
        assertThat(NodeJs.run("test/verify.js", documents.toString()))
                .isEqualTo("all test vectors of %d documents pass%n".formatted(protocols.size()));
    }

    @Test
    void passesItsOwnTests() throws Exception {
        NodeJs.run("--test", "test/device.test.js");
    }

    /** So that the module's own tests need no Java. On a difference, copy the file from {@code target} over it. */
    @Test
    void hasDocumentsWithTheReportsOfTheJavaRandomizers() throws IOException {
        Path drawn = Files.writeString(Path.of("target/documents.json"), documents(examples(), 2));
        assertThat(NodeJs.CLIENT.resolve("test/documents.json")).hasSameTextualContentAs(drawn);
    }

    @Test
    void knowsEveryProtocol() {
        assertThat(examples().stream()
                        .map(Protocol::name)
                        .filter(name -> !GRADIENT.equals(name))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(LocalRandomizers.ALL.stream()
                        .map(LocalRandomizers.Listing::name)
                        .filter(name -> !"sampled-coordinates".equals(name))
                        .toList());
    }

    private static List<Protocol<?>> examples() {
        List<Protocol<?>> protocols = new ArrayList<>(ofNumbers("1"));
        protocols.addAll(ofSeveralNumbers("5"));
        protocols.addAll(ofCategories("1"));
        protocols.add(multilevel(epsilons("2", "1")));
        protocols.add(hiera(epsilons("5", "4", "3", "2", "1")));
        protocols.add(lhp(Epsilon.parse("1"), epsilons("3", "2", "1")));
        protocols.add(gradient(epsilons("3", "2", "1")));
        return protocols;
    }
}
