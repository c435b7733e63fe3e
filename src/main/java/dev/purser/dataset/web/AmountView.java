package dev.purser.dataset.web;

import dev.purser.privacy.PrivacyAmount;
import io.swagger.v3.oas.annotations.media.Schema;

@Schema(name = "PrivacyAmount", description = "An exact amount of privacy loss, as plain decimal strings.")
record AmountView(
        @Schema(description = "Epsilon, natural units.", example = "0.5")
        String epsilon,

        @Schema(description = "Delta, a probability.", example = "0")
        String delta) {
    static AmountView of(PrivacyAmount amount) {
        return new AmountView(amount.epsilon().toString(), amount.delta().toString());
    }
}
