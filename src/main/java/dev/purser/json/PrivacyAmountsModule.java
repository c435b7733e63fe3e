package dev.purser.json;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import org.springframework.stereotype.Component;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** Writes exact amounts as plain decimal strings, so that no client can read them as floating point by accident. */
@Component
class PrivacyAmountsModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    PrivacyAmountsModule() {
        super("privacy-amounts");
        addSerializer(Epsilon.class, ToStringSerializer.instance);
        addSerializer(Delta.class, ToStringSerializer.instance);
    }
}
