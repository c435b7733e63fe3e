package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.engine.GroupKey;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The keys of a question about groups. A group is a combination of one group of each key.
 *
 * @param keys none for one group of all rows
 */
record GroupKeys(List<AggregateKey> keys) {
    static final GroupKeys NONE = new GroupKeys(List.of());

    private static final int MAX_KEYS = 4;

    static final Field<Elements<ObjectReader>> FIELD = Field.optional(
            "groupBy", FieldType.elements(AggregateKey.TYPE, 1, MAX_KEYS).orNone(), "");

    /** The field as the API describes it. */
    static Field<?> field(int mostGroups) {
        return FIELD.describedAs(
                "Up to " + MAX_KEYS + " keys; none makes one group of all rows. At most " + mostGroups + " groups.");
    }

    /** @param headers the names of the columns of CSV so far; the names of the keys' columns are added to them */
    static Optional<GroupKeys> read(ObjectReader in, Dataset dataset, Set<String> headers) {
        return in.has(FIELD)
                ? in.read(FIELD)
                        .flatMap(all -> all.read(each -> AggregateKey.read(each, dataset)
                                .filter(key -> addNames(each, Columns.ORDERED, key.headers(), headers))))
                        .map(GroupKeys::new)
                : Optional.of(NONE);
    }

    /** Adds the names of a column. Refuses, and returns false, if another column of the table has one of them. */
    static boolean addNames(ObjectReader in, Field<?> field, List<String> names, Set<String> headers) {
        Optional<String> taken =
                names.stream().filter(name -> !headers.add(name)).findFirst();
        taken.ifPresent(name -> in.refuse(
                field,
                "names must differ among keys and aggregates, with what CSV adds to them, and \"" + name
                        + "\" occurs twice; an aggregate takes a \"name\""));
        return taken.isEmpty();
    }

    /** Whether there are at most {@code most} groups. If there are more, the field is refused. */
    boolean requireFew(ObjectReader in, int most) {
        BigInteger groups =
                keys.stream().map(key -> BigInteger.valueOf(key.groups())).reduce(BigInteger.ONE, BigInteger::multiply);
        boolean areFew = groups.compareTo(BigInteger.valueOf(most)) <= 0;
        if (!areFew) {
            in.refuse(FIELD, "groupBy must make at most " + most + " groups, made " + groups);
        }
        return areFew;
    }

    /** Whether each group has rows of one block only. */
    boolean divideBlocks() {
        return keys.stream().anyMatch(AggregateKey::isOfBlocks);
    }

    /** The number of groups in which the rows of one block can be. */
    int ofBlock() {
        int blocks = keys.stream()
                .filter(AggregateKey::isOfBlocks)
                .mapToInt(AggregateKey::groups)
                .findFirst()
                .orElse(1);
        return groups() / blocks;
    }

    int groups() {
        return keys.stream().mapToInt(AggregateKey::groups).reduce(1, Math::multiplyExact);
    }

    /** Whether a row can be in no group. */
    boolean leaveOut() {
        return keys.stream().anyMatch(AggregateKey::leavesOut);
    }

    List<GroupKey> ofEngine() {
        return keys.stream().map(AggregateKey::ofEngine).toList();
    }

    /** The names of the keys' columns. */
    List<String> columns() {
        return keys.stream().map(key -> key.column().name()).toList();
    }

    /** A group's place in every key. From group to group, the place in the last key changes fastest. */
    List<AggregateKey.Value> place(int group) {
        AggregateKey.Value[] place = new AggregateKey.Value[keys.size()];
        int rest = group;
        for (int key = place.length - 1; key >= 0; key--) {
            int groups = keys.get(key).groups();
            place[key] = keys.get(key).value(rest % groups);
            rest /= groups;
        }
        return List.of(place);
    }
}
