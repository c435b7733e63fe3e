package dev.purser.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Rho;
import dev.purser.privacy.StatedAmount;
import org.springframework.stereotype.Component;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** Writes privacy amounts in responses as strings in plain decimal. */
@Component
public final class PrivacyJson extends SimpleModule {
    private static final long serialVersionUID = 1L;

    public PrivacyJson() {
        addSerializer(Epsilon.class, ToStringSerializer.instance);
        addSerializer(Delta.class, ToStringSerializer.instance);
        addSerializer(Rho.class, ToStringSerializer.instance);
        setMixInAnnotation(StatedAmount.class, WithoutNull.class);
    }

    /** An amount has a rho only under {@code zcdp}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private interface WithoutNull {}
}
