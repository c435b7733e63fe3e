package dev.purser.json;

/**
 * The size limits of a document. A document that exceeds a limit is refused with a violation that names the limit.
 *
 * @param maxDepth nested objects and arrays; the outermost counts as one
 * @param maxArrayElements elements of any one array; 100,000 bins have 100,001 edges
 * @param maxTokens names, values and brackets in total
 * @param maxNumberLength characters of a number
 * @param maxStringLength characters of a string
 * @param maxNameLength characters of a field name
 */
public record JsonLimits(
        int maxDepth,
        int maxArrayElements,
        int maxTokens,
        int maxNumberLength,
        int maxStringLength,
        int maxNameLength) {
    public static final JsonLimits DEFAULT = new JsonLimits(16, 100_001, 2_000_000, 64, 10_000, 256);

    /** The limits of a document that the service wrote itself, from a document that kept its own limits. */
    public static final JsonLimits OWN = new JsonLimits(
            JsonParsing.HARD_DEPTH,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            JsonParsing.HARD_NAME_LENGTH);

    public JsonLimits {
        if (Math.min(Math.min(maxDepth, maxArrayElements), maxTokens) < 1
                || Math.min(Math.min(maxNumberLength, maxStringLength), maxNameLength) < 1) {
            throw new IllegalArgumentException("every limit must be at least 1");
        }
        if (maxDepth > JsonParsing.HARD_DEPTH || maxNameLength > JsonParsing.HARD_NAME_LENGTH) {
            throw new IllegalArgumentException("the depth and name limits must be at most " + JsonParsing.HARD_DEPTH
                    + " and " + JsonParsing.HARD_NAME_LENGTH);
        }
    }
}
