package dev.purser.query;

import dev.purser.json.Alternatives;
import dev.purser.json.Text;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Every kind of question that can be asked by itself and in a plan. The list is written by hand: a new kind is one
 * class and one line.
 */
public final class QuestionKinds {
    public static final List<QuestionKind> ALL = List.of(
            CountQuery.KIND,
            SumQuery.KIND,
            MeanQuery.KIND,
            HistogramQuery.KIND,
            AggregateQuery.KIND,
            QuantileQuery.KIND,
            ThresholdQuery.KIND,
            SparseRangeQuery.KIND,
            LocalMeanQuery.KIND);

    /** The names as a regular expression, for the path that asks. */
    public static final String NAMES = ALL.stream().map(QuestionKind::name).collect(Collectors.joining("|"));

    private QuestionKinds() {}

    /** A kind that can be asked by itself and in a plan. */
    public static Optional<QuestionKind> named(String name) {
        return named(name, ALL);
    }

    static Optional<QuestionKind> named(String name, List<QuestionKind> kinds) {
        return kinds.stream().filter(kind -> kind.name().equals(name)).findFirst();
    }

    /** Other names of some of these questions, and how to ask such a question here. */
    private static final Map<String, String> ALSO_CALLED = Map.of(
            "median", "\"quantile\" with probabilities [0.5]",
            "percentile", "\"quantile\"",
            "average", "\"mean\"",
            "avg", "\"mean\"",
            "total", "\"sum\"",
            "variance", "\"aggregate\" with {\"variance\": …}",
            "group-by", "\"aggregate\"");

    /**
     * Completes the sentence "… must be " about a name that is not a kind: the kinds, the name, and the kind that was
     * meant.
     */
    public static String unlisted(String name) {
        List<String> names = ALL.stream().map(QuestionKind::name).toList();
        String meant = ALSO_CALLED.get(name.toLowerCase(Locale.ROOT));
        return "one of " + Alternatives.listed(names) + ", was " + Text.quoted(name)
                + (meant == null ? Alternatives.nearest(name, names) : "; ask " + meant);
    }

    /** The refusal of an address that names no kind. It is the same for every dataset. */
    public static ProblemException unknown(String name) {
        return ProblemException.of(ProblemType.NOT_FOUND, "the kind of question must be " + unlisted(name));
    }
}
