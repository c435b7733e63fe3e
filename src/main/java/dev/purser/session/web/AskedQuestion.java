package dev.purser.session.web;

import dev.purser.dataset.Dataset;
import dev.purser.digest.Sha256;
import dev.purser.json.JsonDocument;
import dev.purser.query.ComparedStatistic;
import dev.purser.session.Declaration;
import dev.purser.session.ThresholdSessions;
import io.swagger.v3.oas.annotations.media.Schema;

/**
 * A question of a session as it was sent. The sequence number is read first: an outcome that is stored needs no
 * dataset.
 */
record AskedQuestion(byte[] body, byte[] digest, JsonDocument document, long sequence)
        implements ThresholdSessions.SentQuestion {
    static AskedQuestion of(byte[] body, JsonDocument document) {
        long sequence = document.read(in -> {
            in.required("query");
            var sent = in.required("sequence").integer(1, Integer.MAX_VALUE);
            return in.complete(sent::orElseThrow);
        });
        return new AskedQuestion(body, Sha256.of(body), document, sequence);
    }

    @Override
    public ComparedStatistic read(Declaration declaration, Dataset dataset) {
        return document.read(in -> {
            in.required("sequence");
            var question = declaration.question(in.required("query"), dataset);
            return in.complete(question::orElseThrow);
        });
    }

    /** Describes the body. */
    @Schema(
            name = "ThresholdSessionQuestion",
            requiredProperties = {"sequence", "query"})
    record Body(
            @Schema(description = "1 for the first question, then one more each.", example = "1")
            long sequence,

            @Schema(ref = "#/components/schemas/ThresholdItem")
            Object query) {
        static final String VISITS = """
                {"sequence": 1, "query": {"count": {"where": [{"column": "age", "atLeast": 60}]}}}""";
    }
}
