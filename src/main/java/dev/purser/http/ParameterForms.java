package dev.purser.http;

import java.time.Instant;
import java.util.regex.Pattern;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Reads the query parameters that are times. They have one form. */
@Configuration(proxyBeanMethods = false)
class ParameterForms implements WebMvcConfigurer {
    /** RFC 3339 in UTC. The parser alone would accept other years and offsets. */
    private static final Pattern UTC = Pattern.compile("[0-9]{4}-[0-9-]{5}[Tt][0-9:]{8}(\\.[0-9]{1,9})?[Zz]");

    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(String.class, Instant.class, ParameterForms::instant);
    }

    private static Instant instant(String sent) {
        if (!UTC.matcher(sent).matches()) {
            throw new IllegalArgumentException("no instant");
        }
        return Instant.parse(sent);
    }
}
