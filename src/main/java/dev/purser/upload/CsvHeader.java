package dev.purser.upload;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.json.Alternatives;
import dev.purser.privacy.PrivacyUnit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which field of a file is which column of a dataset. If the header repeats a column, its first field counts. A column
 * that the header lacks has no field.
 *
 * @param columns for each field, the position of its column, or {@link #NOT_STORED}
 * @param unit the field that names the privacy unit, or {@link #NOT_STORED} if there is none
 */
record CsvHeader(int[] columns, int unit) {
    /** The most columns that a file may have. */
    static final int MAX_COLUMNS = 10_000;

    static final int NOT_STORED = -1;

    private static final String OTHER_SEPARATOR = "a comma separates columns, no semicolon, tab or bar";

    /** Excel reads and writes a first line such as {@code sep=;}. */
    private static final String SEPARATOR_LINE = "sep=";

    /** The most bytes of a name that can be registered. */
    private static final int MAX_NAME_BYTES = 4 * 128;

    /** Numbers, dates, times, telephone numbers and amounts of money match this. */
    private static final Pattern STARTS_WITH_A_DIGIT = Pattern.compile("^[^\\p{L}_]*\\p{Nd}");

    /**
     * Reads the first record.
     *
     * @param line the line of the header in errors, if it has one
     * @return null if the columns are not known, so that nothing after the header can be read
     */
    static @Nullable CsvHeader read(CsvScanner fields, Dataset dataset, @Nullable Long line, InvalidData errors)
            throws IOException {
        List<String> names = new ArrayList<>();
        boolean any = fields.next();
        String rule = readNames(fields, any, names);
        if (!rule.isEmpty()) {
            boolean isOtherFormat = !any && fields.isLost();
            errors.add(isOtherFormat ? null : line, null, rule);
            return null;
        }
        Set<String> wanted =
                dataset.columns().stream().map(Column::name).collect(Collectors.toCollection(TreeSet::new));
        String unitColumn = unitColumn(dataset);
        if (!unitColumn.isEmpty()) {
            wanted.add(unitColumn);
        }
        if (names.getFirst().startsWith(SEPARATOR_LINE) && !wanted.contains(names.getFirst())) {
            errors.add(line, null, "the line names a separator: remove the line, and separate columns with commas");
            return null;
        }
        if (names.size() == 1 && !wanted.contains(names.getFirst()) && hasOtherSeparator(names.getFirst())) {
            errors.add(line, null, "the header is one column: " + OTHER_SEPARATOR);
            return null;
        }
        addErrors(names, wanted, dataset, line, errors);
        Map<String, Integer> firstFields = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            firstFields.putIfAbsent(names.get(i), i);
        }
        int[] columns = new int[names.size()];
        Arrays.fill(columns, NOT_STORED);
        for (int i = 0; i < dataset.columns().size(); i++) {
            Integer field = firstFields.get(dataset.columns().get(i).name());
            if (field != null) {
                columns[field] = i;
            }
        }
        return new CsvHeader(columns, unitColumn.isEmpty() ? NOT_STORED : names.indexOf(unitColumn));
    }

    /** Adds the names, with an empty text for a name that is too long. Returns the rule that the header breaks. */
    private static String readNames(CsvScanner fields, boolean any, List<String> names) throws IOException {
        boolean more = any;
        while (more && fields.damage() == null) {
            if (names.size() == MAX_COLUMNS) {
                return "the header has more than " + MAX_COLUMNS + " columns: leave out those that are not registered";
            }
            names.add(fields.to() - fields.from() > MAX_NAME_BYTES ? "" : fields.text());
            more = !fields.endsRecord() && fields.next();
        }
        String damage = fields.damage();
        if (damage != null) {
            return damage.equals(CsvScanner.TEXT_AFTER_QUOTE) ? damage + "; " + OTHER_SEPARATOR : damage;
        }
        boolean isEmpty = names.isEmpty() || names.size() == 1 && fields.from() == fields.to();
        return isEmpty ? "the header is empty: the file must name its columns, in CSV separated by commas" : "";
    }

    private static boolean hasOtherSeparator(String name) {
        return name.indexOf(';') >= 0 || name.indexOf('\t') >= 0 || name.indexOf('|') >= 0;
    }

    /** Whether a name may be a value. A file without a header has values in the place of the header. */
    private static boolean isValue(String name, Dataset dataset) {
        return STARTS_WITH_A_DIGIT.matcher(name).find()
                || name.indexOf('@') >= 0
                || dataset.columns().stream()
                        .anyMatch(column -> column instanceof Column.Category category && category.indexOf(name) >= 0);
    }

    private static void addErrors(
            List<String> names, Set<String> wanted, Dataset dataset, @Nullable Long line, InvalidData errors) {
        Set<String> found = new TreeSet<>();
        for (String name : names) {
            if (wanted.contains(name) && !found.add(name)) {
                errors.add(line, name, "the header has this column more than once: leave one");
            }
        }
        if (found.size() == wanted.size()) {
            return;
        }
        boolean isHeader =
                line == null || names.stream().noneMatch(name -> !wanted.contains(name) && isValue(name, dataset));
        for (String name : wanted) {
            if (!found.contains(name)) {
                // If the error is not listed, its text is not made, because finding the nearest name takes time.
                errors.add(
                        line,
                        name,
                        errors.isFull() ? "" : "the header does not have this column" + has(name, names, isHeader));
            }
        }
    }

    /** Says which names the header has instead, or that the line seems to have values. */
    private static String has(String missing, List<String> names, boolean isHeader) {
        if (!isHeader) {
            return ": the first line must name the columns, and one of its fields looks like a value";
        }
        List<String> shown = names.stream().filter(name -> !name.isEmpty()).toList();
        if (shown.isEmpty()) {
            return ": its names are empty";
        }
        if (shown.stream().anyMatch(name -> UnreadField.composed(name).equals(missing))) {
            return "; it has one whose accents are characters of their own (Unicode NFD): write the name in NFC";
        }
        return "; it has " + Alternatives.listed(shown) + Alternatives.nearest(missing, shown);
    }

    /** The name of the column that names the privacy unit; empty if each row is a unit. */
    static String unitColumn(Dataset dataset) {
        return dataset.privacyUnit() instanceof PrivacyUnit.Column column ? column.column() : "";
    }

    int fields() {
        return columns.length;
    }

    /** The rule that a row of more or fewer fields breaks. */
    String raggedRow() {
        return "the row does not have as many fields as the header, which has " + fields()
                + ": put values with commas or line ends in quotes, and leave row names out";
    }
}
