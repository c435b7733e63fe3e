package dev.purser.experiment;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Says in words which method has the least mean squared error where, and how much larger the errors of the others are.
 */
final class Conclusions {
    private static final String CAUTION = "At nominal epsilons the comparison is not like for like: a report of hiera"
            + " has several times the epsilon of the others' reports. Compare privacy at equal true epsilon.";

    private Conclusions() {}

    static List<String> of(List<ErrorRow> rows) {
        Map<String, List<ErrorRow>> cells = rows.stream()
                .collect(Collectors.groupingBy(Conclusions::cell, LinkedHashMap::new, Collectors.toList()));
        Map<String, Map<String, Integer>> wins = new LinkedHashMap<>();
        List<String> sentences = new ArrayList<>();
        cells.forEach((cell, unsorted) -> {
            List<ErrorRow> sorted = unsorted.stream()
                    .filter(row -> row.epsilon() != null)
                    .sorted(Comparator.comparing(ErrorRow::meanSquaredError))
                    .toList();
            ErrorRow best = sorted.getFirst();
            wins.computeIfAbsent(best.comparison(), comparison -> new LinkedHashMap<>())
                    .merge(best.name(), 1, Integer::sum);
            sentences.add(cell + ": " + sentence(sorted));
        });
        List<String> all = new ArrayList<>();
        wins.forEach((comparison, counts) -> all.add("The least mean squared error at " + comparison + " epsilon: "
                + counts.entrySet().stream()
                        .map(won -> won.getKey() + " in " + won.getValue())
                        .collect(Collectors.joining(", "))
                + " of " + counts.values().stream().mapToInt(Integer::intValue).sum() + " cases."));
        if (rows.stream().anyMatch(row -> row.method().startsWith("hiera"))) {
            all.add(CAUTION);
        }
        all.addAll(sentences);
        return List.copyOf(all);
    }

    private static String cell(ErrorRow row) {
        return row.subject() + ", " + row.comparison() + " epsilon, e = " + row.nominalEpsilon();
    }

    private static String sentence(List<ErrorRow> sorted) {
        ErrorRow best = sorted.getFirst();
        String of = best.name() + " at epsilon " + best.epsilon() + " has the least mean squared error, "
                + best.meanSquaredError().round(new MathContext(3)).toPlainString();
        if (sorted.size() == 1) {
            return of + ".";
        }
        String others = sorted.stream()
                .skip(1)
                .map(row -> String.format(
                        Locale.ROOT,
                        "%s at %s has %.2f times as much",
                        row.name(),
                        row.epsilon(),
                        row.meanSquaredError().doubleValue()
                                / best.meanSquaredError().doubleValue()))
                .collect(Collectors.joining("; "));
        ErrorRow next = sorted.get(1);
        double difference =
                next.meanSquaredError().subtract(best.meanSquaredError()).doubleValue();
        double noise = Math.hypot(value(best.squaredStandardError()), value(next.squaredStandardError()));
        return of + "; " + others + "."
                + (difference < 2 * noise ? " The first two differ by less than two standard errors." : "");
    }

    private static double value(BigDecimal number) {
        return number.doubleValue();
    }
}
