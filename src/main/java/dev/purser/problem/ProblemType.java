package dev.purser.problem;

/**
 * Every kind of refusal. A type is never renamed or renumbered: clients switch on {@link #uri()}, and the service
 * serves a page at it.
 */
public enum ProblemType {
    MALFORMED_REQUEST("malformed-request", 400, "The request is not well-formed"),
    UNAUTHORIZED("unauthorized", 401, "A valid bearer key is required"),
    FORBIDDEN("forbidden", 403, "The key does not permit this"),
    NOT_FOUND("not-found", 404, "There is nothing here"),
    METHOD_NOT_ALLOWED("method-not-allowed", 405, "The method is not allowed here"),
    NOT_ACCEPTABLE("not-acceptable", 406, "No offered representation is acceptable"),
    REQUEST_TIMEOUT("request-timeout", 408, "The request did not arrive in time"),
    BUDGET_EXHAUSTED("budget-exhausted", 409, "The privacy budget does not cover this question"),
    REQUEST_IN_FLIGHT("request-in-flight", 409, "The same request is still being answered"),
    ALREADY_EXISTS("already-exists", 409, "This already exists"),
    DATASET_NOT_READY("dataset-not-ready", 409, "The dataset has no data yet"),
    SESSION_CLOSED("session-closed", 409, "The threshold session is closed"),
    COLLECTION_CLOSED("collection-closed", 409, "The collection takes no more reports"),
    PAYLOAD_TOO_LARGE("payload-too-large", 413, "The request body is too large"),
    UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "The media type is not supported here"),
    VALIDATION_FAILED("validation-failed", 422, "The request breaks a rule"),
    IDEMPOTENCY_KEY_REUSED("idempotency-key-reused", 422, "The idempotency key belongs to another request"),
    MECHANISM_NOT_PRIVATE("mechanism-not-private", 422, "The mechanism is not private for this dataset"),
    INVALID_DATA("invalid-data", 422, "The uploaded data breaks a rule"),
    TOO_MANY_REQUESTS("too-many-requests", 429, "Too many requests"),
    HEADER_TOO_LARGE("header-too-large", 431, "The request header is too large"),
    INTERNAL_ERROR("internal-error", 500, "The service failed"),
    TEMPORARILY_UNAVAILABLE("temporarily-unavailable", 503, "The service cannot answer right now");

    private final String slug;
    private final int status;
    private final String title;

    ProblemType(String slug, int status, String title) {
        this.slug = slug;
        this.status = status;
        this.title = title;
    }

    /** The last path segment of {@link #uri()}. */
    public String slug() {
        return slug;
    }

    /** The HTTP status of every response with this problem. */
    public int status() {
        return status;
    }

    /** One fixed sentence for each type. */
    public String title() {
        return title;
    }

    /** The problem's {@code type}: a relative reference to the page that explains it. */
    public String uri() {
        return "/problems/" + slug;
    }
}
