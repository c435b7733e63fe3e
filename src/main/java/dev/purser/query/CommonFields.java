package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The fields that every question has besides its allowance and its blocks. A field that broke a rule is empty, and the
 * violation is noted. Questions open the fields only inside {@link ObjectReader#complete}.
 */
record CommonFields(Optional<BigDecimal> sentBeta, Optional<Where> sentWhere) {
    /** The fields as the API describes them. */
    static final List<Field<?>> FIELDS = List.of(Beta.FIELD, Where.FIELD);

    static CommonFields read(ObjectReader in, Dataset dataset) {
        return new CommonFields(in.read(Beta.FIELD), Where.read(in, dataset));
    }

    BigDecimal beta() {
        return sentBeta.orElseThrow();
    }

    Where where() {
        return sentWhere.orElseThrow();
    }
}
