package dev.purser.problem;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A refusal, with the content of its problem document. It contains only public values and values that the caller sent.
 */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;
    // The other fields are set in a copy, before the copy is returned.
    private ProblemType recordedType;
    private transient List<Violation> violations = List.of();
    private transient Map<String, @Nullable Object> members = Map.of();
    private @Nullable Duration retryAfter;
    private @Nullable String offered;

    private ProblemException(ProblemType type, String detail) {
        // A refusal is an answer, not a failure, so it has no stack trace.
        super(detail, null, false, false);
        this.type = type;
        this.recordedType = type;
    }

    private ProblemException(ProblemException other, String detail) {
        this(other.type, detail);
        recordedType = other.recordedType;
        violations = other.violations;
        members = other.members;
        retryAfter = other.retryAfter;
        offered = other.offered;
    }

    public static ProblemException of(ProblemType type, String detail) {
        return new ProblemException(type, detail);
    }

    public static ProblemException validation(List<Violation> violations) {
        String detail = violations.size() == 1
                ? violations.getFirst().detail()
                : violations.size() + " rules are broken; see errors";
        ProblemException refusal = new ProblemException(ProblemType.VALIDATION_FAILED, detail);
        refusal.violations = List.copyOf(violations);
        return refusal;
    }

    public static ProblemException validation(Violation violation) {
        return validation(List.of(violation));
    }

    /** The same refusal with one more extension member; {@code value} is rendered as JSON. */
    public ProblemException with(String member, @Nullable Object value) {
        ProblemException more = copy();
        more.members = plus(members, member, value);
        return more;
    }

    /** The same refusal of a request that can be sent again after {@code wait}, in whole seconds. */
    public ProblemException retryAfter(Duration wait) {
        ProblemException more = copy();
        more.retryAfter = wait;
        return more;
    }

    /** The same refusal of a method or a media type, with the accepted methods or types. */
    public ProblemException offering(String accepted) {
        ProblemException more = copy();
        more.offered = accepted;
        return more;
    }

    /**
     * The same refusal of a part of a request's body.
     *
     * @param place the place of the part: a JSON pointer, empty for the whole body
     */
    public ProblemException within(String place) {
        if (place.isEmpty()) {
            return this;
        }
        ProblemException placed = new ProblemException(this, place + ": " + detail());
        placed.violations = violations.stream()
                .map(each -> Violation.atPointer(place + each.location(), each.detail()))
                .toList();
        return placed;
    }

    /**
     * The same refusal, which logs and metrics show with the type {@code other}. They must not tell apart reasons that
     * depend on rows.
     */
    public ProblemException recordedAs(ProblemType other) {
        ProblemException recorded = copy();
        recorded.recordedType = other;
        return recorded;
    }

    private ProblemException copy() {
        return new ProblemException(this, detail());
    }

    private static <T extends @Nullable Object> Map<String, T> plus(Map<String, T> some, String name, T value) {
        Map<String, T> more = new LinkedHashMap<>(some);
        more.put(name, value);
        return Collections.unmodifiableMap(more);
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

    public Map<String, @Nullable Object> members() {
        return members;
    }

    /** When the request can succeed, if waiting helps. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The accepted methods or media types, if another was refused. */
    public Optional<String> offered() {
        return Optional.ofNullable(offered);
    }
}
