package dev.purser.synopsis;

import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.query.AggregateKey;
import dev.purser.query.Beta;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A request for a table of a synopsis.
 *
 * @param columns the places of its columns in the synopsis, in the order of the table
 */
public record TableRequest(Synopsis synopsis, List<Integer> columns, BigDecimal beta) {
    private static final String COLUMNS = "columns";

    /**
     * Reads the parameters of a request.
     *
     * @param columns the names of columns; none for all columns of the synopsis
     * @throws ProblemException {@code validation-failed}
     */
    public static TableRequest of(Synopsis synopsis, List<String> columns, BigDecimal beta) {
        List<Integer> places = columns.isEmpty()
                ? IntStream.range(0, synopsis.columns().size()).boxed().toList()
                : places(synopsis, columns);
        if (!synopsis.holds(places)) {
            throw refused("no table of the synopsis has all these columns: it has all tables of at most "
                    + synopsis.cells().together() + " of its columns \"" + String.join("\", \"", synopsis.names())
                    + "\"");
        }
        if (!Beta.isPermitted(beta)) {
            throw ProblemException.validation(
                    Violation.ofParameter("beta", "beta must be from 0.000000001 to 0.999999999, was " + beta));
        }
        return new TableRequest(synopsis, places, beta);
    }

    private static List<Integer> places(Synopsis synopsis, List<String> names) {
        List<Integer> places = names.stream().map(synopsis::place).toList();
        if (places.contains(-1) || places.stream().distinct().count() < places.size()) {
            throw refused("columns must be different columns of the synopsis, \""
                    + String.join("\", \"", synopsis.names()) + "\", each in a parameter of its own, was \""
                    + String.join("\", \"", names) + "\"");
        }
        return places;
    }

    private static ProblemException refused(String detail) {
        return ProblemException.validation(Violation.ofParameter(COLUMNS, detail));
    }

    List<AggregateKey> keys() {
        return columns.stream().map(place -> synopsis.cells().keys().get(place)).toList();
    }
}
