package dev.purser.problem;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A refusal, with the content of its problem document. It may contain only values that the caller sent or public ones.
 */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;
    private final ProblemType recordedType;
    private final transient List<Violation> violations;
    private final transient Map<String, Object> members;
    private final transient Map<String, String> headers;

    private ProblemException(
            ProblemType type,
            ProblemType recordedType,
            String detail,
            List<Violation> violations,
            Map<String, Object> members,
            Map<String, String> headers) {
        // A refusal is an answer, not a failure, so it has no stack trace.
        super(detail, null, false, false);
        this.type = type;
        this.recordedType = recordedType;
        this.violations = List.copyOf(violations);
        this.members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        this.headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    public static ProblemException of(ProblemType type, String detail) {
        return new ProblemException(type, type, detail, List.of(), Map.of(), Map.of());
    }

    public static ProblemException validation(List<Violation> violations) {
        String detail = violations.size() == 1
                ? violations.getFirst().detail()
                : violations.size() + " rules are broken; see errors";
        ProblemType type = ProblemType.VALIDATION_FAILED;
        return new ProblemException(type, type, detail, violations, Map.of(), Map.of());
    }

    public static ProblemException validation(Violation violation) {
        return validation(List.of(violation));
    }

    /** The same refusal with one more extension member; {@code value} is rendered as JSON. */
    public ProblemException with(String member, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(members);
        more.put(member, value);
        return new ProblemException(type, recordedType, detail(), violations, more, headers);
    }

    /** The same refusal with one more response header. */
    public ProblemException withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new ProblemException(type, recordedType, detail(), violations, members, more);
    }

    /**
     * The same refusal of a part of a request's body.
     *
     * @param place of the part: a JSON pointer, empty for the whole
     */
    public ProblemException within(String place) {
        if (place.isEmpty()) {
            return this;
        }
        List<Violation> placed = violations.stream()
                .map(each -> Violation.atPointer(place + each.location(), each.detail()))
                .toList();
        return new ProblemException(type, recordedType, place + ": " + detail(), placed, members, headers);
    }

    /**
     * The same refusal, which logs and metrics show as one of {@code other}: they must not tell apart reasons that
     * depend on rows.
     */
    public ProblemException recordedAs(ProblemType other) {
        return new ProblemException(type, other, detail(), violations, members, headers);
    }

    public ProblemType type() {
        return type;
    }

    /** The type, and with it the status, that logs and metrics show. */
    public ProblemType recordedType() {
        return recordedType;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    public List<Violation> violations() {
        return violations;
    }

    public Map<String, Object> members() {
        return members;
    }

    public Map<String, String> headers() {
        return headers;
    }
}
