package dev.purser.problem;

/**
 * Every kind of refusal. A constant has all fixed facts about a problem. A type is never renamed or renumbered: clients
 * switch on {@link #uri()}, and the service serves a page at it.
 *
 * <p>The status stands here, so that there is one list. Only the code that renders or records HTTP reads it. For all
 * other code, a type is a name.
 */
public enum ProblemType {
    MALFORMED_REQUEST(
            "malformed-request",
            400,
            Where.EVERYWHERE,
            "The request is not well-formed",
            "The bytes sent are not a well-formed HTTP request, or the body is not exactly one JSON document in"
                    + " UTF-8. Examples are an empty or truncated body, bytes after its end, a comment, or a byte"
                    + " order mark. Nothing was charged.",
            "Send the body as strict JSON (RFC 8259). The detail gives the line and column where reading stopped.",
            "the body is not one JSON document: line 1, column 12"),
    UNAUTHORIZED(
            "unauthorized",
            401,
            Where.EVERYWHERE,
            "A valid bearer key is required",
            "The request has no key, or its key is unknown, revoked or expired. The service does not say which.",
            "Send a valid key in the header Authorization: Bearer &lt;key&gt;. On first start the service writes the"
                    + " administrator key to the file admin.key in its home folder.",
            "Send a valid key in the header Authorization: Bearer <key>"),
    FORBIDDEN(
            "forbidden",
            403,
            Where.EVERYWHERE,
            "The key does not permit this",
            "The key is valid, but its role does not permit this operation. Nothing was charged.",
            "Use a key with the role that the operation needs, or ask an administrator for one.",
            "The key's role must be administrator or analyst, was custodian"),
    NOT_FOUND(
            "not-found",
            404,
            Where.WITH_AN_ID,
            "There is nothing here",
            "There is nothing at this address for this key. Resources that the key may not see get the same response"
                    + " as resources that do not exist. Nothing was charged.",
            "Check the path and the identifier, and that the key was granted the dataset. Deleted datasets are not"
                    + " restored.",
            "There is nothing at this address"),
    METHOD_NOT_ALLOWED(
            "method-not-allowed",
            405,
            Where.EVERYWHERE,
            "The method is not allowed here",
            "The address exists, but does not support this method. Nothing was charged.",
            "Use one of the methods in the Allow header of the response.",
            "the method must be one of GET, PUT"),
    NOT_ACCEPTABLE(
            "not-acceptable",
            406,
            Where.EVERYWHERE,
            "No offered representation is acceptable",
            "The Accept header admits no media type that is offered here. It is checked before anything is charged.",
            "Accept application/json, or one of the media types that the detail lists.",
            "Accept must admit application/json"),
    REQUEST_TIMEOUT(
            "request-timeout",
            408,
            Where.WITH_A_BODY,
            "The request did not arrive in time",
            "The request, or its body, did not arrive in time. Nothing was charged.",
            "Send it again. With an Idempotency-Key it cannot be charged twice.",
            "the body did not arrive in time"),
    BUDGET_EXHAUSTED(
            "budget-exhausted",
            409,
            Where.WHERE_DECLARED,
            "The privacy budget does not cover this question",
            "The question needs more privacy budget than remains in the dataset or in the analyst's allotment (member"
                    + " scope). The members requested, remaining and shortfall give the amounts. Nothing was charged.",
            "Ask the synopsis that freeFrom names: it answers for nothing. Or refine the answer that refines names:"
                    + " the difference fits. Or ask with a smaller epsilon, ask fewer"
                    + " questions, or ask the dataset's custodian for a larger limit. Spent budget is never"
                    + " returned.",
            "the question needs epsilon 0.5, and 0.1 is left",
            """
            {
              "requested": {"epsilon": "0.5", "delta": "0"},
              "remaining": {"epsilon": "0.1", "delta": "0"},
              "shortfall": {"epsilon": "0.4", "delta": "0"},
              "scope": "dataset",
              "freeFrom": null,
              "refines": null
            }"""),
    REQUEST_IN_FLIGHT(
            "request-in-flight",
            409,
            Where.WHERE_DECLARED,
            "The same request is still being answered",
            "A request with the same Idempotency-Key is still being answered.",
            "Wait for the time in the header Retry-After and send the same request again. It gets the answer of the"
                    + " first.",
            "the request with this Idempotency-Key is still being answered"),
    ALREADY_EXISTS(
            "already-exists",
            409,
            Where.WHERE_DECLARED,
            "This already exists",
            "Something with this name, or a dataset with these rows, exists or has existed. Identifiers are never"
                    + " reused, and the same rows have one privacy account for ever.",
            "Choose another identifier. If the rows are registered already, share their account, or declare them"
                    + " public if they are.",
            "the id adult is taken"),
    DATASET_NOT_READY(
            "dataset-not-ready",
            409,
            Where.WHERE_DECLARED,
            "The dataset has no data yet",
            "The dataset has no data to ask about: nothing was uploaded, an upload is in progress, or the upload"
                    + " failed. If its rows are divided into blocks, this is said of the blocks in the member blocks,"
                    + " which may also not be over. Nothing was charged.",
            "Check the dataset's state or that of its blocks, upload the data, and ask when the state is ready. Or ask"
                    + " about blocks that are ready.",
            "the dataset is not ready: it has no data to ask about yet"),
    NOTHING_STORED(
            "nothing-stored",
            409,
            Where.WHERE_DECLARED,
            "No answer is stored, and none may be bought",
            "The request does not permit a charge (spend is false, or the key's role is viewer), and the same question"
                    + " was not answered before, or not recently enough. The member charge gives what it would cost. In"
                    + " a refused plan, the member notStored lists such questions by their place, from 0. Nothing was"
                    + " charged and nothing was written.",
            "Ask once with a key that may spend; from then on the stored answer is free. A number that changes with"
                    + " each request, such as the present time, makes each one a new question.",
            "no answer to this question is stored, and the request does not permit a charge",
            "{\"charge\": {\"epsilon\": \"0.5\", \"delta\": \"0\"}}"),
    SESSION_CLOSED(
            "session-closed",
            409,
            Where.WHERE_DECLARED,
            "The threshold session is closed",
            "The threshold session has ended and takes no new query. Earlier answers can still be read.",
            "Read the session: closedBecause gives the reason. To continue, open another one; it is charged"
                    + " separately.",
            "the session ended: its last positive was released",
            "{\"closedBecause\": \"positives\"}"),
    ALREADY_REFINED(
            "already-refined",
            409,
            Where.WHERE_DECLARED,
            "The answer was refined already",
            "Only the newest answer of a chain can be made better: two refinements of one answer would be two"
                    + " releases. Nothing was charged.",
            "Read or refine the answer that the member newest names.",
            "This answer was refined already; only the newest answer of a chain can be.",
            "{\"newest\": {\"queryId\": \"01KAB0Y3E0R6W9ZJ8N4H2T5M7Q\", \"epsilon\": \"0.3\"}}"),
    COLLECTION_CLOSED(
            "collection-closed",
            409,
            Where.WHERE_DECLARED,
            "The collection takes no more reports",
            "The collection's time is over, or its custodian closed it. Reports that were counted before stay in its"
                    + " estimate.",
            "Read the estimate. To collect more, open another collection.",
            "the collection takes no more reports"),
    KEY_REVOKED(
            "key-revoked",
            409,
            Where.WHERE_DECLARED,
            "The key was revoked",
            "Grants and expiry of a revoked key do not change: a revocation is for good.",
            "Create another key that replaces this one.",
            "the key \"k3xq7o2vh5ztw4na\" was revoked, which is for good"),
    PAYLOAD_TOO_LARGE(
            "payload-too-large",
            413,
            Where.WITH_A_BODY,
            "The request body is too large",
            "The body has more bytes than the service accepts here. It is refused before it is read. Nothing was"
                    + " charged.",
            "Send less, or ask the operator to raise the limit.",
            "the body must have at most 33554432 bytes, this one has more"),
    UNSUPPORTED_MEDIA_TYPE(
            "unsupported-media-type",
            415,
            Where.WITH_A_BODY,
            "The media type is not supported here",
            "The Content-Type or Content-Encoding of the body is not supported here. Nothing was charged.",
            "Send one of the media types in the Accept header of the response, without a content coding.",
            "Content-Type must be application/json"),
    VALIDATION_FAILED(
            "validation-failed",
            422,
            Where.EVERYWHERE,
            "The request breaks a rule",
            "The request is well-formed but breaks one or more rules. A value is out of range or of the wrong type,"
                    + " or a field is missing, unknown or repeated. The member errors lists the broken rules, at most"
                    + " 100, each with its place. Nothing was charged.",
            "Correct every entry of errors. A pointer is a JSON pointer (RFC 6901) into the body.",
            "2 rules are broken; see errors",
            """
            {"errors": [
              {
                "pointer": "/epsilon",
                "detail": "epsilon must be between 0.000001 and 100, was 101"
              },
              {
                "pointer": "/where/0/column",
                "detail": "column must be one of the dataset's columns: \\"age\\", \\"sex\\", was \\"agee\\"; \
            the nearest is \\"age\\""
              }
            ]}"""),
    IDEMPOTENCY_KEY_REUSED(
            "idempotency-key-reused",
            422,
            Where.WHERE_DECLARED,
            "The idempotency key belongs to another request",
            "An earlier request with this Idempotency-Key had another body. Nothing was charged for this one.",
            "Use a new key for a new question. Repeat a key only with exactly the same bytes.",
            "an earlier request with this Idempotency-Key had another body"),
    MECHANISM_NOT_PRIVATE(
            "mechanism-not-private",
            422,
            Where.WHERE_DECLARED,
            "The mechanism is not private for this dataset",
            "The requested method would not be differentially private on this dataset, for example because it needs"
                    + " the number of rows to be public. Nothing was charged.",
            "Choose another method, or a dataset whose neighbouring relation and privacy unit permit this one.",
            "known-count needs a dataset whose number of rows is public"),
    NOT_REFINABLE(
            "not-refinable",
            422,
            Where.WHERE_DECLARED,
            "The answer cannot be made better for the difference",
            "An answer can be refined if all its numbers have discrete Laplace noise at parts of epsilon, under an"
                    + " accountant that adds epsilons up, about uploaded rows, up to a sum of 100. The detail says what"
                    + " is not so here. Nothing was charged.",
            "Ask the question anew with the epsilon that the answer should have.",
            "a quantile is selected, and only sums with noise can be refined"),
    INVALID_DATA(
            "invalid-data",
            422,
            Where.WHERE_DECLARED,
            "The uploaded data breaks a rule",
            "The upload breaks a rule of the registered columns, or is not a file that can be read. The member errors"
                    + " gives line and column of up to 100 errors, never a value: the first of each column and rule,"
                    + " then repetitions. The member moreErrors counts the others. Nothing of the upload was kept.",
            "Correct what errors names, or register columns with a substitute for missing values and unlisted"
                    + " categories. With ?check=true the file is read without being kept. Then upload again.",
            "line 17, column age: the value is not an integer: correct it, or list it in the column's"
                    + " missingSpellings if it stands for a missing value (the first of 2 errors; see errors)",
            """
            {
              "errors": [
                {
                  "line": 17,
                  "column": "age",
                  "detail": "the value is not an integer: correct it, or list it in the column's \
            missingSpellings if it stands for a missing value"
                },
                {
                  "line": 21,
                  "column": "age",
                  "detail": "the value is not an integer: correct it, or list it in the column's \
            missingSpellings if it stands for a missing value"
                }
              ],
              "moreErrors": 0
            }"""),
    TOO_MANY_REQUESTS(
            "too-many-requests",
            429,
            Where.EVERYWHERE,
            "Too many requests",
            "This key sent more requests than it may in this period. Nothing was charged.",
            "Wait for the time in the header Retry-After.",
            "too many requests"),
    HEADER_TOO_LARGE(
            "header-too-large",
            431,
            Where.EVERYWHERE,
            "The request header is too large",
            "The request line and the header fields together are too large.",
            "Send fewer or shorter header fields, and put data in the body.",
            "request line and header fields must have at most 16384 bytes together"),
    INTERNAL_ERROR(
            "internal-error",
            500,
            Where.EVERYWHERE,
            "The service failed",
            "The service failed unexpectedly. If the request was a question, it may have been charged.",
            "Send the same request with the same Idempotency-Key again: it cannot be charged twice. If it fails"
                    + " again, give the reference, or the id in the detail, to the operator, who finds it in the log.",
            "The service failed; see its log for reference 5f2a9c0e1b7d4a36",
            "{\"reference\": \"5f2a9c0e1b7d4a36\"}"),
    TEMPORARILY_UNAVAILABLE(
            "temporarily-unavailable",
            503,
            Where.EVERYWHERE,
            "The service cannot answer right now",
            "The service, or something it depends on, cannot answer right now.",
            "Send the same request with the same Idempotency-Key again later: it cannot be charged twice.",
            "the service cannot answer right now");

