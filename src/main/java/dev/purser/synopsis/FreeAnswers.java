package dev.purser.synopsis;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** The answers to questions about one synopsis. */
@Schema(name = "SynopsisAnswers", description = "Answers that cost nothing, in the order of the questions.")
public record FreeAnswers(
        List<FreeAnswer> items,

        @Schema(description = "What the numbers and their intervals are, in words.")
        String statement) {}
