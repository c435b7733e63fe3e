package dev.purser.dataset;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;

/** Describes the field {@code missing} of a column. */
@Schema(
        description = "\"reject\", or a value of the column.",
        anyOf = {BigDecimal.class, Boolean.class, String.class})
public interface MissingValue {}
