package dev.purser.query;

import dev.purser.json.Alternatives;
import dev.purser.json.Text;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Every kind of question that can be asked and quoted. The list is written by hand: a new kind is one class and one
 * line.
 */
public final class QuestionKinds {
    public static final List<QuestionKind> ALL = List.of(
            CountQuery.KIND,
            SumQuery.KIND,
            MeanQuery.KIND,
            HistogramQuery.KIND,
            QuantileQuery.KIND,
            ThresholdQuery.KIND,
            SparseRangeQuery.KIND,
            LocalMeanQuery.KIND);

    /** The names as a regular expression, for the path that asks. */
    public static final String NAMES = ALL.stream().map(QuestionKind::name).collect(Collectors.joining("|"));

    private QuestionKinds() {}

    public static Optional<QuestionKind> named(String name) {
        return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst();
    }

    /** The refusal of an address that names no kind. It is the same for every dataset. */
    public static ProblemException unknown(String name) {
        List<String> names = ALL.stream().map(QuestionKind::name).toList();
        return ProblemException.of(
                ProblemType.NOT_FOUND,
                "the kind of question must be one of " + Alternatives.listed(names) + ", was " + Text.quoted(name)
                        + Alternatives.nearest(name, names));
    }
}
