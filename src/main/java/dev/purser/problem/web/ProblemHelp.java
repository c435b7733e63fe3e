package dev.purser.problem.web;

import dev.purser.problem.ProblemType;

/**
 * The meaning of a problem and its remedy, in HTML without markup.
 *
 * @param meaning why the service refused, and whether anything was charged
 * @param remedy what the reader can do
 */
record ProblemHelp(String meaning, String remedy) {
    static ProblemHelp of(ProblemType type) {
        return switch (type) {
            case MALFORMED_REQUEST ->
                new ProblemHelp(
                        "The bytes sent are not a well-formed HTTP request, or the body is not exactly one JSON"
                                + " document in UTF-8. Examples are an empty or truncated body, bytes after its end, a"
                                + " comment, or a byte order mark. Nothing was charged.",
                        "Send the body as strict JSON (RFC 8259). The detail gives the line and column where reading"
                                + " stopped.");
            case UNAUTHORIZED ->
                new ProblemHelp(
                        "The request has no key, or its key is unknown, revoked or expired. The service does not say"
                                + " which.",
                        "Send a valid key in the header Authorization: Bearer &lt;key&gt;. On first start the service"
                                + " writes the administrator key to the file admin.key in its home folder.");
            case FORBIDDEN ->
                new ProblemHelp(
                        "The key is valid, but its role does not permit this operation. Nothing was charged.",
                        "Use a key with the role that the operation needs, or ask an administrator for one.");
            case NOT_FOUND ->
                new ProblemHelp(
                        "There is nothing at this address for this key. Resources that the key may not see get the"
                                + " same response as resources that do not exist. Nothing was charged.",
                        "Check the path and the identifier, and that the key was granted the dataset. Deleted datasets"
                                + " are not restored.");
            case METHOD_NOT_ALLOWED ->
                new ProblemHelp(
                        "The address exists, but does not support this method. Nothing was charged.",
                        "Use one of the methods in the Allow header of the response.");
            case NOT_ACCEPTABLE ->
                new ProblemHelp(
                        "The Accept header admits no media type that is offered here. It is checked before anything is"
                                + " charged.",
                        "Accept application/json, or one of the media types that the detail lists.");
            case REQUEST_TIMEOUT ->
                new ProblemHelp(
                        "The request, or its body, did not arrive in time. Nothing was charged.",
                        "Send it again. With an Idempotency-Key it cannot be charged twice.");
            case BUDGET_EXHAUSTED ->
                new ProblemHelp(
                        "The question needs more privacy budget than remains in the dataset or in the analyst's"
                                + " allotment (member scope). The members requested, remaining and shortfall give the"
                                + " amounts. Nothing was charged.",
                        "Ask with a smaller epsilon, ask fewer questions, or ask the dataset's custodian for a larger"
                                + " limit. Spent budget is never returned.");
            case REQUEST_IN_FLIGHT ->
                new ProblemHelp(
                        "A request with the same Idempotency-Key is still being answered.",
                        "Wait for the time in the header Retry-After and send the same request again. It gets the"
                                + " answer of the first.");
            case ALREADY_EXISTS ->
                new ProblemHelp(
                        "Something with this name, or a dataset with these rows, exists or has existed. Identifiers"
                                + " are never reused, and the same rows have one privacy account for ever.",
                        "Choose another identifier. If the rows are registered already, share their account, or"
                                + " declare them public if they are.");
            case DATASET_NOT_READY ->
                new ProblemHelp(
                        "The dataset has no data to ask about: nothing was uploaded, an upload is in progress, or the"
                                + " upload failed. Nothing was charged.",
                        "Check the dataset's state, upload the data, and ask when the state is ready.");
            case SESSION_CLOSED ->
                new ProblemHelp(
                        "The threshold session has ended and takes no new query. Earlier answers can still be read.",
                        "Read the session: closedBecause gives the reason. To continue, open another one; it is"
                                + " charged separately.");
            case COLLECTION_CLOSED ->
                new ProblemHelp(
                        "The collection's time is over, or its custodian closed it. Reports that were counted before"
                                + " stay in its estimate.",
                        "Read the estimate. To collect more, open another collection.");
            case PAYLOAD_TOO_LARGE ->
                new ProblemHelp(
                        "The body has more bytes than the service accepts here. It is refused before it is read."
                                + " Nothing was charged.",
                        "Send less, or ask the operator to raise the limit.");
            case UNSUPPORTED_MEDIA_TYPE ->
                new ProblemHelp(
                        "The Content-Type or Content-Encoding of the body is not supported here. Nothing was charged.",
                        "Send one of the media types in the Accept header of the response, without a content coding.");
            case VALIDATION_FAILED ->
                new ProblemHelp(
                        "The request is well-formed but breaks one or more rules. A value is out of range or of the"
                                + " wrong type, or a field is missing, unknown or repeated. The member errors lists"
                                + " the broken rules, at most 100, each with its place. Nothing was charged.",
                        "Correct every entry of errors. A pointer is a JSON pointer (RFC 6901) into the body.");
            case IDEMPOTENCY_KEY_REUSED ->
                new ProblemHelp(
                        "An earlier request with this Idempotency-Key had another body. Nothing was charged for this"
                                + " one.",
                        "Use a new key for a new question. Repeat a key only with exactly the same bytes.");
            case MECHANISM_NOT_PRIVATE ->
                new ProblemHelp(
                        "The requested method would not be differentially private on this dataset, for example because"
                                + " it needs the number of rows to be public. Nothing was charged.",
                        "Choose another method, or a dataset whose neighbouring relation and privacy unit permit this"
                                + " one.");
            case INVALID_DATA ->
                new ProblemHelp(
                        "The upload breaks a rule of the registered columns, or is not a file that can be read. The"
                                + " member errors gives line and column of up to 100 errors, never a value: the first"
                                + " of each column and rule, then repetitions. The member moreErrors counts the others."
                                + " Nothing of the upload was kept.",
                        "Correct what errors names, or register columns with a substitute for missing and unreadable"
                                + " values. With ?check=true the file is read without being kept. Then upload again.");
            case TOO_MANY_REQUESTS ->
                new ProblemHelp(
                        "This key sent more requests than it may in this period. Nothing was charged.",
                        "Wait for the time in the header Retry-After.");
            case HEADER_TOO_LARGE ->
                new ProblemHelp(
                        "The request line and the header fields together are too large.",
                        "Send fewer or shorter header fields, and put data in the body.");
            case INTERNAL_ERROR ->
                new ProblemHelp(
                        "The service failed unexpectedly. If the request was a question, it may have been charged.",
                        "Send the same request with the same Idempotency-Key again: it cannot be charged twice. If it"
                                + " fails again, give the reference, or the id in the detail, to the operator, who finds"
                                + " it in the log.");
            case TEMPORARILY_UNAVAILABLE ->
                new ProblemHelp(
                        "The service, or something it depends on, cannot answer right now.",
                        "Send the same request with the same Idempotency-Key again later: it cannot be charged twice.");
        };
    }
}