    /** Which operations can answer with a problem. */
    public enum Where {
        EVERYWHERE,
        /** Operations with a variable in their path. */
        WITH_AN_ID,
        /** Operations that take a body. */
        WITH_A_BODY,
        /** Operations whose method declares it with {@link Refuses}. */
        WHERE_DECLARED
    }

    private final String slug;
    private final int status;
    private final Where where;
    private final String title;
    private final String meaning;
    private final String remedy;
    private final String exampleDetail;
    private final String exampleMembers;

    ProblemType(
            String slug, int status, Where where, String title, String meaning, String remedy, String exampleDetail) {
        this(slug, status, where, title, meaning, remedy, exampleDetail, "{}");
    }

    ProblemType(
            String slug,
            int status,
            Where where,
            String title,
            String meaning,
            String remedy,
            String exampleDetail,
            String exampleMembers) {
        this.slug = slug;
        this.status = status;
        this.where = where;
        this.title = title;
        this.meaning = meaning;
        this.remedy = remedy;
        this.exampleDetail = exampleDetail;
        this.exampleMembers = exampleMembers;
    }

    /** The last path segment of {@link #uri()}. */
    public String slug() {
        return slug;
    }

    /** The HTTP status of every response with this problem. */
    public int status() {
        return status;
    }

    public Where where() {
        return where;
    }

    /** One fixed sentence for each type. */
    public String title() {
        return title;
    }

    /** Why the service refused, and whether anything was charged; HTML without markup. */
    public String meaning() {
        return meaning;
    }

    /** What the reader can do; HTML without markup. */
    public String remedy() {
        return remedy;
    }

    /** The detail of the described example. */
    public String exampleDetail() {
        return exampleDetail;
    }

    /** The extension members of the described example, as a JSON object. */
    public String exampleMembers() {
        return exampleMembers;
    }

    /** The problem's {@code type}: a relative reference to the page that explains it. */
    public String uri() {
        return "/problems/" + slug;
    }
}
