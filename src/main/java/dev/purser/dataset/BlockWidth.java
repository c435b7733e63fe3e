package dev.purser.dataset;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;

/** Describes the field {@code width} of blocks. */
@Schema(
        description = "\"day\", \"week\" or \"month\", or a number of integers.",
        anyOf = {BigDecimal.class, String.class})
public interface BlockWidth {}
