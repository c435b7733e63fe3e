package dev.purser.collection;

import dev.purser.collection.Protocol.Example;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.local.FrequencyRandomizer;
import dev.purser.privacy.Epsilon;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A protocol whose devices report one of the public categories. */
abstract class CategoriesProtocol extends ProtocolKind {
    static final int MAX_CATEGORIES = 1 << 14;
    private static final int MOST_REPORT_BITS = 1 << 12;

    static final FieldType<String> CATEGORY_NAME = FieldType.text(1, 100);

    static final Field<List<String>> CATEGORIES = Field.optional(
            "categories",
            FieldType.setOf(CATEGORY_NAME, 2, MAX_CATEGORIES).orNone(),
            "All of them, public, 2 to 16,384; `oue` has at most " + OueProtocol.MOST_BITS + ".",
            List.of());

    static final Field<Integer> MAX_REPORT_BITS = Field.optional(
            "maxReportBits",
            FieldType.integer(1, MOST_REPORT_BITS),
            "With %s: how many bits a packed report may take, at most " + MOST_REPORT_BITS + ", the default.",
            MOST_REPORT_BITS);

    CategoriesProtocol(String name, List<Field<?>> reportFields) {
        super(name, List.of(EPSILON, CATEGORIES), reportFields);
    }

    abstract Protocol<?> protocol(Epsilon epsilon, List<String> categories, int maxReportBits);

    /** How many reports are counted in one transaction. */
    int together(int sums) {
        return Pieces.MAX;
    }

    @Override
    final Supplier<Declared> fieldsOf(ObjectReader in) {
        Optional<Epsilon> epsilon = in.required(EPSILON);
        Optional<List<String>> categories = in.required(CATEGORIES);
        int bits = in.read(MAX_REPORT_BITS).orElse(MOST_REPORT_BITS);
        in.read(NO_DIMENSIONS);
        in.read(NO_REUSE);
        return () -> new Declared(
                null, 1, categories.orElseThrow(), protocol(epsilon.orElseThrow(), categories.orElseThrow(), bits));
    }

    final <R> Protocol<R> protocol(
            FrequencyRandomizer<R> randomizer, ReportForm<R> form, Map<String, Object> ownConstants) {
        int categories = randomizer.categories();
        Map<String, Object> constants = new LinkedHashMap<>();
        constants.put("categories", categories);
        constants.put("epsilon", Protocol.constant(randomizer.epsilon(), 1));
        constants.putAll(ownConstants);
        return new Protocol<>(
                name(),
                randomizer.epsilon(),
                "",
                form,
                randomizer,
                together(randomizer.tallies()),
                (sums, reports, beta) -> Estimate.ofShares(randomizer, sums, reports, beta),
                Estimate.PROVEN,
                constants,
                IntStream.of(0, categories / 2, categories - 1)
                        .mapToObj(category -> new Example<>(
                                Map.<String, Object>of("category", category),
                                bits -> randomizer.report(category, bits)))
                        .toList());
    }
}
