package dev.purser.query;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;

/** An interval that holds the exact number with probability at least 1 − beta. */
@Schema(description = "Holds the exact number with probability at least 1 − beta.")
public record Interval(BigDecimal low, BigDecimal high) {}
