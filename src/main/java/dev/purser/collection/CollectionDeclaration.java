package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a collection declares when it is opened.
 *
 * @param protocolName the declared name; {@code frequencies} leaves the choice of the randomizer to the service
 * @param closesAt the end of reports; null if there is none
 */
public record CollectionDeclaration(
        String id,
        String protocolName,
        Declared declared,
        @Nullable Instant closesAt) implements LifeCycle.Opening {
    private static final Pattern FORM_OF_ID = Pattern.compile("[a-z][a-z0-9-]{0,62}");
    private static final String ID_FORM = "a lower-case letter and up to 62 lower-case letters, digits or hyphens";

    static final Field<String> ID = Field.required("id", FieldType.text(FORM_OF_ID, ID_FORM), "", "commute-minutes");
    private static final Field<ProtocolKind> PROTOCOL = Field.required(
            "protocol",
            Protocols.choice(Protocols.ALL, ProtocolKind::name, Comparator.comparing(ProtocolKind::name)),
            "Of numbers: " + listed(NumbersProtocol.class) + "; with levels " + listed(LevelsProtocol.class)
                    + ". Of categories: " + listed(CategoriesProtocol.class) + ".",
            HybridProtocol.NAME);
    private static final Field<ValueReader> CLOSES_AT = Field.optional(
            "closesAt",
            FieldType.INSTANT,
            "The end of reports, RFC 3339. Without it, reports come until the collection is closed.");

    /** The body that opens a collection, as the API describes it. */
    public static final Shape.ObjectOf FORM = new Shape.ObjectOf(
            "OpenCollection", "", Field.all(List.of(ID, PROTOCOL), Protocols.FIELDS, List.of(CLOSES_AT)));

    public static final String MINUTES = """
            {"id": "commute-minutes", "protocol": "harmony", "range": {"lower": 0, "upper": 120}, "epsilon": "1"}""";

    public static final String BY = """
            {"id": "commute-by", "protocol": "grr", "categories": ["bicycle", "bus", "car", "foot"], "epsilon": "1"}""";

    private static String listed(Class<? extends ProtocolKind> family) {
        return Protocols.only(family).map(ProtocolKind::listed).collect(Collectors.joining(", "));
    }

    /** Reads a declaration; empty if a field broke a rule. */
    public static Optional<CollectionDeclaration> read(ObjectReader in, Instant now) {
        Optional<String> id = in.read(ID);
        Optional<Instant> closesAt = in.read(CLOSES_AT).flatMap(sent -> sent.future(now));
        Optional<ProtocolKind> protocol = in.read(PROTOCOL);
        Optional<Declared> declared = protocol.flatMap(kind -> kind.read(in));
        if (protocol.isEmpty()) {
            // The protocol decides which fields there are.
            Protocols.FIELDS.forEach(in::know);
        }
        return in.complete(() -> new CollectionDeclaration(
                id.orElseThrow(), protocol.orElseThrow().name(), declared.orElseThrow(), closesAt.orElse(null)));
    }

    @Override
    public Protocol<?> protocol() {
        return declared.protocol();
    }
}
